// The processes of a network whose layers take events: loops that streams join, each a pipeline.
#pragma once

#include "dialects/snn/Snn.h"
#include "lib/conversion/snn-to-loops/IntegerMath.h"
#include "lib/conversion/snn-to-loops/Signal.h"
#include "lib/conversion/snn-to-loops/events/SpikeWords.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

namespace spindle::snn_to_loops {

/// The spikes of an encoder or a population on their way to one reader.
struct SpikeStreams {
  SpikeWords layout;
  llvm::SmallVector<mlir::Value> words; // one per stream of the layout
  mlir::Value record; // an array that whoever reads the words puts them into; or none
  /// Empty words are left out, and in front of the bits of a word stands its number: one stream.
  bool isNumbered = false;
};

/// Puts the words of an array, of all steps, on a stream.
SpikeStreams emitInput(ProgramBuilder &program, mlir::Location location, const std::string &name,
                       const SpikeWords &layout);

/// From words to numbers: a stream with the number of every spike, one per cycle, and the end of
/// each step.
mlir::Value emitEvents(ProgramBuilder &program, mlir::Location location, const std::string &name,
                       const SpikeStreams &spikes, const EventNumbers &numbers);

/// The answer: one value per class, after the last step.
llvm::Error emitEventAnswer(ProgramBuilder &program, snn::DecodeOp op, const SpikeStreams &spikes);

/// Loops of a process whose state is carried.
using Carried = llvm::SmallVector<mlir::Value>;

/// `while (goes(values)) values = next(values)`; `point` is inside.
void emitWhile(ProgramBuilder &program, mlir::Location location, mlir::ValueRange first,
               llvm::function_ref<mlir::Value(const NestPoint &, mlir::ValueRange)> goes,
               llvm::function_ref<Carried(const NestPoint &, mlir::ValueRange)> next);

/// Arithmetic on words and counters.
struct WordMath : IntegerMath {
  WordMath(ProgramBuilder &builder, const NestPoint &place) : IntegerMath{builder, place} {}

  mlir::Value number(unsigned bits, int64_t value) const {
    return program.constant(program.integer(bits), value);
  }
  /// Zero-extended, cut or unchanged.
  mlir::Value widen(mlir::Value value, unsigned bits) const;
  mlir::Value compare(mlir::arith::CmpIPredicate predicate, mlir::Value a, mlir::Value b) const;
  mlir::Value equals(mlir::Value a, int64_t value) const;
  mlir::Value differs(mlir::Value a, int64_t value) const;
  mlir::Value both(mlir::Value a, mlir::Value b) const;
  mlir::Value either(mlir::Value a, mlir::Value b) const;
  mlir::Value exclusive(mlir::Value a, mlir::Value b) const;
  mlir::Value shiftLeft(mlir::Value a, int64_t by) const;
  mlir::Value shiftRight(mlir::Value a, int64_t by) const;
  mlir::Value bit(mlir::Value word, int64_t position) const;
  mlir::Value index(mlir::Value number) const;
  /// Runs where the condition holds.
  void only(mlir::Value condition, llvm::function_ref<void(const NestPoint &)> make) const;
  /// The next token where the condition holds, else zero.
  mlir::Value readIf(mlir::Value condition, mlir::Value stream) const;
  void write(mlir::Value token, mlir::Value stream) const;
};

} // namespace spindle::snn_to_loops
