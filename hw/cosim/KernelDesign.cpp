// The kernel itself under its test bench.
#include "hw/cosim/TestBench.h"

#include "fmt/format.h"

namespace spindle::hls {

/// A table of pins: compilers are slow with thousands of calls in one function.
static std::string memoryText(const KernelArgument &argument) {
  std::string text = "  const PortPins arg" + std::to_string(argument.index) + "[] = {\n";
  for (uint32_t bank = 0; bank < argument.banks(); ++bank)
    for (uint32_t port = 0; port < argument.ports; ++port) {
      text += "      {";
      for (const char *suffix : {"en", "we", "addr", "wdata", "rdata"})
        text += fmt::format("{}pinOf(kernel.{}_{})", suffix[0] == 'e' ? "" : ", ",
                            portName(argument.index, bank, port), suffix);
      text += "},\n";
    }
  return text + fmt::format("  }};\n  pins.memories.push_back({{\"arg{0}\", {1}, {2:#x}, {3}, {4}, "
                            "inBanks(arg{0}, {5}, {6})}});\n",
                            argument.index, argument.bankWords(), argument.type.mask(),
                            argument.readLatency, argument.isWritten, argument.banks(),
                            argument.ports);
}

static std::string streamText(const KernelArgument &argument) {
  std::string name = fmt::format("arg{}", argument.index);
  return fmt::format("  pins.streams.push_back({{\"{0}\", {1}, {2:#x}, pinOf(kernel.{0}_data), "
                     "pinOf(kernel.{0}_valid), pinOf(kernel.{0}_ready)}});\n",
                     name, argument.isRead, argument.type.mask());
}

/// The bits that a scalar's port has.
static uint64_t maskOf(const std::string &name, const ModulePorts &ports) {
  uint32_t bits = ports.at(name).bits;
  return bits == 0 || bits >= 64 ? ~uint64_t(0) : (uint64_t(1) << bits) - 1;
}

static std::string scalarText(const KernelArgument &argument, const ModulePorts &ports) {
  std::string name = fmt::format("arg{}", argument.index);
  return fmt::format("  pins.scalars.push_back({{pinOf(kernel.{}), {:#x}}});\n", name,
                     maskOf(name, ports));
}

/// As Verilator writes a name: an underscore behind another one by its code.
static std::string verilatedName(std::string name) {
  for (size_t at = 0; (at = name.find("__", at)) != std::string::npos; at += 5)
    name.replace(at, 2, "___05F");
  return name;
}

/// A register of an instance in the kernel.
static std::string watchText(const KernelInterface &kernel, const char *pins,
                             const std::string &instance, const char *name) {
  return fmt::format("  pins.{}.push_back(pinOf(kernel.rootp->{}__DOT__{}__DOT__{}));\n", pins,
                     verilatedName(kernel.top), verilatedName(instance), name);
}

/// What makes registers of a module known, in the file that Verilator reads with the sources.
static std::string publicText(const std::string &module, const char *name) {
  return fmt::format("public_flat_rd -module \"{0}\" -var \"{1}\"\ninline -module \"{0}\"\n",
                     module, name);
}

static std::string adapterText(const KernelInterface &kernel,
                               const std::optional<TaskGraph> &system,
                               const std::vector<std::string> &fifos, const ModulePorts &ports) {
  std::string text = "// The ports of " + kernel.top + R"(.
#pragma once

#include "Vkernel.h"
)" + std::string(system || !fifos.empty() ? "#include \"Vkernel___024root.h\"\n" : "") +
                     R"(
#include "hw/cosim/harness/plain/Bench.h"

namespace spindle::hls {

using BenchPins = KernelPins;

inline void connect(Vkernel &kernel, KernelPins &pins) {
  pins.clock = pinOf(kernel.clk);
  pins.reset = pinOf(kernel.rst);
  pins.start = pinOf(kernel.start);
  pins.idle = pinOf(kernel.idle);
  pins.done = pinOf(kernel.done);
)";
  if (kernel.hasClockEnable)
    text += "  pins.clockEnable = pinOf(kernel.ce);\n";
  for (const KernelArgument &argument : kernel.arguments)
    text += argument.isMemory()   ? memoryText(argument)
            : argument.isStream() ? streamText(argument)
                                  : scalarText(argument, ports);
  for (size_t i = 0; i < kernel.results.size(); ++i)
    text += fmt::format("  pins.results.push_back(pinOf(kernel.result{}));\n", i);
  if (system)
    for (const Task &task : system->tasks)
      text += watchText(kernel, "watched", task.name, "works");
  for (const std::string &fifo : fifos)
    text += watchText(kernel, "fifos", fifo, "count");
  return text + "}\n\n} // namespace spindle::hls\n";
}

BenchDesign designOf(const std::string &folder, const KernelInterface &kernel,
                     const std::optional<TaskGraph> &system,
                     const std::vector<std::string> &fifos) {
  BenchDesign design;
  design.folder = folder;
  design.work = "cosim";
  design.harness = "hw/cosim/harness/plain";
  design.top = kernel.top;
  design.sources = kernel.sources;
  design.file = folder + "/kernel.json";
  design.ports = portsOf(kernel);
  design.adapter = [kernel, system, fifos](const ModulePorts &ports) {
    return adapterText(kernel, system, fifos, ports);
  };
  if (system || !fifos.empty())
    design.lines = "`verilator_config\n";
  if (system)
    design.lines += publicText(kernel.top + "_manager", "works");
  if (!fifos.empty())
    design.lines += publicText("spindle_fifo", "count");
  return design;
}

} // namespace spindle::hls
