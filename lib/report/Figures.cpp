#include "lib/report/Figures.h"

#include "lib/report/chip/LapseFigure.h"
#include "lib/report/chip/MeshFigure.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>

namespace spindle {

static uint32_t ceilDiv(uint32_t a, uint32_t b) { return (a + b - 1) / b; }

static uint32_t strideFor(const Population &population, uint32_t neurons) {
  return std::max(1u, ceilDiv(population.size, neurons));
}

/// Spikes left when every population shows at most `neurons` neurons.
static size_t drawnSpikes(const SpikeTrace &trace, const std::vector<uint64_t> &counts,
                          uint32_t neurons) {
  size_t total = 0;
  for (const Population &population : trace.populations)
    for (uint32_t i = 0, stride = strideFor(population, neurons); i < population.size; i += stride)
      total += counts[population.first + i];
  return total;
}

Json rasterFigure(const SpikeTrace &trace, const FigureLimits &limits) {
  const std::vector<Spike> &sample = trace.recorded.front();
  std::vector<uint64_t> counts(neuronCount(trace.populations), 0);
  for (const Spike &spike : sample)
    ++counts[spike.neuron];
  uint32_t neurons = limits.rasterNeurons;
  while (neurons > 1 && drawnSpikes(trace, counts, neurons) > limits.rasterSpikes)
    neurons /= 2;

  Json figure = {{"source", run::kSpikes},
                 {"steps", trace.steps},
                 {"step_ms", trace.stepMs},
                 {"spikes", sample.size()},
                 {"populations", Json::array()}};
  for (const Population &population : trace.populations) {
    uint32_t stride = strideFor(population, neurons);
    std::vector<uint32_t> points;
    uint64_t spikes = 0;
    for (const Spike &spike : sample) {
      uint32_t local = spike.neuron - population.first;
      if (local >= population.size)
        continue;
      ++spikes;
      if (local % stride == 0)
        points.insert(points.end(), {spike.step, local / stride});
    }
    figure["populations"].push_back(
        {{"name", population.name},
         {"kind", population.kind == PopulationKind::Input ? "input" : "neuron"},
         {"neurons", population.size},
         {"stride", stride},
         {"rows", ceilDiv(population.size, stride)},
         {"spike_count", spikes},
         {"spikes", points}});
  }
  return figure;
}

/// The start of the bar that an interval belongs to, of four for every doubling.
static uint64_t quarterStart(uint64_t interval) {
  if (interval < 4)
    return interval;
  int zeros = std::bit_width(interval) - 3;
  return interval >> zeros << zeros;
}

static uint64_t quarterEnd(uint64_t start) {
  return start < 4 ? start + 1 : start + (uint64_t(1) << (std::bit_width(start) - 3));
}

Json intervalFigure(const SpikeStatistics &statistics) {
  uint64_t last = 0;
  for (const PopulationStatistics &each : statistics.populations)
    if (size_t bins = each.intervals.histogram.size())
      last = std::max(last, intervalBinStart(bins - 1));
  bool logarithmic = last >= 64;
  Json figure = {{"source", run::kStatistics},
                 {"step_ms", statistics.stepMs},
                 {"logarithmic", logarithmic},
                 {"populations", Json::array()}};
  for (const PopulationStatistics &each : statistics.populations) {
    const std::vector<uint64_t> &bins = each.intervals.histogram;
    std::vector<uint64_t> from, counts;
    size_t first = bins.empty() || bins[0] > 0 ? 0 : 1; // zero steps: several spikes in a step
    for (size_t bin = first; bin < bins.size(); ++bin) {
      uint64_t start = intervalBinStart(bin);
      if (!logarithmic || quarterStart(start) == start) {
        from.push_back(start);
        counts.push_back(0);
      }
      counts.back() += bins[bin];
    }
    if (!from.empty())
      from.push_back(logarithmic ? quarterEnd(from.back()) : from.back() + 1);
    figure["populations"].push_back(
        {{"name", each.population.name}, {"from", from}, {"counts", counts}});
  }
  return figure;
}

Json trafficFigure(const Clustering &clusters, const FigureLimits &limits) {
  uint32_t count = static_cast<uint32_t>(clusters.clusters.size());
  uint32_t perBin = std::max(1u, ceilDiv(count, limits.trafficBins));
  std::map<std::pair<int64_t, int64_t>, uint64_t> cells;
  for (const ClusterLink &link : clusters.links) {
    int64_t from = link.from == kNone ? int64_t(-1) : int64_t(link.from / perBin);
    cells[{from, link.to / perBin}] += link.spikes + link.partialSums;
  }
  Json figure = {{"source", run::kClusters},
                 {"clusters", count},
                 {"clusters_per_bin", perBin},
                 {"bins", ceilDiv(count, perBin)},
                 {"cells", Json::array()}};
  for (const auto &[ends, packets] : cells)
    for (const Json &number : {Json(ends.first), Json(ends.second), Json(packets)})
      figure["cells"].push_back(number);
  return figure;
}

Json buildFigures(const StageFiles &files, const FigureLimits &limits) {
  Json figures = Json::object();
  if (files.spikes && !files.spikes->recorded.empty())
    figures["raster"] = rasterFigure(*files.spikes, limits);
  if (files.statistics)
    figures["intervals"] = intervalFigure(*files.statistics);
  if (files.clusters && !files.clusters->clusters.empty())
    figures["traffic"] = trafficFigure(*files.clusters, limits);
  if (files.chip || (files.mapping && files.clusters))
    figures["mesh"] = meshFigure(files.mapping, files.clusters, files.chip, limits);
  if (files.lapse)
    figures["lapse"] = lapseFigure(*files.lapse, limits);
  return figures;
}

} // namespace spindle
