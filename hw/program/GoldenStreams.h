// Streams of a program that runs for its golden values: queues without a bound.
#pragma once

#include "core/kernel/KernelArray.h"
#include "core/support/files/RunApart.h"
#include "dialects/jit/Jit.h"

#include "mlir/IR/BuiltinOps.h"

#include <deque>
#include <string>
#include <vector>

namespace spindle::hls {

/// Streams become numbers, their operations calls of the functions below; which arguments of
/// `function` are streams, and the types of their tokens, stands in the result (null: none).
/// Errors: values of stream type that other operations make.
llvm::Expected<std::vector<mlir::Type>> lowerStreams(mlir::ModuleOp module,
                                                     const std::string &function);

/// The functions that lowered programs call.
std::vector<jit::Callee> streamCallees();

/// The queues of one run; one at a time in a thread.
class GoldenStreams {
public:
  /// `place` stands before what it refuses: a token that is not there.
  GoldenStreams(std::string place, const Refusal &refuse);
  ~GoldenStreams();
  GoldenStreams(const GoldenStreams &) = delete;

  /// The number by which the program knows a queue that holds these tokens.
  uint64_t add(std::vector<uint64_t> tokens);
  /// What the program wrote on it, or, where it wrote nothing, what it read.
  std::vector<uint64_t> result(uint64_t queue) const;

  uint64_t read(uint64_t queue);
  void write(uint64_t queue, uint64_t token);

private:
  struct Queue {
    std::deque<uint64_t> waiting;
    std::vector<uint64_t> taken, written;
  };
  std::string place;
  const Refusal &refuse;
  std::vector<Queue> queues;
};

} // namespace spindle::hls
