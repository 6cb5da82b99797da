#include "hw/cosim/Ports.h"

#include "fmt/format.h"

#include <regex>

namespace spindle::hls {

ModulePorts parsePorts(const std::string &header) {
  static const std::regex form("VL_(IN|OUT)(?:8|16|64|W)?\\(&(\\w+),(\\d+),(\\d+)(?:,\\d+)?\\)");
  ModulePorts ports;
  for (std::sregex_iterator it(header.begin(), header.end(), form), end; it != end; ++it) {
    auto bits = static_cast<uint32_t>(std::stoul((*it)[3]) - std::stoul((*it)[4]) + 1);
    ports[(*it)[2]] = {(*it)[1] == "IN", bits};
  }
  return ports;
}

llvm::Error checkPorts(const ModulePorts &expected, const ModulePorts &found,
                       const std::string &place) {
  for (const auto &[name, port] : expected) {
    auto own = found.find(name);
    const char *direction = port.isInput ? "input" : "output";
    if (own == found.end())
      return inputError(
          place, fmt::format("the module has no port '{}', expected this {}", name, direction));
    if (own->second.isInput != port.isInput)
      return inputError(place, fmt::format("port '{}' is not an {}", name, direction));
    if (port.bits ? own->second.bits != port.bits : own->second.bits > 64)
      return inputError(place,
                        fmt::format("port '{}' has {} bits, expected {}", name, own->second.bits,
                                    port.bits ? fmt::format("{}", port.bits) : "at most 64"));
  }
  return llvm::Error::success();
}

} // namespace spindle::hls
