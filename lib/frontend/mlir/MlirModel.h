// An MLIR file, parsed; its function and the values of its arguments.
#pragma once

#include "lib/frontend/ModelOptions.h"
#include "lib/frontend/Tensor.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"

namespace spindle {

/// Parses text or bytecode with the dialects that exporters write. Only the first diagnostic is
/// kept, as one line with file:line:column.
llvm::Expected<mlir::OwningOpRef<mlir::ModuleOp>> parseMlir(mlir::MLIRContext &context,
                                                            const std::string &path);

/// The function called `name`; without a name `main`, else the only public one.
llvm::Expected<mlir::func::FuncOp> findFunction(mlir::ModuleOp module, const std::string &name,
                                                const std::string &path);

/// `file:line:column` of an operation; the file alone where it is not known.
std::string placeOf(mlir::Location location, const std::string &path);

/// Which argument of a function is the network's input, and the constants of the others.
struct Arguments {
  unsigned input = 0;
  std::vector<Tensor> values; // one per argument, none for the input
};

/// Binds the arrays of `archive` (empty: there is none) to the arguments that are not the input: by
/// name where all are called `arg<number>`, else in order. The input has the attribute
/// `secret.secret`, or is the one left over.
llvm::Expected<Arguments> bindArguments(mlir::func::FuncOp function, const std::string &archive,
                                        const std::string &place);

/// Rewrites what is easier to say in MLIR than to lift: assertions that hold go, linalg.generic
/// with a reduction becomes the named operation that it is, and so does `dropOrderKeepingEnd`.
/// Errors are assertions that do not hold, or may not.
llvm::Error prepareMlir(mlir::func::FuncOp network, int64_t batch,
                        const std::string &path); // MlirPrepare.cpp

/// Leaves out a softmax over all classes, its logarithm, or the number of the largest class, that
/// tosa or linalg operations write out at the end, since the order of the classes stays. Their
/// operations remain, without a use. Returns whether there was one.
bool dropOrderKeepingEnd(mlir::func::FuncOp network, int64_t batch); // MlirEnd.cpp

/// The shape of a type; an error at `place` unless it is static.
llvm::Expected<Shape> staticShape(mlir::Type type, const std::string &place);

} // namespace spindle
