#include "hw/system/SystemModule.h"

#include "core/kernel/ModulePorts.h"
#include "hw/system/TaskManager.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

#include "llvm/Support/MathExtras.h"

#include "fmt/format.h"

namespace spindle::hls {

namespace {

class SystemBuilder {
public:
  SystemBuilder(mlir::ModuleOp circuits, const SystemParts &of, const KernelInterface &described)
      : design(circuits), parts(of), graph(of.graph), interface(described) {}

  rtl::CircuitModuleOp build();

private:
  using Choices = std::vector<std::pair<mlir::Value, mlir::Value>>;

  void declareModule();
  void addControl();
  void addCircuits();
  void connectCircuits();
  void connectStream(uint32_t circuit, const KernelArgument &end, uint32_t argument);
  void addGrants();
  mlir::Value goesFirst(uint32_t task, uint32_t other);
  void addArrays();
  void addBank(const KernelArgument &shape, uint32_t array, uint32_t copy, uint32_t bank);
  mlir::Value operandOf(uint32_t task, const TaskOperand &operand);
  mlir::Value isOnBuffer(uint32_t task, uint32_t array, uint32_t buffer);
  rtl::MemoryPort driverOf(uint32_t array, uint32_t copy, uint32_t buffer, uint32_t bank,
                           uint32_t port, unsigned addressBits, unsigned bits);
  KernelArgument shapeOf(uint32_t array) const;
  mlir::Type bits(unsigned width) { return mlir::IntegerType::get(design.getContext(), width); }
  mlir::Value chosen(const Choices &choices, unsigned width) {
    return choices.empty() ? wires->constant(0, width) : wires->oneHot(choices);
  }

  mlir::ModuleOp design;
  const SystemParts &parts;
  const TaskGraph &graph;
  const KernelInterface &interface;
  rtl::CircuitModuleOp module;
  std::unique_ptr<Wires> wires;
  mlir::Value accepts, runs;
  rtl::WireOp done;
  TaskManagers managers;
  std::map<uint32_t, mlir::Value> scalars;
  std::vector<std::map<std::string, rtl::WireOp>> feeds;          // by circuit, inputs
  std::vector<std::map<std::string, mlir::Value>> circuitOutputs; // by circuit
  std::map<std::string, mlir::Value> words; // read: `wordName`, as the kernels see them
  std::map<std::string, mlir::Value> outputs;
};

/// The ports of the interface with widths where it leaves them open.
void SystemBuilder::declareModule() {
  std::vector<rtl::Port> inputs = {{"clk", bits(1)}, {"rst", bits(1)}, {"start", bits(1)}},
                         outs = {{"idle", bits(1)}, {"done", bits(1)}};
  for (const KernelArgument &argument : interface.arguments) {
    unsigned width = argument.type.kind == ElementType::Kind::Index && !argument.isMemory()
                         ? 32
                         : argument.type.bits;
    if (argument.isStream()) {
      std::string name = fmt::format("arg{}", argument.index);
      (argument.isRead ? inputs : outs).push_back({name + "_data", bits(width)});
      (argument.isRead ? inputs : outs).push_back({name + "_valid", bits(1)});
      (argument.isRead ? outs : inputs).push_back({name + "_ready", bits(1)});
      continue;
    }
    if (!argument.isMemory()) {
      inputs.push_back({fmt::format("arg{}", argument.index), bits(width)});
      continue;
    }
    unsigned address = rtl::MemoryOp::addressWidth(int64_t(argument.bankWords()));
    for (uint32_t bank = 0; bank < argument.banks(); ++bank)
      for (uint32_t port = 0; port < argument.ports; ++port) {
        std::string name = portName(argument.index, bank, port);
        inputs.push_back({name + "_rdata", bits(width)});
        outs.push_back({name + "_en", bits(1)});
        outs.push_back({name + "_we", bits(1)});
        outs.push_back({name + "_addr", bits(address)});
        outs.push_back({name + "_wdata", bits(width)});
      }
  }
  mlir::OpBuilder builder = mlir::OpBuilder::atBlockEnd(design.getBody());
  module = rtl::CircuitModuleOp::create(builder, design.getLoc(), interface.top, inputs, outs);
  wires = std::make_unique<Wires>(design.getLoc(), module.getBodyBlock(), module.getInput("clk"),
                                  module.getInput("rst"));
}

/// Scalars are those of the start.
void SystemBuilder::addControl() {
  done = wires->wire(1, "all_done");
  auto control = rtl::MachineOp::create(wires->builder, "control", wires->clock, wires->reset,
                                        {"idle", "run"});
  accepts =
      wires->named(wires->conjunction(control.getResult(0), module.getInput("start")), "accept");
  runs = control.getResult(1);
  mlir::Value ends = wires->conjunction(runs, done);
  control.addTransition(0, accepts, 1);
  control.addTransition(1, ends, 0);
  outputs["idle"] = control.getResult(0);
  outputs["done"] = ends;
  for (const KernelArgument &argument : interface.arguments) {
    if (argument.isMemory() || argument.isStream())
      continue;
    mlir::Value port = module.getInput(fmt::format("arg{}", argument.index));
    rtl::RegOp kept =
        wires->holding(rtl::widthOf(port), fmt::format("arg{}_kept", argument.index), accepts);
    kept.setNext(port);
    scalars[argument.index] = kept;
  }
  managers = addManagers(*wires, design, interface.top + "_manager", graph, accepts, runs);
  done.drive(managers.allDone);
}

/// Inputs come from wires that are driven afterwards.
void SystemBuilder::addCircuits() {
  feeds.resize(parts.kernels.size());
  circuitOutputs.resize(parts.kernels.size());
  for (size_t circuit = 0; circuit < parts.kernels.size(); ++circuit) {
    auto kernel = design.lookupSymbol<rtl::CircuitModuleOp>(parts.kernels[circuit]->top);
    rtl::Interface ports = rtl::interfaceOf(kernel);
    llvm::SmallVector<mlir::Value> operands;
    for (auto [index, type] : llvm::enumerate(ports.type.getInputs())) {
      std::string name = ports.inputName(index).str();
      if (name == "clk" || name == "rst")
        operands.push_back(name == "clk" ? wires->clock : wires->reset);
      else
        operands.push_back(feeds[circuit][name] =
                               wires->wire(type.getIntOrFloatBitWidth(),
                                           fmt::format("circuit{}_{}", circuit, name)));
    }
    auto instance = rtl::InstanceOp::create(wires->builder, fmt::format("circuit{}", circuit),
                                            kernel.getOperation(), operands);
    for (auto [index, value] : llvm::enumerate(instance.getResults()))
      circuitOutputs[circuit][ports.outputName(index).str()] = value;
  }
}

/// A task may start unless one that it excludes works, or is ready and comes first.
/// Of two tasks that could begin: the one at the earlier input, then the earlier one in the
/// program. Null: never.
mlir::Value SystemBuilder::goesFirst(uint32_t task, uint32_t other) {
  if (graph.inputs == 1)
    return task < other ? wires->one() : mlir::Value();
  auto than = task < other ? mlir::arith::CmpIPredicate::ule : mlir::arith::CmpIPredicate::ult;
  return mlir::arith::CmpIOp::create(wires->builder, than, managers.tasks[task].inputs,
                                     managers.tasks[other].inputs);
}

void SystemBuilder::addGrants() {
  for (uint32_t task = 0; task < graph.tasks.size(); ++task) {
    mlir::Value keptOff;
    for (uint32_t other : parts.ports.excludes[task]) {
      keptOff = wires->disjunction(keptOff, managers.tasks[other].isAtWork);
      if (mlir::Value isFirst = goesFirst(other, task))
        keptOff =
            wires->disjunction(keptOff, wires->conjunction(managers.tasks[other].isReady, isFirst));
    }
    managers.tasks[task].granted.drive(keptOff ? wires->negation(keptOff) : wires->one());
    managers.tasks[task].ended.drive(circuitOutputs[graph.tasks[task].circuit].at("done"));
  }
}

mlir::Value SystemBuilder::operandOf(uint32_t task, const TaskOperand &operand) {
  if (operand.kind == TaskOperand::Kind::Scalar)
    return scalars.at(operand.index);
  mlir::Value number = wires->resized(managers.tasks[task].inputs, 32, false);
  if (graph.firstInput == 0)
    return number;
  return mlir::arith::AddIOp::create(wires->builder, number, wires->constant(graph.firstInput, 32));
}

/// Where inputs take turns, by the last bits of their number.
mlir::Value SystemBuilder::isOnBuffer(uint32_t task, uint32_t array, uint32_t buffer) {
  uint32_t buffers = graph.arrays[array].buffers;
  if (buffers == 1 || graph.inputs == 1)
    return buffer == 0 ? wires->one() : wires->zero();
  unsigned turnBits = llvm::Log2_32(buffers);
  return wires->equals(wires->resized(managers.tasks[task].inputs, turnBits, false), buffer);
}

KernelArgument SystemBuilder::shapeOf(uint32_t array) const {
  KernelArgument shape;
  shape.kind = KernelArgument::Kind::Memory;
  shape.type = graph.arrays[array].type;
  shape.shape = graph.arrays[array].shape;
  shape.partition = parts.partitions[array];
  shape.ports = parts.ports.ports;
  shape.readLatency = parts.readLatency;
  return shape;
}

/// `between0_1_b0`: of buffer 1 bank 0; behind the first copy of an array, `between0_copy1_1_b0`.
static std::string bankName(const TaskArray &array, uint32_t copy, uint32_t buffer, uint32_t bank) {
  std::string of = copy ? fmt::format("{}_copy{}", array.name, copy) : array.name;
  return fmt::format("{}_{}_b{}", of, buffer, bank);
}
static std::string wordName(const TaskArray &array, uint32_t copy, uint32_t buffer, uint32_t bank,
                            uint32_t port) {
  return fmt::format("{}_p{}", bankName(array, copy, buffer, bank), port);
}

/// What the task at work puts on a port of a memory. To a copy that it does not read it only
/// writes.
rtl::MemoryPort SystemBuilder::driverOf(uint32_t array, uint32_t copy, uint32_t buffer,
                                        uint32_t bank, uint32_t port, unsigned addressBits,
                                        unsigned width) {
  Choices enables, writes, addresses, data;
  mlir::Value enable, write;
  for (uint32_t task = 0; task < graph.tasks.size(); ++task)
    for (uint32_t n = 0; n < graph.tasks[task].operands.size(); ++n) {
      const TaskOperand &operand = graph.tasks[task].operands[n];
      bool isRead = parts.ports.copyOf[task][n] == copy;
      if (operand.kind != TaskOperand::Kind::Array || operand.index != array ||
          !(isRead || operand.isWritten))
        continue;
      uint32_t count = parts.ports.ports,
               inner = (port + count - parts.ports.turns[task][n]) % count;
      uint32_t circuit = graph.tasks[task].circuit;
      auto output = [&](const char *suffix) {
        return circuitOutputs[circuit].at(portName(n, bank, inner) + suffix);
      };
      mlir::Value isHere =
          wires->conjunction(managers.tasks[task].isActive, isOnBuffer(task, array, buffer));
      mlir::Value isUsed = wires->conjunction(isHere, output(isRead ? "_en" : "_we"));
      enable = wires->disjunction(enable, isUsed);
      write = wires->disjunction(write, wires->conjunction(isHere, output("_we")));
      addresses.emplace_back(isUsed, wires->resized(output("_addr"), addressBits, false));
      data.emplace_back(isUsed, output("_wdata"));
    }
  if (!enable)
    enable = write = wires->zero();
  return {enable, write, chosen(addresses, addressBits), chosen(data, width)};
}

void SystemBuilder::addBank(const KernelArgument &shape, uint32_t array, uint32_t copy,
                            uint32_t bank) {
  const TaskArray &of = graph.arrays[array];
  unsigned address = rtl::MemoryOp::addressWidth(int64_t(shape.bankWords()));
  for (uint32_t buffer = 0; buffer < of.buffers; ++buffer) {
    std::vector<rtl::MemoryPort> ports;
    for (uint32_t port = 0; port < shape.ports; ++port)
      ports.push_back(driverOf(array, copy, buffer, bank, port, address, shape.type.bits));
    auto word = [&](uint32_t port) -> mlir::Value & {
      return words[wordName(of, copy, buffer, bank, port)];
    };
    if (of.argument && copy == 0) {
      for (uint32_t port = 0; port < shape.ports; ++port) {
        std::string outer = portName(*of.argument, bank, port);
        outputs[outer + "_en"] = ports[port].enable;
        outputs[outer + "_we"] = ports[port].writeEnable;
        outputs[outer + "_addr"] = ports[port].address;
        outputs[outer + "_wdata"] = ports[port].data;
        word(port) = module.getInput(outer + "_rdata");
      }
      continue;
    }
    auto memory =
        rtl::MemoryOp::create(wires->builder, bankName(of, copy, buffer, bank), wires->clock,
                              int64_t(shape.bankWords()), bits(shape.type.bits), ports);
    for (uint32_t port = 0; port < shape.ports; ++port)
      word(port) = wires->delayed(memory.getResult(port), int64_t(shape.readLatency) - 1);
  }
}

void SystemBuilder::addArrays() {
  for (uint32_t array = 0; array < graph.arrays.size(); ++array) {
    KernelArgument shape = shapeOf(array);
    for (uint32_t copy = 0; copy < parts.ports.copies[array]; ++copy)
      for (uint32_t bank = 0; bank < shape.banks(); ++bank)
        addBank(shape, array, copy, bank);
  }
  // Arguments that no task touches.
  for (const KernelArgument &argument : interface.arguments)
    if (argument.isMemory())
      for (uint32_t bank = 0; bank < argument.banks(); ++bank)
        for (uint32_t port = 0; port < argument.ports; ++port)
          for (const auto &[suffix, width] :
               {std::pair("_en", 1u),
                {"_we", 1u},
                {"_addr", rtl::MemoryOp::addressWidth(int64_t(argument.bankWords()))},
                {"_wdata", argument.type.bits}}) {
            mlir::Value &driven = outputs[portName(argument.index, bank, port) + suffix];
            if (!driven)
              driven = wires->constant(0, width);
          }
}

/// The one end of a stream that is outside is the circuit's own: tokens move whether or not its
/// task is at work, as far as there is room.
void SystemBuilder::connectStream(uint32_t circuit, const KernelArgument &end, uint32_t argument) {
  std::string inner = fmt::format("arg{}", end.index), outer = fmt::format("arg{}", argument);
  auto drive = [&](const char *suffix, bool goesIn) {
    if (goesIn)
      feeds[circuit].at(inner + suffix).drive(module.getInput(outer + suffix));
    else
      outputs[outer + suffix] = circuitOutputs[circuit].at(inner + suffix);
  };
  drive("_data", end.isRead);
  drive("_valid", end.isRead);
  drive("_ready", !end.isRead);
}

/// What the inputs of a circuit are while one of its tasks is at work.
void SystemBuilder::connectCircuits() {
  for (uint32_t circuit = 0; circuit < parts.kernels.size(); ++circuit) {
    std::vector<uint32_t> tasks;
    for (uint32_t task = 0; task < graph.tasks.size(); ++task)
      if (graph.tasks[task].circuit == circuit)
        tasks.push_back(task);
    mlir::Value starts;
    for (uint32_t task : tasks)
      starts = wires->disjunction(starts, managers.tasks[task].starts);
    feeds[circuit].at("start").drive(starts);
    for (const KernelArgument &argument : parts.kernels[circuit]->arguments) {
      if (argument.isStream()) {
        connectStream(circuit, argument, graph.tasks[tasks[0]].operands[argument.index].index);
        continue;
      }
      Choices choices;
      if (!argument.isMemory()) {
        rtl::WireOp feed = feeds[circuit].at(fmt::format("arg{}", argument.index));
        unsigned width = rtl::widthOf(feed);
        for (uint32_t task : tasks)
          choices.emplace_back(
              managers.tasks[task].starts,
              wires->resized(operandOf(task, graph.tasks[task].operands[argument.index]), width,
                             false));
        feed.drive(wires->oneHot(choices));
        continue;
      }
      for (uint32_t bank = 0; bank < argument.banks(); ++bank)
        for (uint32_t port = 0; port < argument.ports; ++port) {
          choices.clear();
          for (uint32_t task : tasks) {
            uint32_t array = graph.tasks[task].operands[argument.index].index;
            uint32_t outer = (port + parts.ports.turns[task][argument.index]) % parts.ports.ports;
            for (uint32_t buffer = 0; buffer < graph.arrays[array].buffers; ++buffer)
              choices.emplace_back(
                  wires->conjunction(managers.tasks[task].isAtWork,
                                     isOnBuffer(task, array, buffer)),
                  words.at(wordName(graph.arrays[array], parts.ports.copyOf[task][argument.index],
                                    buffer, bank, outer)));
          }
          feeds[circuit]
              .at(portName(argument.index, bank, port) + "_rdata")
              .drive(wires->oneHot(choices));
        }
    }
  }
}

rtl::CircuitModuleOp SystemBuilder::build() {
  declareModule();
  addControl();
  addCircuits();
  addGrants();
  addArrays();
  connectCircuits();
  wires->drive(module, outputs);
  return module;
}

} // namespace

rtl::CircuitModuleOp addSystemModule(mlir::ModuleOp design, const SystemParts &parts,
                                     const KernelInterface &interface) {
  return SystemBuilder(design, parts, interface).build();
}

} // namespace spindle::hls
