#include "core/kernel/ModulePorts.h"

#include "fmt/format.h"

namespace spindle::hls {

ModulePorts portsOf(const KernelInterface &kernel) {
  ModulePorts ports = {{"clk", {true, 1}},
                       {"rst", {true, 1}},
                       {"start", {true, 1}},
                       {"idle", {false, 1}},
                       {"done", {false, 1}}};
  if (kernel.hasClockEnable)
    ports["ce"] = {true, 1};
  for (const KernelArgument &argument : kernel.arguments) {
    bool isIndex = argument.type.kind == ElementType::Kind::Index;
    if (argument.isStream()) {
      std::string name = fmt::format("arg{}", argument.index);
      ports[name + "_data"] = {argument.isRead, argument.type.bits};
      ports[name + "_valid"] = {argument.isRead, 1};
      ports[name + "_ready"] = {argument.isWritten, 1};
    } else if (!argument.isMemory())
      ports[fmt::format("arg{}", argument.index)] = {true, isIndex ? 0 : argument.type.bits};
    for (uint32_t bank = 0; argument.isMemory() && bank < argument.banks(); ++bank)
      for (uint32_t port = 0; port < argument.ports; ++port) {
        std::string name = portName(argument.index, bank, port);
        ports[name + "_en"] = ports[name + "_we"] = {false, 1};
        ports[name + "_addr"] = {false, 0};
        ports[name + "_wdata"] = {false, argument.type.bits};
        ports[name + "_rdata"] = {true, argument.type.bits};
      }
  }
  for (size_t i = 0; i < kernel.results.size(); ++i)
    ports[fmt::format("result{}", i)] = {false, kernel.results[i].bits};
  return ports;
}

} // namespace spindle::hls
