#include "host/meta_memory/visible_set_index.h"

#include <algorithm>
#include <string>

#include "host/error.h"

namespace sightline::host {
namespace {

void keep_each_once(std::vector<ClassId>* classes) {
  std::sort(classes->begin(), classes->end());
  classes->erase(std::unique(classes->begin(), classes->end()), classes->end());
}

}  // namespace

VisibleSetIndex::VisibleSetIndex(const EntryTable& entries)
    : rows_of_class_(thing_classes().size()),
      num_classes_(static_cast<std::size_t>(entries.size())) {
  std::vector<ClassId> classes;
  for (std::int64_t row = 0; row < entries.size(); ++row) {
    const auto [first, last] = entries.visible_of(row);
    classes.clear();
    for (const VisibleObject* thing = first; thing != last; ++thing) {
      classes.push_back(thing->class_id);
    }
    keep_each_once(&classes);
    for (const ClassId id : classes) rows_of_class_[id].push_back(static_cast<std::int32_t>(row));
    num_classes_[static_cast<std::size_t>(row)] = static_cast<std::int32_t>(classes.size());
  }
}

index::Hits VisibleSetIndex::search(const std::vector<ClassId>& classes, std::int64_t k,
                                    const std::function<bool(std::int64_t row)>& may_return) const {
  std::vector<ClassId> asked = classes;
  keep_each_once(&asked);
  std::vector<std::int32_t> found;  // a row for each class that it shares
  for (const ClassId id : asked) {
    if (id >= rows_of_class_.size()) {
      throw InputError("class " + std::to_string(id) + " is none of the " +
                       std::to_string(rows_of_class_.size()) + " that there are");
    }
    const auto middle = static_cast<std::ptrdiff_t>(found.size());
    found.insert(found.end(), rows_of_class_[id].begin(), rows_of_class_[id].end());
    std::inplace_merge(found.begin(), found.begin() + middle, found.end());
  }
  index::Hits hits;
  for (std::size_t i = 0, next = 0; i < found.size(); i = next) {
    while (next < found.size() && found[next] == found[i]) ++next;
    if (!may_return(found[i])) continue;
    const auto shared = static_cast<double>(next - i);
    const double both = static_cast<double>(asked.size()) +
                        num_classes_[static_cast<std::size_t>(found[i])] - shared;
    hits.push_back({found[i], shared / both});
  }
  index::keep_best(k, hits);
  return hits;
}

}  // namespace sightline::host
