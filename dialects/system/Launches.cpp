#include "dialects/system/Launches.h"

#include "dialects/hls/Hls.h"
#include "dialects/location/Location.h"
#include "dialects/system/ArrayUse.h"
#include "dialects/system/SinkValues.h"

using namespace mlir;
using namespace mlir::affine;

namespace spindle::system {

FuncOp Launches::kernelOf(size_t launch) const {
  LaunchFuncOp op = all[launch];
  return SymbolTable::lookupNearestSymbolFrom<FuncOp>(op, op.getKernelAttr());
}

FailureOr<Launches> launchesOf(func::FuncOp function) {
  Launches launches;
  std::function<LogicalResult(Block &, bool)> collect = [&](Block &block, bool isOutside) {
    for (Operation &op : block) {
      auto loop = dyn_cast<AffineForOp>(op);
      if (auto launch = dyn_cast<LaunchFuncOp>(op)) {
        launches.all.push_back(launch);
      } else if (loop && isOutside && launches.all.empty() && !launches.inputs &&
                 loop.hasConstantBounds() && loop.getStepAsInt() == 1 &&
                 loop.getNumResults() == 0) {
        launches.inputs = loop;
        if (failed(collect(*loop.getBody(), false)))
          return failure();
      } else if (!isFree(&op) && !isLocalArray(&op) && !op.hasTrait<OpTrait::IsTerminator>() &&
                 !isa<memref::DeallocOp>(op)) {
        return LogicalResult(op.emitError()
                             << op.getName() << " stands between launches, expected all of it in "
                             << "kernels (system-search, system-outline)");
      }
    }
    return success();
  };
  if (failed(collect(function.getBody().front(), true)))
    return failure();
  Block *around = launches.inputs ? launches.inputs.getBody() : &function.getBody().front();
  for (LaunchFuncOp launch : launches.all)
    if (launch->getBlock() != around)
      return launch.emitError() << "stands beside the loop over inputs, expected all in it";
  return launches;
}

namespace {

/// What a launch does to an array, over all arguments that it is.
ArgumentUse useOfArray(const Launches &launches, size_t launch, Value array) {
  ArgumentUse all;
  FuncOp kernel = launches.kernelOf(launch);
  LaunchFuncOp op = launches.all[launch];
  for (auto [argument, value] : llvm::enumerate(op.getValues()))
    if (value == array) {
      ArgumentUse use = useOf(kernel, unsigned(argument));
      all.isRead |= use.isRead;
      all.isWritten |= use.isWritten;
    }
  return all;
}

bool conflict(const ArgumentUse &a, const ArgumentUse &b) {
  return (a.isWritten && (b.isRead || b.isWritten)) || (b.isWritten && a.isRead);
}

/// The arrays of all launches, each once, in the order of use.
SetVector<Value> arraysOf(const Launches &launches) {
  SetVector<Value> arrays;
  for (LaunchFuncOp launch : launches.all)
    for (Value value : launch.getValues())
      if (isa<MemRefType>(value.getType()))
        arrays.insert(value);
  return arrays;
}

/// Whether inputs touch different elements of an array: all accesses have the input's number as
/// subscript of one and the same dimension.
bool isByInput(const Launches &launches, Value array) {
  AffineForOp inputs = launches.inputs;
  if (!inputs)
    return false;
  llvm::SmallBitVector dimensions(unsigned(cast<MemRefType>(array.getType()).getRank()), true);
  for (size_t n = 0; n < launches.all.size(); ++n) {
    LaunchFuncOp launch = launches.all[n];
    std::optional<unsigned> number;
    for (auto [argument, value] : llvm::enumerate(launch.getValues()))
      if (value == inputs.getInductionVar())
        number = unsigned(argument);
    for (auto [argument, value] : llvm::enumerate(launch.getValues()))
      if (value == array) {
        if (!number)
          return false;
        dimensions &= dimensionsByInput(launches.kernelOf(n), unsigned(argument), *number);
      }
  }
  return dimensions.any();
}

} // namespace

bool isStoredBeforeRead(const Launches &launches, Value array, bool byInput) {
  auto type = cast<MemRefType>(array.getType());
  int64_t count = type.getNumElements() / (byInput ? std::max<int64_t>(type.getDimSize(0), 1) : 1);
  llvm::BitVector stored(unsigned(count), false);
  for (size_t n = 0; n < launches.all.size(); ++n) {
    LaunchFuncOp launch = launches.all[n];
    FuncOp kernel = launches.kernelOf(n);
    for (auto [argument, value] : llvm::enumerate(launch.getValues())) {
      if (value != array)
        continue;
      if (rewritesAll(kernel, unsigned(argument), byInput))
        return true;
      if (useOf(kernel, unsigned(argument)).isRead)
        return false;
      markStored(kernel, unsigned(argument), byInput, stored);
      if (stored.all())
        return true;
    }
  }
  return false;
}

/// Whether a task fills it from a stream, or sends what is in it away by one.
static bool isMoved(Value array) {
  return llvm::any_of(array.getUsers(), [](Operation *user) {
    auto launch = dyn_cast<LaunchFuncOp>(user);
    return launch && llvm::any_of(launch.getValues().getTypes(), llvm::IsaPred<hls::StreamType>);
  });
}

bool isOfOneInput(const Launches &launches, Value array) {
  if (isMoved(array) && isStoredBeforeRead(launches, array, /*byInput=*/false))
    return true;
  for (size_t n = 0; n < launches.all.size(); ++n) {
    LaunchFuncOp launch = launches.all[n];
    SmallVector<unsigned> arguments;
    for (auto [argument, value] : llvm::enumerate(launch.getValues()))
      if (value == array)
        arguments.push_back(unsigned(argument));
    if (!arguments.empty()) // the first that touches it
      return arguments.size() == 1 && rewritesAll(launches.kernelOf(n), arguments.front());
  }
  return false;
}

std::vector<llvm::SmallBitVector> predecessorsOf(const Launches &launches) {
  size_t count = launches.all.size();
  std::vector<llvm::SmallBitVector> before(count, llvm::SmallBitVector(unsigned(count)));
  SetVector<Value> arrays = arraysOf(launches);
  for (size_t late = 0; late < count; ++late)
    for (size_t early = 0; early < late; ++early)
      for (Value array : arrays)
        if (conflict(useOfArray(launches, early, array), useOfArray(launches, late, array))) {
          before[late].set(unsigned(early));
          before[late] |= before[early];
        }
  return before;
}

namespace {

class GraphBuilder {
public:
  GraphBuilder(func::FuncOp from, hls::SystemKind kind) : function(from) { graph.kind = kind; }

  FailureOr<TaskAnalysis> build() {
    FailureOr<Launches> found = launchesOf(function);
    if (failed(found))
      return failure();
    launches = *found;
    if (launches.all.empty())
      return function.emitError()
             << "has no operation that becomes a kernel, expected one at least";
    graph.function = function.getName().str();
    if (launches.inputs) {
      graph.firstInput = launches.inputs.getConstantLowerBound();
      graph.inputs = uint64_t(
          std::max<int64_t>(0, launches.inputs.getConstantUpperBound() - graph.firstInput));
    }
    if (failed(addArrays()))
      return failure();
    for (size_t n = 0; n < launches.all.size(); ++n)
      if (failed(addTask(n)))
        return failure();
    findConflicts();
    graph.kind == hls::SystemKind::Centralised ? addChain() : addOrder();
    std::vector<bool> startsEmpty;
    for (Value value : arraysOf(launches))
      startsEmpty.push_back(!isa<BlockArgument>(value) || isOfOneInput(launches, value));
    return TaskAnalysis{std::move(graph), std::move(conflicts), std::move(startsEmpty)};
  }

private:
  LogicalResult addArrays() {
    for (Value value : arraysOf(launches)) {
      hls::TaskArray array;
      auto type = cast<MemRefType>(value.getType());
      std::string text;
      llvm::raw_string_ostream(text) << type.getElementType();
      std::optional<hls::ElementType> element = hls::parseElementType(text);
      if (!element)
        return function.emitError()
               << "has an array of " << type.getElementType() << ", which no kernel takes";
      array.type = *element;
      array.shape.assign(type.getShape().begin(), type.getShape().end());
      if (auto argument = dyn_cast<BlockArgument>(value)) {
        array.argument = argument.getArgNumber();
        array.name = "arg" + std::to_string(argument.getArgNumber());
      } else {
        array.name = "between" + std::to_string(numbers.size());
        auto channel = value.getDefiningOp<ChannelOp>();
        if (!channel)
          return value.getDefiningOp()->emitError()
                 << "an array between kernels is no channel (system-dispatch)";
        array.buffers = uint32_t(channel.getBuffers());
        if (!llvm::isPowerOf2_32(array.buffers))
          return channel.emitError()
                 << "has " << array.buffers << " buffers, expected a power of two in a circuit";
      }
      numbers[value] = uint32_t(graph.arrays.size());
      graph.arrays.push_back(std::move(array));
    }
    return success();
  }

  LogicalResult addTask(size_t number) {
    LaunchFuncOp launch = launches.all[number];
    FuncOp kernel = launches.kernelOf(number);
    if (!launch.getOn())
      return launch.emitError() << "is on no circuit (system-dispatch)";
    hls::Task task;
    task.name = launch.getKernelAttr().getLeafReference().str();
    task.source = filePlaceOf(launch.getLoc());
    std::string kernelName = task.name;
    task.name = "task" + std::to_string(number);
    task.circuit = uint32_t(*launch.getOn());
    if (graph.circuits.size() <= task.circuit)
      graph.circuits.resize(task.circuit + 1);
    graph.circuits[task.circuit] = kernelName;
    for (auto [argument, value] : llvm::enumerate(launch.getValues())) {
      hls::TaskOperand operand;
      auto outer = dyn_cast<BlockArgument>(value);
      if (isa<MemRefType>(value.getType())) {
        if (llvm::count(launch.getValues(), value) > 1)
          return launch.emitError() << "takes an array twice, expected different ones";
        ArgumentUse use = useOf(kernel, unsigned(argument));
        operand = {hls::TaskOperand::Kind::Array, numbers[value], use.isRead, use.isWritten};
      } else if (outer && isa<hls::StreamType>(value.getType())) {
        ArgumentUse use = useOf(kernel, unsigned(argument));
        operand = {hls::TaskOperand::Kind::Stream, outer.getArgNumber(), use.isRead, use.isWritten};
      } else if (outer && outer.getOwner() == &function.getBody().front()) {
        operand = {hls::TaskOperand::Kind::Scalar, outer.getArgNumber(), true, false};
      } else if (launches.inputs && value == launches.inputs.getInductionVar()) {
        operand = {hls::TaskOperand::Kind::Input, 0, true, false};
      } else {
        return launch.emitError() << "takes a value that is neither an argument nor the number of "
                                  << "the input";
      }
      task.operands.push_back(operand);
    }
    graph.tasks.push_back(std::move(task));
    return success();
  }

  /// One after the other.
  void addChain() {
    uint32_t last = uint32_t(graph.tasks.size() - 1);
    for (uint32_t task = 1; task <= last; ++task)
      graph.order.push_back({task - 1, task, 0});
    if (graph.inputs > 1 && last > 0)
      graph.order.push_back({last, 0, 1});
  }

  void addOrder() {
    std::vector<llvm::SmallBitVector> before = predecessorsOf(launches);
    for (uint32_t late = 0; late < graph.tasks.size(); ++late)
      for (uint32_t early = 0; early < late; ++early) {
        bool isImplied = false; // by one in between
        for (uint32_t middle = early + 1; middle < late; ++middle)
          isImplied |= before[late].test(middle) && before[middle].test(early);
        if (before[late].test(early) && !isImplied)
          graph.order.push_back({early, late, 0});
      }
    for (const hls::TaskConflict &later : conflicts) {
      if (later.distance == 0)
        continue;
      auto known = llvm::find_if(graph.order, [&](const hls::TaskOrder &order) {
        return order.from == later.from && order.to == later.to;
      });
      if (known == graph.order.end())
        graph.order.push_back({later.from, later.to, later.distance});
      else
        known->distance = std::min(known->distance, later.distance);
    }
  }

  /// Of different inputs: whoever comes later in the program is done before an element is touched
  /// again.
  void findConflicts() {
    std::vector<hls::TaskConflict> ofInputs;
    for (uint32_t late = 0; late < graph.tasks.size(); ++late)
      for (uint32_t early = 0; early < late; ++early)
        for (Value value : arraysOf(launches)) {
          if (!conflict(useOfArray(launches, early, value), useOfArray(launches, late, value)))
            continue;
          uint32_t array = numbers[value];
          conflicts.push_back({early, late, 0, array});
          if (graph.inputs > 1 && !isByInput(launches, value))
            ofInputs.push_back({late, early, graph.arrays[array].buffers, array});
        }
    llvm::append_range(conflicts, ofInputs);
  }

  func::FuncOp function;
  Launches launches;
  DenseMap<Value, uint32_t> numbers;
  hls::TaskGraph graph;
  std::vector<hls::TaskConflict> conflicts;
};
} // namespace

FailureOr<TaskAnalysis> analyzeTasks(func::FuncOp function, hls::SystemKind kind) {
  return GraphBuilder(function, kind).build();
}

} // namespace spindle::system
