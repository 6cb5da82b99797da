// A plan compiled for this processor, and the memory of the threads that run it.
#pragma once

#include "lib/emulation/lanes/CompiledNetwork.h"
#include "lib/emulation/layers/BlockQueue.h"
#include "lib/emulation/layers/KernelCache.h"
#include "lib/emulation/layers/Plan.h"
#include "lib/emulation/ranks/Ranks.h"

#include <memory>
#include <mutex>

namespace spindle::layers {

/// Samples and steps that stages work on at once.
struct BlockSize {
  size_t slots, steps;
};

class LayersNetwork {
public:
  /// Nothing where the schedule does not know an operation, which `reason` names then. `network`
  /// must outlive the result.
  static llvm::Expected<std::unique_ptr<LayersNetwork>> compile(const Network &network,
                                                                std::string &reason);

  /// As many rows as fit into a core's cache; more where weights would be read too often, at most
  /// `steps` of a sample.
  BlockSize blockFor(size_t steps) const;
  /// Whether blocks of the same samples may be worked at the same time. Not where spikes come back:
  /// there a block waits for the end of the one before.
  bool hasPipeline() const { return plan.mostSteps == SIZE_MAX; }

  const Network &network;
  /// What the host works once for a sample: the part before the encoders, empty where there is
  /// none.
  std::optional<Network> prefix;
  std::unique_ptr<lanes::CompiledNetwork> compiledPrefix;

private:
  friend class Block;
  using Kernel = CompiledKernels::Function;
  struct CompiledStage {
    Kernel kernel, setup; // may have no setup
  };
  explicit LayersNetwork(const Network &source) : network(source) {}
  /// The alternative of a stage; the first call compiles all of them.
  Kernel denseKernel(size_t stage) const;

  mlir::MLIRContext context;
  std::shared_ptr<CompiledKernels> kernels;
  mlir::ModuleOp denseModule; // of the plan
  mutable std::once_flag denseCompiled;
  mutable std::shared_ptr<CompiledKernels> denseKernels;
  std::vector<CompiledStage> stages;
  std::vector<AlignedBytes> parameters; // by buffer; empty for others

public:
  Plan plan;
};

/// What some samples keep from block to block.
class Slots {
public:
  Slots(const LayersNetwork &network, size_t count);

private:
  friend class Block;
  std::vector<AlignedBytes> memory; // by buffer; empty for others
};

/// The rows of some samples over some steps. Belongs to one thread.
class Block {
public:
  /// A part of a network needs the ranks that have the other parts, and blocks of the same size as
  /// theirs.
  Block(const LayersNetwork &network, BlockSize size, Ranks *ranks = nullptr);

  /// A copy of a buffer: of a row, of a slot, or the only one.
  float *floats(size_t buffer, size_t slot = 0, size_t step = 0) const;
  /// Works the samples of these slots from now on, which has to come before anything else.
  void use(const Slots &slots);
  /// Resets the state of `slots` samples.
  void reset(size_t slots);
  /// Divides the memory for as many steps; rows can be addressed after this.
  void begin(size_t steps);
  /// Works these steps, from `firstStep` on, of the samples from `firstSample` on. They are the
  /// block of a turn.
  void run(uint64_t firstSample, size_t slots, uint64_t firstStep, uint64_t seed, BlockQueue &queue,
           BlockQueue::Turn &turn);

private:
  /// Exchanges the spikes of a block; in GatherSpikes.cpp.
  void gatherSpikes(const std::vector<Gather> &gathers, size_t slots);
  void writeSpikes(const Gather &gather, size_t slots);
  void readSpikes(const Gather &gather, size_t slots);

  char *address(size_t buffer, size_t slot, size_t step) const;
  /// The arguments of a call as kernels want them: addresses of scalars and of addresses.
  struct Arguments {
    std::vector<char *> addresses;
    std::vector<void *> pointers;
  };
  Arguments argumentsOf(Work work, const std::vector<size_t> &buffers, size_t slot, size_t step);
  void runRows(size_t stage);
  bool isDense(const EventCount &events) const;

  const LayersNetwork &compiled;
  BlockSize most;
  size_t stepsNow = 0;                               // rows of a slot in this block
  uint64_t sample = 0, time = 0, key = 0, count = 0; // scalars that kernels read
  std::vector<std::vector<Arguments>> arguments;     // by stage, then row
  std::vector<Arguments> denseArguments;             // by stage
  std::vector<AlignedBytes> memory;                  // of rows, and of the thread
  std::vector<char *> bases;                         // by buffer
  const Slots *used = nullptr;
  Ranks *ranks;
  std::vector<uint32_t> sent, received; // words of an exchange
  std::vector<size_t> places;           // in `received`, by rank: what is read next
};

} // namespace spindle::layers
