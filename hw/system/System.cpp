#include "hw/system/System.h"

#include "dialects/hls/Partition.h"
#include "dialects/location/Location.h"
#include "dialects/system/Launches.h"
#include "hw/hls/lower/PredictCycles.h"
#include "hw/hls/prepare/Prepare.h"
#include "hw/synthesis/EstimateArea.h"
#include "hw/synthesis/ModuleName.h"
#include "hw/synthesis/SimplifyDesign.h"
#include "hw/system/EarlyStart.h"
#include "hw/system/JoinDesigns.h"
#include "hw/system/OutlineProgram.h"
#include "hw/system/ShareCircuits.h"
#include "hw/system/SystemModule.h"

#include "fmt/format.h"
#include "mlir/IR/Verifier.h"

#include <numeric>

namespace spindle::hls {

std::unique_ptr<mlir::MLIRContext> makeSystemContext() {
  std::unique_ptr<mlir::MLIRContext> context = makeSynthesisContext();
  context->loadDialect<system::SystemDialect>();
  return context;
}

namespace {

using Banks = std::vector<DimensionPartition>; // of an array, by dimension

class Joiner {
public:
  Joiner(OutlinedProgram &from, const Target &device, const SystemOptions &wishes)
      : outlined(from), target(device), options(wishes) {
    made.graph = outlined.graph;
    banks.resize(made.graph.arrays.size());
    findClasses();
  }

  llvm::Expected<SystemSynthesis> join();

private:
  llvm::Error addKernels();
  std::optional<uint64_t> pacedCycles(size_t kernel);
  void planTasks();
  void setBuffers(uint32_t buffers);
  void chooseBuffers();
  llvm::Expected<Synthesis> kernelOf(mlir::ModuleOp functions, const std::string &name);
  void findClasses();
  void chooseOrder();
  llvm::Error describe();
  CircuitPorts portsOfCircuits() const;
  llvm::Error addDesign();
  llvm::Error checkSystemBudget(const DeviceArea &budget, const std::string &place) const;

  OutlinedProgram &outlined;
  const Target &target;
  const SystemOptions &options;
  SystemSynthesis made;
  std::map<std::string, size_t> numberOf; // of kernels, by name
  std::vector<uint32_t> classes; // by array: the one that stands for those in the same banks
  std::map<std::pair<std::string, size_t>, uint32_t>
      operandClass;                        // by kernel and operand: an array
  std::vector<std::optional<Banks>> banks; // of those that stand for others, once a kernel has them
};

/// Arrays that a kernel has as the same operand, of one task or another, lie in the same banks.
void Joiner::findClasses() {
  classes.resize(made.graph.arrays.size());
  std::iota(classes.begin(), classes.end(), 0u);
  std::map<std::pair<std::string, size_t>, uint32_t> first;
  for (const Task &task : made.graph.tasks)
    for (size_t n = 0; n < task.operands.size(); ++n) {
      if (task.operands[n].kind != TaskOperand::Kind::Array)
        continue;
      uint32_t array = task.operands[n].index;
      auto [known, isNew] = first.try_emplace({made.graph.circuits[task.circuit], n}, array);
      uint32_t from = classes[array], to = classes[known->second];
      std::replace(classes.begin(), classes.end(), from, to);
      operandClass[known->first] = known->second;
    }
}

/// Arrays that other kernels have divided are divided in the same way; where two operands of this
/// kernel have to be alike and are not, as the first of them.
llvm::Expected<Synthesis> Joiner::kernelOf(mlir::ModuleOp functions, const std::string &name) {
  auto function = functions.lookupSymbol<mlir::func::FuncOp>(name);
  SynthesisOptions wanted = options.kernels;
  wanted.top = name;
  wanted.bind.clear();
  wanted.budget.reset();
  for (unsigned round = 0; round < 2; ++round) {
    for (unsigned operand = 0; operand < function.getNumArguments(); ++operand) {
      auto array = operandClass.find({name, operand});
      if (array == operandClass.end())
        continue;
      const std::optional<Banks> &known = banks[classes[array->second]];
      if (known && !known->empty())
        function.setArgAttr(
            operand, HlsDialect::partitionName,
            toAttribute(ArrayPartition(known->begin(), known->end()), function.getContext()));
    }
    SPINDLE_ASSIGN(Synthesis kernel, synthesize(functions, target, wanted));
    bool isAlike = true;
    for (const KernelArgument &argument : kernel.interface.arguments) {
      if (!argument.isMemory())
        continue;
      std::optional<Banks> &known = banks[classes[operandClass.at({name, argument.index})]];
      if (!known)
        known = argument.partition;
      isAlike &= *known == argument.partition;
    }
    if (isAlike)
      return kernel;
  }
  return checkError(placeOf(function),
                    fmt::format("{} lays its arrays in other banks than it was told", name));
}

/// Those that move arrays from and to streams come last: they take any banks.
llvm::Error Joiner::addKernels() {
  SPINDLE_ASSIGN(mlir::OwningOpRef<mlir::ModuleOp> functions, kernelFunctions(*outlined.module));
  for (bool hasStream : {false, true})
    for (const std::string &name : made.graph.circuits) {
      auto function = functions->lookupSymbol<mlir::func::FuncOp>(name);
      if (llvm::any_of(function.getArgumentTypes(), llvm::IsaPred<StreamType>) != hasStream ||
          !numberOf.try_emplace(name, made.kernels.size()).second)
        continue;
      SPINDLE_ASSIGN(Synthesis synthesis, kernelOf(*functions, name));
      made.kernels.push_back(std::move(synthesis));
    }
  return llvm::Error::success();
}

/// With streams that make nobody wait; what may wait has no `predictedCycles`, so that nobody
/// begins by them.
std::optional<uint64_t> Joiner::pacedCycles(size_t kernel) {
  std::optional<uint64_t> cycles = made.kernels[kernel].interface.predictedCycles;
  return cycles ? cycles : cyclesWithoutWaits(made.kernels[kernel].kernel);
}

/// Which circuits there are, and what waits for what: by the schedules of the kernels, where tasks
/// may start early. Successive inputs share nothing unasked, as any two tasks may then run at the
/// same time.
void Joiner::chooseOrder() {
  TaskGraph &graph = made.graph;
  bool startsEarly = graph.kind == SystemKind::Dataflow && options.startsEarly,
       isShared = startsEarly && options.share == "auto" && graph.inputs == 1;
  if (isShared) {
    std::vector<std::string> names;
    for (Task &task : graph.tasks) {
      names.push_back(graph.circuits[task.circuit]);
      task.circuit = uint32_t(names.size() - 1);
    }
    graph.circuits = names;
  }
  auto cycles = [&] {
    CircuitCycles known;
    for (const std::string &name : graph.circuits)
      known.push_back(made.kernels[numberOf.at(name)].interface.predictedCycles);
    return known;
  };
  if (startsEarly) {
    std::vector<KernelOp> kernels;
    for (const std::string &name : graph.circuits)
      kernels.push_back(made.kernels[numberOf.at(name)].kernel);
    graph.order = orderByWords(graph, outlined.conflicts, kernels, cycles());
  }
  if (isShared) {
    shareCircuits(graph, cycles());
    size_t task = 0;
    outlined.module->walk([&](system::LaunchFuncOp launch) {
      if (launch->getParentOfType<mlir::func::FuncOp>() == outlined.function)
        launch.setOn(graph.tasks[task++].circuit);
    });
  }
  made.kernelOf.clear();
  for (const std::string &name : graph.circuits)
    made.kernelOf.push_back(numberOf.at(name));
}

/// The arguments are those of the function in loop form, bound ones apart.
llvm::Error Joiner::describe() {
  KernelInterface &interface = made.interface;
  const KernelInterface &first = made.kernels.front().interface;
  mlir::func::FuncOp function = outlined.function;
  interface.function = function.getName().str();
  interface.original = "original.mlir";
  for (const auto &[index, values] : options.kernels.bind)
    interface.bind[index] = values;
  interface.target = first.target;
  interface.clockPeriodNs = first.clockPeriodNs;
  interface.isReassociated = options.kernels.loops.reassociates;
  for (unsigned index = 0; index < function.getNumArguments(); ++index) {
    if (function.getArgAttr(index, HlsDialect::boundName))
      continue;
    mlir::Type type = function.getArgumentTypes()[index];
    auto whole = function.getArgAttrOfType<mlir::TypeAttr>(index, "system.array");
    auto array = llvm::dyn_cast<mlir::MemRefType>(whole ? whole.getValue() : type);
    std::string text;
    llvm::raw_string_ostream(text) << (array ? array.getElementType() : type);
    std::optional<ElementType> element = parseElementType(text);
    if (!element)
      return checkError(filePlaceOf(function), "argument of type " + text);
    KernelArgument argument;
    argument.index = index;
    argument.type = *element;
    if (function.getArgAttr(index, HlsDialect::indexName))
      argument.type = {ElementType::Kind::Index, 64};
    if (whole) {
      argument.kind = KernelArgument::Kind::Stream;
      argument.shape = array.getShape().vec();
      for (const Task &task : made.graph.tasks)
        for (const TaskOperand &operand : task.operands)
          if (operand.kind == TaskOperand::Kind::Stream && operand.index == index) {
            argument.isRead = operand.isRead;
            argument.isWritten = operand.isWritten;
          }
    } else if (array) {
      argument.kind = KernelArgument::Kind::Memory;
      argument.shape = array.getShape().vec();
      argument.partition.resize(argument.shape.size());
      argument.ports = target.memory.ports;
      argument.readLatency = target.memory.readLatency;
      argument.isRead = argument.isWritten = false;
      for (const Task &task : made.graph.tasks)
        for (const TaskOperand &operand : task.operands)
          if (operand.kind == TaskOperand::Kind::Array &&
              made.graph.arrays[operand.index].argument == index) {
            argument.isRead |= operand.isRead;
            argument.isWritten |= operand.isWritten;
            argument.partition = *banks[classes[operand.index]];
          }
    }
    interface.arguments.push_back(std::move(argument));
  }
  for (size_t kernel : made.kernelOf)
    for (const auto &[kind, count] : made.kernels[kernel].interface.units)
      interface.units[kind] += count;
  std::vector<std::string> modules; // of a function called by a keyword is one, too: solve_2
  for (Synthesis &kernel : made.kernels)
    for (auto module : kernel.design->getOps<rtl::CircuitModuleOp>())
      modules.push_back(module.getSymName().str());
  interface.top = moduleNameOf(interface.function, interface, modules);
  return llvm::Error::success();
}

/// By circuit and operand, the ports that some access has.
CircuitPorts Joiner::portsOfCircuits() const {
  CircuitPorts circuits;
  circuits.ports = target.memory.ports;
  circuits.mayBeCopied = outlined.startsEmpty;
  for (size_t kernel : made.kernelOf) {
    std::map<uint32_t, std::set<uint32_t>> used, written;
    KernelOp of = made.kernels[kernel].kernel;
    of.walk([&](mlir::Operation *op) {
      std::optional<uint64_t> port;
      if (auto load = llvm::dyn_cast<LoadOp>(op))
        port = load.getPort();
      else if (auto store = llvm::dyn_cast<StoreOp>(op))
        port = store.getPort();
      if (!port)
        return;
      std::optional<uint64_t> argument = memoryOf(op).getArgument();
      if (!argument)
        return;
      used[uint32_t(*argument)].insert(uint32_t(*port));
      if (llvm::isa<StoreOp>(op))
        written[uint32_t(*argument)].insert(uint32_t(*port));
    });
    size_t operands = 0;
    for (const Task &task : made.graph.tasks)
      if (task.circuit == circuits.used.size())
        operands = task.operands.size();
    circuits.used.emplace_back(operands);
    circuits.written.emplace_back(operands);
    for (auto &[operand, ports] : used)
      circuits.used.back()[operand] = ports;
    for (auto &[operand, ports] : written)
      circuits.written.back()[operand] = ports;
  }
  return circuits;
}

llvm::Error Joiner::addDesign() {
  made.design = mlir::ModuleOp::create(outlined.function.getLoc());
  SystemParts parts{made.graph, made.ports, {}, {}, uint32_t(target.memory.readLatency)};
  for (const Synthesis &kernel : made.kernels)
    joinDesign(*made.design, *kernel.design);
  for (size_t kernel : made.kernelOf)
    parts.kernels.push_back(&made.kernels[kernel].interface);
  for (uint32_t standsFor : classes)
    parts.partitions.push_back(*banks[standsFor]);
  addSystemModule(*made.design, parts, made.interface);
  std::string place = filePlaceOf(outlined.function);
  if (mlir::failed(mlir::verify(*made.design)))
    return checkError(place, "the design of the system does not verify");
  SPINDLE_RETURN_IF_ERROR(simplifyDesign(*made.design, place));
  made.interface.estimate = estimateArea(*made.design, target);
  return options.kernels.budget ? checkSystemBudget(*options.kernels.budget, place)
                                : llvm::Error::success();
}

/// What is needed and given, and where most of it goes.
llvm::Error Joiner::checkSystemBudget(const DeviceArea &budget, const std::string &place) const {
  std::string excess = excessText(*made.interface.estimate, budget);
  if (excess.empty())
    return llvm::Error::success();
  auto lutsOf = [](const Synthesis &kernel) { return kernel.interface.estimate->lut; };
  auto largest = llvm::max_element(
      made.kernels, [&](const Synthesis &a, const Synthesis &b) { return lutsOf(a) < lutsOf(b); });
  return inputError(place, fmt::format("the system takes about {} in the budget; its largest "
                                       "kernel is {} with {}; fewer iterations side by side "
                                       "(--unroll), fewer units (--resources) or shared circuits "
                                       "(--share all) make it smaller",
                                       excess, largest->interface.function,
                                       areaText(*largest->interface.estimate)));
}

/// What waits for what, who has which port, and when that makes tasks run.
void Joiner::planTasks() {
  chooseOrder();
  CircuitPorts circuits = portsOfCircuits();
  std::vector<uint64_t> paced;
  for (size_t kernel : made.kernelOf) {
    circuits.cycles.push_back(made.kernels[kernel].interface.predictedCycles);
    if (std::optional<uint64_t> cycles = pacedCycles(kernel))
      paced.push_back(*cycles);
  }
  made.ports = planPortsAndDelays(made.graph, circuits);
  if (paced.size() == made.kernelOf.size())
    made.times = predictSystem(made.graph, made.ports, paced);
}

/// Of the arrays that are taken from streams.
void Joiner::setBuffers(uint32_t buffers) {
  mlir::func::FuncOp function = outlined.function;
  size_t task = 0;
  function.walk([&](system::LaunchFuncOp launch) {
    bool takes = llvm::any_of(made.graph.tasks[task++].operands, [](const TaskOperand &operand) {
      return operand.kind == TaskOperand::Kind::Stream && operand.isRead;
    });
    for (mlir::Value value : launch.getValues())
      if (auto channel = value.getDefiningOp<system::ChannelOp>(); takes && channel)
        channel.setBuffers(buffers);
  });
  mlir::FailureOr<system::TaskAnalysis> tasks = system::analyzeTasks(function, options.kind);
  made.graph = std::move(tasks->graph);
  outlined.conflicts = std::move(tasks->conflicts);
}

/// A task that needs an input late keeps its array while further inputs come in: as many buffers as
/// make the run shorter by a hundredth.
void Joiner::chooseBuffers() {
  if (!options.streamsInputs || options.kind == SystemKind::Centralised || !made.times)
    return;
  for (uint32_t buffers : {4u, 8u}) {
    uint64_t before = made.times->cycles;
    setBuffers(buffers);
    planTasks();
    if (made.times->cycles + before / 100 < before)
      continue;
    setBuffers(buffers / 2);
    planTasks();
    return;
  }
}

llvm::Expected<SystemSynthesis> Joiner::join() {
  SPINDLE_RETURN_IF_ERROR(addKernels());
  planTasks();
  chooseBuffers();
  SPINDLE_RETURN_IF_ERROR(describe());
  SPINDLE_RETURN_IF_ERROR(addDesign());
  if (made.times) {
    made.interface.predictedCycles = made.times->cycles;
    made.graph.predicted = made.times->spans;
  }
  made.remarks = std::move(outlined.remarks);
  made.program = std::move(outlined.module);
  return std::move(made);
}

} // namespace

llvm::Expected<SystemSynthesis> synthesizeSystem(mlir::ModuleOp program, const Target &target,
                                                 const SystemOptions &options) {
  SPINDLE_ASSIGN(OutlinedProgram outlined, outlineProgram(program, options));
  return Joiner(outlined, target, options).join();
}

} // namespace spindle::hls
