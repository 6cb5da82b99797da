#include "lib/conversion/snn-to-loops/events/Feeds.h"

#include "dialects/snn/IntegerRange.h"
#include "dialects/snn/synapses/DelayedSparseOp.h"
#include "lib/conversion/snn-to-loops/Signal.h"
#include "lib/conversion/snn-to-loops/events/EventSource.h"

#include "fmt/format.h"
#include "llvm/ADT/STLExtras.h"

#include <cmath>
#include <optional>

using namespace mlir;

namespace spindle::snn_to_loops {

namespace {

constexpr size_t kMostFeeds = 64;

/// An operation on a way, and by which of its sources the way goes on.
struct Link {
  snn::SynapseOp op;
  unsigned source = 0;
};

/// Which input of the operation's result an element of its source is, −1 where it is none; or no
/// function where elements and results are not one to one.
std::function<int64_t(int64_t)> placesOf(Link link) {
  Operation *op = link.op.getOperation();
  if (auto pool = dyn_cast<snn::SumPool2dOp>(op); pool && sharesNothing(pool))
    return [pool](int64_t element) { return windowOf(pool, element); };
  if (!isa<snn::ConcatOp, snn::TransposeOp>(op))
    return {};
  FailureOr<snn::LinearMap> map = link.op.linearMap(link.source);
  if (failed(map))
    return {};
  auto places = std::make_shared<std::vector<int64_t>>(map->inputs, -1);
  for (uint32_t output = 0; output < map->outputs; ++output)
    for (uint64_t k = map->offsets[output]; k < map->offsets[output + 1]; ++k)
      (*places)[map->indices[k]] = output;
  return [places](int64_t element) { return (*places)[size_t(element)]; };
}

/// Walks from the currents to the spikes.
class FeedWalk {
public:
  explicit FeedWalk(snn::NeuronOp op) : population(op) {}

  llvm::Expected<SmallVector<Feed>> run() {
    SPINDLE_RETURN_IF_ERROR(follow(population.getSources()[0]));
    return std::move(feeds);
  }

private:
  llvm::Error follow(Value signal) {
    Operation *op = signal.getDefiningOp();
    if (!op || !snn::runsInTime(signal.getType()))
      return layerError(population, "takes up what is no spikes, which has no form in events");
    if (auto reshape = dyn_cast<snn::ReshapeOp>(op))
      return follow(reshape.getInput());
    if (isa<snn::EncodeOp>(op) || isa<snn::NeuronOp>(op))
      return arrive(signal);
    if (auto late = dyn_cast<snn::DelayOp>(op))
      return followDelay(late);
    if (auto pool = dyn_cast<snn::MaxPool2dOp>(op))
      return followMaximum(pool);
    auto synapse = dyn_cast<snn::SynapseOp>(op);
    if (!synapse || isa<snn::DelayedSparseOp>(op))
      return noForm(op);
    for (auto [number, source] : llvm::enumerate(synapse.getSources())) {
      if (!maxima.empty())
        return layerError(maxima.back(), "takes the maximum of what other operations make, "
                                         "expected the spikes of an encoder or a population");
      links.push_back({synapse, unsigned(number)});
      SPINDLE_RETURN_IF_ERROR(follow(source));
      links.pop_back();
    }
    return llvm::Error::success();
  }

  llvm::Error noForm(Operation *op) const {
    return layerError(op, fmt::format("is {}, which has no form in events (style event)",
                                      op->getName().getStringRef().str()));
  }

  llvm::Error followDelay(snn::DelayOp op) {
    if (!llvm::all_equal(op.getSteps()))
      return layerError(op, "delays its elements by different numbers of steps, expected one");
    if (!isa<snn::SpikeBundleType>(op.getInput().getType()))
      return layerError(op, "delays currents, expected spikes (style event)");
    int64_t late = std::min(op.getSteps().front(), int64_t(1) << 32); // longer than any run
    delay += late;
    llvm::Error error = follow(op.getInput());
    delay -= late;
    return error;
  }

  llvm::Error followMaximum(snn::MaxPool2dOp pool) {
    if (!isa<snn::SpikeBundleType>(pool.getInput().getType()))
      return layerError(pool, "takes the maximum of currents, expected spikes");
    maxima.push_back(pool);
    llvm::Error error = follow(pool.getInput());
    maxima.pop_back();
    return error;
  }

  /// The way is known from its end to its beginning.
  llvm::Error arrive(Value spikes) {
    if (!isa<snn::SpikeBundleType>(spikes.getType()))
      return layerError(population,
                        "takes up currents or membranes that no weights make of spikes, "
                        "expected spikes (style event)");
    if (feeds.size() == kMostFeeds)
      return layerError(population, fmt::format("takes up currents on more than {} ways, expected "
                                                "fewer (style event)",
                                                kMostFeeds));
    Feed feed;
    feed.spikes = spikes;
    feed.delay = delay;
    feed.maxima.assign(maxima.rbegin(), maxima.rend());
    SPINDLE_RETURN_IF_ERROR(describe(feed));
    feeds.push_back(std::move(feed));
    return llvm::Error::success();
  }

  /// What is between the spikes, or their maxima, and the currents.
  llvm::Error describe(Feed &feed) {
    SmallVector<Link> way;
    for (const Link &link : llvm::reverse(links))
      if (!isa<snn::AddOp>(*link.op))
        way.push_back(link);
    feed.inputOf = [](int64_t element) { return element; };
    size_t taken = 0;
    for (; taken < way.size(); ++taken) {
      std::function<int64_t(int64_t)> places = placesOf(way[taken]);
      // The last sums of windows are weights if there are no others.
      bool isWeights = taken + 1 == way.size() && isa<snn::SumPool2dOp>(*way[taken].op);
      if (!places || isWeights)
        break;
      feed.inputOf = [places, before = feed.inputOf](int64_t element) {
        int64_t place = before(element);
        return place < 0 ? place : places(place);
      };
    }
    MutableArrayRef<Link> rest = MutableArrayRef(way).drop_front(taken);
    feed.isDirect = rest.empty();
    Value input = population.getSources()[0];
    if (!rest.empty())
      input = rest.front().op.getSources()[rest.front().source];
    feed.shape.assign(snn::shapeOf(input).begin(), snn::shapeOf(input).end());
    if (rest.size() == 1 &&
        isa<snn::DenseOp, snn::Conv2dOp, snn::SumPool2dOp, snn::ScaleOp>(*rest.front().op))
      feed.weights = rest.front().op;
    else if (!rest.empty())
      return composeAll(feed, rest);
    return llvm::Error::success();
  }

  static llvm::Error composeAll(Feed &feed, MutableArrayRef<Link> way) {
    std::optional<snn::LinearMap> all;
    for (Link &link : way) {
      FailureOr<snn::LinearMap> map = link.op.linearMap(link.source);
      if (failed(map))
        return layerError(link.op, "has weights that are not constant");
      all = all ? snn::compose(*all, *map) : std::move(*map);
    }
    for (float weight : all->weights)
      if (weight != std::trunc(weight) || std::abs(weight) > float(snn::kExactSums))
        return layerError(way.back().op,
                          fmt::format("makes the weight {} of what is before it, expected integers "
                                      "of at most 24 bits (style event)",
                                      weight));
    feed.map = std::make_shared<snn::LinearMap>(std::move(*all));
    return llvm::Error::success();
  }

  snn::NeuronOp population;
  SmallVector<Feed> feeds;
  SmallVector<Link> links;              // from the population on
  SmallVector<snn::MaxPool2dOp> maxima; // likewise
  int64_t delay = 0;
};

Value biasOperandOf(Operation *op) {
  if (auto dense = dyn_cast<snn::DenseOp>(op))
    return dense.getBias();
  if (auto convolution = dyn_cast<snn::Conv2dOp>(op))
    return convolution.getBias();
  if (auto scale = dyn_cast<snn::ScaleOp>(op))
    return scale.getBias();
  return {};
}

/// What a signal is where nothing spikes; empty where that is zero.
llvm::Expected<std::vector<int64_t>> restOf(Value signal) {
  auto synapse = signal.getDefiningOp<snn::SynapseOp>();
  if (!synapse || isa<snn::DelayOp>(*synapse))
    return std::vector<int64_t>();
  std::vector<int64_t> all;
  auto add = [&](size_t element, int64_t value) {
    all.resize(size_t(snn::sizeOf(signal)), 0);
    all[element] += value;
  };
  if (Value bias = biasOperandOf(synapse)) {
    SPINDLE_ASSIGN(std::vector<int64_t> values, integersOf(synapse, bias, "bias"));
    auto elements = size_t(snn::sizeOf(signal));
    for (size_t element = 0; element < elements; ++element)
      add(element, values[element * values.size() / elements]);
  }
  for (auto [number, source] : llvm::enumerate(synapse.getSources())) {
    SPINDLE_ASSIGN(std::vector<int64_t> before, restOf(source));
    if (before.empty())
      continue;
    FailureOr<snn::LinearMap> map = synapse.linearMap(unsigned(number));
    if (failed(map))
      return layerError(synapse, "has weights that are not constant");
    for (uint32_t output = 0; output < map->outputs; ++output)
      for (uint64_t k = map->offsets[output]; k < map->offsets[output + 1]; ++k)
        add(output, int64_t(map->weights[k]) * before[map->indices[k]]);
  }
  return all;
}

llvm::Expected<int64_t> mostOf(Value signal) {
  auto synapse = signal.getDefiningOp<snn::SynapseOp>();
  if (!synapse || isa<snn::DelayOp>(*synapse))
    return 1; // spikes, maxima of them, too
  SmallVector<int64_t> sources;
  for (Value source : synapse.getSources()) {
    SPINDLE_ASSIGN(int64_t most, mostOf(source));
    sources.push_back(most);
  }
  return mostOfSums(synapse, sources);
}

} // namespace

llvm::Expected<SmallVector<Feed>> feedsOf(snn::NeuronOp population) {
  return FeedWalk(population).run();
}

llvm::Expected<std::vector<int64_t>> biasesOf(snn::NeuronOp population) {
  SPINDLE_ASSIGN(std::vector<int64_t> biases, restOf(population.getSources()[0]));
  biases.resize(size_t(snn::sizeOf(population.getTarget())), 0);
  return biases;
}

llvm::Expected<int64_t> mostOfCurrents(snn::NeuronOp population) {
  return mostOf(population.getSources()[0]);
}

Value behindViews(Value signal) {
  while (auto reshape = signal.getDefiningOp<snn::ReshapeOp>())
    signal = reshape.getInput();
  return signal;
}

} // namespace spindle::snn_to_loops
