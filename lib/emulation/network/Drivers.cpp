#include "lib/emulation/network/Drivers.h"

#include "lib/emulation/network/Synapses.h"

#include <algorithm>
#include <optional>

using namespace mlir;

namespace spindle {

uint32_t SourceLists::listOf(std::vector<NeuronId> &members) {
  if (!std::ranges::is_sorted(members))
    std::ranges::sort(members);
  auto repeated = std::ranges::unique(members);
  members.erase(repeated.begin(), repeated.end());
  uint64_t hash = members.size();
  for (NeuronId n : members)
    hash = (hash ^ n) * 0x9E3779B97F4A7C15u + (hash >> 29);
  auto [begin, end] = byHash.equal_range(hash);
  for (auto known = begin; known != end; ++known)
    if (std::ranges::equal((*this)[known->second], members))
      return known->second;
  neurons.insert(neurons.end(), members.begin(), members.end());
  offsets.push_back(neurons.size());
  byHash.emplace(hash, size() - 1);
  return size() - 1;
}

namespace {

/// Makes the drivers of a signal element by element.
class DriversBuilder {
public:
  explicit DriversBuilder(int64_t size) : lists(std::make_shared<SourceLists>()) {
    made.listOf.reserve(size_t(size));
  }
  std::vector<NeuronId> members; // of the next list
  uint32_t close() {
    uint32_t list = lists->listOf(members);
    members.clear();
    return list;
  }
  void element(uint32_t list) { made.listOf.push_back(list); }
  Drivers take(std::map<size_t, SynapseKind> kinds) {
    made.lists = std::move(lists);
    made.kinds = std::move(kinds);
    return std::move(made);
  }

private:
  std::shared_ptr<SourceLists> lists;
  Drivers made;
};

/// All filters of a group read the same inputs at a place.
void connect(snn::Conv2dOp op, const Drivers &from, DriversBuilder &result) {
  ArrayRef<int64_t> in = snn::shapeOf(op.getInput()), out = snn::shapeOf(op.getOutput()),
                    w = snn::shapeOf(op.getWeight());
  ArrayRef<int64_t> pad = op.getPadding(), stride = op.getStrides(), dilation = op.getDilations();
  auto groups = int64_t(op.getGroups());
  std::vector<uint32_t> atPlace(size_t(out[1] * out[2]));
  for (int64_t group = 0; group < groups; ++group) {
    for (int64_t r = 0; r < out[1]; ++r)
      for (int64_t c = 0; c < out[2]; ++c) {
        for (int64_t k = 0; k < w[1]; ++k)
          for (int64_t i = 0; i < w[2]; ++i)
            for (int64_t j = 0; j < w[3]; ++j) {
              int64_t row = r * stride[0] + i * dilation[0] - pad[0];
              int64_t column = c * stride[1] + j * dilation[1] - pad[1];
              if (row >= 0 && row < in[1] && column >= 0 && column < in[2])
                from.addTo(result.members, ((group * w[1] + k) * in[1] + row) * in[2] + column);
            }
        atPlace[size_t(r * out[2] + c)] = result.close();
      }
    for (int64_t filter = 0; filter < out[0] / groups; ++filter)
      for (uint32_t list : atPlace)
        result.element(list);
  }
}

/// All outputs read all inputs.
void connect(snn::DenseOp op, const Drivers &from, DriversBuilder &result) {
  for (int64_t i = 0; i < snn::sizeOf(op.getInput()); ++i)
    from.addTo(result.members, i);
  uint32_t list = result.close();
  for (int64_t o = 0; o < snn::sizeOf(op.getOutput()); ++o)
    result.element(list);
}

/// An element that reads one other keeps its list, which is looked up once.
void connect(const snn::LinearMap &map, const Drivers &from, DriversBuilder &result) {
  std::vector<std::optional<uint32_t>> copyOf(from.lists ? from.lists->size() : 0);
  for (uint32_t o = 0; o < map.outputs; ++o) {
    uint64_t begin = map.offsets[o], end = map.offsets[o + 1];
    std::optional<uint32_t> own, *list = &own;
    if (from.lists && end - begin == 1)
      list = &copyOf[from.listOf[map.indices[begin]]];
    if (!*list) {
      for (uint64_t k = begin; k < end; ++k)
        from.addTo(result.members, map.indices[k]);
      *list = result.close();
    }
    result.element(**list);
  }
}

class Tracing {
public:
  explicit Tracing(const Network &checked) : network(checked) {
    for (const NetworkOp &each : network.ops)
      if (each.population) { // feedback reads populations further down
        snn::GatherOp gather = gatherOf(each.op);
        Drivers &own = drivers[(gather ? gather.getOperation() : each.op)->getResult(0)];
        own.first = network.populations[*each.population].first;
        own.kinds[*each.population] = SynapseKind::Unknown;
      }
  }

  /// What drives a population.
  Drivers drive(const NetworkOp &each) {
    if (auto pool = dyn_cast<snn::MaxPool2dOp>(each.op))
      return pass(each.sources[0], pool.windows(), synapseKindOf(pool));
    Drivers total;
    if (isa<snn::NeuronOp>(each.op))
      for (Value source : each.sources)
        total = together(total, drivers.lookup(source), snn::sizeOf(source));
    return total;
  }

  /// Works out the signal after an operation that is no population.
  void follow(const NetworkOp &each) {
    Drivers total;
    if (auto feedback = dyn_cast<snn::FeedbackOp>(each.op))
      total = drivers.lookup(populationOf(feedback)->getResult(0));
    else if (isa<snn::GatherOp>(each.op)) // known from the start
      return;
    else if (isa<snn::ReshapeOp, snn::DelayOp>(each.op)) // elements keep their numbers
      total = drivers.lookup(each.sources[0]);
    else if (auto conv = dyn_cast<snn::Conv2dOp>(each.op))
      total = pass(each.sources[0], conv, synapseKindOf(conv));
    else if (auto dense = dyn_cast<snn::DenseOp>(each.op))
      total = pass(each.sources[0], dense, synapseKindOf(dense));
    else if (auto synapse = dyn_cast<snn::SynapseOp>(each.op))
      for (auto [number, source] : llvm::enumerate(each.sources))
        if (!drivers.lookup(source).isNothing())
          total = together(total,
                           pass(source, *synapse.linearMap(static_cast<unsigned>(number)),
                                synapseKindOf(synapse)),
                           snn::sizeOf(each.op->getResult(0)));
    drivers[each.op->getResult(0)] = std::move(total);
  }

private:
  template <typename Operator> Drivers pass(Value source, const Operator &last, SynapseKind kind) {
    const Drivers &from = drivers[source];
    if (from.isNothing())
      return {};
    std::map<size_t, SynapseKind> kinds = from.kinds;
    for (auto &[population, own] : kinds)
      own = std::max(own, kind);
    DriversBuilder result(snn::sizeOf(source));
    connect(last, from, result);
    return result.take(std::move(kinds));
  }

  static Drivers together(const Drivers &a, const Drivers &b, int64_t size) {
    if (a.isNothing() || b.isNothing())
      return a.isNothing() ? b : a;
    std::map<size_t, SynapseKind> kinds = a.kinds;
    for (auto [population, kind] : b.kinds)
      kinds[population] = std::max(kinds[population], kind);
    DriversBuilder result(size);
    for (int64_t e = 0; e < size; ++e) {
      a.addTo(result.members, e);
      b.addTo(result.members, e);
      result.element(result.close());
    }
    return result.take(std::move(kinds));
  }

  const Network &network;
  llvm::DenseMap<Value, Drivers> drivers;
};

} // namespace

void forEachDrive(const Network &network,
                  llvm::function_ref<void(const NetworkOp &, const Drivers &)> use) {
  Tracing tracing(network);
  for (const NetworkOp &each : network.ops)
    if (each.population)
      use(each, tracing.drive(each));
    else
      tracing.follow(each);
}

} // namespace spindle
