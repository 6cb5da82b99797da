// Where the ways of spikes part and meet: processes beside those of layers.
#pragma once

#include "lib/conversion/snn-to-loops/events/Processes.h"

namespace spindle::snn_to_loops {

/// The spikes for several readers, one after the other in program order. Each has room for as many
/// steps as `stepsAhead` says, so that none of them waits for another one: enough where the longest
/// way to a process that takes the steps of all together is no longer. The first reader records
/// them, or the one with the number `recorder`.
llvm::SmallVector<SpikeStreams> emitFork(ProgramBuilder &program, mlir::Location location,
                                         const std::string &layer, const SpikeStreams &spikes,
                                         llvm::ArrayRef<int64_t> stepsAhead, size_t recorder);

/// Takes spikes that no layer reads, and records them.
void emitDrain(ProgramBuilder &program, mlir::Location location, const std::string &layer,
               const SpikeStreams &spikes);

/// The numbers of several streams as one, step by step: those of the first stream, then those of
/// the others. `end` ends a step, in all of them.
mlir::Value emitMerge(ProgramBuilder &program, mlir::Location location, const std::string &layer,
                      llvm::ArrayRef<mlir::Value> events, int64_t end);

/// The same numbers so many steps later, in the same sample; what would be behind its last step is
/// left out.
mlir::Value emitDelay(ProgramBuilder &program, mlir::Location location, const std::string &layer,
                      const std::string &name, mlir::Value events, int64_t end, int64_t delay);

} // namespace spindle::snn_to_loops
