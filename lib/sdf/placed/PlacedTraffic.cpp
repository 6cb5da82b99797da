#include "lib/sdf/placed/PlacedTraffic.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace spindle {

PlacedTraffic::PlacedTraffic(const Clustering &clustering, const Mapping &placed,
                             const Chip &target, StepNetwork &packets)
    : mapping(placed), chip(target), mesh(packets), homes(clustering.neurons, kNone) {
  for (UnitId u = 0; u < clustering.units.size(); ++u)
    if (clustering.units[u].carryTo == kNone)
      homes[clustering.units[u].neuron] = u;
  std::vector<std::vector<CrossbarJob>> listeners(clustering.neurons);
  for (ClusterId c = 0; c < clustering.clusters.size(); ++c)
    for (const Axon &axon : clustering.clusters[c].axons)
      listeners[axon.neuron].push_back({c, axon.synapses});
  std::map<std::pair<TileId, std::vector<TileId>>, uint32_t> trees;
  for (NeuronId neuron = 0; neuron < clustering.neurons; ++neuron) {
    offsets.push_back(spikes.size());
    std::vector<CrossbarJob> &jobs = listeners[neuron];
    std::sort(jobs.begin(), jobs.end(), [&](const CrossbarJob &a, const CrossbarJob &b) {
      return std::tuple(tile(a.cluster), a.cluster) < std::tuple(tile(b.cluster), b.cluster);
    });
    UnitId unit = homes[neuron];
    collect(unit == kNone ? kNone : clustering.units[unit].cluster, jobs);
    if (chip.router.multicast != Multicast::Unicast)
      joinPackets(offsets.back(), trees);
  }
  offsets.push_back(spikes.size());
}

/// A sending to each tile that listens, or on chips that send to crossbars to each of those.
void PlacedTraffic::collect(ClusterId from, llvm::ArrayRef<CrossbarJob> jobs) {
  bool isToEach = chip.router.packetsTo == PacketTarget::Crossbar;
  while (!jobs.empty()) {
    TileId target = tile(jobs.front().cluster);
    auto here =
        jobs.take_while([&](const CrossbarJob &job) { return tile(job.cluster) == target; });
    here = isToEach ? here.take_front(1) : here;
    Sending sending{from == kNone ? chip.mesh.hostTileFor(target) : tile(from), target};
    // A crossbar hears its own neurons without a packet.
    sending.isMade =
        isToEach || sending.source != target || here.size() > 1 || here.front().cluster != from;
    sending.first = static_cast<uint32_t>(allJobs.size());
    allJobs.insert(allJobs.end(), here.begin(), here.end());
    sending.last = static_cast<uint32_t>(allJobs.size());
    spikes.push_back(sending);
    jobs = jobs.drop_front(here.size());
  }
}

/// In the place of the packets from `first` on that leave their tile: trees, behind what stays.
void PlacedTraffic::joinPackets(size_t first,
                                std::map<std::pair<TileId, std::vector<TileId>>, uint32_t> &trees) {
  auto isNear = [](const Sending &sending) { return sending.source == sending.target; };
  auto far = std::stable_partition(spikes.begin() + ptrdiff_t(first), spikes.end(), isNear);
  std::map<TileId, std::vector<Sending>> bySource;
  for (auto sending = far; sending != spikes.end(); ++sending)
    bySource[sending->source].push_back(*sending);
  spikes.erase(far, spikes.end());
  for (const auto &[source, sendings] : bySource) {
    std::vector<TileId> targets;
    for (const Sending &sending : sendings)
      targets.push_back(sending.target);
    std::vector<std::vector<TileId>> groups = {targets};
    if (chip.router.multicast == Multicast::Path)
      groups = multicastPaths(chip.mesh, chip.router.routing, source, targets);
    for (const std::vector<TileId> &group : groups) {
      auto [known, isNew] =
          trees.try_emplace({source, group}, static_cast<uint32_t>(treeTargets.size()));
      if (isNew) {
        mesh.addTree(multicastTree(chip.mesh, chip.router.routing, source, group));
        treeTargets.push_back(group);
      }
      Sending joined{source, known->second, true};
      joined.first = static_cast<uint32_t>(allJobs.size());
      for (TileId target : group) {
        auto one = llvm::find_if(sendings, [&](const Sending &s) { return s.target == target; });
        for (uint32_t job = one->first; job < one->last; ++job)
          allJobs.push_back(CrossbarJob(allJobs[job]));
      }
      joined.last = static_cast<uint32_t>(allJobs.size());
      spikes.push_back(joined);
    }
  }
}

llvm::ArrayRef<CrossbarJob> PlacedTraffic::jobs(const Sending &sending, uint32_t target) const {
  TileId at = treeTargets[sending.target][target];
  auto all = jobs(sending).drop_while([&](const CrossbarJob &j) { return tile(j.cluster) != at; });
  return all.take_while([&](const CrossbarJob &job) { return tile(job.cluster) == at; });
}

uint32_t PlacedTraffic::packetsOf(NeuronId neuron) const {
  return static_cast<uint32_t>(
      llvm::count_if(sendings(neuron), [](const Sending &sending) { return sending.isMade; }));
}

uint64_t PlacedTraffic::tilesInUse() const {
  std::set<TileId> used;
  for (const Placement &placement : mapping.placements)
    used.insert(placement.tile);
  return used.size();
}

} // namespace spindle
