#include "lib/emulation/lanes/CompiledNetwork.h"

#include "lib/emulation/lanes/BuildKernels.h"
#include "lib/emulation/lanes/CodeCache.h"
#include "lib/emulation/lanes/LowerKernels.h"
#include "lib/emulation/lanes/emitters/CrossingCall.h"

namespace spindle::lanes {

static llvm::Expected<CodeCache::Code> lowerAndCompile(mlir::ModuleOp module) {
  SPINDLE_RETURN_IF_ERROR(lowerKernels(module));
  SPINDLE_ASSIGN(MachineCode code,
                 MachineCode::compile(module, {"setup", "step"}, MachineCode::Optimisation::Full,
                                      {crossingCallee()}));
  return std::make_shared<MachineCode>(std::move(code));
}

llvm::Expected<std::unique_ptr<CompiledNetwork>> CompiledNetwork::compile(const Network &network) {
  static CodeCache &cache = *new CodeCache; // never freed: what LLVM needs for that ends before
  std::unique_ptr<CompiledNetwork> result(new CompiledNetwork(network));
  result->kernels = buildKernels(network, result->context);
  mlir::ModuleOp module = *result->kernels.module;
  SPINDLE_ASSIGN(result->code, cache.get(module, [&] { return lowerAndCompile(module); }));
  result->setup = result->code->find("setup");
  result->step = result->code->find("step");
  return result;
}

Batch::Batch(const CompiledNetwork &network) : compiled(network) {
  size_t vectors = 0;
  for (const KernelBuffer &buffer : network.kernels.buffers)
    vectors += buffer.lanes ? static_cast<size_t>(buffer.elements) : 0;
  memory.resize(vectors); // zeros
  Lanes *next = memory.data();
  for (const KernelBuffer &buffer : network.kernels.buffers) {
    // Kernels never write to parameters, which all batches share.
    const void *parameter = buffer.contents.empty()
                                ? static_cast<const void *>(buffer.indices.data())
                                : static_cast<const void *>(buffer.contents.data());
    buffers.push_back(buffer.lanes ? next->value : const_cast<void *>(parameter));
    next += buffer.lanes ? buffer.elements : 0;
  }
  arguments = {&sample, &steps, &key, &asked};
  for (void *&buffer : buffers)
    arguments.push_back(&buffer);
}

float *Batch::lanes(size_t buffer) const { return static_cast<float *>(buffers[buffer]); }

void Batch::load(size_t lane, const float *input) {
  float *signal = lanes(compiled.kernels.signals.find(compiled.network.input)->second);
  for (size_t n = 0; n < compiled.network.inputs(); ++n)
    signal[n * kLanes + lane] = input[n];
}

void Batch::loadEvents(size_t lane, std::vector<InputEvent> sampleEvents) {
  events[lane] = std::move(sampleEvents);
}

/// Each event of this step adds one to its element; the events of the step before are taken out.
void Batch::writeEvents() {
  for (size_t buffer : compiled.kernels.events)
    for (size_t place : written)
      lanes(buffer)[place] = 0;
  written.clear();
  for (size_t lane = 0; lane < size_t(kLanes); ++lane)
    for (size_t &next = nextEvent[lane]; next < events[lane].size(); ++next) {
      if (events[lane][next].step != steps)
        break;
      written.push_back(events[lane][next].element * size_t(kLanes) + lane);
    }
  for (size_t buffer : compiled.kernels.events)
    for (size_t place : written)
      lanes(buffer)[place] += 1;
}

void Batch::setup(uint64_t firstSample, uint64_t seed) {
  sample = firstSample;
  key = seed;
  steps = 0;
  std::fill(std::begin(nextEvent), std::end(nextEvent), 0);
  compiled.setup(arguments.data());
}

void Batch::step(int64_t operations) {
  asked = operations;
  writeEvents();
  compiled.step(arguments.data());
  ++steps;
}

const float *Batch::signal(mlir::Value value) const {
  return lanes(compiled.kernels.signals.find(value)->second);
}

const float *Batch::membranes(size_t population) const {
  return lanes(compiled.kernels.membranes[population]);
}

const float *Batch::counts(size_t population) const {
  return lanes(compiled.kernels.counts[population]);
}

} // namespace spindle::lanes
