#include "hw/hls/axi/AxiWrapper.h"

#include "core/support/Error.h"
#include "hw/hls/axi/ArrayMover.h"
#include "hw/hls/axi/AxiExterns.h"
#include "hw/hls/axi/MemoryChannels.h"
#include "hw/hls/axi/StreamPort.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/Support/MathExtras.h"

#include "fmt/format.h"

#include <algorithm>

namespace spindle::hls {

namespace {

constexpr uint64_t firstRegister = 16; // after the control words

/// Bits of a bus address that reaches all registers.
unsigned addressBits(size_t registers) { return llvm::Log2_64_Ceil(firstRegister + 8 * registers); }

bool hasRegister(const KernelArgument &argument, const AxiOptions &options) {
  if (argument.isStream())
    return isInChannels(argument, options);
  return !argument.isMemory() || options.data == AxiData::Memory;
}

class WrapperBuilder {
public:
  WrapperBuilder(mlir::ModuleOp circuits, rtl::CircuitModuleOp inner,
                 const KernelInterface &described, const AxiOptions &wishes)
      : design(circuits), kernel(inner), interface(described), options(wishes),
        streams(axiStreams(described, wishes)), channels(axiChannels(described, wishes)),
        externs(circuits) {}

  rtl::CircuitModuleOp build();

private:
  void declareModule();
  void addControl();
  void addMachine();
  void addKernel();
  void addData();
  mlir::Value registerValue(uint32_t argument);
  mlir::Value tokensOf(const KernelArgument &stream);
  mlir::Type bits(unsigned width) { return mlir::IntegerType::get(design.getContext(), width); }

  mlir::ModuleOp design;
  rtl::CircuitModuleOp kernel;
  const KernelInterface &interface;
  const AxiOptions &options;
  std::vector<AxiStream> streams;
  std::vector<AxiChannel> channels;
  AxiExterns externs;
  rtl::CircuitModuleOp module;
  std::unique_ptr<Wires> wires;
  std::vector<BusSignal> lite;
  size_t slots = 0; // registers that the host writes
  std::map<std::string, rtl::WireOp>
      feeds; // inputs of the kernel and of the control that are made later
  AxiExterns::Values control, kernelOutputs, outputs;
  Phases phases;
  rtl::WireOp isFilled, isDrained;
  mlir::Value wrongAddress; // null where no address can be wrong
};

void WrapperBuilder::declareModule() {
  for (const KernelArgument &argument : interface.arguments)
    slots += hasRegister(argument, options);
  // An empty row of registers is one register wide.
  lite = liteSignals(
      addressBits(std::max<size_t>(slots, 1) + std::max<size_t>(interface.results.size(), 1)));
  std::vector<rtl::Port> inputs = {{"clk", bits(1)}, {"rst", bits(1)}}, outs;
  auto add = [&](const std::vector<BusSignal> &signals, const std::string &prefix) {
    for (const BusSignal &signal : signals)
      (signal.isOutput ? outs : inputs).push_back({prefix + signal.name, bits(signal.bits)});
  };
  add(lite, "");
  outs.push_back({"irq", bits(1)});
  auto stream = streams.begin();
  for (const KernelArgument &argument : interface.arguments) {
    std::string prefix = fmt::format("arg{}_", argument.index);
    if (argument.isMemory())
      add(ArrayMover::signals(argument, options), prefix);
    if (argument.isStream() && !isInChannels(argument, options))
      add(StreamPort::signals(argument, *stream++), prefix);
  }
  add(MemoryChannels::signals(channels), "");
  mlir::OpBuilder builder = mlir::OpBuilder::atBlockEnd(design.getBody());
  module =
      rtl::CircuitModuleOp::create(builder, kernel.getLoc(), interface.top + "_axi", inputs, outs);
  wires = std::make_unique<Wires>(kernel.getLoc(), module.getBodyBlock(), module.getInput("clk"),
                                  module.getInput("rst"));
}

void WrapperBuilder::addControl() {
  unsigned written = 64 * unsigned(std::max<size_t>(slots, 1));
  unsigned read = 64 * unsigned(std::max<size_t>(interface.results.size(), 1));
  AxiExterns::Ports ports{{{"clk", bits(1)}, {"rst", bits(1)}}, {}};
  AxiExterns::Values inputs = {{"clk", wires->clock}, {"rst", wires->reset}};
  for (const BusSignal &signal : lite) {
    (signal.isOutput ? ports.outputs : ports.inputs).push_back({signal.name, bits(signal.bits)});
    if (!signal.isOutput)
      inputs[signal.name] = module.getInput(signal.name);
  }
  ports.outputs.push_back({"arguments", bits(written)});
  for (auto [name, width] :
       {std::pair("results", read), {"idle", 1u}, {"done", 1u}, {"error", 1u}}) {
    ports.inputs.push_back({name, bits(width)});
    inputs[name] = feeds[name] = wires->wire(width, std::string("control_") + name);
  }
  ports.outputs.push_back({"start", bits(1)});
  ports.outputs.push_back({"keep", bits(1)});
  ports.outputs.push_back({"irq", bits(1)});
  control = externs.instantiate(wires->builder, kernel.getLoc(), "registers",
                                "spindle_axi_lite_control", ports,
                                {{"ARGUMENTS", int64_t(written / 64)},
                                 {"RESULTS", int64_t(read / 64)},
                                 {"ADDRESS", int64_t(lite[2].bits)}},
                                inputs);
  for (const BusSignal &signal : lite)
    if (signal.isOutput)
      outputs[signal.name] = control.at(signal.name);
  outputs["irq"] = control.at("irq");
}

/// idle → fill all arrays → start the kernel → wait for it → drain → idle.
void WrapperBuilder::addMachine() {
  isFilled = wires->wire(1, "all_filled");
  isDrained = wires->wire(1, "all_drained");
  feeds["kernel_done"] = wires->wire(1, "kernel_done");
  auto machine = rtl::MachineOp::create(wires->builder, "phase", wires->clock, wires->reset,
                                        {"idle", "fill", "run", "work", "drain"});
  mlir::Value starts = control.at("start"), isAstray;
  for (const KernelArgument &argument : interface.arguments)
    if (isInChannels(argument, options)) {
      mlir::Value low = rtl::ExtractOp::create(wires->builder, registerValue(argument.index), 0, 3);
      isAstray = wires->disjunction(isAstray, wires->negation(wires->equals(low, 0)));
    }
  // Nothing is moved where an address is no multiple of a word: neighbours would be.
  mlir::Value refused;
  if (isAstray) {
    refused = wires->conjunction(machine.getResult(0), wires->conjunction(starts, isAstray));
    starts = wires->conjunction(starts, wires->negation(isAstray));
  }
  machine.addTransition(0, starts, 1);
  machine.addTransition(1, isFilled, 2);
  machine.addTransition(2, wires->one(), 3);
  machine.addTransition(3, feeds["kernel_done"], 4);
  machine.addTransition(4, isDrained, 0);
  phases.fill = machine.getResult(1);
  phases.keep = control.at("keep");
  phases.works = wires->disjunction(machine.getResult(2), machine.getResult(3));
  phases.startFill = wires->conjunction(machine.getResult(0), starts);
  if (refused)
    wrongAddress = wires->flag(refused, phases.startFill, "address_astray");
  phases.startDrain = wires->conjunction(machine.getResult(3), feeds["kernel_done"]);
  feeds["start"] = wires->wire(1, "kernel_start");
  feeds["start"].drive(machine.getResult(2));
  feeds["idle"].drive(machine.getResult(0));
  feeds["done"].drive(
      wires->disjunction(wires->conjunction(machine.getResult(4), isDrained), refused));
}

mlir::Value WrapperBuilder::registerValue(uint32_t argument) {
  unsigned slot = 0;
  for (const KernelArgument &before : interface.arguments)
    slot += before.index < argument && hasRegister(before, options);
  return rtl::ExtractOp::create(wires->builder, control.at("arguments"), 64 * slot, 64);
}

/// Memory outputs of the kernel's inputs come from wires that the arrays drive.
void WrapperBuilder::addKernel() {
  rtl::Interface ports = rtl::interfaceOf(kernel);
  llvm::SmallVector<mlir::Value> operands;
  for (auto [index, type] : llvm::enumerate(ports.type.getInputs())) {
    std::string name = ports.inputName(index).str();
    unsigned width = type.getIntOrFloatBitWidth(), argument = 0;
    if (name == "clk" || name == "rst")
      operands.push_back(name == "clk" ? wires->clock : wires->reset);
    else if (name == "start")
      operands.push_back(feeds["start"]);
    else if (name == "ce")
      operands.push_back(wires->one());
    else if (!llvm::StringRef(name).drop_front(3).getAsInteger(10, argument))
      operands.push_back(wires->resized(registerValue(argument), width, false));
    else
      operands.push_back(feeds[name] = wires->wire(width, name));
  }
  auto instance =
      rtl::InstanceOp::create(wires->builder, "kernel", kernel.getOperation(), operands);
  for (auto [index, value] : llvm::enumerate(instance.getResults()))
    kernelOutputs[ports.outputName(index).str()] = value;
  feeds["kernel_done"].drive(kernelOutputs.at("done"));

  // Results are valid with done: kept for the host.
  llvm::SmallVector<mlir::Value> results;
  for (size_t i = interface.results.size(); i-- > 0;) {
    mlir::Value result = kernelOutputs.at(fmt::format("result{}", i));
    mlir::Value kept = rtl::RegOp::create(wires->builder, wires->resized(result, 64, false),
                                          wires->clock, kernelOutputs.at("done"));
    results.push_back(kept);
  }
  if (results.empty())
    results.push_back(wires->constant(0, 64));
  feeds["results"].drive(rtl::ConcatOp::create(wires->builder, results));
}

/// Of a run.
mlir::Value WrapperBuilder::tokensOf(const KernelArgument &stream) {
  if (stream.isArray())
    return wires->constant(int64_t(stream.elements()), bitsToCount(stream.elements()));
  auto count = llvm::find_if(interface.arguments, [&](const KernelArgument &each) {
    return each.index == *options.packetCount;
  });
  uint64_t beats = options.packets.at(stream.index).beats;
  unsigned width = count->type.bits + bitsToCount(beats);
  mlir::Value packets = wires->resized(registerValue(count->index), count->type.bits, false);
  mlir::Value wide = wires->resized(packets, width, false);
  mlir::Value factor = wires->constant(int64_t(beats), width);
  return mlir::arith::MulIOp::create(wires->builder, wide, factor);
}

void WrapperBuilder::addData() {
  mlir::Value filled, drained, error;
  auto stream = streams.begin();
  MemoryChannels memory(*wires, externs, module, channels, options, phases.startFill);
  RunPhase phase{phases.works, phases.startFill};
  for (const KernelArgument &argument : interface.arguments) {
    if (argument.isStream() && isInChannels(argument, options)) {
      StreamMover mover(*wires, memory, argument, phase, registerValue(argument.index),
                        tokensOf(argument), kernelOutputs, feeds);
      drained = wires->conjunction(drained, mover.isDrained());
      continue;
    }
    if (argument.isStream()) {
      StreamPort port(*wires, module, argument, *stream++, phase, kernelOutputs, feeds);
      outputs.insert(port.outputs().begin(), port.outputs().end());
      drained = wires->conjunction(drained, port.isDrained());
      error = wires->disjunction(error, port.error());
    }
    if (!argument.isMemory())
      continue;
    mlir::Value base =
        options.data == AxiData::Memory ? registerValue(argument.index) : mlir::Value();
    ArrayMover mover(*wires, externs, module, argument, options, phases, base,
                     isInChannels(argument, options) ? &memory : nullptr);
    mover.addMemories(kernelOutputs, feeds);
    for (const auto &[name, value] : mover.outputs())
      outputs[name] = value;
    filled = wires->conjunction(filled, mover.isFilled());
    drained = wires->conjunction(drained, mover.isDrained());
    error = wires->disjunction(error, mover.error());
  }
  memory.build();
  outputs.insert(memory.outputs().begin(), memory.outputs().end());
  error = wires->disjunction(wires->disjunction(error, memory.error()), wrongAddress);
  isFilled.drive(filled ? filled : wires->one());
  isDrained.drive(drained ? drained : wires->one());
  feeds["error"].drive(error ? error : wires->zero());
}

rtl::CircuitModuleOp WrapperBuilder::build() {
  declareModule();
  addControl();
  addMachine();
  addKernel();
  addData();
  wires->drive(module, outputs);
  return module;
}

} // namespace

std::vector<AxiRegister> axiRegisters(const KernelInterface &kernel, const AxiOptions &options) {
  std::vector<AxiRegister> registers;
  auto add = [&](const std::string &name) {
    registers.push_back({name, firstRegister + 8 * registers.size()});
  };
  for (const KernelArgument &argument : kernel.arguments)
    if (hasRegister(argument, options))
      add(fmt::format("arg{}", argument.index));
  // An empty row of arguments is one register wide.
  bool isEmpty = registers.empty();
  for (size_t i = 0; i < kernel.results.size(); ++i)
    registers.push_back(
        {fmt::format("result{}", i), firstRegister + 8 * (registers.size() + isEmpty)});
  return registers;
}

std::vector<AxiStream> axiStreams(const KernelInterface &kernel, const AxiOptions &options) {
  std::vector<AxiStream> streams;
  for (const KernelArgument &argument : kernel.arguments) {
    if (!argument.isStream() || isInChannels(argument, options))
      continue;
    AxiStream stream;
    stream.name = fmt::format("arg{}", argument.index);
    stream.bytes = stream.lastBytes = argument.type.bytes();
    if (auto packet = options.packets.find(argument.index); packet != options.packets.end()) {
      stream.beats = packet->second.beats;
      stream.lastBytes = std::clamp((packet->second.lastBits + 7) / 8, 1u, stream.bytes);
    }
    streams.push_back(std::move(stream));
  }
  return streams;
}

std::vector<std::string> axiModules(const KernelInterface &kernel, const AxiOptions &options) {
  std::vector<std::string> modules = {"spindle_axi_lite_control"};
  bool hasArrays = false, drains = false, reads = false, writes = false;
  for (const KernelArgument &argument : kernel.arguments) {
    hasArrays |= argument.isMemory();
    drains |= argument.isMemory() && argument.isWritten;
  }
  for (const AxiChannel &channel : axiChannels(kernel, options)) {
    reads |= !channel.reads.empty();
    writes |= !channel.writes.empty();
  }
  if (drains)
    modules.push_back("spindle_memory_stream");
  if (reads)
    modules.insert(modules.end(), {"spindle_memory_reader", "spindle_read_channel"});
  if (writes)
    modules.insert(modules.end(), {"spindle_memory_writer", "spindle_write_channel"});
  if (options.channels > 0)
    return modules;
  if (hasArrays && options.data == AxiData::Memory)
    modules.push_back("spindle_axi_read");
  if (drains && options.data == AxiData::Memory)
    modules.push_back("spindle_axi_write");
  return modules;
}

llvm::Expected<rtl::CircuitModuleOp>
addAxiWrapper(mlir::ModuleOp design, const KernelInterface &kernel, const AxiOptions &options) {
  if (!llvm::isPowerOf2_32(options.burst) || options.burst > 256)
    return inputError("", fmt::format("a burst of {} beats, expected a power of two of at most 256",
                                      options.burst));
  if (options.channels > kMostMemoryChannels)
    return inputError(
        "", fmt::format("{} channels, expected at most {}", options.channels, kMostMemoryChannels));
  for (const KernelArgument &argument : kernel.arguments)
    if (argument.isMemory() && argument.elements() == 0)
      return inputError("",
                        fmt::format("arg{} has no elements, which no bus can move; leave it out "
                                    "of the function",
                                    argument.index));
  auto module = design.lookupSymbol<rtl::CircuitModuleOp>(kernel.top);
  if (!module)
    return checkError(kernel.original, fmt::format("the design has no module '{}'", kernel.top));
  return WrapperBuilder(design, module, kernel, options).build();
}

} // namespace spindle::hls
