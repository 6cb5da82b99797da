#include "hw/hls/tile/TileWrapper.h"

#include "core/support/Error.h"
#include "hw/hls/axi/AxiExterns.h"
#include "hw/hls/lower/rtl/Wires.h"

#include "llvm/Support/MathExtras.h"

#include "fmt/format.h"

#include <set>

namespace spindle::hls {

namespace {

/// The words of a step hold the neurons from `next` on, one after the other; `next` becomes the one
/// behind them.
bool areNeighbours(const HardwareArray &words, int64_t &next) {
  if (!words.isStream || words.stride != 1)
    return false;
  for (int64_t first : words.first) {
    if (first != next)
      return false;
    next = std::min(next + words.perWord, words.elements);
  }
  return true;
}

class TileBuilder {
public:
  TileBuilder(mlir::ModuleOp circuits, rtl::CircuitModuleOp inner, const HardwareNetwork &described,
              const TilePorts &chosen)
      : design(circuits), kernel(inner), network(described), tile(*described.tile), ports(chosen),
        externs(circuits) {}

  rtl::CircuitModuleOp build() {
    declareModule();
    addKernel();
    addInterface();
    wires->drive(module, outputs);
    return module;
  }

private:
  mlir::Type bits(unsigned width) { return mlir::IntegerType::get(design.getContext(), width); }
  const HardwareArray &input() const { return network.arrays[ports.input]; }
  int64_t neurons() const { return network.arrays[ports.spikes[0]].elements; }
  unsigned entryBits() const {
    uint64_t entries = uint64_t(neurons()) * tile.targets;
    return entries > 1 ? llvm::Log2_64_Ceil(entries) : 1;
  }

  /// The pins of the network interface that are pins of the tile.
  std::vector<BusSignal> pins() const {
    return {{"in_valid", 1, false},    {"in_ready", 1, true},
            {"in_neuron", 32, false},  {"stray", 1, true},
            {"step", 1, false},        {"done", 1, true},
            {"table_write", 1, false}, {"table_entry", entryBits(), false},
            {"table_data", 18, false}, {"out_valid", 1, true},
            {"out_ready", 1, false},   {"out_neuron", 32, true},
            {"out_tile", 16, true},    {"spike", 1, true},
            {"spike_neuron", 32, true}};
  }

  void declareModule() {
    std::vector<rtl::Port> inputs = {{"clk", bits(1)},
                                     {"rst", bits(1)},
                                     {"start", bits(1)},
                                     {"samples", bits(network.arrays[ports.samples].bits)}};
    std::vector<rtl::Port> outs = {
        {"idle", bits(1)}, {"word_moved", bits(1)}, {"spikes_moved", bits(1)}};
    for (const BusSignal &pin : pins())
      (pin.isOutput ? outs : inputs).push_back({pin.name, bits(pin.bits)});
    mlir::OpBuilder builder = mlir::OpBuilder::atBlockEnd(design.getBody());
    module = rtl::CircuitModuleOp::create(builder, kernel.getLoc(), tile.top, inputs, outs);
    wires = std::make_unique<Wires>(kernel.getLoc(), module.getBodyBlock(), module.getInput("clk"),
                                    module.getInput("rst"));
  }

  /// Its inputs that the interface drives come from wires.
  void addKernel() {
    rtl::Interface interface = rtl::interfaceOf(kernel);
    std::string word = fmt::format("arg{}", ports.input);
    std::set<std::string> driven = {word + "_data", word + "_valid"};
    for (size_t spikes : ports.spikes)
      driven.insert(fmt::format("arg{}_ready", spikes));
    llvm::SmallVector<mlir::Value> operands;
    for (auto [index, type] : llvm::enumerate(interface.type.getInputs())) {
      std::string name = interface.inputName(unsigned(index)).str();
      unsigned width = type.getIntOrFloatBitWidth();
      if (name == "clk" || name == "rst")
        operands.push_back(name == "clk" ? wires->clock : wires->reset);
      else if (name == "start")
        operands.push_back(module.getInput("start"));
      else if (name == fmt::format("arg{}", ports.samples))
        operands.push_back(wires->resized(module.getInput("samples"), width, false));
      else if (driven.count(name))
        operands.push_back(feeds[name] = wires->wire(width, name));
      else // a clock enable, or an answer that is taken and dropped
        operands.push_back(wires->one());
    }
    auto instance =
        rtl::InstanceOp::create(wires->builder, "kernel", kernel.getOperation(), operands);
    for (auto [index, value] : llvm::enumerate(instance.getResults()))
      made[interface.outputName(unsigned(index)).str()] = value;
    outputs["idle"] = made.at("idle");
  }

  void addInterface() {
    std::string word = fmt::format("arg{}", ports.input);
    auto inBits = unsigned(input().perWord);
    AxiExterns::Ports signals{{{"clk", bits(1)}, {"rst", bits(1)}}, {}};
    AxiExterns::Values inputs = {{"clk", wires->clock}, {"rst", wires->reset}};
    for (const BusSignal &pin : pins()) {
      (pin.isOutput ? signals.outputs : signals.inputs).push_back({pin.name, bits(pin.bits)});
      if (!pin.isOutput)
        inputs[pin.name] = module.getInput(pin.name);
    }
    signals.inputs.insert(signals.inputs.end(), {{"word_ready", bits(1)},
                                                 {"spikes_valid", bits(1)},
                                                 {"spikes", bits(unsigned(neurons()))}});
    signals.outputs.insert(
        signals.outputs.end(),
        {{"word_valid", bits(1)}, {"word", bits(inBits)}, {"spikes_ready", bits(1)}});
    inputs["word_ready"] = made.at(word + "_ready");
    mlir::Value isBack = inputs["spikes_valid"] = spikesValid();
    inputs["spikes"] = spikes();
    AxiExterns::Values found = externs.instantiate(wires->builder, kernel.getLoc(), "interface",
                                                   kNetworkInterface, signals,
                                                   {{"INPUTS", input().elements},
                                                    {"FIRST_INPUT", int64_t(tile.firstInput)},
                                                    {"IN_WORDS", input().shape[1]},
                                                    {"IN_BITS", input().perWord},
                                                    {"NEURONS", neurons()},
                                                    {"FIRST", int64_t(tile.first)},
                                                    {"TARGETS", int64_t(tile.targets)}},
                                                   inputs);
    for (const BusSignal &pin : pins())
      if (pin.isOutput)
        outputs[pin.name] = found.at(pin.name);
    feeds.at(word + "_data").drive(wires->resized(found.at("word"), input().bits, false));
    feeds.at(word + "_valid").drive(found.at("word_valid"));
    mlir::Value areTaken = wires->conjunction(isBack, found.at("spikes_ready"));
    for (size_t stream : ports.spikes)
      feeds.at(fmt::format("arg{}_ready", stream)).drive(areTaken);
    outputs["word_moved"] = wires->conjunction(found.at("word_valid"), made.at(word + "_ready"));
    outputs["spikes_moved"] = areTaken;
  }

  /// They are taken when all are there.
  mlir::Value spikesValid() {
    mlir::Value all;
    for (size_t stream : ports.spikes)
      all = wires->conjunction(all, made.at(fmt::format("arg{}_valid", stream)));
    return all;
  }

  /// The bits of all streams, the highest neurons first, as operands of a concatenation are.
  mlir::Value spikes() {
    llvm::SmallVector<mlir::Value> parts;
    for (size_t stream : llvm::reverse(ports.spikes)) {
      const HardwareArray &words = network.arrays[stream];
      int64_t width = std::min(words.perWord, words.elements - words.first[0]);
      parts.push_back(
          wires->resized(made.at(fmt::format("arg{}_data", stream)), unsigned(width), false));
    }
    return parts.size() == 1 ? parts[0] : rtl::ConcatOp::create(wires->builder, parts);
  }

  mlir::ModuleOp design;
  rtl::CircuitModuleOp kernel;
  const HardwareNetwork &network;
  const HardwareTile &tile;
  const TilePorts &ports;
  AxiExterns externs;
  rtl::CircuitModuleOp module;
  std::unique_ptr<Wires> wires;
  std::map<std::string, rtl::WireOp> feeds;
  AxiExterns::Values made, outputs;
};

} // namespace

llvm::Expected<TilePorts> tilePorts(const HardwareNetwork &network) {
  auto refuse = [&](const std::string &text) {
    return inputError("hardware.tile", "the circuit " + text);
  };
  TilePorts ports;
  bool hasInput = false;
  int64_t nextInput = 0, nextNeuron = 0;
  for (auto [index, array] : llvm::enumerate(network.arrays)) {
    bool isInput = array.role == ArrayRole::Input, isSpikes = array.role == ArrayRole::Spikes;
    if (array.role == ArrayRole::Weights)
      return refuse("reads its weights from outside, expected hardware.weights: constants");
    if ((isInput || isSpikes) && !array.isStream)
      return refuse("takes arrays of spikes, expected a stream of events (hardware.style: event)");
    if ((isInput || isSpikes) && (!areNeighbours(array, isInput ? nextInput : nextNeuron) ||
                                  (isSpikes && array.first.size() != 1)))
      return refuse(fmt::format("has words of '{}' whose bits are no neighbours, expected a lane "
                                "for each neuron of a dense layer",
                                array.layer));
    if (isInput)
      ports.input = index;
    else if (isSpikes)
      ports.spikes.push_back(index);
    else if (array.role == ArrayRole::Images)
      ports.samples = index;
    hasInput |= isInput;
  }
  if (!hasInput || ports.spikes.empty())
    return refuse("has no spikes to give, expected hardware.record: true");
  return ports;
}

llvm::Expected<rtl::CircuitModuleOp> addTileWrapper(mlir::ModuleOp design,
                                                    const KernelInterface &kernel,
                                                    const HardwareNetwork &network) {
  SPINDLE_ASSIGN(TilePorts ports, tilePorts(network));
  auto module = design.lookupSymbol<rtl::CircuitModuleOp>(kernel.top);
  if (!module)
    return checkError(kernel.original, fmt::format("the design has no module '{}'", kernel.top));
  return TileBuilder(design, module, network, ports).build();
}

} // namespace spindle::hls
