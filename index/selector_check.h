// Whether this build's FAISS honours a selector for a kind of index, found out before it is
// trusted. Not for users of the folder.
#pragma once

#include <functional>
#include <string>

#include "index/dense_engine.h"

namespace sightline::index {

struct SelectorCheck {
  bool honoured = false;
  std::string note;  ///< a sentence: what was seen
};

/// Makes an engine of the shape; what make_engine does, or a test's stand-in.
using EngineMaker = std::function<std::unique_ptr<DenseEngine>(
    const EngineShape& shape, const float* rows, const DenseBuild& options)>;

/// Builds a small index of this kind and searches it with a range and a bitmap that leave out the
/// nearest rows of each query. Honoured means: every row that came back is kept, each search found
/// as many as it should, and nothing threw.
SelectorCheck run_selector_check(const DenseKind& kind, Metric metric, const EngineMaker& make);

/// The same with this build's FAISS, once in a process for each kind and metric. Sizes in the kind
/// (lists, links, parts) do not matter.
const SelectorCheck& selector_check(const DenseKind& kind, Metric metric);

}  // namespace sightline::index
