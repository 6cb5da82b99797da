#include "hw/hls/axi/MemoryChannels.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/STLExtras.h"

#include "fmt/format.h"

#include <algorithm>
#include <numeric>

namespace spindle::hls {

/// A burst on its way, one that is answered and one that is used up, and the time between them.
static constexpr unsigned kBurstsToRead = 4;
/// One that leaves, one that is gathered.
static constexpr unsigned kBurstsToWrite = 2;
/// Packets of a run whose number nobody knows, as arguments are divided among channels.
static constexpr uint64_t kSupposedPackets = 100;

bool isInChannels(const KernelArgument &argument, const AxiOptions &options) {
  if (options.channels == 0 || options.data != AxiData::Memory)
    return false;
  bool isCounted = options.packetCount && options.packets.contains(argument.index);
  return argument.isMemory() || (argument.isStream() && (argument.isArray() || isCounted));
}

/// Of a run.
static uint64_t bytesOf(const KernelArgument &argument, const AxiOptions &options) {
  if (argument.isArray())
    return argument.elements() * argument.type.bytes();
  return options.packets.at(argument.index).beats * argument.type.bytes() * kSupposedPackets;
}

namespace {

/// How busy a channel is; the two ways are independent.
struct Load {
  uint64_t read = 0, written = 0;

  Load with(const KernelArgument &argument, uint64_t bytes) const {
    // Arrays are filled, whatever the kernel does with them.
    bool isRead = argument.isMemory() || argument.isRead;
    return {read + (isRead ? bytes : 0), written + (argument.isWritten ? bytes : 0)};
  }
  std::pair<uint64_t, uint64_t> rank() const { return {std::max(read, written), read + written}; }
};

} // namespace

std::vector<AxiChannel> axiChannels(const KernelInterface &kernel, const AxiOptions &options) {
  std::vector<const KernelArgument *> moved;
  for (const KernelArgument &argument : kernel.arguments)
    if (isInChannels(argument, options))
      moved.push_back(&argument);
  std::stable_sort(moved.begin(), moved.end(),
                   [&](const KernelArgument *a, const KernelArgument *b) {
                     return bytesOf(*a, options) > bytesOf(*b, options);
                   });
  std::vector<Load> loads(std::min<size_t>(options.channels, moved.size()));
  std::map<uint32_t, size_t> channelOf;
  for (const KernelArgument *argument : moved) {
    auto rank = [&](const Load &load) {
      return load.with(*argument, bytesOf(*argument, options)).rank();
    };
    auto best = std::min_element(loads.begin(), loads.end(),
                                 [&](const Load &a, const Load &b) { return rank(a) < rank(b); });
    *best = best->with(*argument, bytesOf(*argument, options));
    channelOf[argument->index] = size_t(best - loads.begin());
  }
  std::vector<AxiChannel> channels(loads.size());
  for (size_t k = 0; k < channels.size(); ++k)
    channels[k].name = fmt::format("mem{}", k);
  for (const auto &[index, channel] : channelOf)
    for (const KernelArgument *argument : moved) {
      if (argument->index != index)
        continue;
      std::string name = fmt::format("arg{}", index);
      if (argument->isMemory() || argument->isRead)
        channels[channel].reads.push_back(name);
      if (argument->isWritten)
        channels[channel].writes.push_back(name);
    }
  return channels;
}

std::vector<BusSignal> MemoryChannels::signals(const std::vector<AxiChannel> &channels) {
  std::vector<BusSignal> all;
  auto add = [&](const AxiChannel &channel, const std::vector<BusSignal> &bus) {
    for (const BusSignal &signal : bus)
      all.push_back({channel.name + "_" + signal.name, signal.bits, signal.isOutput});
  };
  for (const AxiChannel &channel : channels) {
    if (!channel.reads.empty())
      add(channel, readSignals(channel.bits));
    if (!channel.writes.empty())
      add(channel, writeSignals(channel.bits));
  }
  return all;
}

MemoryChannels::MemoryChannels(Wires &circuit, AxiExterns &modules, rtl::CircuitModuleOp into,
                               std::vector<AxiChannel> planned, const AxiOptions &wishes,
                               mlir::Value before)
    : wires(circuit), externs(modules), module(into), channels(std::move(planned)), options(wishes),
      clear(before), reads(channels.size()), writes(channels.size()) {}

size_t MemoryChannels::channelOf(const std::string &argument) const {
  return size_t(llvm::find_if(channels,
                              [&](const AxiChannel &channel) {
                                return llvm::is_contained(channel.reads, argument) ||
                                       llvm::is_contained(channel.writes, argument);
                              }) -
                channels.begin());
}

/// An instance of a reader or a writer.
AxiExterns::Values MemoryChannels::addMover(const Move &move, const char *name,
                                            const Client &client, const AxiExterns::Ports &more,
                                            AxiExterns::Values inputs, int64_t bursts) {
  AxiExterns::Ports ports{
      {{"clk", bits(1)},
       {"rst", bits(1)},
       {"start", bits(1)},
       {"base", bits(64)},
       {"count", move.count.getType()},
       {"granted", bits(1)}},
      {{"busy", bits(1)}, {"asks", bits(1)}, {"address", bits(64)}, {"length", bits(8)}}};
  llvm::append_range(ports.inputs, more.inputs);
  llvm::append_range(ports.outputs, more.outputs);
  rtl::WireOp granted = client.granted;
  inputs["clk"] = wires.clock;
  inputs["rst"] = wires.reset;
  inputs["start"] = move.start;
  inputs["base"] = move.base;
  inputs["count"] = move.count;
  inputs["granted"] = granted;
  int64_t words = std::max<int64_t>(int64_t(options.burst) * bursts, 16);
  return externs.instantiate(wires.builder, wires.builder.getLoc(), move.name + "_" + name,
                             std::string("spindle_memory_") + name, ports,
                             {{"DATA", kChannelBits},
                              {"BYTES", move.bits / 8},
                              {"BURST", options.burst},
                              {"BITS", move.count.getType().getIntOrFloatBitWidth()},
                              {"ROOM", words}},
                             inputs);
}

MemoryChannels::Source MemoryChannels::read(const Move &move, mlir::Value ready) {
  Half &half = reads[channelOf(move.name)];
  if (!half.word)
    half.word = wires.wire(kChannelBits, channels[channelOf(move.name)].name + "_word");
  Client client;
  client.granted = wires.wire(1, move.name + "_read_granted");
  client.moves = wires.wire(1, move.name + "_comes");
  AxiExterns::Values made =
      addMover(move, "reader", client,
               {{{"comes", bits(1)}, {"word", bits(kChannelBits)}, {"ready", bits(1)}},
                {{"valid", bits(1)}, {"data", bits(move.bits)}}},
               {{"comes", client.moves}, {"word", half.word}, {"ready", ready}}, kBurstsToRead);
  client.asks = made.at("asks");
  client.address = made.at("address");
  client.length = made.at("length");
  half.clients.push_back(client);
  return {made.at("valid"), made.at("data"), made.at("busy")};
}

MemoryChannels::Sink MemoryChannels::write(const Move &move, mlir::Value valid, mlir::Value data) {
  Half &half = writes[channelOf(move.name)];
  Client client;
  client.granted = wires.wire(1, move.name + "_write_granted");
  client.moves = wires.wire(1, move.name + "_taken");
  client.answered = wires.wire(1, move.name + "_answered");
  AxiExterns::Values made = addMover(
      move, "writer", client,
      {{{"takes", bits(1)}, {"answered", bits(1)}, {"valid", bits(1)}, {"data", bits(move.bits)}},
       {{"word", bits(kChannelBits)}, {"strobes", bits(kChannelBits / 8)}, {"ready", bits(1)}}},
      {{"takes", client.moves}, {"answered", client.answered}, {"valid", valid}, {"data", data}},
      kBurstsToWrite);
  client.asks = made.at("asks");
  client.address = made.at("address");
  client.length = made.at("length");
  client.word = made.at("word");
  client.strobes = made.at("strobes");
  half.clients.push_back(client);
  return {made.at("ready"), made.at("busy")};
}

/// The arbiter of one half of a channel, and its clients.
void MemoryChannels::addHalf(Half &half, const std::string &name, const char *kind,
                             const std::vector<BusSignal> &bus, const char *parameter) {
  if (half.clients.empty())
    return;
  unsigned count = unsigned(half.clients.size());
  AxiExterns::Ports ports{{{"clk", bits(1)}, {"rst", bits(1)}, {"clear", bits(1)}},
                          {{"error", bits(1)}}};
  AxiExterns::Values inputs = {{"clk", wires.clock}, {"rst", wires.reset}, {"clear", clear}};
  // The first client has the lowest bits.
  auto gather = [&](const char *port, unsigned width, mlir::Value Client::*member) {
    llvm::SmallVector<mlir::Value> values;
    for (size_t n = count; n-- > 0;)
      values.push_back(half.clients[n].*member);
    ports.inputs.push_back({port, bits(width * count)});
    inputs[port] =
        count == 1 ? values[0] : mlir::Value(rtl::ConcatOp::create(wires.builder, values));
  };
  bool isWrite = bool(half.clients.front().word);
  gather("asks", 1, &Client::asks);
  gather("addresses", 64, &Client::address);
  gather("lengths", 8, &Client::length);
  if (isWrite) {
    gather("words", kChannelBits, &Client::word);
    gather("strobes", kChannelBits / 8, &Client::strobes);
  }
  const char *moves = isWrite ? "takes" : "comes";
  for (const char *port : {"granted", moves})
    ports.outputs.push_back({port, bits(count)});
  if (isWrite)
    ports.outputs.push_back({"answered", bits(count)});
  else
    ports.outputs.push_back({"word", bits(kChannelBits)});
  for (const BusSignal &signal : bus) {
    (signal.isOutput ? ports.outputs : ports.inputs).push_back({signal.name, bits(signal.bits)});
    if (!signal.isOutput)
      inputs[signal.name] = module.getInput(name + "_" + signal.name);
  }
  AxiExterns::Values made = externs.instantiate(
      wires.builder, wires.builder.getLoc(), name + "_" + kind, std::string("spindle_") + kind,
      ports, {{parameter, count}, {"DATA", kChannelBits}}, inputs);
  for (const BusSignal &signal : bus)
    if (signal.isOutput)
      driven[name + "_" + signal.name] = made.at(signal.name);
  for (unsigned n = 0; n < count; ++n) {
    auto bitOf = [&](const char *port) -> mlir::Value {
      return count == 1 ? made.at(port)
                        : mlir::Value(rtl::ExtractOp::create(wires.builder, made.at(port), n, 1));
    };
    half.clients[n].granted.drive(bitOf("granted"));
    half.clients[n].moves.drive(bitOf(moves));
    if (isWrite)
      half.clients[n].answered.drive(bitOf("answered"));
  }
  if (!isWrite)
    half.word.drive(made.at("word"));
  failed = wires.disjunction(failed, made.at("error"));
}

void MemoryChannels::build() {
  for (size_t k = 0; k < channels.size(); ++k) {
    addHalf(reads[k], channels[k].name, "read_channel", readSignals(kChannelBits), "READERS");
    addHalf(writes[k], channels[k].name, "write_channel", writeSignals(kChannelBits), "WRITERS");
  }
}

} // namespace spindle::hls
