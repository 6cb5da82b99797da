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
  mlir::Value record; // a stream that whoever reads the words puts them on; or none
  /// Empty words are left out, and in front of the bits of a word stands its number: one stream.
  bool isNumbered = false;
  bool isMarked = true; // else whoever reads the words knows where a step ends
};

/// The words of an encoder, which come from outside.
SpikeStreams takeInput(ProgramBuilder &program, const std::string &name, const SpikeWords &layout);

/// From words to numbers: a stream with the number of every spike, one per cycle, and the end of
/// each step. Of a `layer` with several sources each has a `source` of its own.
mlir::Value emitEvents(ProgramBuilder &program, mlir::Location location, const std::string &layer,
                       const SpikeStreams &spikes, const EventNumbers &numbers,
                       const std::string &source = "");

/// The words of an encoder in the circuit: of pixels, which come once per sample, `layer.lanes` at
/// a time. Errors: an encoding that makes no spikes by itself, pixels that are no integers, lanes
/// that do not fit into a word.
llvm::Expected<SpikeStreams> emitEncoder(ProgramBuilder &program, snn::EncodeOp encode,
                                         HardwareLayer &layer);

/// The answer: one value per class, after the last step of every sample. `layer` is the population
/// that answers; its spikes may be recorded on the way.
llvm::Error emitEventAnswer(ProgramBuilder &program, snn::DecodeOp op, const SpikeStreams &spikes,
                            const std::string &layer, bool isRecorded);

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
  mlir::Value read(mlir::Value stream) const;
  /// The next token of the stream with that number.
  mlir::Value readOneOf(llvm::ArrayRef<mlir::Value> streams, mlir::Value number) const;
  void write(mlir::Value token, mlir::Value stream) const;
  /// Values one after the other from the lowest bit on.
  mlir::Value joined(llvm::ArrayRef<mlir::Value> values) const;
};

/// Answers of a grid of lanes: ports, or streams to the process that finds the class among them.
class AnswerPorts {
public:
  AnswerPorts(ProgramBuilder &program, ValueWords words, AnswerKind kind);
  /// One for each part of the words.
  const llvm::SmallVector<mlir::Value> &ports() const { return streams; }
  /// `values` of all lanes, the bits of which they have.
  void write(const WordMath &math, llvm::ArrayRef<mlir::Value> values) const;
  /// Behind the process that writes: finds the class of every sample, where that is asked for.
  void finish(mlir::Location location, const std::string &layer) const;

private:
  ProgramBuilder &program;
  ValueWords words;
  AnswerKind kind;
  llvm::SmallVector<mlir::Value> streams;
};

/// Loops of a process whose state is carried.
using Carried = llvm::SmallVector<mlir::Value>;

/// For every sample, for as many counters as there are extents; `make` is given the counters, that
/// of the samples first.
void emitForSamples(ProgramBuilder &program, mlir::Location location,
                    llvm::ArrayRef<int64_t> extents,
                    llvm::function_ref<void(const NestPoint &)> make,
                    const std::string &layer = "");

/// The first two of the carried values of a process: the step it is in, and samples it is done
/// with.
class StepCounter {
public:
  explicit StepCounter(ProgramBuilder &builder) : StepCounter(builder, builder.options.steps) {}
  /// Of a process that has other steps in a sample.
  StepCounter(ProgramBuilder &builder, int64_t perSample) : program(builder), steps(perSample) {}

  Carried first() const;
  /// Whether there are samples left.
  mlir::Value goes(const NestPoint &point, mlir::ValueRange carried) const;
  mlir::Value isLastStep(const WordMath &math, mlir::ValueRange carried) const;
  /// Behind the end of a step where the condition holds.
  Carried next(const WordMath &math, mlir::ValueRange carried, mlir::Value isOver) const;

private:
  ProgramBuilder &program;
  int64_t steps;
};

/// `while (goes(values)) values = next(values)`, for a layer; `point` is inside.
void emitWhile(ProgramBuilder &program, mlir::Location location, const std::string &layer,
               mlir::ValueRange first,
               llvm::function_ref<mlir::Value(const NestPoint &, mlir::ValueRange)> goes,
               llvm::function_ref<Carried(const NestPoint &, mlir::ValueRange)> next);

} // namespace spindle::snn_to_loops
