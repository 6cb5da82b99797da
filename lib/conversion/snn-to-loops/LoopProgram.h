// A spiking network as a program over arrays, and what its arguments are.
#pragma once

#include "core/network/HardwareNetwork.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

#include <map>

namespace spindle {

/// On the outermost loop of a nest: the layer that it computes, or a part of it.
inline constexpr const char *kLayerName = "layer";

/// A port of the program, and what it has to hold where that is known: weights, row-major.
struct ProgramArray {
  HardwareArray port;
  std::vector<int64_t> values;
};

/// What a layer of style event does for a sample.
struct LayerWork {
  struct Spikes {
    std::string from; // a population
    double words = 0; // that are looked at in a sample
  };
  std::vector<Spikes> takes; // one after the other in each step
  double perEvent = 0;       // cycles for one of them
  double perSample = 0;      // and beside them
};

struct LoopProgram {
  mlir::OwningOpRef<mlir::ModuleOp> module; // one function, @main
  std::vector<ProgramArray> arguments;      // of the function
  std::vector<HardwareLayer> layers;        // program order
  int64_t steps = 0;
  std::map<std::string, LayerWork> work;             // of layers of style event
  std::map<std::string, std::vector<int64_t>> lanes; // that layers may have, ascending
  /// What the host computes for the port of role `currents` or `pixels`: a value of the network; or
  /// none.
  mlir::Value given;
};

} // namespace spindle
