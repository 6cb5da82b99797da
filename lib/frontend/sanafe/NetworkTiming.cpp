#include "lib/frontend/sanafe/NetworkTiming.h"

#include "dialects/location/Location.h"
#include "dialects/snn/synapses/DelayedSparseOp.h"

#include "fmt/format.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

using namespace mlir;

namespace spindle::sanafe {

namespace {

/// What reaches a signal.
struct Arrival {
  std::map<size_t, std::set<int64_t>> delays; // population → steps that its spikes take
  std::vector<float> current;                 // without spikes; empty: zero
  bool isDriven = false;                      // by values of the sample
};

llvm::Error refuse(Operation *op, const std::string &message) {
  return inputError(placeOf(op), fmt::format("{} {}", snn::nameOf(op), message));
}

class Walk {
public:
  explicit Walk(std::vector<TimedPopulation> &all) : populations(all) {
    for (size_t p = 0; p < populations.size(); ++p)
      numbers[populations[p].op] = p;
  }

  llvm::Error visit(Operation &op) {
    if (isa<arith::ConstantOp, func::ReturnOp, snn::DecodeOp>(op))
      return llvm::Error::success();
    if (auto found = numbers.find(&op); found != numbers.end()) {
      arrivals[op.getResult(0)].delays[found->second] = {0};
      return addDrive(op, found->second);
    }
    return pass(op, arrivals[op.getResult(0)]);
  }

  /// Shifts that fit all ways; the smallest is zero.
  llvm::Error findShifts();

private:
  struct Way {
    size_t from, to;
    int64_t delay;
  };

  Arrival of(Value value) const {
    auto found = arrivals.find(value);
    if (found != arrivals.end())
      return found->second;
    Arrival activation; // before the encoders
    activation.isDriven = !isa_and_nonnull<arith::ConstantOp>(value.getDefiningOp());
    return activation;
  }

  llvm::Error addDrive(Operation &op, size_t population) {
    auto neurons = dyn_cast<snn::NeuronOp>(op);
    if (!neurons) {
      if (isa<snn::EncodeOp>(op))
        return llvm::Error::success();
      return refuse(&op, "takes the maximum of spikes, for which SANA-FE has no neuron; convert "
                         "with pooling by averages");
    }
    TimedPopulation &target = populations[population];
    for (Value source : neurons.getSources()) {
      Arrival arrival = of(source);
      target.isDriven |= arrival.isDriven;
      for (const auto &[from, delays] : arrival.delays) {
        if (delays.size() != 1)
          return refuse(&op,
                        fmt::format("hears {} after {} steps and after {}, where SANA-FE knows "
                                    "one delay",
                                    populations[from].name, *delays.begin(), *delays.rbegin()));
        ways.push_back({from, population, *delays.begin()});
      }
      if (target.current.empty())
        target.current = arrival.current;
      else
        for (size_t n = 0; n < arrival.current.size(); ++n)
          target.current[n] += arrival.current[n];
    }
    return llvm::Error::success();
  }

  static void add(Arrival &total, const Arrival &more, int64_t steps = 0) {
    total.isDriven |= more.isDriven;
    for (const auto &[from, delays] : more.delays)
      for (int64_t delay : delays)
        total.delays[from].insert(delay + steps);
  }

  llvm::Error pass(Operation &op, Arrival &result) {
    if (isa<snn::DelayedSparseOp>(op))
      return refuse(&op, "has synapses of different delays, where SANA-FE knows one delay");
    if (auto feedback = dyn_cast<snn::FeedbackOp>(op)) {
      auto found = llvm::find_if(populations, [&](const TimedPopulation &each) {
        return snn::layerOf(each.op) == feedback.getPopulation();
      });
      if (found == populations.end())
        return refuse(&op, "reads a population that is not there");
      result.delays[static_cast<size_t>(found - populations.begin())] = {
          static_cast<int64_t>(feedback.getSteps())};
      return llvm::Error::success();
    }
    if (auto delay = dyn_cast<snn::DelayOp>(op)) {
      ArrayRef<int64_t> steps = delay.getSteps();
      if (!llvm::all_equal(steps))
        return refuse(&op, "delays neurons by different numbers of steps, where SANA-FE knows one "
                           "delay");
      add(result, of(delay.getInput()), steps.front());
      return llvm::Error::success();
    }
    if (auto synapse = dyn_cast<snn::SynapseOp>(op))
      return apply(synapse, result);
    for (Value operand : op.getOperands()) { // reshapes, and what the host computes
      Arrival before = of(operand);
      add(result, before);
      if (isa<snn::ReshapeOp, snn::EncodeOp>(op))
        result.current = before.current;
    }
    return llvm::Error::success();
  }

  /// A linear operator moves constant currents, too.
  llvm::Error apply(snn::SynapseOp synapse, Arrival &result) {
    bool isConstant = true;
    for (auto [number, source] : llvm::enumerate(synapse.getSources())) {
      auto sparse = dyn_cast<snn::SparseOp>(synapse.getOperation());
      bool isIgnored = sparse && sparse.getIndices().empty(); // a bias alone
      Arrival before = isIgnored ? Arrival() : of(source);
      add(result, before);
      isConstant &= !before.isDriven;
      bool hasBias = number == 0 && synapse->getNumOperands() > synapse.getSources().size();
      if (before.isDriven || (before.current.empty() && !hasBias))
        continue;
      FailureOr<snn::LinearMap> map = synapse.linearMap(static_cast<unsigned>(number));
      if (failed(map))
        return refuse(synapse, "has weights that are not constant");
      result.current.resize(map->outputs);
      for (uint32_t o = 0; o < map->outputs; ++o) {
        double sum = result.current[o];
        if (number == 0 && !map->bias.empty())
          sum += map->bias[o];
        for (uint64_t k = map->offsets[o]; k < map->offsets[o + 1] && !before.current.empty(); ++k)
          sum += double(map->weights[k]) * before.current[map->indices[k]];
        result.current[o] = static_cast<float>(sum);
      }
    }
    if (!isConstant || llvm::all_of(result.current, [](float value) { return value == 0; }))
      result.current.clear();
    return llvm::Error::success();
  }

  std::vector<TimedPopulation> &populations;
  llvm::DenseMap<Operation *, size_t> numbers;
  llvm::DenseMap<Value, Arrival> arrivals;
  std::vector<Way> ways;
};

llvm::Error Walk::findShifts() {
  std::vector<std::optional<int64_t>> shifts(populations.size());
  for (size_t first = 0; first < shifts.size(); ++first) {
    if (shifts[first])
      continue;
    shifts[first] = 0; // of one part of the network, whose shifts hang together
    std::vector<size_t> part = {first};
    for (size_t next = 0; next < part.size(); ++next)
      for (const Way &way : ways) {
        bool isFrom = way.from == part[next], isTo = way.to == part[next];
        if (!isFrom && !isTo)
          continue;
        size_t other = isFrom ? way.to : way.from;
        int64_t shift = *shifts[part[next]] + (isFrom ? 1 - way.delay : way.delay - 1);
        if (!shifts[other]) {
          shifts[other] = shift;
          part.push_back(other);
        } else if (*shifts[way.to] != *shifts[way.from] + 1 - way.delay)
          return refuse(
              populations[way.to].op,
              fmt::format("hears {} after {} step{}, and all ways there together do not "
                          "fit SANA-FE, where each spike takes one step; give projections "
                          "a delay of one step",
                          populations[way.from].name, way.delay, way.delay == 1 ? "" : "s"));
      }
    int64_t least = 0;
    for (size_t p : part)
      least = std::min(least, *shifts[p]);
    for (size_t p : part)
      populations[p].shift = static_cast<uint32_t>(*shifts[p] - least);
  }
  return llvm::Error::success();
}

} // namespace

llvm::Expected<std::vector<TimedPopulation>> timedPopulations(ModuleOp module) {
  auto function = module.lookupSymbol<func::FuncOp>("main");
  if (!function || !llvm::hasSingleElement(function.getBody()))
    return inputError(placeOf(module), "has no function 'main' of one block to export");
  std::vector<TimedPopulation> populations;
  for (const snn::NamedPopulation &each : snn::namedPopulations(function.getBody().front()))
    populations.push_back({each.op, each.name, {}, false, 0});
  Walk walk(populations);
  for (Operation &op : function.getBody().front())
    SPINDLE_RETURN_IF_ERROR(walk.visit(op));
  SPINDLE_RETURN_IF_ERROR(walk.findShifts());
  return populations;
}

} // namespace spindle::sanafe
