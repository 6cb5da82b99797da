#include "hw/cosim/Circuit.h"

#include "fmt/format.h"

namespace spindle::hls {

bool hasStreams(const KernelInterface &kernel) {
  return llvm::any_of(kernel.arguments,
                      [](const KernelArgument &argument) { return argument.isStream(); });
}

Circuit plainCircuit(const std::string &folder, const KernelInterface &kernel,
                     const std::optional<TaskGraph> &system, const CosimOptions &options) {
  Circuit circuit{kernel,
                  designOf(folder, kernel, system, options.fifos),
                  system,
                  kernel.predictedCycles,
                  options.mostCycles,
                  {0}};
  if (!options.netlist.empty()) {
    circuit.design.sources = options.netlist;
    circuit.design.work = options.netlistWork;
  }
  if (kernel.predictedCycles) // a stream may decide how long it takes
    circuit.mostCycles = (hasStreams(kernel) ? 32 : 4) * *kernel.predictedCycles + 1000;
  if (kernel.hasClockEnable)
    circuit.stallPercents = {0, 30};
  if (hasStreams(kernel))
    circuit.stallPercents = {0, 50, 87};
  return circuit;
}

namespace {

llvm::Error checkStream(const std::string &folder, const KernelArgument &argument,
                        const BusInterface &bus) {
  std::string name = fmt::format("arg{}", argument.index);
  const AxiStream *stream = bus.streamOf(name);
  if (stream && stream->bytes == argument.type.bytes())
    return llvm::Error::success();
  return inputError(folder + "/axi.json",
                    fmt::format("found no stream '{}' of {} bytes, which the kernel needs", name,
                                argument.type.bytes()));
}

/// What channels move is what the kernel needs: arrays are read and, if it writes them, written.
llvm::Error checkChannels(const std::string &folder, const KernelInterface &kernel,
                          const BusInterface &bus) {
  auto refuse = [&](const std::string &name, const char *way, bool isThere) {
    return inputError(folder + "/axi.json",
                      fmt::format("found {} '{}' among what channels {}, expected {}",
                                  isThere ? "the argument" : "no", name, way,
                                  isThere ? "it not to be there, as the kernel has it otherwise"
                                          : "it there, as the kernel needs it"));
  };
  std::set<std::string> known;
  for (const KernelArgument &argument : kernel.arguments) {
    std::string name = fmt::format("arg{}", argument.index);
    known.insert(name);
    bool isMoved = argument.isMemory() || (argument.isStream() && bus.isInChannel(name));
    bool isRead = isMoved && (argument.isMemory() || argument.isRead);
    bool isWritten = isMoved && argument.isWritten;
    bool reads = false, writes = false;
    for (const AxiChannel &channel : bus.channels) {
      reads |= llvm::is_contained(channel.reads, name);
      writes |= llvm::is_contained(channel.writes, name);
    }
    if (reads != isRead)
      return refuse(name, "read", reads);
    if (writes != isWritten)
      return refuse(name, "write", writes);
  }
  for (const AxiChannel &channel : bus.channels)
    for (const auto *names : {&channel.reads, &channel.writes})
      for (const std::string &name : *names)
        if (!known.contains(name))
          return refuse(name, names == &channel.reads ? "read" : "write", true);
  return llvm::Error::success();
}

} // namespace

llvm::Expected<Circuit> busCircuit(const std::string &folder, KernelInterface kernel,
                                   const BusInterface &bus, const CosimOptions &options) {
  Circuit circuit;
  circuit.stallPercents = {0, 50, 87};
  uint64_t elements = 0;
  auto checkRegister = [&](const std::string &name) {
    return bus.offsetOf(name) ? llvm::Error::success()
                              : inputError(folder + "/axi.json",
                                           fmt::format("found no register '{}', which the kernel "
                                                       "needs",
                                                       name));
  };
  if (!bus.channels.empty())
    SPINDLE_RETURN_IF_ERROR(checkChannels(folder, kernel, bus));
  for (KernelArgument &argument : kernel.arguments) {
    if (argument.isStream()) {
      std::string name = fmt::format("arg{}", argument.index);
      if (bus.isInChannel(name)) {
        SPINDLE_RETURN_IF_ERROR(checkRegister(name));
        circuit.inMemory.insert(argument.index);
      } else {
        SPINDLE_RETURN_IF_ERROR(checkStream(folder, argument, bus));
      }
      elements += argument.isArray() ? argument.elements() : 0;
      continue;
    }
    if (!argument.isMemory() || bus.data == AxiData::Memory)
      SPINDLE_RETURN_IF_ERROR(checkRegister(fmt::format("arg{}", argument.index)));
    if (!argument.isMemory())
      continue;
    argument.partition.assign(argument.shape.size(), DimensionPartition());
    elements += argument.elements();
  }
  for (size_t i = 0; i < kernel.results.size(); ++i)
    SPINDLE_RETURN_IF_ERROR(checkRegister(fmt::format("result{}", i)));
  circuit.mostCycles = options.mostCycles;
  if (kernel.predictedCycles) {
    if (simulatedTime(*kernel.predictedCycles * options.runs) == SimulatedTime::Long)
      circuit.cycles = kernel.predictedCycles; // and those of the bus
    circuit.mostCycles = 4 * (*kernel.predictedCycles + 50 * elements + 2500);
    if (!bus.channels.empty()) // a burst at a time, at worst
      circuit.mostCycles += 4 * options.memoryLatency * (elements + 2 * kernel.arguments.size());
  }
  kernel.predictedCycles.reset();
  circuit.design = designOf(folder, kernel, bus);
  circuit.kernel = std::move(kernel);
  return circuit;
}

} // namespace spindle::hls
