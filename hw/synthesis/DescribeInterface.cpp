#include "hw/synthesis/DescribeInterface.h"

#include "hw/hls/lower/rtl/FifoInstances.h"

namespace spindle::hls {

static ElementType elementOf(mlir::Type type) {
  if (type.isIndex())
    return {ElementType::Kind::Index, 64};
  return {type.isBF16()                      ? ElementType::Kind::BFloat
          : llvm::isa<mlir::FloatType>(type) ? ElementType::Kind::Float
                                             : ElementType::Kind::Integer,
          type.getIntOrFloatBitWidth()};
}

static KernelArgument memoryArgument(KernelOp kernel, MemoryOp memory) {
  KernelArgument argument;
  argument.index = *memory.getArgument();
  argument.kind = KernelArgument::Kind::Memory;
  argument.type = elementOf(memory.getElement());
  argument.shape = memory.getMemRef().getShape().vec();
  for (size_t dimension = 0; dimension < argument.shape.size(); ++dimension)
    argument.partition.push_back(memory.getDimension(unsigned(dimension)));
  argument.ports = memory.getPorts();
  argument.readLatency = memory.getReadLatency();
  argument.isRead = argument.isWritten = false;
  kernel.walk([&](mlir::Operation *op) {
    if (llvm::isa<LoadOp, StoreOp>(op) && memoryOf(op) == memory)
      (llvm::isa<LoadOp>(op) ? argument.isRead : argument.isWritten) = true;
  });
  return argument;
}

static KernelArgument streamArgument(FifoOp fifo) {
  KernelArgument argument;
  argument.index = *fifo.getArgument();
  argument.kind = KernelArgument::Kind::Stream;
  argument.type = elementOf(fifo.getType());
  argument.isRead = isInput(fifo);
  argument.isWritten = !argument.isRead;
  return argument;
}

/// Arguments or results that are indices in the program.
static llvm::ArrayRef<int64_t> indicesIn(KernelOp kernel, llvm::StringRef attribute) {
  auto list = kernel->getAttrOfType<mlir::DenseI64ArrayAttr>(attribute);
  return list ? list.asArrayRef() : llvm::ArrayRef<int64_t>();
}

KernelInterface describeInterface(KernelOp kernel, const std::string &function,
                                  const Bindings &bind) {
  KernelInterface interface;
  interface.top = interface.function = function;
  interface.original = "original.mlir";
  for (const auto &[index, values] : bind)
    interface.bind[index] = values;
  interface.target = kernel.getTarget().str();
  interface.clockPeriodNs = kernel.getClockPeriodNs().convertToDouble();
  for (auto [argument, index] :
       llvm::zip(kernel.getBody().getArguments(), kernel.getArgumentIndex())) {
    KernelArgument scalar;
    scalar.index = index;
    scalar.type = elementOf(argument.getType());
    interface.arguments.push_back(scalar);
  }
  for (MemoryOp memory : kernel.getOps<MemoryOp>())
    if (memory.getArgument())
      interface.arguments.push_back(memoryArgument(kernel, memory));
  for (FifoOp fifo : kernel.getOps<FifoOp>())
    if (fifo.getArgument())
      interface.arguments.push_back(streamArgument(fifo));
  llvm::sort(interface.arguments,
             [](const KernelArgument &a, const KernelArgument &b) { return a.index < b.index; });
  if (std::optional<mlir::ArrayAttr> memories = kernel.getResultMemories())
    for (mlir::Attribute name : *memories)
      interface.results.push_back(elementOf(
          kernel.lookupSymbol<MemoryOp>(llvm::cast<mlir::StringAttr>(name)).getElement()));
  constexpr ElementType indexType{ElementType::Kind::Index, 64};
  for (KernelArgument &argument : interface.arguments)
    if (llvm::is_contained(indicesIn(kernel, HlsDialect::indexArgumentsName),
                           int64_t(argument.index)))
      argument.type = indexType;
  for (int64_t result : indicesIn(kernel, HlsDialect::indexResultsName))
    interface.results[size_t(result)] = indexType;
  for (UnitOp unit : kernel.getOps<UnitOp>())
    ++interface.units[unit.getSymName().rsplit('_').first.str()];
  return interface;
}

} // namespace spindle::hls
