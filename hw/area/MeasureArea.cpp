#include "hw/area/MeasureArea.h"

#include "core/kernel/KernelInterface.h"
#include "core/support/files/File.h"
#include "core/support/formats/Json.h"
#include "hw/area/StaticTiming.h"
#include "hw/cosim/Process.h"

#include "fmt/format.h"
#include "fmt/ranges.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"

#include <algorithm>
#include <filesystem>
#include <functional>
#include <regex>

namespace spindle::hls {

namespace {

/// Yosys on the sources of one kernel; everything below folder/area.
class Yosys {
public:
  Yosys(std::string program, std::string kernelFolder, const KernelInterface &interface)
      : yosys(std::move(program)), folder(std::move(kernelFolder)), kernel(interface) {}

  /// Runs the commands after the design is read; `log` names the log.
  llvm::Error run(const std::vector<std::string> &commands, const std::string &log) const {
    std::vector<std::string> sources;
    for (const std::string &source : kernel.sources)
      sources.push_back("../" + source);
    std::string script =
        fmt::format("read_verilog -sv {}\nhierarchy -check -top {}\n{}\n", fmt::join(sources, " "),
                    kernel.top, fmt::join(commands, "\n"));
    SPINDLE_RETURN_IF_ERROR(writeFile(file(log + ".ys"), script));
    return runProgram({yosys, "-q", "-s", log + ".ys"}, folder + "/area", file(log + ".log"));
  }
  std::string file(const std::string &name) const { return folder + "/area/" + name; }

private:
  std::string yosys, folder;
  const KernelInterface &kernel;
};

/// Instances of units, by kind: they are called `mulf_f64_0`, in a design without other levels
/// `circuit1.nest0.mulf_f64_0`. FIFOs are none.
llvm::Expected<std::map<std::string, uint32_t>> unitsIn(const std::string &path) {
  SPINDLE_ASSIGN(std::string text, readFile(path));
  std::map<std::string, uint32_t> units;
  for (llvm::StringRef line : llvm::split(llvm::StringRef(text).trim(), '\n')) {
    auto [module, instance] = line.trim().rsplit('/');
    if (!instance.empty() && !module.contains("spindle_")) // parts of a unit are no units
      ++units[instance.drop_front(instance.rfind('.') + 1).rsplit('_').first.str()];
  }
  return units;
}

/// Counts of the flattened top module, by type of cell.
llvm::Expected<std::map<std::string, uint64_t>> cellsIn(const std::string &path) {
  SPINDLE_ASSIGN(Json json, readJson(path));
  return parseJson<std::map<std::string, uint64_t>>(path, json, [](const Json &stat) {
    std::map<std::string, uint64_t> cells;
    for (const auto &[type, count] : stat.at("design").at("num_cells_by_type").items())
      cells[type] = count.get<uint64_t>();
    return cells;
  });
}

uint64_t countCells(const std::map<std::string, uint64_t> &cells,
                    const std::function<bool(llvm::StringRef)> &fits) {
  uint64_t total = 0;
  for (const auto &[type, number] : cells)
    total += fits(type) ? number : 0;
  return total;
}

/// LUTs as logic, shift registers and small memories.
bool isLut(llvm::StringRef type) {
  bool isSmallMemory = type.consume_front("RAM") && !type.empty() && llvm::isDigit(type[0]);
  return isSmallMemory || type.starts_with("LUT") || type.starts_with("SRL") || type == "INV";
}

llvm::Expected<std::string> version(const std::string &yosys, const std::string &folder) {
  std::string log = folder + "/version.log";
  SPINDLE_RETURN_IF_ERROR(runProgram({yosys, "-V"}, folder, log));
  SPINDLE_ASSIGN(std::string text, readFile(log));
  auto [name, rest] = llvm::StringRef(text).split(' ');
  return (name + " " + rest.split(' ').first).str();
}

llvm::Error measureDevice(const Yosys &yosys, KernelArea &area) {
  SPINDLE_RETURN_IF_ERROR(yosys.run(
      {// A module that is there twice has its units twice.
       "design -push-copy", "setattr -mod -set keep_hierarchy 1 *spindle_*", "flatten",
       "tee -q -o units.txt select -list t:*spindle_* t:*spindle_fifo* %d", "design -pop",
       fmt::format("synth_xilinx -family xc7 -flatten -noiopad "
                   "-noclkbuf -top {}",
                   area.kernel),
       "tee -q -o cells.json stat -json"},
      "xc7"));
  SPINDLE_ASSIGN(area.units, unitsIn(yosys.file("units.txt")));
  SPINDLE_ASSIGN(auto cells, cellsIn(yosys.file("cells.json")));
  area.lut = countCells(cells, isLut);
  area.ff = countCells(cells, [](llvm::StringRef type) { return type.starts_with("FD"); });
  area.dsp = countCells(cells, [](llvm::StringRef type) { return type.starts_with("DSP"); });
  area.bram =
      double(countCells(cells, [](llvm::StringRef type) { return type.starts_with("RAMB36"); })) +
      double(countCells(cells, [](llvm::StringRef type) { return type.starts_with("RAMB18"); })) /
          2;
  return llvm::Error::success();
}

/// Memories become flip-flops, as a library of cells has none.
llvm::Expected<LibraryArea> mapToLibrary(const Yosys &yosys, const std::string &liberty) {
  std::string path = std::filesystem::absolute(liberty).string();
  SPINDLE_ASSIGN(std::string text, readMaybeGzip(path));
  SPINDLE_RETURN_IF_ERROR(writeFile(yosys.file("library.lib"), text));
  // Without a load and a driver abc neither sizes nor buffers.
  SPINDLE_RETURN_IF_ERROR(writeFile(yosys.file("library.constr"), "set_load 0.01\n"));
  SPINDLE_RETURN_IF_ERROR(yosys.run(
      {"synth -flatten", "dfflibmap -liberty library.lib",
       "abc -liberty library.lib -constr library.constr", "opt_clean -purge",
       "tee -q -o library.json stat -json", "tee -q -o library.txt stat -liberty library.lib",
       // OpenSTA reads no assignments to concatenations.
       "splitnets", "opt_clean -purge", "write_verilog -noattr -noexpr -nohex mapped.v"},
      "library"));
  std::string report = yosys.file("library.json");
  SPINDLE_ASSIGN(std::string table, readFile(yosys.file("library.txt")));
  // Yosys 0.23 says the area in its table only.
  static const std::regex areaLine("Chip area for (?:top )?module '[^']*': ([0-9.eE+]+)");
  std::smatch found;
  if (!std::regex_search(table, found, areaLine))
    return checkError(liberty, "yosys reports no area for the cells of this library");
  double squareMicrometres = std::stod(found[1]);
  SPINDLE_ASSIGN(Json json, readJson(report));
  return parseJson<LibraryArea>(report, json, [&](const Json &stat) {
    LibraryArea area;
    area.library = std::filesystem::path(liberty).filename().string();
    area.squareMicrometres = squareMicrometres;
    area.cells = stat.at("design").at("num_cells").get<uint64_t>();
    return area;
  });
}

llvm::Expected<LibraryArea> measureLibrary(const Yosys &yosys, const KernelInterface &kernel,
                                           const AreaOptions &options) {
  SPINDLE_ASSIGN(LibraryArea area, mapToLibrary(yosys, options.liberty));
  if (options.hasTiming) {
    SPINDLE_ASSIGN(area.timing, measureTiming(yosys.file("."), kernel.top, kernel.clockPeriodNs));
  }
  return area;
}

std::string unitText(const std::map<std::string, uint32_t> &units) {
  std::vector<std::string> parts;
  for (const auto &[kind, number] : units)
    parts.push_back(fmt::format("{} {}", number, kind));
  return parts.empty() ? "none" : fmt::format("{}", fmt::join(parts, ", "));
}

} // namespace

llvm::Expected<KernelArea> measureArea(const std::string &folder, const AreaOptions &options) {
  SPINDLE_ASSIGN(std::string program, findProgram("yosys", "yosys"));
  if (options.hasTiming) // before Yosys takes its minutes
    SPINDLE_RETURN_IF_ERROR(findProgram("sta", "opensta").takeError());
  SPINDLE_ASSIGN(KernelInterface kernel, readKernelInterface(folder + "/kernel.json"));
  std::error_code code;
  std::filesystem::create_directories(folder + "/area", code);
  if (code)
    return inputError(folder + "/area",
                      fmt::format("cannot create the folder: {}", code.message()));
  Yosys yosys(program, folder, kernel);
  KernelArea area;
  area.kernel = kernel.top;
  SPINDLE_ASSIGN(area.tool, version(program, folder + "/area"));
  SPINDLE_RETURN_IF_ERROR(measureDevice(yosys, area));
  if (area.units != kernel.units)
    return checkError(folder, fmt::format("the netlist has the units {}, kernel.json {}",
                                          unitText(area.units), unitText(kernel.units)));
  if (!options.liberty.empty()) {
    SPINDLE_ASSIGN(area.library, measureLibrary(yosys, kernel, options));
  }
  return area;
}

} // namespace spindle::hls
