#include "hw/hls/lower/rtl/FifoInstances.h"

#include "dialects/hls/Streams.h"

#include "fmt/format.h"

namespace spindle::hls {

FifoSize sizeOf(FifoOp fifo) {
  int64_t margin = 1; // of a port
  fifo->getParentOfType<KernelOp>().walk(
      [&](PipelineOp pipeline) { margin = std::max(margin, roomNeeded(pipeline, fifo)); });
  auto depth = static_cast<int64_t>(fifo.getDepth());
  int64_t words = std::max<int64_t>(2, depth - 1 + margin);
  return {words, words - depth + 1}; // free while fewer than `depth` are there
}

bool isInput(FifoOp fifo) {
  bool isRead = false;
  fifo->getParentOfType<KernelOp>().walk([&](PopOp pop) { isRead |= fifoOf(pop) == fifo; });
  return isRead;
}

static rtl::ExternOp declare(mlir::ModuleOp design, FifoOp fifo) {
  std::string name = fmt::format("fifo_i{}", fifo.getBits());
  if (auto known = design.lookupSymbol<rtl::ExternOp>(name))
    return known;
  mlir::OpBuilder builder = mlir::OpBuilder::atBlockBegin(design.getBody());
  mlir::Type bit = builder.getI1Type(), word = fifo.getType();
  llvm::SmallVector<rtl::Port> inputs{
      {"clk", bit}, {"rst", bit}, {"push", bit}, {"wdata", word}, {"pop", bit}};
  llvm::SmallVector<rtl::Port> outputs{{"room", bit}, {"valid", bit}, {"head", word}};
  return rtl::ExternOp::create(builder, fifo.getLoc(), name, inputs, outputs,
                               llvm::ArrayRef<llvm::StringRef>{"DEPTH", "MARGIN", "WIDTH"},
                               kFifoModule, std::string(kFifoModule) + ".sv");
}

void buildFifo(Wires &wires, mlir::ModuleOp design, FifoOp fifo, FifoWires &ends) {
  FifoSize size = sizeOf(fifo);
  mlir::OpBuilder &builder = wires.builder;
  auto number = [&](const char *name, int64_t value) {
    return builder.getNamedAttr(name, builder.getI64IntegerAttr(value));
  };
  auto instance = rtl::InstanceOp::create(
      wires.builder, nameOf(fifo), declare(design, fifo).getOperation(),
      mlir::ValueRange{wires.clock, wires.reset, ends.push, ends.data, ends.pop},
      builder.getDictionaryAttr({number("DEPTH", size.words), number("MARGIN", size.margin),
                                 number("WIDTH", fifo.getBits())}));
  ends.room = instance.getResult(0);
  ends.valid = instance.getResult(1);
  ends.head = instance.getResult(2);
}

} // namespace spindle::hls
