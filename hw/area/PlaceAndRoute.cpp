#include "hw/area/PlaceAndRoute.h"

#include "core/support/files/File.h"
#include "core/support/formats/Json.h"
#include "hw/cosim/Process.h"

#include "fmt/format.h"
#include "fmt/ranges.h"
#include "llvm/ADT/StringRef.h"

#include <regex>

namespace spindle::hls {

namespace {

// Lattice FPGA-DS-02029, HX8K in ct256.
constexpr uint64_t kLogicCells = 7680, kMemories = 32, kPins = 206;
constexpr const char *kClock = "clk";

struct Port {
  std::string name;
  uint64_t width = 0;
  bool isInput = false;
};

/// Of the kernel's module, without its contents.
llvm::Expected<std::vector<Port>> portsOf(const Yosys &yosys) {
  SPINDLE_RETURN_IF_ERROR(yosys.run({"blackbox *", "write_json ports.json"}, "ports"));
  std::string path = yosys.file("ports.json");
  SPINDLE_ASSIGN(Json json, readJson(path));
  return parseJson<std::vector<Port>>(path, json, [&](const Json &netlist) {
    std::vector<Port> ports;
    for (const auto &[name, port] : netlist.at("modules").at(yosys.top()).at("ports").items())
      ports.push_back({name, port.at("bits").size(), port.at("direction") == "input"});
    return ports;
  });
}

uint64_t bitsOf(const std::vector<Port> &ports) {
  uint64_t bits = 0;
  for (const Port &port : ports)
    bits += port.width;
  return bits;
}

/// All inputs but the clock come from one shift register, all outputs go into another one: four
/// pins, and every path of the circuit lies between registers.
std::string wrapperOf(const std::string &top, const std::vector<Port> &ports) {
  uint64_t ins = 0, outs = 0;
  std::vector<std::string> joined;
  for (const Port &port : ports) {
    if (port.name == kClock) {
      joined.push_back(".clk(clk)");
      continue;
    }
    uint64_t &at = port.isInput ? ins : outs;
    joined.push_back(fmt::format(".\\{} ({}[{}:{}])", port.name, port.isInput ? "in" : "found",
                                 at + port.width - 1, at));
    at += port.width;
  }
  return fmt::format(R"(module spindle_pins(input clk, input d, input load, output q);
  reg [{0}:0] in;
  reg [{1}:0] out;
  wire [{1}:0] found;
  assign found[{1}] = 1'b0;
  \{2} circuit({3});
  always @(posedge clk) begin
    in <= {{in, d}};
    out <= load ? found : out << 1;
  end
  assign q = out[{1}];
endmodule
)",
                     ins, outs, top, fmt::join(joined, ", "));
}

/// A cell of logic holds at most one LUT and one flip-flop.
llvm::Error checkFits(const Yosys &yosys) {
  SPINDLE_ASSIGN(CellCounts cells, cellsIn(yosys.file("ice40.json")));
  uint64_t luts = 0, flipFlops = 0, memories = 0;
  for (const auto &[name, count] : cells) {
    llvm::StringRef type = name;
    luts += type == "SB_LUT4" ? count : 0;
    flipFlops += type.starts_with("SB_DFF") ? count : 0;
    memories += type.starts_with("SB_RAM40") ? count : 0;
  }
  if (std::max(luts, flipFlops) <= kLogicCells && memories <= kMemories)
    return llvm::Error::success();
  return checkError(yosys.workFolder(),
                    fmt::format("the circuit needs {} LUTs, {} flip-flops and {} memory blocks, "
                                "an iCE40 HX8K has {}, {} and {}",
                                luts, flipFlops, memories, kLogicCells, kLogicCells, kMemories));
}

llvm::Expected<std::string> versionOf(const std::string &nextpnr, const Yosys &yosys) {
  std::string log = yosys.file("nextpnr-version.log");
  SPINDLE_RETURN_IF_ERROR(runProgram({nextpnr, "--version"}, yosys.workFolder(), log));
  SPINDLE_ASSIGN(std::string text, readFile(log));
  static const std::regex found("Version ([^ )]+)");
  std::smatch match;
  return "nextpnr-ice40" + (std::regex_search(text, match, found) ? " " + match.str(1) : "");
}

llvm::Expected<RoutedArea> readReport(const std::string &path) {
  SPINDLE_ASSIGN(Json json, readJson(path));
  SPINDLE_ASSIGN(RoutedArea area, parseJson<RoutedArea>(path, json, [](const Json &report) {
                   RoutedArea routed;
                   const Json &used = report.at("utilization");
                   routed.logicCells = used.at("ICESTORM_LC").at("used").get<uint64_t>();
                   routed.memories = used.at("ICESTORM_RAM").at("used").get<uint64_t>();
                   for (const auto &[name, clock] : report.at("fmax").items())
                     routed.megahertz = clock.at("achieved").get<double>();
                   return routed;
                 }));
  if (area.megahertz == 0)
    return checkError(path, "nextpnr reports no clock");
  return area;
}

} // namespace

llvm::Expected<RoutedArea> routeForIce40(const Yosys &yosys, double periodNs) {
  SPINDLE_ASSIGN(std::string nextpnr, findProgram("nextpnr-ice40", "nextpnr-ice40"));
  SPINDLE_ASSIGN(std::vector<Port> ports, portsOf(yosys));
  uint64_t pins = bitsOf(ports);
  std::string top = pins <= kPins ? yosys.top() : "spindle_pins";
  std::vector<std::string> commands = {
      // The device has no LUT RAM, and a ROM of four words needs no block: Yosys chooses by size.
      "setattr -unset ram_style */a:ram_style=*",
      fmt::format("synth_ice40 -abc9 -device hx -top {} -json routed.json", top),
      "tee -q -o ice40.json stat -json"};
  if (pins <= kPins) {
    SPINDLE_RETURN_IF_ERROR(yosys.run(commands, "ice40"));
  } else {
    SPINDLE_RETURN_IF_ERROR(writeFile(yosys.file("pins.v"), wrapperOf(yosys.top(), ports)));
    SPINDLE_RETURN_IF_ERROR(yosys.runWrapped("pins.v", top, commands, "ice40"));
  }
  SPINDLE_RETURN_IF_ERROR(checkFits(yosys));
  double target = 1000 / periodNs;
  SPINDLE_RETURN_IF_ERROR(
      runProgram({nextpnr, "--hx8k", "--package", "ct256", "--freq", fmt::format("{:.3f}", target),
                  "--seed", "1", "-q", "--pcf-allow-unconstrained", "--timing-allow-fail", "--json",
                  "routed.json", "--report", "routed-report.json"},
                 yosys.workFolder(), yosys.file("nextpnr.log")));
  SPINDLE_ASSIGN(RoutedArea area, readReport(yosys.file("routed-report.json")));
  SPINDLE_ASSIGN(area.tool, versionOf(nextpnr, yosys));
  area.device = "iCE40 HX8K ct256";
  area.pins = pins;
  area.hasShiftRegisters = pins > kPins;
  area.targetMegahertz = target;
  return area;
}

} // namespace spindle::hls
