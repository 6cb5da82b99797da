// An architecture of SANA-FE, version 2: tiles with cores, cores with units. Private to this
// folder.
#pragma once

#include "lib/frontend/sanafe/YamlField.h"

#include <array>
#include <optional>

namespace spindle::sanafe {

/// Energy in J and time in s of an event.
struct EventCost {
  double joules = 0, seconds = 0;
  bool operator==(const EventCost &) const = default;
};

/// A unit of a core, or several that are numbered.
struct HardwareUnit {
  IndexRange name;
  std::string model;           // of synapses, dendrites and somas
  std::array<EventCost, 3> of; // a soma: access, update, spike; others: of their one event
  std::string place;
  std::string refusal; // of what has no counterpart: an error where a neuron uses it
  bool isNamed(const std::string &wanted) const;
};

struct CoreKind {
  std::string name, place;
  uint32_t mostNeurons = 0;
  EventCost axonIn, axonOut;
  std::vector<HardwareUnit> synapses, dendrites, somas; // the first ones are the defaults
  /// Only inputs can be in it.
  bool isHost() const;
};

struct TileKind {
  std::string name, place;
  EventCost north, south, east, west; // a hop
  std::vector<uint32_t> cores;        // kinds
};

struct Architecture {
  std::string name, path;
  uint32_t width = 1, height = 1, linkBuffer = 1;
  std::vector<std::pair<uint32_t, double>> barrier; // s from so many tiles on, ascending; not empty
  std::vector<CoreKind> coreKinds;
  std::vector<TileKind> tileKinds;
  std::vector<uint32_t> tiles; // kinds; tile t is at column t / height and row t % height

  double barrierSeconds(uint32_t tilesInUse) const;
};

/// Errors have the place. Refused: keys of files before version 2, by their names; buffers
/// elsewhere than before the soma. Units that are plugins, add noise or have a model without a
/// counterpart have a refusal.
llvm::Expected<Architecture> readArchitecture(const std::string &path);

} // namespace spindle::sanafe
