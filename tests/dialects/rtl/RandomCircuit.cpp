#include "tests/dialects/rtl/RandomCircuit.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

#include <random>

using namespace mlir;

namespace spindle::rtl {

namespace {

/// Builds one module, operation by operation, from values that exist already.
class Generator {
public:
  Generator(ModuleOp circuits, uint64_t seed, const RandomOptions &wishes)
      : design(circuits), builder(circuits.getContext()), random(seed), options(wishes) {}

  CircuitModuleOp makeModule(StringRef name) {
    pool.clear();
    std::vector<Port> inputs = {{"clk", bits(1)}, {"rst", bits(1)}}, outputs;
    for (unsigned i = 0, count = 3 + below(4); i < count; ++i)
      inputs.push_back({"in" + std::to_string(i), bits(anyWidth(64))});
    for (unsigned i = 0; i < 4; ++i)
      outputs.push_back({"out" + std::to_string(i), bits(anyWidth(64))});
    builder.setInsertionPointToEnd(design.getBody());
    auto module = CircuitModuleOp::create(builder, place(), name, inputs, outputs);
    builder.setInsertionPointToStart(module.getBodyBlock());
    clock = module.getInput("clk");
    reset = module.getInput("rst");
    for (Value argument : llvm::drop_begin(module.getBodyBlock()->getArguments()))
      pool.push_back(argument);
    std::vector<RegOp> open;
    for (unsigned i = 0; i < 4; ++i) {
      bool hasReset = options.defined || below(2);
      open.push_back(RegOp::createHolding(
          builder, place(), bits(anyWidth(80)), clock, below(2) ? pick(1) : Value(),
          hasReset ? reset : Value(), hasReset && !options.defined ? int64_t(below(2)) - 1 : 0));
      pool.push_back(open.back());
    }
    MachineOp machine = makeMachine();
    for (unsigned i = 0; i < options.operations; ++i)
      addOperation();
    for (RegOp reg : open)
      reg.setNext(pick(widthOf(reg)));
    for (unsigned i = 0; i < 7; ++i)
      machine.addTransition(below(machine.getNumResults()), pick(1),
                            below(machine.getNumResults()));
    SmallVector<Value> driven;
    for (const Port &output : outputs)
      driven.push_back(pick(output.type.getIntOrFloatBitWidth()));
    OutputOp::create(builder, place(), driven);
    modules.push_back(module);
    return module;
  }

  void makeBench(Bench &bench) {
    bench.inputs = 8;
    bench.outputs = 4 * modules.size();
    std::vector<Port> inputs = {{"clk", bits(1)}, {"rst", bits(1)}}, outputs;
    for (unsigned i = 0; i < bench.inputs; ++i)
      inputs.push_back({"in" + std::to_string(i), bits(64)});
    for (unsigned i = 0; i < bench.outputs; ++i)
      outputs.push_back({"out" + std::to_string(i), bits(64)});
    builder.setInsertionPointToEnd(design.getBody());
    auto module = CircuitModuleOp::create(builder, place(), "bench", inputs, outputs);
    builder.setInsertionPointToStart(module.getBodyBlock());
    SmallVector<Value> driven;
    for (auto [index, part] : llvm::enumerate(modules)) {
      SmallVector<Value> arguments;
      for (auto [port, type] : llvm::enumerate(part.getFunctionType().getInputs())) {
        BlockArgument source =
            module.getBodyBlock()->getArgument(port < 2 ? port : 2 + (port + index) % bench.inputs);
        arguments.push_back(resized(source, type.getIntOrFloatBitWidth()));
      }
      auto instance = InstanceOp::create(builder, place(), "part" + std::to_string(index),
                                         part.getOperation(), arguments);
      for (Value output : instance.getResults())
        driven.push_back(resized(output, 64));
    }
    OutputOp::create(builder, place(), driven);
  }

private:
  Location place() { return builder.getUnknownLoc(); }
  Type bits(unsigned width) { return builder.getIntegerType(width); }
  uint64_t below(uint64_t bound) { return random() % bound; }

  unsigned anyWidth(unsigned most) {
    static const unsigned usual[] = {1, 1, 1, 2, 3, 8, 8, 16, 31, 32, 33, 64, 65, 80};
    unsigned width = usual[below(std::size(usual))];
    return width <= most ? width : 1 + unsigned(below(most));
  }

  /// A value in another width: extended or cut.
  Value resized(Value value, unsigned width) {
    unsigned from = widthOf(value);
    if (from == width)
      return value;
    if (from < width)
      return below(2) ? Value(arith::ExtSIOp::create(builder, place(), bits(width), value))
                      : Value(arith::ExtUIOp::create(builder, place(), bits(width), value));
    if (below(3) == 0)
      return arith::TruncIOp::create(builder, place(), bits(width), value);
    return ExtractOp::create(builder, place(), value, int64_t(below(from - width + 1)), width);
  }

  Value pick(unsigned width) {
    if (below(8) == 0)
      return arith::ConstantOp::create(builder, place(),
                                       builder.getIntegerAttr(bits(width), anyBits(width)));
    SmallVector<Value> fitting;
    for (Value value : pool)
      if (widthOf(value) == width)
        fitting.push_back(value);
    return !fitting.empty() && below(4) ? fitting[below(fitting.size())]
                                        : resized(pool[below(pool.size())], width);
  }

  APInt anyBits(unsigned width) {
    APInt value(width, 0);
    for (unsigned i = 0; i < width; i += 32)
      value |= APInt(std::max(width, 64u), random() & 0xffffffff).zextOrTrunc(width).shl(i);
    return below(3) ? value : below(2) ? APInt::getAllOnes(width) : APInt(width, below(2));
  }

  MachineOp makeMachine() {
    static const StringRef names[] = {"idle", "run", "drain", "stop", "fault"};
    auto machine =
        MachineOp::create(builder, place(), "control", clock, reset,
                          ArrayRef(names).take_front(1 + below(5)), below(2) ? pick(1) : Value());
    llvm::append_range(pool, machine.getResults());
    return machine;
  }

  void addMemory() {
    unsigned address = 1 + unsigned(below(4));
    Type word = bits(anyWidth(64));
    std::vector<MemoryPort> ports;
    unsigned writers = 0; // only one: what two write at once is not defined
    for (unsigned i = 0, count = 1 + below(2); i < count; ++i) {
      bool writes = writers == 0 && below(4);
      writers += writes;
      Value never = arith::ConstantOp::create(builder, place(), builder.getBoolAttr(false));
      ports.push_back(
          {pick(1), writes ? pick(1) : never, pick(address), pick(word.getIntOrFloatBitWidth())});
    }
    ElementsAttr initial;
    if (below(2)) {
      SmallVector<APInt> words;
      for (unsigned i = 0; i < 1u << address; ++i)
        words.push_back(anyBits(word.getIntOrFloatBitWidth()));
      initial = DenseElementsAttr::get(RankedTensorType::get({1 << address}, word), words);
    }
    auto memory =
        MemoryOp::create(builder, place(), "words", clock, 1 << address, word, ports, initial);
    memory.setDistributed(below(3) == 0);
    llvm::append_range(pool, memory.getResults());
  }

  void addInstance() {
    CircuitModuleOp target = modules[below(modules.size())];
    SmallVector<Value> arguments = {clock, reset};
    for (Type type : llvm::drop_begin(target.getFunctionType().getInputs(), 2))
      arguments.push_back(pick(type.getIntOrFloatBitWidth()));
    auto instance = InstanceOp::create(builder, place(), "child" + std::to_string(instances++),
                                       target.getOperation(), arguments);
    llvm::append_range(pool, instance.getResults());
  }

  template <typename Op> Value binary() {
    unsigned width = anyWidth(80);
    return Op::create(builder, place(), pick(width), pick(width));
  }

  Value oneHot() {
    unsigned width = anyWidth(80);
    SmallVector<Value> valids, values;
    Value selector = pick(3);
    for (unsigned i = 0, count = below(5); i < count; ++i) {
      Value index = arith::ConstantOp::create(builder, place(), builder.getIntegerAttr(bits(3), i));
      valids.push_back(options.defined
                           ? Value(arith::CmpIOp::create(builder, place(), arith::CmpIPredicate::eq,
                                                         selector, index))
                           : pick(1));
      values.push_back(pick(width));
    }
    return OneHotOp::create(builder, place(), bits(width), valids, values);
  }

  Value makeValue() {
    unsigned width = anyWidth(80);
    switch (below(22)) {
    case 0:
      return binary<arith::AddIOp>();
    case 1:
      return binary<arith::SubIOp>();
    case 2:
      return binary<arith::MulIOp>();
    case 3:
      return binary<arith::AndIOp>();
    case 4:
      return binary<arith::OrIOp>();
    case 5:
      return binary<arith::XOrIOp>();
    case 6:
      return binary<arith::ShLIOp>();
    case 7:
      return binary<arith::ShRUIOp>();
    case 8:
      return binary<arith::ShRSIOp>();
    case 9:
    case 10:
      return arith::CmpIOp::create(builder, place(), arith::CmpIPredicate(below(10)), pick(width),
                                   pick(width));
    case 11:
      return arith::SelectOp::create(builder, place(), pick(1), pick(width), pick(width));
    case 12:
      return oneHot();
    case 13:
      return ConcatOp::create(builder, place(),
                              ValueRange{pick(width), pick(anyWidth(8)), pick(anyWidth(16))});
    case 14:
      return ReplicateOp::create(builder, place(), bits(3 * width), pick(width));
    case 15: {
      auto wire = WireOp::create(builder, place(), bits(width), "");
      wire.drive(pick(width));
      return wire;
    }
    case 16:
    case 17:
      return DelayOp::create(builder, place(), pick(width), int64_t(below(7)), clock,
                             below(2) ? pick(1) : Value(),
                             options.defined || below(2) ? reset : Value());
    case 18: {
      bool hasReset = options.defined || below(2);
      return RegOp::create(builder, place(), pick(width), clock, below(2) ? pick(1) : Value(),
                           hasReset ? reset : Value(),
                           hasReset && !options.defined ? -int64_t(below(2)) : 0);
    }
    default:
      return resized(pool[below(pool.size())], width);
    }
  }

  void addOperation() {
    uint64_t kind = below(24);
    if (kind == 0)
      return addMemory();
    if (kind == 1 && !modules.empty())
      return addInstance();
    Value value = makeValue();
    static const char *const names[] = {"begin",   "total",  "a b",   "out0",
                                        "control", "9lives", "delete"};
    if (Operation *op = value.getDefiningOp(); op && below(6) == 0)
      op->setAttr("name", builder.getStringAttr(names[below(std::size(names))]));
    if (widthOf(value) <= 80)
      pool.push_back(value);
  }

  ModuleOp design;
  OpBuilder builder;
  std::mt19937_64 random;
  const RandomOptions &options;
  Value clock, reset;
  std::vector<Value> pool;
  std::vector<CircuitModuleOp> modules;
  unsigned instances = 0;
};

} // namespace

Bench randomBench(MLIRContext &context, const RandomOptions &options) {
  context.loadDialect<RtlDialect, arith::ArithDialect>();
  Bench bench{ModuleOp::create(UnknownLoc::get(&context)), 0, 0};
  Generator generator(*bench.design, options.seed, options);
  for (unsigned i = 0; i < options.modules; ++i)
    generator.makeModule("random" + std::to_string(i));
  generator.makeBench(bench);
  return bench;
}

} // namespace spindle::rtl
