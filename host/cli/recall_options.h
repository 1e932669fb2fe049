// Options that say how memories are ranked, as `recall` of a sweep file would hold them.
#pragma once

#include <string>

#include <CLI/CLI.hpp>

#include "host/config/value.h"

namespace sightline::cli {

/// As typed; empty: not given.
struct RankArguments {
  std::string k, weights, normalise, proximity, recency, since, staleness, gate, penalty, verify;
};

/// --k, --weights, --normalise, --proximity, --recency, --since, --staleness, --gate, --penalty and
/// --verify.
void add_rank_options(CLI::App& command, RankArguments& arguments);

/// {weights, proximity, ..}: what host::parse_recall_request reads. Values claim to be written at
/// their option. With a world, what is recalled is verified unless told otherwise. Throws
/// InputError for what is no short form and no YAML.
host::ConfigValue recall_settings(const RankArguments& arguments, bool has_world);

}  // namespace sightline::cli
