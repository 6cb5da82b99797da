#include "hw/hls/lower/rtl/KernelModule.h"

#include "core/support/Error.h"
#include "dialects/location/Location.h"
#include "hw/hls/lower/rtl/BankContents.h"
#include "hw/hls/lower/rtl/FifoInstances.h"
#include "hw/hls/lower/rtl/PipelineModule.h"
#include "hw/hls/lower/rtl/TaskControl.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/Verifier.h"

#include "fmt/format.h"

namespace spindle::hls {

namespace {

class KernelModuleBuilder {
public:
  KernelModuleBuilder(KernelOp hardware, mlir::ModuleOp into, std::string name)
      : kernel(hardware), design(into), top(std::move(name)), ranges(hardware) {}

  llvm::Error build();

private:
  llvm::Error declareUnits();
  void declareTop();
  mlir::Value buildPipeline(PipelineOp pipeline, mlir::Value start);
  mlir::Value wireOf(mlir::Value value);
  mlir::Value heldIn(MemoryOp memory);
  mlir::Value shared(const std::string &port, unsigned bits, const std::string &valid);
  mlir::Value anyOf(const std::string &port);
  void buildUnits();
  void buildFifos();
  void buildMemories();
  void buildRegister(MemoryOp memory, int64_t bank, mlir::ElementsAttr contents);
  void buildBank(MemoryOp memory, int64_t bank, mlir::ElementsAttr contents);

  KernelOp kernel;
  mlir::ModuleOp design;
  std::string top;
  IndexRanges ranges;
  rtl::CircuitModuleOp module;
  std::unique_ptr<Wires> wires;
  llvm::DenseMap<mlir::Value, mlir::Value> values;         // scalars, counters of repeats
  std::map<std::string, rtl::WireOp> given;                // …_rdata, …_q, …_y
  std::map<std::string, std::vector<mlir::Value>> drivers; // by port, one per pipeline …
  std::map<std::string, mlir::Value> results, outputs;     // of the kernel's ports
  std::map<std::string, rtl::ExternOp> externs;            // by unit
};

/// The widths of a unit's module, with those of its parameters.
llvm::Error KernelModuleBuilder::declareUnits() {
  mlir::OpBuilder builder = mlir::OpBuilder::atBlockEnd(design.getBody());
  std::map<std::string, rtl::ExternOp> kinds;
  for (UnitOp unit : kernel.getOps<UnitOp>()) {
    UnitShape shape = shapeOf(unit.getModule());
    if (shape.operands.empty())
      return inputError(
          fmt::format("target '{}'", kernel.getTarget().str()),
          fmt::format("nothing is known of the ports of module '{}'", unit.getModule().str()));
    std::string kind = unit.getSymName().str();
    kind = kind.substr(0, kind.rfind('_'));
    rtl::ExternOp &declared = kinds[kind];
    if (!declared) {
      mlir::Type bit = builder.getI1Type();
      llvm::SmallVector<rtl::Port> inputs{{"clk", bit}};
      if (shape.isIterative)
        inputs.push_back({"rst", bit});
      inputs.push_back({"ce", bit});
      if (shape.isIterative)
        inputs.push_back({"valid", bit});
      for (const UnitMode &mode : shape.modes)
        inputs.push_back({mode.port, builder.getIntegerType(mode.bits)});
      for (auto [position, operand] : llvm::enumerate(shape.operands))
        inputs.push_back({operand, builder.getIntegerType(operandBits(unit, position))});
      llvm::SmallVector<llvm::StringRef> parameters;
      for (mlir::NamedAttribute parameter : unit.getParameters())
        parameters.push_back(parameter.getName().getValue());
      rtl::Port result{"y", builder.getIntegerType(resultBits(unit))};
      declared = rtl::ExternOp::create(builder, unit.getLoc(), kind, inputs, result, parameters,
                                       unit.getModule(), unit.getModule().str() + ".sv");
    }
    externs[unit.getSymName().str()] = declared;
  }
  return llvm::Error::success();
}

void KernelModuleBuilder::declareTop() {
  mlir::OpBuilder builder = mlir::OpBuilder::atBlockEnd(design.getBody());
  mlir::Type bit = builder.getI1Type();
  llvm::SmallVector<rtl::Port> inputs{{"clk", bit}, {"rst", bit}, {"start", bit}};
  llvm::SmallVector<rtl::Port> outs{{"idle", bit}, {"done", bit}};
  for (auto [argument, index] :
       llvm::zip(kernel.getBody().getArguments(), kernel.getArgumentIndex()))
    inputs.push_back(
        {fmt::format("arg{}", index), builder.getIntegerType(bitsOf(argument, ranges))});
  if (std::optional<mlir::ArrayAttr> memories = kernel.getResultMemories())
    for (auto [position, name] : llvm::enumerate(*memories)) {
      auto memory = kernel.lookupSymbol<MemoryOp>(llvm::cast<mlir::StringAttr>(name));
      outs.push_back(
          {fmt::format("result{}", position), builder.getIntegerType(bitsOf(memory.getElement()))});
    }
  for (MemoryOp memory : kernel.getOps<MemoryOp>()) {
    if (!memory.getArgument())
      continue;
    mlir::Type word = builder.getIntegerType(bitsOf(memory.getElement()));
    for (int64_t bank = 0; bank < memory.getBanks(); ++bank)
      for (int64_t port = 0; port < static_cast<int64_t>(memory.getPorts()); ++port) {
        std::string name = PortId{memory, bank, port}.name();
        inputs.push_back({name + "_rdata", word});
        outs.push_back({name + "_en", bit});
        outs.push_back({name + "_we", bit});
        outs.push_back({name + "_addr", builder.getIntegerType(addressBits(memory))});
        outs.push_back({name + "_wdata", word});
      }
  }
  for (FifoOp fifo : kernel.getOps<FifoOp>()) {
    if (!fifo.getArgument())
      continue;
    bool comes = isInput(fifo);
    (comes ? inputs : outs).push_back({nameOf(fifo) + "_data", fifo.getType()});
    (comes ? inputs : outs).push_back({nameOf(fifo) + "_valid", bit});
    (comes ? outs : inputs).push_back({nameOf(fifo) + "_ready", bit});
  }
  module = rtl::CircuitModuleOp::create(builder, kernel.getLoc(), top, inputs, outs);
  wires = std::make_unique<Wires>(kernel.getLoc(), module.getBodyBlock(), module.getInput("clk"),
                                  module.getInput("rst"));
}

/// What a register of rank 0 holds; it is built after the tasks.
mlir::Value KernelModuleBuilder::heldIn(MemoryOp memory) {
  rtl::WireOp &wire = given[RegisterId{memory, 0}.name() + "_q"];
  if (!wire)
    wire = wires->wire(bitsOf(memory.getElement()), "");
  return wire;
}

/// Scalars, constants, registers and counters that pipelines and bounds start from.
mlir::Value KernelModuleBuilder::wireOf(mlir::Value value) {
  mlir::Value &wire = values[value];
  if (wire)
    return wire;
  mlir::Operation *op = value.getDefiningOp();
  if (llvm::isa<HeldOp>(op))
    return wire = heldIn(memoryOf(op));
  mlir::Attribute constant;
  if (mlir::matchPattern(op, mlir::m_Constant(&constant))) {
    if (auto real = llvm::dyn_cast<mlir::FloatAttr>(constant)) {
      llvm::APInt bits = real.getValue().bitcastToAPInt();
      mlir::IntegerType type = wires->builder.getIntegerType(bits.getBitWidth());
      return wire = mlir::arith::ConstantOp::create(wires->builder,
                                                    mlir::IntegerAttr::get(type, bits));
    }
    return wire = wires->constant(llvm::cast<mlir::IntegerAttr>(constant).getInt(),
                                  bitsOf(value, ranges));
  }
  // A cast of an argument.
  Wires::Part part(*wires, "scalar");
  mlir::Value operand = wireOf(op->getOperand(0));
  bool isSigned = llvm::isa<mlir::arith::IndexCastOp>(op);
  return values[value] = wires->resized(operand, bitsOf(value, ranges), isSigned);
}

mlir::Value KernelModuleBuilder::buildPipeline(PipelineOp pipeline, mlir::Value start) {
  Connections connections = connectionsOf(pipeline);
  std::string name = top + "_" + pipeline.getName().str();
  rtl::CircuitModuleOp inner = buildPipelineModule(design, name, pipeline, connections, ranges);
  inner->moveBefore(module);
  llvm::SmallVector<mlir::Value> inputs{wires->clock, wires->reset, start};
  for (mlir::Value value : connections.values)
    inputs.push_back(wireOf(value));
  for (const auto &[port, bits] : readPorts(connections)) {
    rtl::WireOp &wire = given[port];
    if (!wire)
      wire = wires->wire(bits, "");
    inputs.push_back(wire);
  }
  auto instance =
      rtl::InstanceOp::create(wires->builder, pipeline.getName(), inner.getOperation(), inputs);
  for (auto [position, port] : llvm::enumerate(drivenPorts(connections)))
    drivers[port.first].push_back(instance.getResult(position + 1));
  return instance.getResult(0);
}

mlir::Value KernelModuleBuilder::anyOf(const std::string &port) {
  Wires::Part part(*wires, port);
  mlir::Value any;
  for (mlir::Value driver : drivers[port])
    any = wires->disjunction(any, driver);
  return any ? any : wires->zero();
}

/// What the pipeline whose `valid` is high puts there.
mlir::Value KernelModuleBuilder::shared(const std::string &port, unsigned bits,
                                        const std::string &valid) {
  Wires::Part part(*wires, port);
  std::vector<std::pair<mlir::Value, mlir::Value>> choices;
  for (auto [isValid, value] : llvm::zip(drivers[valid], drivers[port]))
    choices.emplace_back(isValid, value);
  return choices.empty() ? wires->constant(0, bits) : wires->oneHot(choices);
}

void KernelModuleBuilder::buildUnits() {
  for (UnitOp unit : kernel.getOps<UnitOp>()) {
    std::string name = unit.getSymName().str();
    UnitShape shape = shapeOf(unit.getModule());
    llvm::SmallVector<mlir::Value> inputs{wires->clock};
    if (shape.isIterative)
      inputs.push_back(wires->reset);
    inputs.push_back(wires->one());
    if (shape.isIterative)
      inputs.push_back(anyOf(name + "_valid"));
    for (const UnitMode &mode : shape.modes)
      inputs.push_back(shared(name + "_" + mode.port, mode.bits, name + "_valid"));
    for (auto [position, operand] : llvm::enumerate(shape.operands))
      inputs.push_back(shared(name + "_" + operand, operandBits(unit, position), name + "_valid"));
    auto instance = rtl::InstanceOp::create(wires->builder, name, externs.at(name).getOperation(),
                                            inputs, unit.getParameters());
    if (rtl::WireOp result = given[name + "_y"])
      result.drive(instance.getResult(0));
  }
}

/// Between tasks, or between a task and a port: so no port depends on another in the same cycle.
void KernelModuleBuilder::buildFifos() {
  for (FifoOp fifo : kernel.getOps<FifoOp>()) {
    std::string name = nameOf(fifo);
    bool isPort = bool(fifo.getArgument()), comes = isPort && isInput(fifo);
    FifoWires ends;
    rtl::WireOp valid = wires->wire(1, ""), room = wires->wire(1, "");
    ends.push =
        comes ? wires->conjunction(module.getInput(name + "_valid"), room) : anyOf(name + "_push");
    ends.data = comes ? module.getInput(name + "_data")
                      : shared(name + "_wdata", fifo.getBits(), name + "_push");
    ends.pop = isPort && !comes ? wires->conjunction(module.getInput(name + "_ready"), valid)
                                : anyOf(name + "_pop");
    buildFifo(*wires, design, fifo, ends);
    valid.drive(ends.valid);
    room.drive(ends.room);
    for (auto [suffix, value] :
         {std::pair("_valid", ends.valid), {"_room", ends.room}, {"_head", ends.head}})
      if (rtl::WireOp wire = given[name + suffix])
        wire.drive(value);
    if (!isPort)
      continue;
    outputs[name + (comes ? "_ready" : "_valid")] = comes ? ends.room : ends.valid;
    if (!comes)
      outputs[name + "_data"] = ends.head;
  }
}

void KernelModuleBuilder::buildRegister(MemoryOp memory, int64_t bank,
                                        mlir::ElementsAttr contents) {
  std::string name = RegisterId{memory, bank}.name();
  unsigned bits = bitsOf(memory.getElement());
  if (contents) { // nothing changes it
    if (rtl::WireOp read = given[name + "_q"])
      read.drive(mlir::arith::ConstantOp::create(wires->builder,
                                                 contents.getValues<mlir::IntegerAttr>()[0]));
    return;
  }
  rtl::RegOp held = wires->holding(bits, name);
  mlir::Value enable = anyOf(name + "_we");
  mlir::Value next = shared(name + "_wdata", bits, name + "_we");
  held.getEnableMutable().assign(enable);
  held.setNext(next);
  // A result is there in the cycle of done, in which it may be written.
  Wires::Part part(*wires, name + "_now");
  results[memory.getSymName().str()] = wires->choose(enable, next, held);
  if (rtl::WireOp read = given[name + "_q"])
    read.drive(held);
}

void KernelModuleBuilder::buildBank(MemoryOp memory, int64_t bank, mlir::ElementsAttr contents) {
  unsigned bits = bitsOf(memory.getElement());
  std::vector<rtl::MemoryPort> ports;
  std::vector<std::string> names;
  for (int64_t port = 0; port < static_cast<int64_t>(memory.getPorts()); ++port) {
    std::string name = PortId{memory, bank, port}.name();
    rtl::MemoryPort drives{anyOf(name + "_en"), anyOf(name + "_we"),
                           shared(name + "_addr", addressBits(memory), name + "_en"),
                           shared(name + "_wdata", bits, name + "_en")};
    if (memory.getArgument()) {
      outputs[name + "_en"] = drives.enable;
      outputs[name + "_we"] = drives.writeEnable;
      outputs[name + "_addr"] = drives.address;
      outputs[name + "_wdata"] = drives.data;
      if (rtl::WireOp read = given[name + "_rdata"])
        read.drive(module.getInput(name + "_rdata"));
    } else if (!drivers[name + "_en"].empty()) {
      ports.push_back(drives);
      names.push_back(name);
    }
  }
  if (ports.empty())
    return;
  auto ram = rtl::MemoryOp::create(
      wires->builder, fmt::format("{}_b{}", memory.getSymName().str(), bank), wires->clock,
      memory.getBankWords(), wires->builder.getIntegerType(bits), ports, contents);
  ram.setDistributed(memory.getDistributed());
  for (auto [name, port, word] : llvm::zip(names, ports, ram.getOutputs())) {
    mlir::Value read = word;
    if (memory.getDistributed() && memory.getReadLatency() > 0) {
      rtl::RegOp held = wires->holding(bits, name + "_read", port.enable);
      held.setNext(word);
      read = held;
    }
    if (rtl::WireOp wire = given[name + "_rdata"])
      wire.drive(read);
  }
}

void KernelModuleBuilder::buildMemories() {
  for (MemoryOp memory : kernel.getOps<MemoryOp>()) {
    std::vector<mlir::ElementsAttr> contents = bankContents(memory);
    for (int64_t bank = 0; bank < memory.getBanks(); ++bank) {
      mlir::ElementsAttr words = contents.empty() ? mlir::ElementsAttr() : contents[size_t(bank)];
      memory.getRegisters() ? buildRegister(memory, bank, words) : buildBank(memory, bank, words);
    }
  }
}

llvm::Error KernelModuleBuilder::build() {
  SPINDLE_RETURN_IF_ERROR(declareUnits());
  declareTop();
  rtl::WireOp ends = wires->wire(1, "finished");
  auto control = rtl::MachineOp::create(wires->builder, "control", wires->clock, wires->reset,
                                        llvm::ArrayRef<llvm::StringRef>{"idle", "run"});
  mlir::Value accept =
      wires->named(wires->conjunction(control.getResult(0), module.getInput("start")), "accept");
  control.addTransition(0, module.getInput("start"), 1);
  control.addTransition(1, ends, 0);
  for (auto [argument, index] :
       llvm::zip(kernel.getBody().getArguments(), kernel.getArgumentIndex())) {
    mlir::Value port = module.getInput(fmt::format("arg{}", index));
    rtl::RegOp kept = wires->holding(rtl::widthOf(port), fmt::format("arg{}_kept", index), accept);
    kept.setNext(port);
    values[argument] =
        wires->named(wires->choose(accept, port, kept), fmt::format("arg{}_now", index));
  }
  TaskControl tasks(
      *wires, ranges,
      [&](PipelineOp pipeline, mlir::Value start) { return buildPipeline(pipeline, start); },
      [&](mlir::Value value) { return wireOf(value); },
      [&](RepeatOp repeat) {
        return heldIn(kernel.lookupSymbol<MemoryOp>(*repeat.getCondition()));
      },
      values);
  mlir::Value done = tasks.build(kernel.getTasks(), accept);
  // Repeats without turns end in the cycle of the start; the kernel ends in the one after it.
  bool mayBeEmpty = llvm::none_of(kernel.getTasks().getBody().front(), [](mlir::Operation &task) {
    return llvm::isa<PipelineOp>(task);
  });
  Wires::Part part(*wires, "kernel_done");
  if (mayBeEmpty) {
    mlir::Value isLate = wires->delayed(wires->conjunction(accept, done), 1, true);
    done = wires->conjunction(control.getResult(1), wires->disjunction(done, isLate));
  }
  ends.drive(done);
  buildUnits();
  buildFifos();
  buildMemories();

  outputs["idle"] = control.getResult(0);
  outputs["done"] = done;
  if (std::optional<mlir::ArrayAttr> memories = kernel.getResultMemories())
    for (auto [position, name] : llvm::enumerate(*memories))
      outputs[fmt::format("result{}", position)] =
          results.at(llvm::cast<mlir::StringAttr>(name).str());
  wires->drive(module, outputs);
  return llvm::Error::success();
}

} // namespace

llvm::Expected<mlir::OwningOpRef<mlir::ModuleOp>> buildKernelModule(KernelOp kernel,
                                                                    const std::string &top) {
  if (!kernel.isScheduled())
    return inputError(
        placeOf(kernel),
        "the kernel has operations without a start, expected a scheduled one (hls-schedule)");
  mlir::MLIRContext *context = kernel.getContext();
  context->getOrLoadDialect<rtl::RtlDialect>();
  mlir::OwningOpRef<mlir::ModuleOp> design = mlir::ModuleOp::create(kernel.getLoc());
  SPINDLE_RETURN_IF_ERROR(KernelModuleBuilder(kernel, *design, top).build());
  if (mlir::failed(mlir::verify(*design)))
    return checkError(placeOf(kernel), fmt::format("the design of '{}' does not verify", top));
  return design;
}

} // namespace spindle::hls
