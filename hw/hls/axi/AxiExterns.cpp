#include "hw/hls/axi/AxiExterns.h"

namespace spindle::hls {

std::vector<BusSignal> liteSignals(unsigned address) {
  return {{"awvalid", 1, false},      {"awready", 1, true},  {"awaddr", address, false},
          {"wvalid", 1, false},       {"wready", 1, true},   {"wdata", 32, false},
          {"wstrb", 4, false},        {"bvalid", 1, true},   {"bready", 1, false},
          {"bresp", 2, true},         {"arvalid", 1, false}, {"arready", 1, true},
          {"araddr", address, false}, {"rvalid", 1, true},   {"rready", 1, false},
          {"rdata", 32, true},        {"rresp", 2, true}};
}

std::vector<BusSignal> readSignals(unsigned data) {
  return {{"arvalid", 1, true},   {"arready", 1, false}, {"araddr", 64, true}, {"arlen", 8, true},
          {"arsize", 3, true},    {"arburst", 2, true},  {"rvalid", 1, false}, {"rready", 1, true},
          {"rdata", data, false}, {"rresp", 2, false},   {"rlast", 1, false}};
}

std::vector<BusSignal> writeSignals(unsigned data) {
  return {{"awvalid", 1, true},      {"awready", 1, false}, {"awaddr", 64, true},
          {"awlen", 8, true},        {"awsize", 3, true},   {"awburst", 2, true},
          {"wvalid", 1, true},       {"wready", 1, false},  {"wdata", data, true},
          {"wstrb", data / 8, true}, {"wlast", 1, true},    {"bvalid", 1, false},
          {"bready", 1, true},       {"bresp", 2, false}};
}

/// One declaration per module and widths: `spindle_axi_read`, `spindle_axi_read_1`, …
static rtl::ExternOp declare(mlir::ModuleOp design, mlir::Location location,
                             const std::string &module, const AxiExterns::Ports &ports,
                             llvm::ArrayRef<llvm::StringRef> parameters) {
  mlir::OpBuilder builder = mlir::OpBuilder::atBlockBegin(design.getBody());
  mlir::OwningOpRef<rtl::ExternOp> wanted = rtl::ExternOp::create(
      builder, location, module, ports.inputs, ports.outputs, parameters, module, module + ".sv");
  std::string name = module;
  for (unsigned suffix = 1;; ++suffix) {
    rtl::ExternOp known;
    for (auto declared : design.getOps<rtl::ExternOp>())
      if (declared != *wanted && declared.getSymName() == name)
        known = declared;
    if (!known) {
      wanted->setSymName(name);
      return wanted.release();
    }
    if (known.getFunctionType() == wanted->getFunctionType() && known.getModuleName() == module)
      return known;
    name = module + "_" + std::to_string(suffix);
  }
}

AxiExterns::Values AxiExterns::instantiate(mlir::OpBuilder &builder, mlir::Location location,
                                           const std::string &instance, const std::string &module,
                                           const Ports &ports, const Parameters &parameters,
                                           const Values &inputs) {
  llvm::SmallVector<llvm::StringRef> names;
  llvm::SmallVector<mlir::NamedAttribute> given;
  for (const auto &[name, value] : parameters) {
    names.push_back(name);
    given.push_back(builder.getNamedAttr(name, builder.getI64IntegerAttr(value)));
  }
  rtl::ExternOp declared = declare(design, location, module, ports, names);
  llvm::SmallVector<mlir::Value> operands;
  for (const rtl::Port &port : ports.inputs)
    operands.push_back(inputs.at(port.name));
  auto made = rtl::InstanceOp::create(builder, location, instance, declared.getOperation(),
                                      operands, builder.getDictionaryAttr(given));
  Values outputs;
  for (auto [port, value] : llvm::zip(ports.outputs, made.getResults()))
    outputs[port.name] = value;
  return outputs;
}

} // namespace spindle::hls
