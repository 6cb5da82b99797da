#include "lib/emulation/interpreter/SteppedInterpreter.h"

#include "dialects/snn/synapses/DelayedSparseOp.h"
#include "lib/emulation/interpreter/InterpreterSample.h"
#include "lib/emulation/network/EncoderCheck.h"
#include "lib/emulation/runtime/Tally.h"

#include "fmt/format.h"

#include <set>

using namespace mlir;

namespace spindle::interpreter {

/// Why an operation on the way to a population does not fit, or empty.
static std::string refusalOf(const NetworkOp &each) {
  if (each.population && isa<snn::MaxPool2dOp>(each.op))
    return "maximum pooling of spikes";
  if (isa<snn::CobaLifOp>(each.op))
    return "conductances";
  if (isa<snn::FeedbackOp, snn::GatherOp>(each.op))
    return "feedback";
  bool isPlain = each.population || isa<snn::SynapseOp, snn::ReshapeOp>(each.op);
  return isPlain && !isa<snn::DelayedSparseOp>(each.op) ? ""
                                                        : each.op->getName().stripDialect().str();
}

/// The operations that work in every step between populations and `wanted`, program order.
static std::vector<const NetworkOp *> leadingTo(const Network &network,
                                                const std::vector<Value> &wanted) {
  std::set<const NetworkOp *> found;
  llvm::DenseMap<Operation *, const NetworkOp *> ops;
  for (const NetworkOp &each : network.ops)
    ops[each.op] = &each;
  std::vector<Value> open = wanted;
  while (!open.empty()) {
    Operation *op = open.back().getDefiningOp();
    open.pop_back();
    const NetworkOp *each = op ? ops.lookup(op) : nullptr;
    if (!each || !each->everyStep || each->population || !found.insert(each).second)
      continue;
    open.insert(open.end(), each->sources.begin(), each->sources.end());
  }
  return {found.begin(), found.end()}; // they lie in one vector, in program order
}

llvm::Expected<SteppedPlan> planSteps(const Network &network) {
  SteppedPlan plan;
  for (const NetworkOp &each : network.ops) {
    if (!each.population)
      continue;
    std::vector<const NetworkOp *> ops = leadingTo(network, each.sources);
    ops.push_back(&each);
    for (const NetworkOp *op : ops)
      if (std::string what = refusalOf(*op); !what.empty())
        return inputError(placeOrNameOf(op->op),
                          fmt::format("{} on the way to population '{}': accuracy on the chip is "
                                      "known for weights, sums and populations with one current; "
                                      "leave out the section assessment",
                                      what, network.populations[*each.population].name));
    plan.before.push_back(std::move(ops));
  }
  plan.behind = leadingTo(network, {network.output});
  return plan;
}

SteppedInterpreter::SteppedInterpreter(const Network &net, const SteppedPlan &steppedPlan,
                                       const Interpreter<float> &meaning, const Samples &inputs,
                                       const InputMapping &arrangement, uint64_t randomSeed,
                                       uint32_t mostSteps)
    : network(net), plan(steppedPlan), interpreter(meaning), samples(inputs), mapping(arrangement),
      seed(randomSeed), made(net.populations.size(), std::vector<Tensor<float>>(mostSteps)) {}

SteppedInterpreter::~SteppedInterpreter() = default;

llvm::Error SteppedInterpreter::begin(size_t index) {
  state = std::make_unique<State>();
  state->events = mapping.events(samples, index);
  state->index = index;
  state->seed = seed;
  std::vector<float> values(network.inputs());
  if (!samples.events) {
    std::vector<float> room;
    SPINDLE_ASSIGN(const float *sample, samples.block(index, 1, room));
    mapping.copy(sample, values.data());
  }
  state->signals[network.input] = Tensor<float>(network.inputShape(), std::move(values));
  for (const NetworkOp &each : network.ops) {
    interpreter.reset(each, *state);
    if (!each.everyStep)
      SPINDLE_RETURN_IF_ERROR(interpreter.work(each, *state));
    if (auto encode = dyn_cast<snn::EncodeOp>(each.op); encode && each.everyStep)
      SPINDLE_RETURN_IF_ERROR(
          checkEncoderInput(encode, state->inputsOf(each).front()->values.data(), index));
  }
  return llvm::Error::success();
}

/// Works operations with what populations made in a step.
void SteppedInterpreter::show(uint32_t step, llvm::ArrayRef<const NetworkOp *> ops) {
  state->step = step;
  for (const NetworkOp &each : network.ops)
    if (each.population && step < made[*each.population].size() &&
        !made[*each.population][step].values.empty())
      state->signals[each.op->getResult(0)] = made[*each.population][step];
  for (const NetworkOp *each : ops) {
    Tensor<float> result = interpreter.evaluate(*each, *state);
    state->signals[each->op->getResult(0)] = std::move(result);
  }
}

std::vector<NeuronId> SteppedInterpreter::step(size_t population, uint32_t step,
                                               llvm::ArrayRef<float> extra) {
  llvm::ArrayRef<const NetworkOp *> ops = plan.before[population];
  const NetworkOp &itself = *ops.back();
  show(step, ops.drop_back());
  if (!extra.empty()) {
    Tensor<float> &current = state->signals.find(itself.sources.front())->second;
    for (size_t n = 0; n < extra.size(); ++n)
      if (extra[n] != 0)
        current.values[n] += extra[n];
  }
  Tensor<float> result = interpreter.evaluate(itself, *state);
  std::vector<NeuronId> spikes;
  NeuronId first = network.populations[population].first;
  if (isa<snn::SpikeBundleType>(itself.op->getResult(0).getType()))
    for (size_t n = 0; n < result.values.size(); ++n)
      for (float left = result.values[n]; left > 0; left -= 1)
        spikes.push_back(first + static_cast<NeuronId>(n));
  made[population][step] = std::move(result);
  return spikes;
}

std::vector<uint32_t> SteppedInterpreter::answers(uint32_t count) {
  std::vector<uint32_t> classes;
  for (uint32_t step = 0; step < count; ++step) {
    show(step, plan.behind);
    const Tensor<float> &answer = state->signals.find(network.output)->second;
    classes.push_back(classOf(answer.values.data(), answer.values.size()));
  }
  return classes;
}

} // namespace spindle::interpreter
