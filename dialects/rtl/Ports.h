// Port lists of modules and externs: text, attributes, checks.
#pragma once

#include "dialects/rtl/Rtl.h"

namespace spindle::rtl {

/// `(in %clk : i1, in %x "strange" : i8, out y : i64)`; without arguments `(in clk : i1, out y :
/// i64)`. Fills the attributes input_names, output_names and function_type.
mlir::ParseResult parsePorts(mlir::OpAsmParser &parser, mlir::OperationState &state,
                             llvm::SmallVectorImpl<mlir::OpAsmParser::Argument> *arguments);

/// The inverse; `arguments` are those of the body, or none for an extern.
void printPorts(mlir::OpAsmPrinter &printer, mlir::Operation *module, mlir::ValueRange arguments);

/// Adds input_names, output_names and function_type to a module that is built.
void addPorts(mlir::OpBuilder &builder, mlir::OperationState &state, llvm::ArrayRef<Port> inputs,
              llvm::ArrayRef<Port> outputs);

/// module_c1, extern_c1, and the number of names.
mlir::LogicalResult verifyPorts(mlir::Operation *module);

} // namespace spindle::rtl
