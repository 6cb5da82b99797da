// The hand-written modules of hw/rtl/axi, as they are declared and instantiated.
#pragma once

#include "dialects/rtl/Rtl.h"

#include <map>
#include <string>
#include <vector>

namespace spindle::hls {

/// A bus signal of the wrapper: same name on the hand-written module, with a prefix on the wrapper.
struct BusSignal {
  std::string name;
  unsigned bits;
  bool isOutput;
};

/// Channels of AXI4-Lite (`address` bits), of an AXI4 master (`data` bits) that reads or writes.
std::vector<BusSignal> liteSignals(unsigned address);
std::vector<BusSignal> readSignals(unsigned data);
std::vector<BusSignal> writeSignals(unsigned data);

/// Instances of hand-written modules with ports by name.
class AxiExterns {
public:
  explicit AxiExterns(mlir::ModuleOp into) : design(into) {}

  struct Ports {
    std::vector<rtl::Port> inputs, outputs;
  };
  using Values = std::map<std::string, mlir::Value>;
  using Parameters = std::vector<std::pair<std::string, int64_t>>;

  /// Declares `module` with these ports where it is not declared with them yet, and instantiates
  /// it. `inputs` has a value for each input; the outputs are returned by name.
  Values instantiate(mlir::OpBuilder &builder, mlir::Location location, const std::string &instance,
                     const std::string &module, const Ports &ports, const Parameters &parameters,
                     const Values &inputs);

private:
  mlir::ModuleOp design;
};

} // namespace spindle::hls
