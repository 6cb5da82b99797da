// One sample on a free-running chip, slot by slot.
#pragma once

#include "sim/model/DeliveredChip.h"
#include "sim/model/router/ClockedNetwork.h"

#include <map>

namespace spindle {

/// What DeliveredChip.h describes, of one sample. The network computes each step as if everything
/// had come in time; what had not is taken off again by the weights of its synapses, and added
/// where it counts. So nothing is rounded where nothing is late.
class DeliveredSample {
public:
  DeliveredSample(const DeliveredChip &tables, SteppedNetwork &stepped, uint32_t stepsOfSample,
                  std::vector<DeliveryCounts> &deliveryCounts);

  void run();

private:
  static constexpr uint64_t kNever = UINT64_MAX;

  /// A spike at a crossbar, or partial sums.
  struct Delivery {
    uint64_t readSlot = kNever; // in which its row was read
    uint32_t step = 0;          // of a spike: that its source made it for
    uint64_t slot = 0;          // of sums: in which they were made
    NeuronId neuron = 0;        // of a spike
    size_t stop = 0;            // of a spike
    std::vector<UnitId> parts;  // units whose sums these are; empty: a spike
    bool isLate = false, isLost = false;
  };
  /// When one is due: at the end of a slot, for some of its synapses (a group) or all of its sums.
  struct Due {
    size_t delivery, group;
  };
  struct Message {
    uint64_t madeCycle;
    size_t order;
    TileId source, target;
    uint32_t flits;
    const PlannedPacket *planned = nullptr;
    std::vector<std::vector<size_t>> deliveries; // at each target
  };
  struct Work {
    uint64_t cycle;
    size_t delivery;
    ClusterId cluster;
    uint32_t readCycles;
  };

  uint64_t endCycle(uint64_t slot) const { return (slot + 1) * stepCycles; }
  void makeSums(uint64_t slot);
  void makeSpikes(uint64_t slot);
  void sendSums(uint64_t slot, UnitId last, std::vector<UnitId> parts);
  void sendSpike(uint64_t slot, uint32_t step, NeuronId neuron);
  size_t addSpike(uint32_t step, NeuronId neuron, const Stop &stop);
  void arrive(uint64_t cycle, size_t delivery);
  void travel(uint64_t slot);
  void readRows(uint64_t slot);
  void settle(uint64_t slot);
  void count(const Delivery &delivery);
  void takeOff(const Delivery &delivery, size_t group);
  void addLate(Delivery &delivery, size_t group);
  uint32_t stepOf(const Delivery &delivery, UnitId part) const;
  double sumOf(UnitId unit, uint32_t step) const;
  std::vector<double> &correctionsOf(uint64_t step);
  uint64_t madeCycle(uint64_t slot, UnitId unit) const;

  const DeliveredChip &tables;
  const Clustering &clustering;
  SteppedNetwork &network;
  uint32_t steps;
  std::vector<DeliveryCounts> &counts;
  uint64_t stepCycles, neuronUpdateCycles;
  std::unique_ptr<ClockedNetwork> mesh;
  std::vector<ClockedNetwork::Reception> receptions;

  std::vector<Delivery> deliveries;
  std::vector<std::vector<Due>> dueAt;          // per slot
  std::vector<std::vector<Due>> missingDues;    // per delivery that is late and unread
  std::vector<Message> sent;                    // by packet
  std::vector<Message> waiting;                 // made, to be sent
  std::vector<Work> arrivals;                   // not yet read
  std::vector<uint64_t> freeCycle;              // per crossbar
  std::vector<std::vector<uint8_t>> spikes;     // per step, of each neuron
  std::vector<std::vector<bool>> heard;         // per step, crossbars that a spike goes to
  std::vector<std::vector<double>> corrections; // per step, of each unit's sum; or empty: none
  std::vector<std::vector<bool>> carriedTo;     // per step, units that a sum goes to
};

} // namespace spindle
