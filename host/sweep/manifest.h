// Where a run's results come from: inputs, program, machine, sessions.
#pragma once

#include <string>
#include <vector>

#include "host/device.h"
#include "host/sweep/store.h"

namespace sightline::host {

/// Sizes, XXH64 hashes and stamps of files, read in pieces. Throws InputError if one cannot be
/// read.
std::vector<InputHash> hash_inputs(const std::vector<std::string>& paths);

/// Version and git revision of this build, as compared on resume.
std::string program_identity();

/// Now, UTC: "2026-01-31T12:00:00Z".
std::string utc_now();

/// A session of this process that begins now. `shard`: "2/3" of one that computes a part.
Session begin_session(const std::vector<std::string>& command, const Device& device,
                      const std::string& shard = "");

/// The session of a process that only puts parts together: with their devices and threads.
Session begin_merge(const std::vector<std::string>& command, const std::vector<Session>& parts);

/// Format 1: format, name, status, started, ended, seed (a swept one: its axis), seed_is_default
/// (the sweep file gives none), configurations, config_xxh64, inputs; then, of the latest session,
/// command, device, threads and environment (version, git revision and dirtiness, compiler, host,
/// CPU, GPUs, libraries); then all sessions, and if the latest ran on a GPU, gpu: its place among
/// those that CUDA showed; and trials: true of a run with --trials.
std::string manifest_json(const RunIdentity& identity, const std::vector<Session>& sessions);

/// Lines that say how two identities differ, each a full clause ("axes.step_m: was 0.5, is 0.25").
/// Programs are not compared here, and neither is `report`. The order of keys is, where key_order.h
/// says that it counts. Empty: the same run.
std::vector<std::string> differences(const RunIdentity& was, const RunIdentity& is);

}  // namespace sightline::host
