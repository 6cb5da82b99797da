#include "lib/emulation/neuron-level/NeuronRuntime.h"

#include "lib/emulation/neuron-level/Evaluate.h"
#include "lib/emulation/neuron-level/Neuron.h"

namespace spindle::neuron_level {

int64_t NeuronRuntime::add(Value value) {
  values.push_back(std::move(value));
  return static_cast<int64_t>(values.size()) - 1;
}

void NeuronRuntime::fail(llvm::Error problem, mlir::Operation *op) {
  error = placed(std::move(problem), placeOrNameOf(op));
}

std::vector<const Value *> NeuronRuntime::operands() {
  std::vector<const Value *> result;
  for (int64_t handle : pushed)
    result.push_back(&values[static_cast<size_t>(handle)]);
  pushed.clear();
  return result;
}

void NeuronRuntime::push(NeuronRuntime *run, int64_t value) { run->pushed.push_back(value); }

int64_t NeuronRuntime::apply(NeuronRuntime *run, int64_t op) {
  if (run->error)
    return 0;
  llvm::Expected<Value> value = evaluate(run->ops[static_cast<size_t>(op)], run->operands());
  if (value)
    return run->add(std::move(*value));
  run->error = value.takeError();
  return 0;
}

static void setParameters(NeuronFrame &frame, const snn::SingleNeuron &neuron) {
  frame.maxSpikes = neuron.maxSpikes;
  frame.decay = neuron.decay;
  frame.threshold = neuron.threshold;
  frame.rest = neuron.rest;
  frame.reset = neuron.reset;
  frame.initial = neuron.initial;
  frame.refractory = neuron.refractory;
  frame.until = neuron.until.value_or(0);
  frame.step = neuron.step.value_or(0);
  frame.rate = frame.decay * frame.step;
  frame.resistance = neuron.resistance;
}

NeuronFrame *NeuronRuntime::begin(NeuronRuntime *run, int64_t op) {
  run->frame = NeuronFrame();
  run->output.clear();
  if (run->error)
    return &run->frame;
  auto neuron = mlir::cast<snn::SingleNeuronOp>(run->ops[static_cast<size_t>(op)]);
  NeuronInputs inputs = inputsOf(neuron, run->operands());
  std::vector<Train> trains = inputs.all();
  if (inputs.weights && inputs.weights->size() != trains.size()) {
    run->fail(weightsDoNotFit(inputs.weights->size(), trains.size()), neuron);
    return &run->frame;
  }
  snn::SingleNeuron parameters = neuron.parameters();
  setParameters(run->frame, parameters);
  if (parameters.step) {
    llvm::Expected<int64_t> steps = stepsOf(parameters, trains);
    if (!steps) {
      run->fail(steps.takeError(), neuron);
      return &run->frame;
    }
    run->frame.steps = *steps;
  }
  run->times.clear();
  run->next.clear();
  run->ends.clear();
  for (const Train &train : trains) {
    run->next.push_back(static_cast<int64_t>(run->times.size()));
    run->times.insert(run->times.end(), train.begin(), train.end());
    run->ends.push_back(static_cast<int64_t>(run->times.size()));
  }
  run->weights = inputs.weights ? *inputs.weights : std::vector<float>(trains.size(), 1);
  run->frame.trains = static_cast<int64_t>(trains.size());
  run->frame.times = run->times.data();
  run->frame.next = run->next.data();
  run->frame.ends = run->ends.data();
  run->frame.weights = run->weights.data();
  run->frame.bias = inputs.bias.value_or(0);
  return &run->frame;
}

/// False when the neuron shall stop.
bool NeuronRuntime::emit(NeuronRuntime *run, float time) {
  run->output.push_back(time);
  return !run->error && run->output.size() <= kMostSpikes;
}

int64_t NeuronRuntime::end(NeuronRuntime *run, int64_t op) {
  if (!run->error && run->output.size() > kMostSpikes)
    run->fail(tooManySpikes(), run->ops[static_cast<size_t>(op)]);
  return run->error ? 0 : run->add(std::move(run->output));
}

void NeuronRuntime::result(NeuronRuntime *run, int64_t value) {
  if (!run->error)
    run->results.push_back(run->values[static_cast<size_t>(value)]);
}

llvm::Expected<std::vector<Value>> NeuronRuntime::take() {
  if (error)
    return std::move(*error);
  return std::move(results);
}

std::vector<lanes::MachineCode::Callee> NeuronRuntime::callees() {
  auto callee = [](const char *name, auto *function) {
    return lanes::MachineCode::Callee{name, reinterpret_cast<void *>(function)};
  };
  return {callee("neurons_push", &push),
          callee("neurons_apply", &apply),
          callee("neurons_begin", &begin),
          callee("neurons_emit", &emit),
          callee("neurons_end", &end),
          callee("neurons_result", &result),
          callee("neurons_exponential", &exponential),
          callee("neurons_logarithm", &logarithm)};
}

} // namespace spindle::neuron_level
