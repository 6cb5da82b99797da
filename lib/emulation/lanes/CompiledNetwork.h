// A network compiled for this processor, and the memory of one batch of samples.
#pragma once

#include "core/network/Samples.h"
#include "lib/emulation/lanes/KernelModule.h"
#include "lib/emulation/lanes/MachineCode.h"
#include "lib/emulation/network/Network.h"

#include <limits>
#include <memory>

namespace spindle::lanes {

class CompiledNetwork;

/// Signals and states of kLanes samples. Every thread has its own.
class Batch {
public:
  /// `network` must outlive the batch.
  explicit Batch(const CompiledNetwork &network);
  Batch(const Batch &) = delete; // arguments point into it

  /// Lane `lane` gets a sample of network.inputs() values.
  void load(size_t lane, const float *input);
  /// Lane `lane` gets the events of a sample, ascending by step, for the encoders of events.
  void loadEvents(size_t lane, std::vector<InputEvent> events);
  /// Resets all state and works what does not change in time. Lane 0 is sample number
  /// `firstSample`.
  void setup(uint64_t firstSample, uint64_t seed);
  /// The next step, of the first `operations` of the network alone; signals and state of those
  /// after them stay as they are.
  void step(int64_t operations = std::numeric_limits<int64_t>::max());

  /// Element n of lane l is at n · kLanes + l.
  const float *signal(mlir::Value value) const;
  const float *membranes(size_t population) const;
  const float *counts(size_t population) const;

private:
  struct alignas(kLanes * sizeof(float)) Lanes {
    float value[kLanes];
  };
  float *lanes(size_t buffer) const;

  void writeEvents();

  const CompiledNetwork &compiled;
  std::vector<InputEvent> events[kLanes];
  size_t nextEvent[kLanes] = {};
  std::vector<size_t> written; // elements of the event buffers that are not zero
  uint64_t sample = 0, steps = 0, key = 0;
  int64_t asked = 0; // operations of this step
  std::vector<Lanes> memory;
  std::vector<void *> buffers;
  std::vector<void *> arguments; // addresses of the arguments, as the packed call wants them
};

class CompiledNetwork {
public:
  /// Generates, lowers and compiles, or takes the code of an earlier network that differs in
  /// weights alone. `network` must outlive the result.
  static llvm::Expected<std::unique_ptr<CompiledNetwork>> compile(const Network &network);

  bool sharesCodeWith(const CompiledNetwork &other) const { return code == other.code; }

private:
  friend class Batch;
  explicit CompiledNetwork(const Network &source) : network(source) {}

  const Network &network;
  mlir::MLIRContext context{mlir::MLIRContext::Threading::DISABLED};
  KernelModule kernels;
  std::shared_ptr<const MachineCode> code; // of all networks with equal kernels
  MachineCode::Function setup = nullptr, step = nullptr;
};

} // namespace spindle::lanes
