// Explorers with the habits that the paper found in language models: Theory of Space (ToS), 4.2 and
// Figures 16 to 20. They are told what an agent is told, and get around by what they saw.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "host/random.h"
#include "host/theory_of_space/agent_memory.h"

namespace sightline::host::tos {

enum class Pattern : std::uint8_t {
  kRotateAndScan,  ///< looks all around wherever it is, then goes to a door that is new to it
  kDoorFirst,    ///< leaves for a door as soon as it sees a new one, whatever it has not seen here
  kObjectOrbit,  ///< goes to a thing, looks all around from there, then to some door, and so on
  kRandom        ///< turns, jumps and looks as it happens; 20 looks
};

class PatternExplorer final : public Explorer {
 public:
  /// Equal seeds act alike.
  PatternExplorer(const Briefing& briefing, Pattern pattern, std::uint64_t seed,
                  FieldOfView field = FieldOfView::k90);
  void explore(World* world) override;

 private:
  bool look(World* world, int node, Heading heading);
  bool look_around(World* world);
  bool look_through(World* world, int door);
  std::optional<int> new_door();
  std::optional<int> new_object();
  void tour_doors(World* world, bool leaves_early);
  void orbit(World* world);
  void wander(World* world);

  AgentMemory memory_;
  Pattern pattern_;
  RandomItem random_;
  std::uint64_t visited_ = 0;
};

}  // namespace sightline::host::tos
