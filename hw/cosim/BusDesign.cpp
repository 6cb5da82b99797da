// A kernel behind AXI under its test bench.
#include "hw/cosim/TestBench.h"

#include "core/kernel/HostDriver.h"

#include "fmt/format.h"
#include "fmt/ranges.h"

namespace spindle::hls {

namespace {

/// Signals of a bus in the order of the members of the harness's pins.
struct Signal {
  const char *name;
  bool isInput;
  uint32_t bits; // 0: of the data, or any
};

constexpr uint32_t kStrobes = ~uint32_t(0); // a bit per byte of the data

const std::vector<Signal> liteSignals = {
    {"awvalid", true, 1}, {"awready", false, 1}, {"awaddr", true, 0},  {"wvalid", true, 1},
    {"wready", false, 1}, {"wdata", true, 32},   {"wstrb", true, 4},   {"bvalid", false, 1},
    {"bready", true, 1},  {"bresp", false, 2},   {"arvalid", true, 1}, {"arready", false, 1},
    {"araddr", true, 0},  {"rvalid", false, 1},  {"rready", true, 1},  {"rdata", false, 32},
    {"rresp", false, 2}};
const std::vector<Signal> streamInSignals = {
    {"in_tvalid", true, 1}, {"in_tready", false, 1}, {"in_tdata", true, 0}};
const std::vector<Signal> streamOutSignals = {{"out_tvalid", false, 1},
                                              {"out_tready", true, 1},
                                              {"out_tdata", false, 0},
                                              {"out_tlast", false, 1}};
const std::vector<Signal> readSignals = {
    {"arvalid", false, 1}, {"arready", true, 1},  {"araddr", false, 64}, {"arlen", false, 8},
    {"arsize", false, 3},  {"arburst", false, 2}, {"rvalid", true, 1},   {"rready", false, 1},
    {"rdata", true, 0},    {"rresp", true, 2},    {"rlast", true, 1}};
const std::vector<Signal> writeSignals = {
    {"awvalid", false, 1}, {"awready", true, 1},       {"awaddr", false, 64}, {"awlen", false, 8},
    {"awsize", false, 3},  {"awburst", false, 2},      {"wvalid", false, 1},  {"wready", true, 1},
    {"wdata", false, 0},   {"wstrb", false, kStrobes}, {"wlast", false, 1},   {"bvalid", true, 1},
    {"bready", false, 1},  {"bresp", true, 2}};

/// The buses of an array: the member of ArrayPins, and its signals.
std::vector<std::pair<const char *, const std::vector<Signal> *>>
busesOf(const KernelArgument &array, AxiData data) {
  bool streams = data == AxiData::Stream;
  std::vector<std::pair<const char *, const std::vector<Signal> *>> buses = {
      {streams ? "in" : "read", streams ? &streamInSignals : &readSignals}};
  if (array.isWritten)
    buses.push_back({streams ? "out" : "write", streams ? &streamOutSignals : &writeSignals});
  return buses;
}

/// An element per beat; masters have at least 32 bits.
uint32_t dataBits(const KernelArgument &array, AxiData data) {
  uint32_t bits = 8 * array.type.bytes();
  return data == AxiData::Memory && bits < 32 ? 32 : bits;
}

void addPorts(ModulePorts &ports, const std::vector<Signal> &signals, const std::string &prefix,
              uint32_t bits) {
  for (const Signal &signal : signals)
    ports[prefix + signal.name] = {signal.isInput, signal.bits == kStrobes ? bits / 8
                                                   : signal.bits           ? signal.bits
                                                                           : bits};
}

/// The signals of a stream behind `arg<i>_in_` or `arg<i>_out_`, in the order of the members.
std::vector<Signal> signalsOf(const AxiStream &stream, bool isOutput) {
  std::vector<Signal> signals = {
      {"tvalid", !isOutput, 1}, {"tready", isOutput, 1}, {"tdata", !isOutput, 8 * stream.bytes}};
  if (stream.isPartial())
    signals.push_back({"tkeep", !isOutput, stream.bytes});
  if (stream.hasPackets())
    signals.push_back({"tlast", !isOutput, 1});
  return signals;
}

std::string prefixOf(const KernelArgument &stream) {
  return fmt::format("arg{}_{}_", stream.index, stream.isWritten ? "out" : "in");
}

const AxiStream &streamOf(const BusInterface &bus, const KernelArgument &argument) {
  return *bus.streamOf(fmt::format("arg{}", argument.index));
}

bool isShared(const BusInterface &bus, const KernelArgument &argument) {
  return bus.isInChannel(fmt::format("arg{}", argument.index));
}

/// The halves of a channel that are there.
std::vector<std::pair<const char *, const std::vector<Signal> *>>
busesOf(const AxiChannel &channel) {
  std::vector<std::pair<const char *, const std::vector<Signal> *>> buses;
  if (!channel.reads.empty())
    buses.push_back({"read", &readSignals});
  if (!channel.writes.empty())
    buses.push_back({"write", &writeSignals});
  return buses;
}

ModulePorts portsOf(const KernelInterface &kernel, const BusInterface &bus) {
  ModulePorts ports = {{"clk", {true, 1}}, {"rst", {true, 1}}, {"irq", {false, 1}}};
  addPorts(ports, liteSignals, "", 0);
  for (const KernelArgument &argument : kernel.arguments)
    if (isShared(bus, argument))
      continue;
    else if (argument.isMemory())
      for (const auto &[member, signals] : busesOf(argument, bus.data))
        addPorts(ports, *signals, fmt::format("arg{}_", argument.index),
                 dataBits(argument, bus.data));
    else if (argument.isStream())
      addPorts(ports, signalsOf(streamOf(bus, argument), argument.isWritten), prefixOf(argument),
               0);
  for (const AxiChannel &channel : bus.channels)
    for (const auto &[member, signals] : busesOf(channel))
      addPorts(ports, *signals, channel.name + "_", channel.bits);
  return ports;
}

/// `{pinOf(kernel.awvalid), …}`
std::string pinsText(const std::vector<Signal> &signals, const std::string &prefix) {
  std::string text;
  for (const Signal &signal : signals)
    text += fmt::format("{}pinOf(kernel.{}{})", text.empty() ? "{" : ", ", prefix, signal.name);
  return text + "}";
}

std::string arrayText(const KernelArgument &argument, const BusInterface &bus) {
  std::string name = fmt::format("arg{}", argument.index);
  std::string text = fmt::format(
      "  pins.arrays.push_back({{\"{}\", {}, {}, {:#x}, {}, {}, {{}}, {{}}, {{}}, {{}}}});\n", name,
      argument.elements(), argument.type.bytes(), argument.type.mask(), argument.isWritten,
      bus.offsetOf(name).value_or(0));
  if (isShared(bus, argument))
    return text + "  pins.arrays.back().isShared = true;\n";
  for (const auto &[member, signals] : busesOf(argument, bus.data))
    text += fmt::format("  pins.arrays.back().{} = {};\n", member, pinsText(*signals, name + "_"));
  return text;
}

std::string channelText(const AxiChannel &channel) {
  auto names = [](const std::vector<std::string> &all) {
    return all.empty() ? "" : fmt::format("\"{}\"", fmt::join(all, "\", \""));
  };
  std::string text =
      fmt::format("  pins.channels.push_back({{\"{}\", {{{}}}, {{{}}}, {{}}, {{}}}});\n",
                  channel.name, names(channel.reads), names(channel.writes));
  for (const auto &[member, signals] : busesOf(channel))
    text += fmt::format("  pins.channels.back().{} = {};\n", member,
                        pinsText(*signals, channel.name + "_"));
  return text;
}

std::string streamText(const KernelArgument &argument, const BusInterface &bus) {
  if (isShared(bus, argument))
    return fmt::format(
        "  pins.streams.push_back({{\"arg{}\", {}, {:#x}, {}, 0, {}, {{}}, {{}}, {{}}, "
        "{{}}, {{}}, true}});\n",
        argument.index, argument.isRead, argument.type.mask(), argument.type.bytes(),
        argument.type.bytes());
  const AxiStream &stream = streamOf(bus, argument);
  std::string prefix = prefixOf(argument);
  auto pin = [&](const char *signal, bool isThere = true) {
    return isThere ? fmt::format("pinOf(kernel.{}{})", prefix, signal) : std::string("{}");
  };
  return fmt::format("  pins.streams.push_back({{\"{}\", {}, {:#x}, {}, {}, {}, {}, {}, {}, {}, "
                     "{}, false}});\n",
                     stream.name, argument.isRead, argument.type.mask(), stream.bytes, stream.beats,
                     stream.lastBytes, pin("tvalid"), pin("tready"), pin("tdata"),
                     pin("tkeep", stream.isPartial()), pin("tlast", stream.hasPackets()));
}

std::string registerText(const char *list, const std::string &name, ElementType type,
                         const BusInterface &bus) {
  return fmt::format("  pins.{}.push_back({{{}, {:#x}}});\n", list, bus.offsetOf(name).value_or(0),
                     type.mask());
}

/// The driver's arguments and results from words and to words.
std::string driverText(const KernelInterface &kernel, const BusInterface &bus) {
  std::string text = fmt::format(R"(  using Driver = ::{0}::Driver<RegisterBus>;
  pins.driver.start = [](RegisterBus &registers, const std::vector<uint64_t> &scalars,
                         const std::vector<uint64_t> &addresses, bool hasInterrupt,
                         bool keeps) {{
    (void)scalars;
    (void)addresses;
    ::{0}::Arguments arguments;
)",
                                 bus.top);
  // Addresses of arrays stand before those of streams.
  size_t scalars = 0, arrays = 0, streams = 0;
  for (const KernelArgument &argument : kernel.arguments)
    streams += argument.isMemory();
  for (const KernelArgument &argument : kernel.arguments) {
    if (argument.isStream() && !isShared(bus, argument))
      continue;
    std::string name = fmt::format("arg{}", argument.index);
    std::string word = argument.isStream()   ? fmt::format("addresses[{}]", streams++)
                       : argument.isMemory() ? fmt::format("addresses[{}]", arrays++)
                                             : fmt::format("scalars[{}]", scalars++);
    if (bus.offsetOf(name))
      text += fmt::format("    arguments.{0} = ::{1}::fromBits<decltype(arguments.{0})>({2});\n",
                          name, bus.top, word);
  }
  text += R"(    Driver driver(registers);
    driver.enableInterrupt(hasInterrupt);
    driver.start(arguments, keeps);
  };
  pins.driver.results = [](RegisterBus &registers) {
    Driver driver(registers);
    std::vector<uint64_t> words;
)";
  for (size_t i = 0; i < kernel.results.size(); ++i)
    text += fmt::format("    words.push_back(::{}::toBits(driver.result{}()));\n", bus.top, i);
  return text + "    return words;\n  };\n";
}

/// The driver is made anew: a folder may come from anywhere, and its text will run here.
std::string adapterText(const KernelInterface &kernel, const BusInterface &bus) {
  DriverTexts driver = driverTexts(kernel, bus);
  std::string text = "// The ports of " + bus.top + ", behind its driver.\n#pragma once\n\n" +
                     driver.registers + "\n" + driver.driver + "\n";
  text += R"(#include "Vkernel.h"

#include "hw/cosim/harness/axi/BusBench.h"

namespace spindle::hls {

using BenchPins = BusPins;

inline void connect(Vkernel &kernel, BusPins &pins) {
  pins.clock = pinOf(kernel.clk);
  pins.reset = pinOf(kernel.rst);
  pins.interrupt = pinOf(kernel.irq);
)";
  text += fmt::format("  pins.lite = {};\n  pins.hasStreams = {};\n", pinsText(liteSignals, ""),
                      bus.data == AxiData::Stream);
  for (const KernelArgument &argument : kernel.arguments)
    text += argument.isMemory() ? arrayText(argument, bus)
            : argument.isStream()
                ? streamText(argument, bus)
                : registerText("scalars", fmt::format("arg{}", argument.index), argument.type, bus);
  for (const AxiChannel &channel : bus.channels)
    text += channelText(channel);
  for (size_t i = 0; i < kernel.results.size(); ++i)
    text += registerText("results", fmt::format("result{}", i), kernel.results[i], bus);
  text += driverText(kernel, bus);
  return text + "}\n\n} // namespace spindle::hls\n";
}

} // namespace

BenchDesign designOf(const std::string &folder, const KernelInterface &kernel,
                     const BusInterface &bus) {
  BenchDesign design;
  design.folder = folder;
  design.work = "cosim/bus";
  design.harness = "hw/cosim/harness/axi";
  design.top = bus.top;
  design.sources = bus.sources;
  design.file = folder + "/axi.json";
  design.ports = portsOf(kernel, bus);
  design.adapter = [kernel, bus](const ModulePorts &) { return adapterText(kernel, bus); };
  return design;
}

} // namespace spindle::hls
