#include "hw/area/power/CellNetlist.h"

#include "core/support/files/File.h"
#include "core/support/formats/Json.h"

#include "fmt/format.h"
#include "fmt/ranges.h"

namespace spindle::hls {

namespace {

constexpr const char *kMemoryModules =
    "_memories"; // behind the name of the module that they are in

/// The netlist is read as JSON, too: cells, and what their ports are joined to.
class NetlistReader {
public:
  NetlistReader(const Json &design, std::string topModule)
      : modules(design.at("modules")), top(std::move(topModule)) {}

  CellNetlist read() {
    walk(top, "", "TOP." + top + ".", "");
    return std::move(netlist);
  }

private:
  /// A signal of each bit of a module.
  static std::map<int64_t, std::string> signalsOf(const Json &module) {
    std::map<int64_t, std::string> signals;
    for (const auto &[name, net] : module.at("netnames").items()) {
      const Json &bits = net.at("bits");
      for (size_t bit = 0; bit < bits.size(); ++bit)
        if (bits[bit].is_number())
          signals[bits[bit].get<int64_t>()] =
              bits.size() == 1 ? name : fmt::format("{}[{}]", name, bit);
    }
    return signals;
  }

  void walk(const std::string &type, const std::string &path, const std::string &scope,
            const std::string &part) {
    const Json &module = modules.at(type);
    std::map<int64_t, std::string> signals = signalsOf(module);
    for (const auto &[name, cell] : module.at("cells").items()) {
      std::string kind = cell.at("type");
      if (llvm::StringRef(kind).ends_with(kMemoryModules)) {
        ++netlist.memories;
        continue;
      }
      if (modules.contains(kind) && !modules.at(kind).at("attributes").contains("blackbox")) {
        walk(kind, path + name + "/", scope + name + ".", path.empty() ? name : part);
        continue;
      }
      LibraryCell made{path + name, part, {}};
      for (const auto &[port, direction] : cell.at("port_directions").items())
        if (direction == "output")
          for (const Json &bit : cell.at("connections").at(port))
            if (bit.is_number())
              made.outputs.push_back(scope + signals.at(bit.get<int64_t>()));
      netlist.cells.push_back(std::move(made));
    }
  }

  const Json &modules;
  std::string top;
  CellNetlist netlist;
};

/// Modules whose outputs are sums of all their inputs, so that each has a path from the registers
/// in front of it.
std::string standIns(const Json &design) {
  std::string text;
  for (const auto &[name, module] : design.at("modules").items()) {
    if (!llvm::StringRef(name).ends_with(kMemoryModules))
      continue;
    std::vector<std::string> ports, inputs, lines;
    for (const auto &[port, described] : module.at("ports").items()) {
      bool isInput = described.at("direction") == "input";
      ports.push_back(port);
      lines.push_back(fmt::format("{} [{}:0] {};", isInput ? "input" : "output",
                                  described.at("bits").size() - 1, port));
      if (isInput && port != "clk")
        inputs.push_back("^" + port);
    }
    for (const auto &[port, described] : module.at("ports").items())
      if (described.at("direction") == "output")
        lines.push_back(
            fmt::format("assign {} = {{{}{{{}}}}};", port, described.at("bits").size(),
                        inputs.empty() ? "1'b0" : fmt::format("{}", fmt::join(inputs, " ^ "))));
    text += fmt::format("module {}({});\n  {}\nendmodule\n", name, fmt::join(ports, ", "),
                        fmt::join(lines, "\n  "));
  }
  return text;
}

} // namespace

llvm::Expected<CellNetlist> makeCellNetlist(const Yosys &yosys) {
  std::string all = std::string("*") + kMemoryModules;
  SPINDLE_RETURN_IF_ERROR(yosys.run(
      {fmt::format("setattr -mod -set keep_hierarchy 1 {}_*", yosys.top()),
       "proc",
       "flatten",
       "opt",
       "memory -nomap",
       "opt_clean",
       fmt::format("setattr -set submod \"memories\" t:$mem_v2 r:SIZE>{} %i", kMostRegisterWords),
       "submod",
       "setattr -mod -set keep_hierarchy 1 " + all,
       "select " + all,
       "write_verilog -noattr -selected memories.v",
       "select -clear",
       "write_json split.json",
       "blackbox " + all,
       fmt::format("synth -run coarse: -top {}", yosys.top()),
       "dfflibmap -liberty library.lib",
       "abc -liberty library.lib -constr library.constr",
       "opt_clean -purge",
       "splitnets",
       "rename -hide w:*",
       "rename -enumerate -pattern n%",
       "opt_clean",
       "tee -q -o library.txt stat -liberty library.lib",
       "write_verilog -noattr -noexpr -nohex cells-netlist.v",
       "read_liberty -lib library.lib",
       "write_json cells-netlist.json",
       "design -reset",
       "read_liberty -ignore_miss_func -ignore_miss_data_latch library.lib",
       "proc",
       "write_verilog -noattr library.v"},
      "power"));
  SPINDLE_ASSIGN(Json split, readJson(yosys.file("split.json")));
  SPINDLE_ASSIGN(std::string text,
                 parseJson<std::string>(yosys.file("split.json"), split, standIns));
  SPINDLE_ASSIGN(Json mappedCells, readJson(yosys.file("cells-netlist.json")));
  SPINDLE_ASSIGN(CellNetlist netlist,
                 parseJson<CellNetlist>(yosys.file("cells-netlist.json"), mappedCells,
                                        [&](const Json &design) {
                                          return NetlistReader(design, yosys.top()).read();
                                        }));
  SPINDLE_ASSIGN(std::string timed, readFile(yosys.file("cells-netlist.v")));
  if (!text.empty()) {
    SPINDLE_RETURN_IF_ERROR(writeFile(yosys.file("stand-ins.v"), text));
    SPINDLE_RETURN_IF_ERROR(
        yosys.run({"design -reset", "read_verilog stand-ins.v", "synth", "abc -liberty library.lib",
                   "opt_clean -purge", "splitnets", "opt_clean -purge",
                   "write_verilog -noattr -noexpr -nohex stand-ins-mapped.v"},
                  "stand-ins"));
    SPINDLE_ASSIGN(std::string mapped, readFile(yosys.file("stand-ins-mapped.v")));
    timed += mapped;
  }
  SPINDLE_RETURN_IF_ERROR(writeFile(yosys.file(netlist.timed), timed));
  netlist.sources = {"area/cells-netlist.v", "area/memories.v", "area/library.v"};
  return netlist;
}

} // namespace spindle::hls
