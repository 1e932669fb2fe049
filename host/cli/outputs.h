// Files that commands write: checked before the work that fills them.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace sightline::cli {

/// Throws InputError if `out` cannot be written, or is one of the files that are read.
void check_output(const std::string& out, const std::vector<std::string>& inputs,
                  const char* option = "--out");
/// The same, and if it does not end as what is written does, in ".jsonl" for one: whoever names a
/// file of another kind has likely slipped, and would lose it.
void check_output_as(const std::string& extension, const std::string& out,
                     const std::vector<std::string>& inputs, const char* option = "--out");

/// An option and the file that it names, or nothing.
using NamedOutput = std::pair<const char*, std::string>;
/// Throws InputError if two outputs are one file: the last to be written would be all that is left.
void check_outputs_differ(const std::vector<NamedOutput>& outputs);

}  // namespace sightline::cli
