#include "hw/hls/lower/rtl/PipelineModule.h"

#include "hw/hls/lower/kernel/SourceNames.h"
#include "hw/hls/lower/rtl/Datapath.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

#include "fmt/format.h"

#include <bit>

namespace spindle::hls {

namespace {

using PortList = std::vector<std::pair<std::string, unsigned>>;

/// Issues an iteration every `interval` cycles, from the cycle after `start` to the last one.
struct Issue {
  mlir::Value now, isFirst;
  rtl::WireOp isLast; // to be driven
};

Issue buildIssue(Wires &wires, mlir::Value start, int64_t interval) {
  Issue issue;
  issue.isLast = wires.wire(1, "last_iteration");
  rtl::RegOp running = wires.holding(1, "running", {}, true);
  mlir::Value turn;
  if (interval > 1) {
    unsigned bits = std::bit_width(static_cast<uint64_t>(interval - 1));
    rtl::RegOp phase = wires.holding(bits, "phase", {}, true);
    Wires::Part part(wires, "phase_next");
    turn = wires.named(wires.equals(phase, 0), "turn");
    mlir::Value wraps = wires.equals(phase, interval - 1);
    mlir::Value counted =
        mlir::arith::AddIOp::create(wires.builder, phase, wires.constant(1, bits));
    mlir::Value rests = wires.disjunction(
        wraps,
        wires.disjunction(start, wires.conjunction(turn, wires.disjunction(wires.negation(running),
                                                                           issue.isLast))));
    phase.setNext(wires.choose(rests, wires.constant(0, bits), counted));
  }
  issue.now = wires.named(wires.conjunction(running, turn), "valid");
  Wires::Part part(wires, "issue_next");
  mlir::Value ends = wires.conjunction(issue.now, issue.isLast);
  running.setNext(wires.disjunction(start, wires.conjunction(running, wires.negation(ends))));
  rtl::RegOp first = wires.holding(1, "first_iteration", {}, true);
  first.setNext(wires.disjunction(start, wires.conjunction(first, wires.negation(issue.now))));
  issue.isFirst = first;
  return issue;
}

/// Issues the first iteration in the cycle after `start`; `next`, to be driven, issues another one
/// in its cycle.
struct OpenIssue {
  rtl::WireOp next;
  mlir::Value now, isFirst;
};

OpenIssue buildOpenIssue(Wires &wires, mlir::Value start) {
  OpenIssue issue;
  issue.next = wires.wire(1, "next_iteration");
  issue.isFirst = wires.delayed(start, 1, true);
  issue.now = wires.named(wires.disjunction(issue.isFirst, issue.next), "valid");
  return issue;
}

/// Drives `next`; returns whether an iteration, in the cycle in which it knows its condition, is
/// the last one.
mlir::Value decide(Wires &wires, OpenIssue &issue, PipelineOp pipeline, Datapath &datapath) {
  int64_t cycle = pipeline.getConditionCycle();
  mlir::Value valid = datapath.validAt(cycle);
  Wires::Part part(wires, "next_iteration_part");
  mlir::Value goesOn = datapath.condition();
  mlir::Value again = wires.named(wires.conjunction(valid, goesOn), "another");
  issue.next.drive(
      wires.delayed(again, static_cast<int64_t>(pipeline.getInterval()) - cycle, true));
  return wires.named(wires.conjunction(valid, wires.negation(goesOn)), "last_valid");
}

/// What stands above the module.
std::string commentOn(PipelineOp pipeline) {
  std::string source = sourceOf(pipeline.getLoc());
  std::string place = source.empty() ? "" : " at " + source;
  if (!pipeline.repeats())
    return fmt::format("statements{}: depth {}", place, pipeline.getDepth());
  const char *kind = pipeline.getCondition() ? "loop that data end" : "loop nest";
  return fmt::format("{}{}: interval {}, depth {}", kind, place, pipeline.getInterval(),
                     pipeline.getDepth());
}

/// What a value from outside is called there; empty for constants and casts.
std::string outerName(mlir::Value value) {
  auto argument = llvm::dyn_cast<mlir::BlockArgument>(value);
  if (!argument)
    return "";
  if (auto repeat = llvm::dyn_cast<RepeatOp>(argument.getOwner()->getParentOp()))
    return counterName(argument, nameOf(repeat).str() + "_counter");
  auto kernel = llvm::cast<KernelOp>(argument.getOwner()->getParentOp());
  std::string given = nameIn(argument.getLoc());
  int64_t index = kernel.getArgumentIndex()[argument.getArgNumber()];
  return given.empty() ? fmt::format("arg{}", index) : given;
}

void setAliases(rtl::CircuitModuleOp module,
                llvm::ArrayRef<std::pair<std::string, std::string>> aliases) {
  mlir::Builder builder(module.getContext());
  llvm::SmallVector<mlir::Attribute> pairs;
  for (const auto &[name, port] : aliases)
    pairs.push_back(builder.getStrArrayAttr({name, port}));
  if (!pairs.empty())
    module.setAliasesAttr(builder.getArrayAttr(pairs));
}

} // namespace

unsigned bitsOf(mlir::Value value, const IndexRanges &ranges) {
  return value.getType().isIndex() ? ranges.widthOf(value) : bitsOf(value.getType());
}

PortList drivenPorts(const Connections &connections) {
  PortList ports;
  for (const PortId &port : connections.ports) {
    std::string name = port.name();
    ports.emplace_back(name + "_en", 1);
    ports.emplace_back(name + "_addr", addressBits(port.memory));
    ports.emplace_back(name + "_we", 1);
    ports.emplace_back(name + "_wdata", bitsOf(MemoryOp(port.memory).getElement()));
  }
  for (const RegisterId &written : connections.registersWritten) {
    ports.emplace_back(written.name() + "_we", 1);
    ports.emplace_back(written.name() + "_wdata", bitsOf(MemoryOp(written.memory).getElement()));
  }
  for (UnitOp unit : connections.units) {
    std::string name = unit.getSymName().str();
    UnitShape shape = shapeOf(unit.getModule());
    ports.emplace_back(name + "_valid", 1);
    for (auto [position, operand] : llvm::enumerate(shape.operands))
      ports.emplace_back(name + "_" + operand, operandBits(unit, position));
    for (const UnitMode &mode : shape.modes)
      ports.emplace_back(name + "_" + mode.port, mode.bits);
  }
  return ports;
}

PortList readPorts(const Connections &connections) {
  PortList ports;
  for (const PortId &port : connections.ports)
    ports.emplace_back(port.name() + "_rdata", bitsOf(MemoryOp(port.memory).getElement()));
  for (const RegisterId &read : connections.registersRead)
    ports.emplace_back(read.name() + "_q", bitsOf(MemoryOp(read.memory).getElement()));
  std::map<std::string, unsigned> bits; // of the results, by kind: mulf_f64 for mulf_f64_0
  for (UnitOp unit : connections.units) {
    std::string name = unit.getSymName().str();
    auto [known, isNew] = bits.try_emplace(name.substr(0, name.rfind('_')), 0);
    if (isNew)
      known->second = resultBits(unit);
    ports.emplace_back(name + "_y", known->second);
  }
  return ports;
}

rtl::CircuitModuleOp buildPipelineModule(mlir::ModuleOp design, const std::string &name,
                                         PipelineOp pipeline, const Connections &connections,
                                         const IndexRanges &ranges) {
  mlir::OpBuilder top = mlir::OpBuilder::atBlockEnd(design.getBody());
  llvm::SmallVector<rtl::Port> inputs, outputs;
  for (const char *wire : {"clk", "rst", "start"})
    inputs.push_back({wire, top.getI1Type()});
  for (auto [position, value] : llvm::enumerate(connections.values))
    inputs.push_back({fmt::format("v{}", position), top.getIntegerType(bitsOf(value, ranges))});
  for (const auto &[port, bits] : readPorts(connections))
    inputs.push_back({port, top.getIntegerType(bits)});
  outputs.push_back({"done", top.getI1Type()});
  for (const auto &[port, bits] : drivenPorts(connections))
    outputs.push_back({port, top.getIntegerType(bits)});
  auto module = rtl::CircuitModuleOp::create(top, pipeline.getLoc(), name, inputs, outputs);
  module.setComment(commentOn(pipeline));

  Wires wires(pipeline.getLoc(), module.getBodyBlock(), module.getInput("clk"),
              module.getInput("rst"));
  mlir::Value start = module.getInput("start");
  bool isOpen = bool(pipeline.getCondition());
  OpenIssue open = isOpen ? buildOpenIssue(wires, start) : OpenIssue();
  Issue issue =
      isOpen ? Issue{open.now, open.isFirst, {}} : buildIssue(wires, start, pipeline.getInterval());
  Datapath datapath(wires, pipeline, ranges, issue.now, issue.isFirst);
  llvm::SmallVector<Index> operands;
  std::vector<std::pair<std::string, std::string>> aliases;
  for (auto [position, value] : llvm::enumerate(connections.values)) {
    mlir::Value port = module.getInput(fmt::format("v{}", position));
    datapath.define(value, port, true);
    if (std::string outer = outerName(value); !outer.empty())
      aliases.emplace_back(outer, fmt::format("v{}", position));
    if (position < pipeline.getBoundOperands().size())
      operands.push_back({port, ranges.of(value)});
  }
  std::vector<std::string> names;
  for (mlir::BlockArgument counter : pipeline.getCounters())
    names.push_back(counterName(counter, fmt::format("i{}", names.size())));
  Counters counters;
  if (!isOpen) {
    counters = buildCounters(wires, boundsOf(pipeline), operands, start, issue.now, names);
    issue.isLast.drive(counters.isLast);
  }
  for (auto [counter, index] : llvm::zip(pipeline.getCounters(), counters.values))
    datapath.define(counter, index.bits, false);
  for (const auto &[port, bits] : readPorts(connections))
    datapath.defineInput(port, module.getInput(port));
  datapath.build();
  mlir::Value last = isOpen
                         ? decide(wires, open, pipeline, datapath)
                         : wires.named(wires.conjunction(issue.now, counters.isLast), "last_valid");
  aliases.insert(aliases.end(), datapath.aliases().begin(), datapath.aliases().end());
  setAliases(module, aliases);

  int64_t left = static_cast<int64_t>(pipeline.getDepth()) - 1; // cycles, of the last iteration
  llvm::SmallVector<mlir::Value> drives{
      wires.delayed(last, isOpen ? left - pipeline.getConditionCycle() : left, true)};
  for (const auto &[port, bits] : drivenPorts(connections)) {
    auto found = datapath.outputs().find(port);
    mlir::Value value = found == datapath.outputs().end() || !found->second
                            ? wires.constant(0, bits)
                            : found->second;
    drives.push_back(value);
  }
  rtl::OutputOp::create(wires.builder, drives);
  return module;
}

} // namespace spindle::hls
