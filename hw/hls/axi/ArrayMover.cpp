#include "hw/hls/axi/ArrayMover.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

#include "fmt/format.h"

namespace spindle::hls {

static unsigned busBits(const KernelArgument &array) {
  return std::max(32u, 8 * array.type.bytes());
}

std::vector<BusSignal> ArrayMover::signals(const KernelArgument &array, const AxiOptions &options) {
  unsigned beat = 8 * array.type.bytes();
  std::vector<BusSignal> all;
  if (isInChannels(array, options))
    return all;
  if (options.data == AxiData::Memory) {
    all = readSignals(busBits(array));
    if (array.isWritten)
      llvm::append_range(all, writeSignals(busBits(array)));
    return all;
  }
  all = {{"in_tvalid", 1, false}, {"in_tready", 1, true}, {"in_tdata", beat, false}};
  if (array.isWritten)
    all.insert(all.end(), {{"out_tvalid", 1, true},
                           {"out_tready", 1, false},
                           {"out_tdata", beat, true},
                           {"out_tlast", 1, true}});
  return all;
}

ArrayMover::ArrayMover(Wires &circuit, AxiExterns &modules, rtl::CircuitModuleOp into,
                       const KernelArgument &moved, const AxiOptions &wishes, const Phases &now,
                       mlir::Value address, MemoryChannels *shared)
    : wires(circuit), externs(modules), module(into), array(moved), options(wishes), phases(now),
      base(address), channels(shared), prefix(fmt::format("arg{}_", moved.index)),
      beat(8 * moved.type.bytes()) {
  addFill();
  if (array.isWritten)
    addDrain();
  else
    drained = wires.one();
}

AxiExterns::Values ArrayMover::addMaster(const std::string &name, const std::vector<BusSignal> &bus,
                                         const AxiExterns::Ports &stream,
                                         AxiExterns::Values inputs) {
  AxiExterns::Ports ports{
      {{"clk", bits(1)}, {"rst", bits(1)}, {"start", bits(1)}, {"base", bits(64)}},
      {{"busy", bits(1)}, {"error", bits(1)}}};
  inputs["clk"] = wires.clock;
  inputs["rst"] = wires.reset;
  inputs["base"] = base;
  for (const BusSignal &signal : bus) {
    (signal.isOutput ? ports.outputs : ports.inputs).push_back({signal.name, bits(signal.bits)});
    if (!signal.isOutput)
      inputs[signal.name] = module.getInput(prefix + signal.name);
  }
  llvm::append_range(ports.inputs, stream.inputs);
  llvm::append_range(ports.outputs, stream.outputs);
  int64_t bytes = array.type.bytes();
  AxiExterns::Values made = externs.instantiate(wires.builder, wires.builder.getLoc(),
                                                prefix + name, "spindle_axi_" + name, ports,
                                                {{"DATA", busBits(array)},
                                                 {"BYTES", bytes},
                                                 {"COUNT", int64_t(array.elements())},
                                                 {"BURST", options.burst}},
                                                inputs);
  for (const BusSignal &signal : bus)
    if (signal.isOutput)
      driven[prefix + signal.name] = made.at(signal.name);
  failed = wires.disjunction(failed, made.at("error"));
  return made;
}

MemoryChannels::Move ArrayMover::moveOf(mlir::Value start) {
  return {fmt::format("arg{}", array.index), beat, base,
          wires.constant(int64_t(array.elements()), bitsToCount(array.elements())), start};
}

ArrayMover::Stream ArrayMover::source() {
  if (channels) {
    MemoryChannels::Source made = channels->read(moveOf(startFill), fillReady);
    return {made.valid, made.data};
  }
  if (options.data == AxiData::Stream) {
    driven[prefix + "in_tready"] = fillReady;
    return {module.getInput(prefix + "in_tvalid"), module.getInput(prefix + "in_tdata")};
  }
  AxiExterns::Values made =
      addMaster("read", readSignals(busBits(array)),
                {{{"ready", bits(1)}}, {{"valid", bits(1)}, {"data", bits(beat)}}},
                {{"start", startFill}, {"ready", fillReady}});
  return {made.at("valid"), made.at("data")};
}

/// An array that is to be kept is filled all the same where it has not been since the reset.
void ArrayMover::addFill() {
  fillReady = wires.wire(1, prefix + "fills");
  rtl::WireOp isFilled = wires.wire(1, "");
  startFill = phases.startFill;
  if (!array.isWritten)
    startFill =
        wires.conjunction(startFill, wires.negation(wires.conjunction(phases.keep, isFilled)));
  Stream stream = source();
  accepts = wires.conjunction(fillReady, stream.valid);
  fillData = stream.data;
  fillWalk = walkElements(wires, array, accepts, prefix + "fill");
  filled = wires.flag(wires.conjunction(accepts, fillWalk.isLast), startFill, prefix + "filled");
  isFilled.drive(filled);
  fillReady.drive(wires.conjunction(phases.fill, wires.negation(filled)));
}

void ArrayMover::sink(mlir::Value valid, mlir::Value data, mlir::Value last, rtl::WireOp ready,
                      mlir::Value streamBusy) {
  if (channels) {
    MemoryChannels::Sink made = channels->write(moveOf(phases.startDrain), valid, data);
    ready.drive(made.ready);
    drained = wires.negation(wires.disjunction(streamBusy, made.busy));
    return;
  }
  if (options.data == AxiData::Stream) {
    driven[prefix + "out_tvalid"] = valid;
    driven[prefix + "out_tdata"] = data;
    driven[prefix + "out_tlast"] = last;
    ready.drive(module.getInput(prefix + "out_tready"));
    drained = wires.negation(streamBusy);
    return;
  }
  AxiExterns::Values made =
      addMaster("write", writeSignals(busBits(array)),
                {{{"valid", bits(1)}, {"data", bits(beat)}}, {{"ready", bits(1)}}},
                {{"start", phases.startDrain}, {"valid", valid}, {"data", data}});
  ready.drive(made.at("ready"));
  drained = wires.negation(wires.disjunction(streamBusy, made.at("busy")));
}

void ArrayMover::addDrain() {
  rtl::WireOp ready = wires.wire(1, prefix + "drain_ready");
  drainedWord = wires.wire(beat, prefix + "drained_word");
  AxiExterns::Ports ports{{{"clk", bits(1)},
                           {"rst", bits(1)},
                           {"start", bits(1)},
                           {"word", bits(beat)},
                           {"ready", bits(1)}},
                          {{"busy", bits(1)},
                           {"request", bits(1)},
                           {"valid", bits(1)},
                           {"data", bits(beat)},
                           {"last", bits(1)}}};
  AxiExterns::Values made = externs.instantiate(
      wires.builder, wires.builder.getLoc(), prefix + "drain", "spindle_memory_stream", ports,
      {{"WIDTH", beat}, {"COUNT", int64_t(array.elements())}},
      {{"clk", wires.clock},
       {"rst", wires.reset},
       {"start", phases.startDrain},
       {"word", drainedWord},
       {"ready", ready}});
  requests = made.at("request");
  drainWalk = walkElements(wires, array, requests, prefix + "drain");
  sink(made.at("valid"), made.at("data"), made.at("last"), ready, made.at("busy"));
}

mlir::Value ArrayMover::isBank(mlir::Value bank, unsigned index) {
  return bank ? wires.equals(bank, index) : wires.one();
}

void ArrayMover::addMemories(const AxiExterns::Values &kernelOutputs,
                             std::map<std::string, rtl::WireOp> &feeds) {
  unsigned width = array.type.bits,
           address = rtl::MemoryOp::addressWidth(int64_t(array.bankWords()));
  mlir::Value data = wires.resized(fillData, width, false);
  mlir::Value word = wires.resized(fillWalk.word, address, false);
  if (requests)
    word = wires.choose(phases.fill, word, wires.resized(drainWalk.word, address, false));
  std::vector<std::pair<mlir::Value, mlir::Value>> reads; // by bank
  for (unsigned bank = 0; bank < array.banks(); ++bank) {
    std::vector<rtl::MemoryPort> ports;
    auto kernelPort = [&](unsigned port, const char *signal) {
      return kernelOutputs.at(portName(array.index, bank, port) + signal);
    };
    for (unsigned port = 0; port < array.ports; ++port)
      ports.push_back(
          {wires.conjunction(phases.works, kernelPort(port, "_en")), kernelPort(port, "_we"),
           wires.resized(kernelPort(port, "_addr"), address, false), kernelPort(port, "_wdata")});
    mlir::Value fills = wires.conjunction(accepts, isBank(fillWalk.bank, bank));
    mlir::Value moves = fills;
    if (requests)
      moves = wires.disjunction(fills, wires.conjunction(requests, isBank(drainWalk.bank, bank)));
    rtl::MemoryPort &shared = ports.front();
    shared = {wires.choose(phases.works, kernelPort(0, "_en"), moves),
              wires.choose(phases.works, kernelPort(0, "_we"), fills),
              wires.choose(phases.works, shared.address, word),
              wires.choose(phases.works, shared.data, data)};
    auto memory =
        rtl::MemoryOp::create(wires.builder, fmt::format("{}b{}", prefix, bank), wires.clock,
                              int64_t(array.bankWords()), bits(width), ports);
    for (unsigned port = 0; port < array.ports; ++port)
      feeds.at(portName(array.index, bank, port) + "_rdata")
          .drive(wires.delayed(memory.getResult(port), int64_t(array.readLatency) - 1));
    if (requests)
      reads.emplace_back(wires.delayed(isBank(drainWalk.bank, bank), 1), memory.getResult(0));
  }
  if (requests)
    drainedWord.drive(wires.resized(wires.oneHot(reads), beat, false));
}

} // namespace spindle::hls
