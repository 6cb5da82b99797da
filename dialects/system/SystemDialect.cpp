#include "dialects/system/System.h"

#include "dialects/hls/Hls.h"

#include "mlir/Interfaces/FunctionImplementation.h"

#include "dialects/system/System.cpp.inc"

#define GET_OP_CLASSES
#include "dialects/system/SystemOps.cpp.inc"

namespace spindle::system {

void SystemDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "dialects/system/SystemOps.cpp.inc"
      >();
}

static bool isStaticArray(mlir::Type type) {
  auto array = llvm::dyn_cast<mlir::MemRefType>(type);
  return array && array.hasStaticShape() && array.getLayout().isIdentity();
}

mlir::LogicalResult ModuleOp::verify() {
  for (mlir::Operation &op : getBody().front()) {
    auto global = llvm::dyn_cast<mlir::memref::GlobalOp>(op);
    if (!llvm::isa<FuncOp>(op) && !(global && global.getConstant()))
      return emitOpError("holds ") << op.getName()
                                   << ", expected system.func or constant memref.global "
                                      "(module_c1)";
  }
  return mlir::success();
}

void FuncOp::build(mlir::OpBuilder &builder, mlir::OperationState &state, llvm::StringRef name,
                   mlir::FunctionType type) {
  state.addAttribute(getSymNameAttrName(state.name), builder.getStringAttr(name));
  state.addAttribute(getFunctionTypeAttrName(state.name), mlir::TypeAttr::get(type));
  mlir::Region *body = state.addRegion();
  llvm::SmallVector<mlir::Location> places(type.getNumInputs(), state.location);
  body->emplaceBlock().addArguments(type.getInputs(), places);
}

mlir::ParseResult FuncOp::parse(mlir::OpAsmParser &parser, mlir::OperationState &state) {
  auto typeOf = [](mlir::Builder &builder, llvm::ArrayRef<mlir::Type> arguments,
                   llvm::ArrayRef<mlir::Type> results, mlir::function_interface_impl::VariadicFlag,
                   std::string &) { return builder.getFunctionType(arguments, results); };
  return mlir::function_interface_impl::parseFunctionOp(
      parser, state, /*allowVariadic=*/false, getFunctionTypeAttrName(state.name), typeOf,
      getArgAttrsAttrName(state.name), getResAttrsAttrName(state.name));
}

void FuncOp::print(mlir::OpAsmPrinter &printer) {
  mlir::function_interface_impl::printFunctionOp(printer, *this, /*isVariadic=*/false,
                                                 getFunctionTypeAttrName(), getArgAttrsAttrName(),
                                                 getResAttrsAttrName());
}

mlir::LogicalResult FuncOp::verify() {
  if (getBody().empty() || getFunctionType().getNumResults() > 0)
    return emitOpError("expected a body and no results (func_c1)");
  for (auto [index, type] : llvm::enumerate(getArgumentTypes()))
    if (!isStaticArray(type) && !type.isIntOrIndexOrFloat() && !llvm::isa<hls::StreamType>(type))
      return emitOpError("has argument ")
             << index << " of type " << type
             << ", expected an array of static shape, an integer, a float, an index or a stream "
                "(func_c2)";
  return mlir::success();
}

void LaunchOp::build(mlir::OpBuilder &builder, mlir::OperationState &state) {
  ensureTerminator(*state.addRegion(), builder, state.location);
}

mlir::LogicalResult LaunchFuncOp::verifySymbolUses(mlir::SymbolTableCollection &symbols) {
  auto kernel = symbols.lookupNearestSymbolFrom<FuncOp>(*this, getKernelAttr());
  if (!kernel)
    return emitOpError("launches ")
           << getKernelAttr() << ", which is no system.func (launch_func_c1)";
  if (!llvm::equal(getOperandTypes(), kernel.getArgumentTypes()))
    return emitOpError("has operands of types (")
           << getOperandTypes() << "), expected (" << kernel.getArgumentTypes()
           << ") (launch_func_c1)";
  return mlir::success();
}

mlir::LogicalResult ChannelOp::verify() {
  if (static_cast<int64_t>(getBuffers()) < 1)
    return emitOpError("has ") << static_cast<int64_t>(getBuffers())
                               << " buffers, expected at least 1 (channel_c1)";
  if (!isStaticArray(getType()))
    return emitOpError("has type ") << getType() << ", expected an array of static shape "
                                    << "(channel_c2)";
  return mlir::success();
}

} // namespace spindle::system
