#include "hw/program/Confine.h"

#include "dialects/hls/Hls.h"
#include "dialects/location/Location.h"
#include "hw/program/MathSymbols.h"

#include "fmt/format.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;

namespace spindle::hls {

namespace {

/// Follows symbols from one function.
class Reached {
public:
  explicit Reached(ModuleOp program) : module(program) {}

  llvm::Error visit(Operation *symbol) {
    if (!all.insert(symbol))
      return llvm::Error::success();
    std::optional<SymbolTable::UseRange> uses = SymbolTable::getSymbolUses(symbol);
    if (!uses)
      return llvm::Error::success(); // an operation that nobody knows, which is refused
    for (const SymbolTable::SymbolUse &use : *uses) {
      Operation *target = SymbolTable::lookupNearestSymbolFrom(use.getUser(), use.getSymbolRef());
      SPINDLE_RETURN_IF_ERROR(checkTarget(use, target));
      SPINDLE_RETURN_IF_ERROR(visit(target));
    }
    return llvm::Error::success();
  }

  llvm::SetVector<Operation *> all;

private:
  llvm::Error checkTarget(const SymbolTable::SymbolUse &use, Operation *target) {
    std::string place = filePlaceOf(use.getUser());
    std::string name = use.getSymbolRef().getLeafReference().str();
    auto function = dyn_cast_or_null<func::FuncOp>(target);
    auto global = dyn_cast_or_null<memref::GlobalOp>(target);
    if (!target || target->getParentOp() != module || (!function && !global))
      return inputError(place, fmt::format("refers to '{}', expected a func.func or memref.global "
                                           "of this file",
                                           name));
    if (function && function.isExternal())
      return inputError(place,
                        fmt::format("calls '{}', which has no body: give its definition", name));
    if (global && global.isExternal())
      return inputError(
          place, fmt::format("takes the global '{}', which has no contents: give them", name));
    return llvm::Error::success();
  }

  ModuleOp module;
};

/// Attributes of others decide about symbols (llvm.linkage) and sizes (dlti.dl_spec).
void dropAttributes(Operation *op) {
  for (NamedAttribute attribute : llvm::to_vector(op->getDiscardableAttrs()))
    op->removeDiscardableAttr(attribute.getName());
}

llvm::Error checkOperations(Operation *symbol) {
  static const llvm::StringSet<> known = {"affine", "arith",  "bufferization", "builtin", "cf",
                                          "func",   "index",  "linalg",        "math",    "memref",
                                          "scf",    "tensor", "tosa",          "ub",      "vector"};
  Operation *stranger = nullptr;
  symbol->walk([&](Operation *op) {
    bool isKnown = known.contains(op->getName().getDialectNamespace()) && op->isRegistered();
    if (isKnown || isa<MakeStreamOp, ReadOp, WriteOp>(op))
      return WalkResult::advance();
    stranger = op;
    return WalkResult::interrupt();
  });
  if (!stranger)
    return llvm::Error::success();
  return inputError(filePlaceOf(stranger),
                    fmt::format("operation {} is not run for golden values, expected affine, scf, "
                                "arith, math, memref, linalg, tensor, tosa or vector",
                                stranger->getName().getStringRef().str()));
}

} // namespace

llvm::Error confineProgram(ModuleOp module, const std::string &name) {
  auto function = module.lookupSymbol<func::FuncOp>(name);
  if (!function || function.isExternal())
    return inputError(
        filePlaceOf(module),
        fmt::format("function '{}' is absent, of which golden values are wanted", name));
  Reached reached(module);
  SPINDLE_RETURN_IF_ERROR(reached.visit(function));
  for (Operation &op : llvm::make_early_inc_range(module.getOps()))
    if (!reached.all.contains(&op))
      op.erase();
  for (Operation *symbol : reached.all) {
    SPINDLE_RETURN_IF_ERROR(checkOperations(symbol));
    dropAttributes(symbol);
    if (auto kept = dyn_cast<func::FuncOp>(symbol)) {
      kept.removeArgAttrsAttr();
      kept.removeResAttrsAttr();
    }
  }
  dropAttributes(module);
  return llvm::Error::success();
}

llvm::Error checkLinkage(ModuleOp module) {
  for (Operation &op : module.getOps()) {
    auto function = dyn_cast<LLVM::LLVMFuncOp>(op);
    auto global = dyn_cast<LLVM::GlobalOp>(op);
    bool isDefined = (function && !function.isExternal()) ||
                     (global && (global.getValueOrNull() || global.getInitializerBlock()));
    std::string name = SymbolTable::getSymbolName(&op).str();
    if (!isDefined && !(function && isMathSymbol(name)))
      return inputError(filePlaceOf(module),
                        fmt::format("the program needs '{}' from outside, expected functions of "
                                    "its own and mathematical ones",
                                    name));
  }
  return llvm::Error::success();
}

} // namespace spindle::hls
