#include "lib/sdf/placed/PlacedStep.h"

#include "core/chip/RouterTiming.h"
#include "core/chip/work/ColumnOrder.h"
#include "core/chip/work/CrossbarWork.h"

#include <algorithm>

namespace spindle {

PlacedStep::PlacedStep(const Clustering &network, const Mapping &mapping, const Chip &target)
    : clustering(network), chip(target), mesh(makeStepNetwork(target)),
      traffic(network, mapping, target, *mesh), spikesNow(network.neurons),
      order(columnOrder(network)), updated(network.units.size()), packetsOf(network.neurons),
      columns(network.clusters.size()) {
  for (NeuronId neuron = 0; neuron < network.neurons; ++neuron)
    packetsOf[neuron] = traffic.packetsOf(neuron);
}

llvm::Expected<PlacedWork> PlacedStep::work(llvm::ArrayRef<NeuronId> spikes,
                                            const AwakeNeurons &awake) {
  uint64_t columnCycles = updateColumns(spikes, awake), reading = 0;
  carry(spikes);
  for (NeuronId neuron : spikes)
    send(neuron);
  SPINDLE_RETURN_IF_ERROR(travel());
  PlacedWork done;
  done.cycles = std::max(columnCycles, workArrivals(reading));
  RouterTiming timing(chip);
  MeshLoad load = mesh->load();
  const double busy[] = {
      double(columnCycles), double(reading),
      std::max(double(load.sent) * timing.busyInject, double(load.received) * timing.busyEject),
      load.linkCycles};
  done.slowest = static_cast<StepPart>(std::max_element(std::begin(busy), std::end(busy)) - busy);
  return done;
}

/// One after the other; a spike takes its time, and then each of its packets.
uint64_t PlacedStep::updateColumns(llvm::ArrayRef<NeuronId> spikes, const AwakeNeurons &awake) {
  auto cyclesOf = [](const Sourced &price) { return static_cast<uint64_t>(price.value); };
  const LatencyTable &latency = chip.latency;
  for (NeuronId neuron : spikes)
    spikesNow[neuron] = true;
  std::fill(columns.begin(), columns.end(), 0);
  for (UnitId u : order) {
    const Unit &unit = clustering.units[u];
    uint64_t &cycle = columns[unit.cluster];
    bool isUpdated = !chip.countsAccesses() || awake.isAwake(unit.neuron);
    cycle += cyclesOf(latency.neuronAccessCycles) +
             (isUpdated ? cyclesOf(latency.neuronUpdateCycles) : 0);
    bool isSpike = unit.carryTo == kNone && spikesNow[unit.neuron];
    cycle += isSpike ? cyclesOf(latency.neuronSpikeCycles) : 0;
    updated[u] = cycle;
    cycle += isSpike ? packetsOf[unit.neuron] * cyclesOf(latency.axonOutCycles) : 0;
  }
  for (NeuronId neuron : spikes)
    spikesNow[neuron] = false;
  return columns.empty() ? 0 : *std::max_element(columns.begin(), columns.end());
}

void PlacedStep::send(NeuronId neuron) {
  UnitId home = traffic.home(neuron);
  uint64_t made = home == kNone ? 0 : updated[home];
  uint64_t each = home == kNone ? 0 : static_cast<uint64_t>(chip.latency.axonOutCycles.value);
  for (const Sending &sending : traffic.sendings(neuron)) {
    made += sending.isMade ? each : 0;
    if (!sending.isTree && sending.source == sending.target)
      arrive(made, traffic.jobs(sending));
    else
      parcels.push_back(
          {{made, sending.source, sending.target, chip.router.spikePacketFlits, sending.isTree},
           &sending});
  }
}

void PlacedStep::carry(llvm::ArrayRef<NeuronId> spikes) {
  std::vector<bool> heard(clustering.clusters.size());
  for (NeuronId neuron : spikes)
    for (const Sending &sending : traffic.sendings(neuron))
      for (const CrossbarJob &job : traffic.jobs(sending))
        heard[job.cluster] = true;
  for (auto [last, number] : sumPackets(clustering, heard, [](const Unit &) { return true; })) {
    const Unit &unit = clustering.units[last];
    ClusterId to = clustering.units[unit.carryTo].cluster;
    CrossbarJob job{to, 0, number};
    TileId source = traffic.tile(unit.cluster), target = traffic.tile(to);
    if (source == target) {
      arrive(updated[last], job);
      continue;
    }
    auto flits = static_cast<uint32_t>(partialSumFlits(chip.router, 1, number));
    parcels.push_back({{updated[last], source, target, flits}, nullptr, job});
  }
}

void PlacedStep::arrive(uint64_t cycle, llvm::ArrayRef<CrossbarJob> jobs) {
  for (const CrossbarJob &job : jobs)
    arrivals.push_back({cycle, job});
}

llvm::Error PlacedStep::travel() {
  std::stable_sort(parcels.begin(), parcels.end(), [](const Parcel &a, const Parcel &b) {
    return a.packet.madeCycle < b.packet.madeCycle;
  });
  std::vector<MeshPacket> packets;
  for (const Parcel &parcel : parcels)
    packets.push_back(parcel.packet);
  bool isOver = mesh->run(packets, [&](uint32_t packet, uint32_t target, uint64_t cycle) {
    const Parcel &parcel = parcels[packet];
    if (const Sending *sending = parcel.sending)
      arrive(cycle, sending->isTree ? traffic.jobs(*sending, target) : traffic.jobs(*sending));
    else
      arrive(cycle, parcel.sums);
  });
  parcels.clear();
  if (!isOver)
    return checkError("prediction", "packets wait for each other in a circle");
  return llvm::Error::success();
}

/// Whichever of two that arrive together goes first, the crossbar is done in the same cycle.
uint64_t PlacedStep::workArrivals(uint64_t &busiest) {
  std::sort(arrivals.begin(), arrivals.end(),
            [](const Arrival &a, const Arrival &b) { return a.cycle < b.cycle; });
  std::vector<uint64_t> free(clustering.clusters.size()), busy(free.size());
  uint64_t last = 0;
  for (const Arrival &arrival : arrivals) {
    const CrossbarJob &job = arrival.job;
    auto cycles =
        static_cast<uint64_t>(readingCycles({.rowReads = job.sums == 0 ? 1.0 : 0.0,
                                             .cells = SynapsesByKind<double>(job.synapses),
                                             .partialSums = double(job.sums)},
                                            chip.latency));
    uint64_t &done = free[job.cluster];
    done = std::max(done, arrival.cycle) + cycles;
    busy[job.cluster] += cycles;
    last = std::max(last, done);
  }
  arrivals.clear();
  busiest = busy.empty() ? 0 : *std::max_element(busy.begin(), busy.end());
  return last;
}

} // namespace spindle
