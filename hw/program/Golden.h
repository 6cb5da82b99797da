// What a kernel has to compute: its untransformed MLIR, compiled for this machine and run.
#pragma once

#include "core/kernel/KernelArray.h"
#include "core/support/files/RunApart.h"

#include "mlir/IR/BuiltinOps.h"

#include <memory>
#include <string>
#include <vector>

namespace spindle::hls {

/// Type and, for arrays, shape of an argument or a result.
struct GoldenType {
  ElementType type;
  bool isArray = false;
  std::vector<int64_t> shape; // ShapedType::kDynamic where only the run knows it
  bool isStream = false;      // an array of one dimension, of as many tokens as there are
  bool operator==(const GoldenType &) const = default;
};

/// The machine code of a program: optimised, or made in a third of the time, for programs that take
/// less to run than to optimise. Both compute the same.
enum class GoldenCode { Optimised, Plain };

/// What local arrays hold before they are written: zeros, or a pattern. A program whose values
/// differ between the two has none that are right.
enum class LocalContents { Zeros, Pattern };

/// A function of affine, scf, arith, math, memref, linalg, tensor and tosa operations, ready to
/// run.
///
/// Every operation is rounded by itself: nothing is fused or reassociated, whatever the operations'
/// flags allow. Where LLVM leaves the result open, the golden value is what our hardware makes
/// (docs/rationale/cosim.md): division by zero, shifts by more than the width, conversion of
/// floats that no integer holds.
class Golden {
public:
  /// Compiles a copy of the module. Tensor results become arguments after all others, which hold
  /// the result after a run; tensor arguments are left as they are. Errors: no such function, types
  /// or operations that cannot be run, functions and symbols that are not the program's own.
  static llvm::Expected<Golden> compile(mlir::ModuleOp module, const std::string &function,
                                        GoldenCode quality = GoldenCode::Optimised,
                                        LocalContents contents = LocalContents::Zeros);
  Golden(Golden &&);
  Golden &operator=(Golden &&);
  ~Golden();

  const std::vector<GoldenType> &arguments() const { return argumentTypes; }
  const std::vector<GoldenType> &results() const { return resultTypes; }

  /// The arguments after a run on these arguments, and the scalar results; of streams, the tokens
  /// that the program read or wrote. The program runs in a process of its own. Errors: number,
  /// types or shapes of the arguments; accesses outside an array, crashes, more than `seconds`.
  llvm::Expected<Values> run(std::vector<KernelArray> inputs, double seconds = 60) const;

private:
  Golden();
  std::string execute(Values &values, const Refusal &refuse) const;
  bool takeBack(llvm::StringRef bytes, Values &values) const;
  std::string place; // of errors
  std::vector<GoldenType> argumentTypes, resultTypes;
  struct Code;
  std::unique_ptr<Code> code;
};

/// Compiles and runs once. `inputs` holds arguments only, or fewer than there are: arrays of
/// results that are missing at the end start as zeros.
llvm::Expected<Values> runGolden(mlir::ModuleOp module, const std::string &function,
                                 const Values &inputs, GoldenCode quality = GoldenCode::Optimised);

} // namespace spindle::hls
