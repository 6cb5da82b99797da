#include "dialects/hls/Partition.h"
#include "dialects/hls/StoredStreams.h"
#include "dialects/location/Location.h"
#include "hw/hls/lower/kernel/KernelBuilder.h"
#include "hw/hls/lower/kernel/SourceNames.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"

#include "fmt/format.h"

namespace spindle::hls {

/// Tokens before and after a port: enough for one in every cycle.
static constexpr int64_t kPortDepth = 2;

MemoryOp KernelBuilder::declare(mlir::Value memref, const std::string &name,
                                mlir::Attribute partition) {
  auto type = llvm::cast<mlir::MemRefType>(memref.getType());
  auto number = [&](int64_t value) { return builder.getI64IntegerAttr(value); };
  auto memory = MemoryOp::create(
      builder, memref.getLoc(), builder.getStringAttr(name), mlir::TypeAttr::get(type),
      mlir::IntegerAttr(), mlir::UnitAttr(), mlir::UnitAttr(), number(target.memory.ports),
      number(target.memory.readLatency), llvm::dyn_cast_or_null<mlir::ArrayAttr>(partition),
      mlir::ElementsAttr());
  memories[memref] = memory;
  return memory;
}

/// What the program calls a local array, else a numbered stem. Arguments are called arg0, units
/// mulf_f64_0.
std::string KernelBuilder::localName(mlir::Value memref, llvm::StringRef stem) {
  std::string name = nameIn(memref.getLoc());
  if (name.empty())
    return freshName(stem);
  llvm::StringRef front = llvm::StringRef(name).rtrim("0123456789");
  bool isReserved = front != name && (front.ends_with("_") || front == "arg" || front == "local" ||
                                      front == "register" || front == "stream");
  std::string wish = name + "_array";
  if (isReserved)
    name = wish;
  while (kernel.lookupSymbol(name))
    name = freshName(wish);
  return name;
}

void KernelBuilder::declareArguments(mlir::Block &body) {
  for (mlir::BlockArgument argument : function.getArguments()) {
    unsigned index = argument.getArgNumber();
    if (llvm::isa<StreamType>(argument.getType())) {
      declareFifo(argument, fmt::format("arg{}", index), kPortDepth,
                  builder.getI64IntegerAttr(index));
      continue;
    }
    if (!llvm::isa<mlir::MemRefType>(argument.getType())) {
      if (!isBound(index))
        map.map(argument, body.addArgument(argument.getType(), argument.getLoc()));
      continue;
    }
    MemoryOp memory = declare(argument, fmt::format("arg{}", index),
                              function.getArgAttr(index, HlsDialect::partitionName));
    memory.setArgumentAttr(builder.getI64IntegerAttr(index));
  }
}

void KernelBuilder::declareFifo(mlir::Value stream, const std::string &name, int64_t depth,
                                mlir::IntegerAttr argument) {
  fifos[stream] =
      FifoOp::create(builder, stream.getLoc(), name,
                     llvm::cast<StreamType>(stream.getType()).getElement(), depth, argument);
}

llvm::Error KernelBuilder::declareLocals() {
  llvm::SmallVector<mlir::Operation *> locals;
  function.walk([&](mlir::Operation *op) {
    if (llvm::isa<mlir::memref::AllocOp, mlir::memref::AllocaOp, mlir::memref::GetGlobalOp>(op))
      locals.push_back(op);
  });
  for (auto made : function.getOps<MakeStreamOp>()) {
    declareFifo(made.getStream(), localName(made.getStream(), "stream"),
                static_cast<int64_t>(made.getDepth()), {});
    if (isStored(made))
      setStored(fifos.lookup(made.getStream()));
  }
  for (mlir::Operation *op : locals) {
    mlir::Value memref = op->getResult(0);
    auto type = llvm::cast<mlir::MemRefType>(memref.getType());
    if (!type.hasStaticShape())
      return inputError(placeOf(op), "a local array of dynamic shape, expected a static one");
    mlir::Attribute partition = op->getAttr(HlsDialect::partitionName);
    auto global = llvm::dyn_cast<mlir::memref::GetGlobalOp>(op);
    auto contents = global ? mlir::SymbolTable::lookupNearestSymbolFrom<mlir::memref::GlobalOp>(
                                 op, global.getNameAttr())
                           : mlir::memref::GlobalOp();
    // Registers start without contents; what never changes needs none.
    bool isRegister =
        isComplete(partition, type) && (!global || (contents && contents.getConstant()));
    MemoryOp memory =
        declare(memref, localName(memref, isRegister && !global ? "register" : "local"), partition);
    if (isRegister)
      memory.setRegisters(true);
    if (!global)
      continue;
    auto initial = contents && contents.getInitialValue()
                       ? llvm::dyn_cast<mlir::ElementsAttr>(*contents.getInitialValue())
                       : mlir::ElementsAttr();
    if (!initial)
      return inputError(placeOf(op), "a global array without contents, expected a constant one");
    memory.setInitialAttr(initial);
  }
  llvm::SmallVector<mlir::Attribute> names;
  for (mlir::Value memref : crossings.results)
    names.push_back(builder.getStringAttr(memories.lookup(memref).getSymName()));
  if (!names.empty())
    kernel.setResultMemoriesAttr(builder.getArrayAttr(names));
  return llvm::Error::success();
}

} // namespace spindle::hls
