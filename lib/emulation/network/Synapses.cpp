#include "lib/emulation/network/Synapses.h"

#include "dialects/snn/synapses/DelayedSparseOp.h"

#include <algorithm>
#include <map>
#include <memory>
#include <numeric>
#include <tuple>

using namespace mlir;

namespace spindle {

SynapseKind synapseKindOf(Operation *op) {
  if (auto given = op->getAttrOfType<StringAttr>(snn::kSynapseKind))
    for (SynapseKind kind : kSynapseKinds)
      if (given.getValue() == kSynapseKindNames[size_t(kind)])
        return kind;
  if (isa<snn::DenseOp>(op))
    return SynapseKind::Dense;
  if (isa<snn::Conv2dOp, snn::AvgPool2dOp, snn::SumPool2dOp, snn::MaxPool2dOp>(op))
    return SynapseKind::Convolution;
  if (isa<snn::SparseOp, snn::DelayedSparseOp, snn::RandomOp>(op))
    return SynapseKind::Sparse;
  return SynapseKind::Unknown; // views, sums, factors
}

namespace {

/// What the spikes of a population contribute to a signal. No map means element by element.
struct Contribution {
  std::shared_ptr<const snn::LinearMap> map;
  SynapseKind kind = SynapseKind::Unknown; // as long as nothing is weighed
};
using Contributions = std::map<size_t, Contribution>; // by the index of the population

snn::LinearMap identity(int64_t size) {
  snn::LinearMapBuilder builder(size, size);
  for (int64_t n = 0; n < size; ++n) {
    builder.connect(n, 1);
    builder.endOutput();
  }
  return builder.take();
}

/// Two maps from the same inputs to the same outputs, added; synapses that meet become one.
snn::LinearMap sum(const snn::LinearMap &a, const snn::LinearMap &b) {
  snn::LinearMapBuilder builder(a.inputs, a.outputs);
  for (uint32_t o = 0; o < a.outputs; ++o) {
    uint64_t i = a.offsets[o], j = b.offsets[o];
    while (i < a.offsets[o + 1] || j < b.offsets[o + 1]) {
      bool takesA = j == b.offsets[o + 1] || (i < a.offsets[o + 1] && a.indices[i] <= b.indices[j]);
      bool takesB = i == a.offsets[o + 1] || (j < b.offsets[o + 1] && b.indices[j] <= a.indices[i]);
      uint32_t index = takesA ? a.indices[i] : b.indices[j];
      double weight = takesA ? double(a.weights[i++]) : 0;
      weight += takesB ? double(b.weights[j++]) : 0;
      builder.connect(index, static_cast<float>(weight));
    }
    builder.endOutput();
  }
  return builder.take();
}

class Composer {
public:
  explicit Composer(const Network &checked) : network(checked) {
    for (const NetworkOp &each : network.ops)
      if (each.population) { // feedback reads populations further down
        snn::GatherOp gather = gatherOf(each.op);
        mlir::Value spikes = (gather ? gather.getOperation() : each.op)->getResult(0);
        contributions[spikes][*each.population] = {};
      }
  }

  /// What drives a population.
  Contributions drive(const NetworkOp &each) {
    Contributions total;
    if (auto pool = dyn_cast<snn::MaxPool2dOp>(each.op))
      pass(each.sources[0], pool.windows(), synapseKindOf(pool), total);
    else if (isa<snn::NeuronOp>(each.op))
      for (auto [receptor, source] : llvm::enumerate(each.sources))
        for (auto &[population, own] : contributions.lookup(source)) {
          bool isInhibitory = isa<snn::CobaLifOp>(each.op) && receptor == 1;
          join(total, population, isInhibitory ? negated(own, source) : own, snn::sizeOf(source));
        }
    return total;
  }

  /// Works out the signal after an operation that is no population.
  void follow(const NetworkOp &each) {
    Contributions total;
    if (auto feedback = dyn_cast<snn::FeedbackOp>(each.op))
      total = contributions.lookup(populationOf(feedback)->getResult(0));
    else if (isa<snn::GatherOp>(each.op)) // known from the start
      return;
    else if (isa<snn::ReshapeOp, snn::DelayOp>(each.op)) // elements keep their numbers
      total = contributions.lookup(each.sources[0]);
    else if (auto synapse = dyn_cast<snn::SynapseOp>(each.op))
      for (auto [number, source] : llvm::enumerate(each.sources))
        if (!contributions.lookup(source).empty()) // the weights of a checked network are constant
          pass(source, *synapse.linearMap(static_cast<unsigned>(number)), synapseKindOf(synapse),
               total);
    contributions[each.op->getResult(0)] = std::move(total);
  }

private:
  /// The contributions to `source` after a linear operator, added to a total.
  void pass(Value source, snn::LinearMap last, SynapseKind kind, Contributions &total) {
    auto second = std::make_shared<const snn::LinearMap>(std::move(last));
    for (auto &[population, first] : contributions.lookup(source))
      join(total, population,
           {first.map ? std::make_shared<const snn::LinearMap>(snn::compose(*first.map, *second))
                      : second,
            std::max(first.kind, kind)},
           second->outputs);
  }

  static void join(Contributions &total, size_t population, Contribution own, int64_t size) {
    auto [place, isNew] = total.try_emplace(population, own);
    if (isNew)
      return;
    auto whole = [&](const Contribution &each) { return each.map ? *each.map : identity(size); };
    place->second = {std::make_shared<const snn::LinearMap>(sum(whole(place->second), whole(own))),
                     std::max(place->second.kind, own.kind)};
  }

  static Contribution negated(const Contribution &own, Value source) {
    snn::LinearMap result = own.map ? *own.map : identity(snn::sizeOf(source));
    for (float &weight : result.weights)
      weight = -weight;
    return {std::make_shared<const snn::LinearMap>(std::move(result)), own.kind};
  }

  const Network &network;
  llvm::DenseMap<Value, Contributions> contributions;
};

} // namespace

Synapses composeSynapses(const Network &network) {
  Synapses synapses;
  synapses.offsets.push_back(0);
  Composer composer(network);
  for (const NetworkOp &each : network.ops) {
    if (!each.population) {
      composer.follow(each);
      continue;
    }
    Contributions drive = composer.drive(each);
    uint32_t size = network.populations[*each.population].size;
    for (auto &[population, own] : drive) {
      if (!own.map)
        own.map = std::make_shared<const snn::LinearMap>(identity(size));
      synapses.projections.push_back({uint32_t(population), uint32_t(*each.population), own.kind});
    }
    for (uint32_t n = 0; n < size; ++n) {
      for (const auto &[population, own] : drive) {
        const snn::LinearMap *map = own.map.get();
        NeuronId first = network.populations[population].first;
        for (uint64_t k = map->offsets[n]; k < map->offsets[n + 1]; ++k) {
          synapses.sources.push_back(first + map->indices[k]);
          synapses.weights.push_back(map->weights[k]);
        }
      }
      synapses.offsets.push_back(synapses.sources.size());
    }
  }
  std::ranges::sort(synapses.projections, {},
                    [](const ProjectionKind &own) { return std::tie(own.from, own.to); });
  return synapses;
}

SynapseCount synapsesOnto(const Network &network, const std::vector<uint64_t> &spikes,
                          llvm::function_ref<bool(const NetworkOp &)> counts) {
  std::vector<Population> whole = wholePopulations(network);
  SynapseCount total;
  Composer composer(network);
  for (const NetworkOp &each : network.ops) {
    if (!each.population) {
      composer.follow(each);
      continue;
    }
    if (!counts(each))
      continue;
    for (const auto &[population, own] : composer.drive(each)) {
      const snn::LinearMap *map = own.map.get();
      const uint64_t *before = spikes.data() + whole[population].first;
      uint32_t size = whole[population].size;
      total.synapses += map ? map->indices.size() : size;
      if (!map)
        total.events += std::accumulate(before, before + size, uint64_t(0));
      else
        for (uint32_t source : map->indices)
          total.events += before[source];
    }
  }
  return total;
}

} // namespace spindle
