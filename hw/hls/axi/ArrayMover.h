// One array of a kernel behind a bus: its block RAM, filled before the kernel runs and drained
// after it.
#pragma once

#include "hw/hls/axi/AxiExterns.h"
#include "hw/hls/axi/AxiWrapper.h"
#include "hw/hls/axi/ElementWalk.h"
#include "hw/hls/axi/MemoryChannels.h"

namespace spindle::hls {

/// What the wrapper does now.
struct Phases {
  mlir::Value fill;                  // arrays are being filled
  mlir::Value works;                 // the kernel has the memories
  mlir::Value startFill, startDrain; // pulses in the cycle before
  mlir::Value keep;                  // arrays that the kernel only reads are as they were
};

class ArrayMover {
public:
  /// Builds the movers in `module`; `base` is the array's address, with AxiData::Memory. `channels`
  /// is null where the array has a stream or a master of its own.
  ArrayMover(Wires &wires, AxiExterns &externs, rtl::CircuitModuleOp module,
             const KernelArgument &array, const AxiOptions &options, const Phases &phases,
             mlir::Value base, MemoryChannels *channels);

  /// The signals of an array, without the prefix `arg<i>_`; of one in channels there are none.
  static std::vector<BusSignal> signals(const KernelArgument &array, const AxiOptions &options);

  /// Block RAM for every bank: the first port is the movers' while the kernel does not work. Drives
  /// the kernel's `…_rdata` among `feeds`.
  void addMemories(const AxiExterns::Values &kernelOutputs,
                   std::map<std::string, rtl::WireOp> &feeds);

  mlir::Value isFilled() const { return filled; }
  mlir::Value isDrained() const { return drained; }
  mlir::Value error() const { return failed; } // null without AXI4
  const AxiExterns::Values &outputs() const { return driven; }

private:
  /// A stream of elements inside the wrapper.
  struct Stream {
    mlir::Value valid, data;
  };
  void addFill();
  void addDrain();
  Stream source();
  void sink(mlir::Value valid, mlir::Value data, mlir::Value last, rtl::WireOp ready,
            mlir::Value streamBusy);
  AxiExterns::Values addMaster(const std::string &module, const std::vector<BusSignal> &bus,
                               const AxiExterns::Ports &stream, AxiExterns::Values inputs);
  MemoryChannels::Move moveOf(mlir::Value start);
  mlir::Type bits(unsigned width) { return wires.builder.getIntegerType(width); }
  mlir::Value isBank(mlir::Value bank, unsigned index);

  Wires &wires;
  AxiExterns &externs;
  rtl::CircuitModuleOp module;
  const KernelArgument &array;
  const AxiOptions &options;
  const Phases &phases;
  mlir::Value base;
  MemoryChannels *channels;
  std::string prefix;
  unsigned beat;         // bits of an element on the bus: whole bytes
  mlir::Value startFill; // of this array
  mlir::Value filled, drained, failed;
  AxiExterns::Values driven;
  mlir::Value accepts, fillData; // an element comes in
  ElementWalk fillWalk, drainWalk;
  mlir::Value requests; // an element is asked for
  rtl::WireOp drainedWord, fillReady;
};

} // namespace spindle::hls
