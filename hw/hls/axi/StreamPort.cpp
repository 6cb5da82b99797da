#include "hw/hls/axi/StreamPort.h"

#include "hw/hls/axi/ElementWalk.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

#include "fmt/format.h"

namespace spindle::hls {

std::vector<BusSignal> StreamPort::signals(const KernelArgument &stream, const AxiStream &shape) {
  bool isOutput = stream.isWritten;
  std::string prefix = isOutput ? "out_" : "in_";
  std::vector<BusSignal> all = {{prefix + "tvalid", 1, isOutput},
                                {prefix + "tready", 1, !isOutput},
                                {prefix + "tdata", 8 * shape.bytes, isOutput}};
  if (shape.isPartial())
    all.push_back({prefix + "tkeep", shape.bytes, isOutput});
  if (shape.hasPackets())
    all.push_back({prefix + "tlast", 1, isOutput});
  return all;
}

StreamPort::StreamPort(Wires &circuit, rtl::CircuitModuleOp into, const KernelArgument &moved,
                       const AxiStream &shapeOfIt, const RunPhase &phase,
                       const AxiExterns::Values &kernelOutputs,
                       std::map<std::string, rtl::WireOp> &kernelInputs)
    : wires(circuit), module(into), stream(moved), shape(shapeOfIt), kernel(kernelOutputs),
      feeds(kernelInputs), name(fmt::format("arg{}", moved.index)),
      prefix(name + (moved.isWritten ? "_out_" : "_in_")) {
  Wires::Part part(wires, name);
  if (stream.isWritten)
    addOutput();
  else
    addInput(phase);
}

mlir::Value StreamPort::endOfPacket(mlir::Value moves) {
  if (!shape.hasPackets())
    return {};
  return count(wires, int64_t(shape.beats), moves, {}, prefix + "beat").isAtEnd;
}

/// Bytes that are not there are zeros.
mlir::Value StreamPort::keptData(mlir::Value data, mlir::Value keep) {
  if (!shape.isPartial())
    return data;
  llvm::SmallVector<mlir::Value> bytes; // the highest first
  for (uint32_t byte = shape.bytes; byte-- > 0;) {
    mlir::Value value = rtl::ExtractOp::create(wires.builder, data, 8 * byte, 8);
    if (isSpare(byte)) {
      mlir::Value isThere = rtl::ExtractOp::create(wires.builder, keep, byte, 1);
      value = wires.choose(isThere, value, wires.constant(0, 8));
    }
    bytes.push_back(value);
  }
  return rtl::ConcatOp::create(wires.builder, bytes);
}

void StreamPort::addInput(const RunPhase &phase) {
  mlir::Value valid = wires.conjunction(phase.works, module.getInput(prefix + "tvalid"));
  mlir::Value ready = wires.conjunction(phase.works, kernel.at(name + "_ready"));
  mlir::Value keep = shape.isPartial() ? module.getInput(prefix + "tkeep") : mlir::Value();
  feeds.at(name + "_valid").drive(valid);
  feeds.at(name + "_data")
      .drive(wires.resized(keptData(module.getInput(prefix + "tdata"), keep), stream.type.bits,
                           false));
  driven[prefix + "tready"] = ready;
  drained = wires.one();
  if (!shape.hasPackets())
    return;
  mlir::Value moves = wires.conjunction(valid, kernel.at(name + "_ready"));
  mlir::Value isLast = endOfPacket(moves), last = module.getInput(prefix + "tlast");
  mlir::Value isWrong = mlir::arith::XOrIOp::create(wires.builder, isLast, last);
  for (uint32_t byte = 0; keep && byte < shape.bytes; ++byte) {
    mlir::Value isAbsent =
        wires.negation(rtl::ExtractOp::create(wires.builder, keep, byte, 1).getResult());
    if (isSpare(byte))
      isAbsent = wires.conjunction(isAbsent, wires.negation(isLast));
    isWrong = wires.disjunction(isWrong, isAbsent);
  }
  failed = wires.flag(wires.conjunction(moves, isWrong), phase.start, prefix + "wrong");
}

void StreamPort::addOutput() {
  mlir::Value valid = kernel.at(name + "_valid"), ready = module.getInput(prefix + "tready");
  feeds.at(name + "_ready").drive(ready);
  driven[prefix + "tvalid"] = valid;
  driven[prefix + "tdata"] = wires.resized(kernel.at(name + "_data"), 8 * shape.bytes, false);
  drained = wires.negation(valid);
  if (!shape.hasPackets())
    return;
  mlir::Value isLast = endOfPacket(wires.conjunction(valid, ready));
  driven[prefix + "tlast"] = isLast;
  if (shape.isPartial()) {
    mlir::Value some = wires.constant((int64_t(1) << shape.lastBytes) - 1, shape.bytes);
    mlir::Value all = wires.constant((int64_t(1) << shape.bytes) - 1, shape.bytes);
    driven[prefix + "tkeep"] = wires.choose(isLast, some, all);
  }
}

StreamMover::StreamMover(Wires &wires, MemoryChannels &channels, const KernelArgument &stream,
                         const RunPhase &phase, mlir::Value base, mlir::Value count,
                         const AxiExterns::Values &kernel,
                         std::map<std::string, rtl::WireOp> &feeds) {
  std::string name = fmt::format("arg{}", stream.index);
  Wires::Part part(wires, name);
  unsigned beat = 8 * stream.type.bytes();
  MemoryChannels::Move move{name, beat, base, count, phase.start};
  if (stream.isWritten) {
    mlir::Value valid = kernel.at(name + "_valid");
    mlir::Value data = wires.resized(kernel.at(name + "_data"), beat, false);
    MemoryChannels::Sink sink = channels.write(move, valid, data);
    feeds.at(name + "_ready").drive(sink.ready);
    drained = wires.negation(wires.disjunction(valid, sink.busy));
    return;
  }
  mlir::Value ready = wires.conjunction(phase.works, kernel.at(name + "_ready"));
  MemoryChannels::Source source = channels.read(move, ready);
  feeds.at(name + "_valid").drive(wires.conjunction(phase.works, source.valid));
  feeds.at(name + "_data").drive(wires.resized(source.data, stream.type.bits, false));
  drained = wires.negation(source.busy);
}

} // namespace spindle::hls
