#include "hw/hls/tile/TileWrapper.h"

#include "core/support/Error.h"
#include "hw/hls/axi/AxiExterns.h"
#include "hw/hls/lower/rtl/Wires.h"

#include "llvm/Support/MathExtras.h"

#include "fmt/format.h"

namespace spindle::hls {

namespace {

bool areNeighbours(const HardwareArray &words) {
  if (!words.isStream || words.stride != 1 || words.first.empty())
    return false;
  for (size_t word = 0; word < words.first.size(); ++word)
    if (words.first[word] != int64_t(word) * words.perWord)
      return false;
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
  const HardwareArray &spikes() const { return network.arrays[ports.spikes]; }
  unsigned entryBits() const {
    uint64_t entries = uint64_t(spikes().elements) * tile.targets;
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
    std::string word = fmt::format("arg{}", ports.input), back = fmt::format("arg{}", ports.spikes);
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
      else if (name == word + "_data" || name == word + "_valid" || name == back + "_ready")
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
    std::string word = fmt::format("arg{}", ports.input), back = fmt::format("arg{}", ports.spikes);
    auto inBits = unsigned(input().perWord), outBits = unsigned(spikes().perWord);
    AxiExterns::Ports signals{{{"clk", bits(1)}, {"rst", bits(1)}}, {}};
    AxiExterns::Values inputs = {{"clk", wires->clock}, {"rst", wires->reset}};
    for (const BusSignal &pin : pins()) {
      (pin.isOutput ? signals.outputs : signals.inputs).push_back({pin.name, bits(pin.bits)});
      if (!pin.isOutput)
        inputs[pin.name] = module.getInput(pin.name);
    }
    signals.inputs.insert(
        signals.inputs.end(),
        {{"word_ready", bits(1)}, {"spikes_valid", bits(1)}, {"spikes", bits(outBits)}});
    signals.outputs.insert(
        signals.outputs.end(),
        {{"word_valid", bits(1)}, {"word", bits(inBits)}, {"spikes_ready", bits(1)}});
    inputs["word_ready"] = made.at(word + "_ready");
    inputs["spikes_valid"] = made.at(back + "_valid");
    inputs["spikes"] = wires->resized(made.at(back + "_data"), outBits, false);
    AxiExterns::Values found = externs.instantiate(wires->builder, kernel.getLoc(), "interface",
                                                   kNetworkInterface, signals,
                                                   {{"INPUTS", input().elements},
                                                    {"FIRST_INPUT", int64_t(tile.firstInput)},
                                                    {"IN_WORDS", input().shape[1]},
                                                    {"IN_BITS", input().perWord},
                                                    {"NEURONS", spikes().elements},
                                                    {"FIRST", int64_t(tile.first)},
                                                    {"OUT_WORDS", spikes().shape[1]},
                                                    {"OUT_BITS", spikes().perWord},
                                                    {"TARGETS", int64_t(tile.targets)}},
                                                   inputs);
    for (const BusSignal &pin : pins())
      if (pin.isOutput)
        outputs[pin.name] = found.at(pin.name);
    feeds.at(word + "_data").drive(wires->resized(found.at("word"), input().bits, false));
    feeds.at(word + "_valid").drive(found.at("word_valid"));
    feeds.at(back + "_ready").drive(found.at("spikes_ready"));
    outputs["word_moved"] = wires->conjunction(found.at("word_valid"), made.at(word + "_ready"));
    outputs["spikes_moved"] =
        wires->conjunction(made.at(back + "_valid"), found.at("spikes_ready"));
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
  unsigned found = 0;
  for (auto [index, array] : llvm::enumerate(network.arrays)) {
    if (array.role == ArrayRole::Weights)
      return refuse("reads its weights from outside, expected hardware.weights: constants");
    bool isInput = array.role == ArrayRole::Input, isSpikes = array.role == ArrayRole::Spikes;
    if ((isInput || isSpikes) && !array.isStream)
      return refuse("takes arrays of spikes, expected a stream of events (hardware.style: event)");
    if ((isInput || isSpikes) && !areNeighbours(array))
      return refuse(fmt::format("has words of '{}' whose bits are no neighbours, expected a dense "
                                "layer with a lane for each neuron",
                                array.layer));
    if (isInput)
      ports.input = index;
    else if (isSpikes)
      ports.spikes = index;
    else if (array.role == ArrayRole::Images)
      ports.samples = index;
    found += isInput || isSpikes || array.role == ArrayRole::Images;
  }
  if (found != 3)
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
