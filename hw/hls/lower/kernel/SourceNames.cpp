#include "hw/hls/lower/kernel/SourceNames.h"

#include "dialects/location/Location.h"
#include "dialects/rtl/NameHints.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/StringExtras.h"

#include "fmt/format.h"

#include <filesystem>

namespace spindle::hls {

constexpr size_t kLongestName = 32;

std::string identifierOf(llvm::StringRef text) {
  std::string name;
  bool isApart = false;
  for (char c : text) {
    if (llvm::isAlnum(c)) {
      name += isApart && !name.empty() ? "_" : "";
      name += c;
    }
    isApart = !llvm::isAlnum(c);
  }
  if (!name.empty() && llvm::isDigit(name.front()))
    name.insert(0, "_");
  return llvm::StringRef(name).take_front(kLongestName).rtrim('_').str();
}

std::string nameIn(mlir::Location location) {
  auto name = location->findInstanceOf<mlir::NameLoc>();
  return name ? identifierOf(name.getName().getValue()) : "";
}

std::string lineSuffix(mlir::Location location) {
  auto place = location->findInstanceOf<mlir::FileLineColRange>();
  return place && place.getStartLine() > 0 ? fmt::format("_l{}", place.getStartLine()) : "";
}

std::string sourceOf(mlir::Location location) {
  return std::filesystem::path(placeOf(location)).filename().string();
}

std::string arrayName(MemoryOp memory) {
  std::string given = nameIn(memory.getLoc());
  return given.empty() ? memory.getSymName().str() : given;
}

std::string streamName(FifoOp fifo) {
  std::string given = nameIn(fifo.getLoc());
  return given.empty() ? fifo.getSymName().str() : given;
}

/// Comparisons and what combines them.
static bool isCondition(mlir::Operation *op) {
  namespace arith = mlir::arith;
  return llvm::isa<arith::CmpIOp, arith::AndIOp, arith::OrIOp, arith::XOrIOp>(op) &&
         op->getResult(0).getType().isInteger(1);
}

std::string operationName(mlir::Operation *op) {
  std::string name = identifierOf(op->getName().stripDialect());
  if (llvm::isa<LoadOp, StoreOp>(op))
    name += "_" + arrayName(memoryOf(op));
  else if (llvm::isa<PopOp, PushOp>(op))
    name += "_" + streamName(fifoOf(op));
  else if (isCondition(op))
    name = "cond";
  return name + lineSuffix(op->getLoc());
}

std::string counterName(mlir::Value counter, const std::string &otherwise) {
  std::string given = nameIn(counter.getLoc());
  return (given.empty() ? otherwise : given) + lineSuffix(counter.getLoc());
}

mlir::Location variableLocation(mlir::affine::AffineForOp loop, mlir::Value variable,
                                mlir::Location origin) {
  mlir::Location place = rtl::withoutNames(loop.getLoc());
  auto name = variable.getLoc()->findInstanceOf<mlir::NameLoc>();
  return name && variable.getLoc() != origin
             ? mlir::Location(mlir::NameLoc::get(name.getName(), place))
             : place;
}

mlir::Location counterLocation(mlir::affine::AffineForOp loop) {
  return variableLocation(loop, loop.getInductionVar(), loop.getLoc());
}

} // namespace spindle::hls
