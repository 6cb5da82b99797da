// The loops of a layer: over groups of neurons, over what each neuron adds up, over neurons side by
// side. One perfect nest, so that it becomes one pipeline.
#pragma once

#include "lib/conversion/snn-to-loops/ProgramBuilder.h"

#include "mlir/IR/IntegerSet.h"

namespace spindle::snn_to_loops {

/// Where in a nest something is computed: the counters of all loops, from the outermost one.
struct NestPoint {
  mlir::OpBuilder &builder;
  mlir::Location location;
  llvm::SmallVector<mlir::Value> counters;

  mlir::AffineExpr dimension(unsigned loop) const { return builder.getAffineDimExpr(loop); }
  mlir::Value load(mlir::Value array, llvm::ArrayRef<mlir::AffineExpr> subscripts) const;
  void store(mlir::Value value, mlir::Value array,
             llvm::ArrayRef<mlir::AffineExpr> subscripts) const;
  mlir::Value at(ProgramBuilder &program, const Parameter &parameter,
                 mlir::AffineExpr neuron) const;

  using Make = llvm::function_ref<mlir::Value(const NestPoint &)>;
  /// A value where all `conditions` are at least 0 (or all are 0), another one elsewhere.
  mlir::Value choose(llvm::ArrayRef<mlir::AffineExpr> conditions, bool areZero, Make make,
                     Make otherwise) const;
  /// Computes only there.
  void only(llvm::ArrayRef<mlir::AffineExpr> conditions, bool areZero,
            llvm::function_ref<void(const NestPoint &)> make) const;
};

enum class Combine { Sum, Maximum };

struct LayerNest {
  mlir::Location location;
  std::string name;
  llvm::SmallVector<int64_t> outer, taps; // trip counts
  int64_t lanes = 1;
  /// At least 0 where a lane of the last group has a neuron; none where all have.
  mlir::AffineExpr room;
  Combine combine = Combine::Sum;

  /// Positions of loops.
  unsigned tap(unsigned number) const { return unsigned(outer.size()) + number; }
  unsigned lane() const { return unsigned(outer.size() + taps.size()); }
};

/// Combines `term` over the taps with `start` (zero where there is none), and calls `finish` with
/// the result after the last one. All values have `bits`.
void emitNest(ProgramBuilder &program, const LayerNest &nest, unsigned bits, NestPoint::Make start,
              NestPoint::Make term,
              llvm::function_ref<void(const NestPoint &, mlir::Value sum)> finish);

} // namespace spindle::snn_to_loops
