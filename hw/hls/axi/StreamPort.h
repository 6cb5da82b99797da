// A stream of a kernel as AXI4-Stream, a token per beat, and packets of as many beats as a sample
// has tokens; or in memory.
#pragma once

#include "hw/hls/axi/AxiExterns.h"
#include "hw/hls/axi/AxiWrapper.h"
#include "hw/hls/axi/MemoryChannels.h"
#include "hw/hls/lower/rtl/Wires.h"

namespace spindle::hls {

/// What the wrapper knows of a run.
struct RunPhase {
  mlir::Value works; // the kernel has been started and is not done
  mlir::Value start; // a pulse before it
};

/// What goes in moves only while the kernel works: tokens of the next run wait outside. Nothing is
/// buffered here, and no output depends on an input of the same cycle but through the kernel's own
/// ports, whose sides are FIFOs: a beat takes no cycle more than a token.
class StreamPort {
public:
  /// The signals, without the prefix `arg<i>_`.
  static std::vector<BusSignal> signals(const KernelArgument &stream, const AxiStream &shape);

  /// Drives the kernel's inputs among `feeds`.
  StreamPort(Wires &wires, rtl::CircuitModuleOp module, const KernelArgument &stream,
             const AxiStream &shape, const RunPhase &phase, const AxiExterns::Values &kernelOutputs,
             std::map<std::string, rtl::WireOp> &feeds);

  /// After the kernel is done: no token is left.
  mlir::Value isDrained() const { return drained; }
  /// In this run TLAST or TKEEP was not where a packet has it; null where nothing can be wrong.
  mlir::Value error() const { return failed; }
  const AxiExterns::Values &outputs() const { return driven; }

private:
  void addInput(const RunPhase &phase);
  void addOutput();
  /// The bytes of the last beat that hold nothing.
  bool isSpare(uint32_t byte) const { return shape.isPartial() && byte >= shape.lastBytes; }
  /// Null without packets.
  mlir::Value endOfPacket(mlir::Value moves);
  mlir::Value keptData(mlir::Value data, mlir::Value keep);

  Wires &wires;
  rtl::CircuitModuleOp module;
  const KernelArgument &stream;
  const AxiStream &shape;
  const AxiExterns::Values &kernel;
  std::map<std::string, rtl::WireOp> &feeds;
  std::string name, prefix; // arg<i>, arg<i>_in_
  AxiExterns::Values driven;
  mlir::Value drained, failed;
};

/// A stream of a kernel whose tokens lie in memory, one after the other: read from there as the
/// kernel takes them, written there as it gives them.
class StreamMover {
public:
  /// Drives the kernel's inputs among `feeds`; `base` is the address, `count` how many tokens a run
  /// has: as many as the kernel takes or gives.
  StreamMover(Wires &wires, MemoryChannels &channels, const KernelArgument &stream,
              const RunPhase &phase, mlir::Value base, mlir::Value count,
              const AxiExterns::Values &kernelOutputs, std::map<std::string, rtl::WireOp> &feeds);

  /// After the kernel is done: all tokens have been moved.
  mlir::Value isDrained() const { return drained; }

private:
  mlir::Value drained;
};

} // namespace spindle::hls
