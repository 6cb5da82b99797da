#include "core/chip/work/Forecast.h"

#include "core/chip/RouterTiming.h"
#include "core/chip/work/CrossbarWork.h"

#include <cmath>

namespace spindle {

/// Links between two tiles in the mean, of so many that lie side by side.
static double meanHops(const Mesh &mesh, double tiles) {
  if (mesh.isTree()) // most pairs have the root of the part in use between them
    return 2 * std::ceil(std::log2(std::max(tiles, 1.0)) / 2);
  return (mesh.isBus() ? tiles : std::sqrt(tiles)) / 3;
}

static double meanHopPj(const Chip &chip) {
  const EnergyTable &price = chip.energy;
  const Mesh &mesh = chip.mesh;
  if (mesh.isTree())
    return price.hopYPj.value;
  if (mesh.isBus()) // as far as the line goes along each
    return (mesh.rows * (mesh.columns - 1.0) * price.hopXPj.value +
            (mesh.rows - 1.0) * price.hopYPj.value) /
           std::max(1u, mesh.bus().segments());
  return (price.hopXPj.value + price.hopYPj.value) / 2;
}

static double tilesOf(const Chip &chip, size_t clusters) {
  return std::ceil(double(clusters) / chip.crossbarsPerTile);
}

double meanWayCycles(const Chip &chip, size_t clusters) {
  double tiles = tilesOf(chip, clusters);
  if (tiles < 2)
    return 0;
  double hops = meanHops(chip.mesh, tiles);
  auto least = static_cast<uint32_t>(hops); // and in between
  auto from = double(headLatencyCycles(chip, least));
  return from + (hops - least) * (double(headLatencyCycles(chip, least + 1)) - from);
}

double meanWayPj(const Chip &chip, size_t clusters) {
  double tiles = tilesOf(chip, clusters);
  double ofChip = double(chip.mesh.chipColumns) * chip.mesh.chipRows; // tiles of one of several
  double chips = chip.mesh.isJoined() ? std::ceil(tiles / ofChip) : 1;
  double crossings = chips > 1 ? std::sqrt(chips) / 3 : 0;
  return meanHops(chip.mesh, tiles) * meanHopPj(chip) + crossings * chip.energy.chipLinkPj.value;
}

namespace {

/// Packets that leave each cluster; the last entry is the host's, from all of its tiles.
struct Packets {
  std::vector<double> spikes, sums, sumFlits;
};

Packets packetsOut(const Clustering &clustering, const Chip &chip) {
  size_t clusters = clustering.clusters.size();
  Packets out{std::vector<double>(clusters + 1), std::vector<double>(clusters + 1),
              std::vector<double>(clusters + 1)};
  auto at = [&](ClusterId c) { return c == kNone ? clusters : c; };
  for (const ClusterLink &link : clustering.links) {
    auto packets = double(partialSumPackets(clustering, link));
    out.sums[at(link.from)] += packets;
    out.sumFlits[at(link.from)] += partialSumFlits(chip.router, packets, double(link.partialSums));
    if (chip.router.multicast == Multicast::Unicast)
      out.spikes[at(link.from)] += double(link.spikes);
  }
  if (chip.router.multicast == Multicast::Unicast)
    return out;
  std::vector<ClusterId> home(clustering.neurons, kNone);
  for (const Unit &unit : clustering.units)
    if (unit.carryTo == kNone)
      home[unit.neuron] = unit.cluster;
  std::vector<bool> counted(clustering.neurons);
  for (ClusterId c = 0; c < clusters; ++c)
    for (const Axon &axon : clustering.clusters[c].axons)
      if (home[axon.neuron] != c && !counted[axon.neuron]) {
        counted[axon.neuron] = true;
        out.spikes[at(home[axon.neuron])] += double(axon.spikes);
      }
  return out;
}

} // namespace

Forecast forecast(const Clustering &clustering, const Chip &chip) {
  Forecast result;
  size_t clusters = clustering.clusters.size();
  double samples = clustering.samples, longest = -1;
  auto consider = [&](double cycles, StepLimit limit, ClusterId c) {
    if (cycles > longest) {
      longest = cycles;
      result.limit = limit;
      result.cluster = c;
    }
  };
  std::vector<CrossbarWork> works = workOf(clustering);
  CrossbarWork all;
  for (ClusterId c = 0; c < clusters; ++c) {
    consider(updatingCycles(works[c], chip.latency), StepLimit::ColumnUpdates, c);
    consider(readingCycles(works[c], chip.latency), StepLimit::RowReads, c);
    all.cells += works[c].cells;
    all.partialSums += works[c].partialSums;
    all.columnUpdates += clustering.clusters[c].neurons;
  }
  result.slowestWork = std::max(longest, 0.0) / samples;
  Packets out = packetsOut(clustering, chip);
  double flits = 0, made = 0, packets = 0;
  for (size_t c = 0; c <= clusters; ++c) {
    bool isHost = c == clusters;
    double own = out.spikes[c] * chip.router.spikePacketFlits + out.sumFlits[c];
    // Before placement the host's tiles are taken to share them evenly.
    consider(isHost ? own / double(chip.mesh.hostTiles.size()) : own,
             isHost ? StepLimit::HostPackets : StepLimit::PacketsOut,
             isHost ? kNone : static_cast<ClusterId>(c));
    flits += own;
    packets += out.spikes[c] + out.sums[c];
    made += isHost ? 0 : out.spikes[c] + out.sums[c];
  }
  result.cycles = barrierCyclesPerSample(chip, clustering) + longest / samples;
  result.packets = packets / samples;

  const EnergyTable &price = chip.energy;
  double tiles = tilesOf(chip, clusters);
  double received = 0;
  for (const ClusterLink &link : clustering.links)
    received += double(link.spikes) + double(partialSumPackets(clustering, link));
  double events = flits * meanWayPj(chip, clusters) + made * price.axonOutPj.value +
                  received * price.axonInPj.value + all.partialSums * price.partialSumPj.value;
  for (SynapseKind kind : kSynapseKinds)
    events += all.cells[kind] * price.synapsePjOf(kind);
  double perStep = all.columnUpdates * (price.neuronAccessPj.value + price.neuronUpdatePj.value) +
                   tiles * price.stepBarrierPj.value;
  // Routers of tiles in use; those that sleep are left out, their part is small and not known here.
  double leakageMw =
      price.leakageTileMw.value + (chip.router.gating ? 0 : price.leakageRouterMw.value);
  if (leakageMw > 0)
    result.pjPerCycle = tiles * leakageMw * 1e3 / chip.clockMhz.value;
  result.pj = events / samples + clustering.steps * perStep + result.cycles * result.pjPerCycle;
  return result;
}

} // namespace spindle
