// What a step takes on a chip whose clusters are placed.
#pragma once

#include "core/network/synapses/AwakeNeurons.h"
#include "lib/sdf/placed/PlacedTraffic.h"

#include <array>

namespace spindle {

/// What steps wait for: the part of the chip that is busy longest in them. `port`: the way of a
/// tile's packets into the mesh, or out of it.
enum class StepPart : uint8_t { Columns, Crossbar, Port, Link };
inline constexpr const char *kStepPartNames[] = {"columns", "crossbar", "port", "link"};

/// Of one step, without its barrier.
struct PlacedWork {
  uint64_t cycles = 0;
  StepPart slowest = StepPart::Columns;
};

/// Works steps one by one: columns make spikes and sums one after the other, packets travel
/// (StepNetwork.h), crossbars work what comes in the order in which it does.
class PlacedStep {
public:
  /// All outlive it.
  PlacedStep(const Clustering &clustering, const Mapping &mapping, const Chip &chip);

  /// A step in which these neurons spike and, on a chip that prices accesses, these are awake.
  llvm::Expected<PlacedWork> work(llvm::ArrayRef<NeuronId> spikes, const AwakeNeurons &awake);
  uint64_t tilesInUse() const { return traffic.tilesInUse(); }

private:
  struct Parcel {
    MeshPacket packet;
    const Sending *sending; // of a spike; none: a packet with …
    CrossbarJob sums = {};  // … these
  };
  struct Arrival {
    uint64_t cycle;
    CrossbarJob job;
  };

  uint64_t updateColumns(llvm::ArrayRef<NeuronId> spikes, const AwakeNeurons &awake);
  void send(NeuronId neuron);
  void carry(llvm::ArrayRef<NeuronId> spikes);
  void arrive(uint64_t cycle, llvm::ArrayRef<CrossbarJob> jobs);
  llvm::Error travel();
  uint64_t workArrivals(uint64_t &busiest);

  const Clustering &clustering;
  const Chip &chip;
  std::unique_ptr<StepNetwork> mesh;
  PlacedTraffic traffic;
  std::vector<bool> spikesNow;     // per neuron
  std::vector<UnitId> order;       // in which columns are updated
  std::vector<uint64_t> updated;   // per unit: when its column is done
  std::vector<uint32_t> packetsOf; // per neuron
  std::vector<uint64_t> columns;   // per cluster: when all of its are
  std::vector<Parcel> parcels;     // of the step
  std::vector<Arrival> arrivals;
};

} // namespace spindle
