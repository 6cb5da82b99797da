// Writes the two kernels of a network, @setup and @step, in loops over vectors of samples.
#pragma once

#include "lib/emulation/lanes/Number.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace spindle::lanes {

/// What the sixteen lanes of a vector are: samples, with one element of a signal in all of them, or
/// neighbouring elements of a signal of one sample.
enum class Lanes { Samples, Elements };

/// Both kernels take the same arguments: sample, step, seed and, where lanes are samples, how many
/// operations of the network a step is asked for (i64), then the buffers in the order in which they
/// were added. A lane buffer is `memref<N x vector<16xf32>>`: N elements of a signal or
/// state for a batch of samples, one sample per lane; or N groups of elements. A parameter is
/// `memref<N x f32>`, or `memref<N x i32>` for indices, the same for all samples.
class KernelBuilder : public LoopBuilder {
public:
  explicit KernelBuilder(mlir::MLIRContext &context, Lanes lanes = Lanes::Samples);

  Lanes lanes() const { return meaning; }
  /// Vectors that hold as many elements of one signal: the extent of its buffer and of loops.
  int64_t vectorsFor(int64_t elements) const;

  /// Zero when the emulation starts; neither kernel sees another one's memory.
  size_t addLaneBuffer(int64_t elements);
  size_t addParameter(std::vector<float> values);
  /// A parameter of vectors, sixteen values each; the last one is filled up with zeros.
  size_t addLaneParameter(std::vector<float> values);
  size_t addIndices(std::vector<int32_t> values);

  /// Chooses the kernel that the following calls write into.
  void enter(Phase phase);
  /// Chooses the step. What follows, up to the next call of this, works where more than `number`
  /// operations are asked for.
  void enterOperation(int64_t number);
  Phase phase() const { return current; }

  /// A buffer of the current kernel under a shape of as many elements, row-major.
  mlir::Value view(size_t buffer, llvm::ArrayRef<int64_t> shape);
  mlir::Value load(mlir::Value memref, mlir::ValueRange indices);
  /// An element of a parameter of indices.
  mlir::Value loadIndex(size_t buffer, mlir::Value element);
  void store(mlir::Value lanes, mlir::Value memref, mlir::ValueRange indices);
  /// Where a buffer lies in memory, as i64.
  mlir::Value address(size_t buffer);
  /// The same memory as elements of another type.
  Array array(size_t buffer, mlir::Type element);
  /// Calls a function of this program, of arguments of i64 and without results.
  void call(llvm::StringRef function, mlir::ValueRange arguments);
  /// A scalar in every lane.
  mlir::Value broadcast(mlir::Value scalar);
  mlir::Value splat(float value);
  /// 1 where the condition holds, else 0.
  mlir::Value zeroOrOne(mlir::Value condition);

  struct Term {
    mlir::Value value;
    int64_t factor;
  };
  /// Σ value · factor + offset as an index.
  mlir::Value at(llvm::ArrayRef<Term> terms, int64_t offset = 0);
  mlir::Value index(int64_t value);

  using Body = llvm::function_ref<void(mlir::ValueRange)>;
  /// Nested loops from zero, the last extent innermost.
  void loop(llvm::ArrayRef<int64_t> extents, Body body);
  /// Nested loops that carry sums in registers: `body(indices, sums)` gives the sums after it.
  Values reduce(llvm::ArrayRef<int64_t> extents, Values sums, SumBody body);
  /// One such loop over [first, end).
  Values reduceBetween(mlir::Value first, mlir::Value end, Values sums, SumBody body) {
    return LoopBuilder::reduceBetween(first, end, index(1), std::move(sums), body);
  }

  mlir::Value sampleArgument() { return scalarArgument(0); }
  mlir::Value stepArgument() { return scalarArgument(1); } // i64
  mlir::Value seedArgument() { return scalarArgument(2); }

  /// Ends both kernels and gives them away.
  KernelModule take();

private:
  size_t addBuffer(mlir::Type element, int64_t elements);
  mlir::Value scalarArgument(unsigned number);
  Values nest(llvm::ArrayRef<int64_t> extents, Values &indices, Values sums, SumBody body);

  KernelModule result;
  mlir::func::FuncOp kernels[2];
  mlir::Operation *ends[2]; // what each kernel is written before
  Phase current = Phase::Setup;
  Lanes meaning;
  unsigned scalars; // arguments before the buffers
};

} // namespace spindle::lanes
