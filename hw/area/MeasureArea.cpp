#include "hw/area/MeasureArea.h"

#include "core/kernel/BusInterface.h"
#include "core/kernel/KernelInterface.h"
#include "core/support/files/File.h"
#include "core/support/formats/Json.h"
#include "hw/area/PlaceAndRoute.h"
#include "hw/area/StaticTiming.h"
#include "hw/area/Yosys.h"
#include "hw/cosim/Process.h"

#include "fmt/format.h"
#include "fmt/ranges.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"

#include <algorithm>
#include <filesystem>
#include <functional>

namespace spindle::hls {

namespace {

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

uint64_t countCells(const CellCounts &cells, const std::function<bool(llvm::StringRef)> &fits) {
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

/// LUTs that a cell of LUT RAM takes (Xilinx UG474, distributed RAM).
uint64_t lutsOfRam(llvm::StringRef type) {
  static constexpr std::pair<const char *, uint64_t> kCells[] = {
      {"RAM32M", 4},    {"RAM64M", 4},    {"RAM32X1D", 2},  {"RAM64X1D", 2},
      {"RAM128X1D", 4}, {"RAM128X1S", 2}, {"RAM256X1S", 4}, {"RAM32X2S", 2}};
  for (const auto &[cell, luts] : kCells)
    if (type == cell)
      return luts;
  return 1;
}

AreaPart partOf(const std::string &name, const CellCounts &cells) {
  auto starting = [&](const char *prefix) {
    return countCells(cells, [&](llvm::StringRef type) { return type.starts_with(prefix); });
  };
  AreaPart part{name, countCells(cells, isLut), starting("FD"), starting("DSP"),
                double(starting("RAMB36")) + double(starting("RAMB18")) / 2};
  for (const auto &[type, count] : cells)
    part.lutRam += count * (lutsOfRam(type) - 1);
  return part;
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
  AreaPart whole = partOf("", cells);
  area.lut = whole.lut;
  area.lutRam = whole.lutRam;
  area.ff = whole.ff;
  area.dsp = whole.dsp;
  area.bram = whole.bram;
  return llvm::Error::success();
}

/// The wrapper by itself, around a kernel of which only the ports are known.
llvm::Error measureBus(const std::string &program, const std::string &folder,
                       KernelInterface kernel, KernelArea &area) {
  SPINDLE_ASSIGN(BusInterface bus, readBusInterface(folder + "/axi.json"));
  kernel.top = bus.top;
  kernel.sources = bus.sources;
  Yosys yosys(program, folder, kernel);
  SPINDLE_RETURN_IF_ERROR(yosys.run(
      {fmt::format("blackbox {}", area.kernel), fmt::format("hierarchy -top {}", bus.top),
       fmt::format("synth_xilinx -family xc7 -flatten -noiopad -noclkbuf -top {}", bus.top),
       "tee -q -o bus.json stat -json"},
      "bus"));
  SPINDLE_ASSIGN(auto cells, cellsIn(yosys.file("bus.json")));
  area.bus = partOf(bus.top, cells);
  return llvm::Error::success();
}

using Modules = std::map<std::string, CellCounts>; // cells by type

/// Yosys prints the tree of modules into its JSON where it is deeper than two: lines of a name and
/// a number, without the quotes and braces that each line of the JSON has.
llvm::Error removeTree(const std::string &path) {
  SPINDLE_ASSIGN(std::string text, readFile(path));
  std::string kept;
  for (llvm::StringRef line : llvm::split(llvm::StringRef(text), '\n'))
    if (line.find_first_of("\"{}") != llvm::StringRef::npos)
      kept += line.str() + "\n";
  return writeFile(path, kept);
}

llvm::Expected<Modules> modulesIn(const std::string &path) {
  SPINDLE_RETURN_IF_ERROR(removeTree(path));
  SPINDLE_ASSIGN(Json json, readJson(path));
  return parseJson<Modules>(path, json, [](const Json &stat) {
    Modules modules;
    for (const auto &[name, module] : stat.at("modules").items())
      for (const auto &[type, count] : module.at("num_cells_by_type").items())
        modules[llvm::StringRef(name).ltrim('\\').str()][llvm::StringRef(type).ltrim('\\').str()] =
            count.get<uint64_t>();
    return modules;
  });
}

/// Cells of a module with those of all in it, so many times.
void addModule(const Modules &modules, const std::string &name, uint64_t times, CellCounts &cells) {
  for (const auto &[type, count] : modules.at(name))
    if (modules.count(type))
      addModule(modules, type, times * count, cells);
    else
      cells[type] += times * count;
}

constexpr const char *kMemoryCells[] = {"RAMB18E1",  "RAMB36E1", "RAM32M",    "RAM64M",
                                        "RAM32X1D",  "RAM64X1D", "RAM128X1D", "RAM128X1S",
                                        "RAM256X1S", "RAM32X2S"};

/// Cells of the memories in the top module, by the memory: they are called `local0_b0.0.1`.
llvm::Expected<Modules> memoriesIn(const Yosys &yosys) {
  Modules memories;
  for (const char *type : kMemoryCells) {
    SPINDLE_ASSIGN(std::string text, readFile(yosys.file(std::string(type) + ".txt")));
    for (llvm::StringRef line : llvm::split(llvm::StringRef(text).trim(), '\n'))
      if (llvm::StringRef cell = line.trim().rsplit('/').second; !cell.empty())
        ++memories[cell.split('.').first.str()][type];
  }
  return memories;
}

/// Kernels, managers, memories and what joins them.
llvm::Error measureSystem(const Yosys &yosys, const Modules &modules, KernelArea &area) {
  SPINDLE_ASSIGN(Modules memories, memoriesIn(yosys));
  CellCounts rest;
  for (const auto &[type, count] : modules.at(area.kernel)) {
    if (!modules.count(type)) {
      rest[type] += count;
      continue;
    }
    CellCounts cells;
    addModule(modules, type, count, cells);
    area.parts.push_back(partOf(count > 1 ? fmt::format("{} of {}", count, type) : type, cells));
  }
  for (const auto &[name, cells] : memories) {
    for (const auto &[type, count] : cells)
      rest[type] -= count;
    area.parts.push_back(partOf("memory " + name, cells));
  }
  area.parts.push_back(partOf("what joins them", rest));
  return llvm::Error::success();
}

/// Borders of modules are kept, so that nothing of one part is merged into another.
llvm::Error measureParts(const Yosys &yosys, KernelArea &area, bool isSystem) {
  std::vector<std::string> commands{
      fmt::format("synth_xilinx -family xc7 -noiopad -noclkbuf -top {}", area.kernel),
      "tee -q -o modules.json stat -json"};
  for (const char *type : kMemoryCells)
    if (isSystem)
      commands.push_back(
          fmt::format("tee -q -o {0}.txt select -list {1}/t:{0}", type, area.kernel));
  SPINDLE_RETURN_IF_ERROR(yosys.run(commands, "parts"));
  SPINDLE_ASSIGN(Modules modules, modulesIn(yosys.file("modules.json")));
  if (isSystem)
    return measureSystem(yosys, modules, area);
  std::map<std::string, CellCounts> parts;
  for (const auto &[type, count] : modules[area.kernel]) {
    llvm::StringRef name = type;
    if (!modules.count(type))
      parts["memories and control"][type] += count;
    else if (name.consume_front(area.kernel + "_"))
      addModule(modules, type, count, parts[name.str()]);
    else
      addModule(modules, type, count, parts[name.contains("spindle_fifo") ? "streams" : "units"]);
  }
  for (const auto &[name, cells] : parts)
    area.parts.push_back(partOf(name, cells));
  return llvm::Error::success();
}

/// Memories become flip-flops, as a library of cells has none.
llvm::Expected<LibraryArea> mapToLibrary(const Yosys &yosys, const std::string &liberty) {
  SPINDLE_RETURN_IF_ERROR(copyLibrary(yosys, liberty));
  SPINDLE_RETURN_IF_ERROR(yosys.run(
      {"synth -flatten", "dfflibmap -liberty library.lib",
       "abc -liberty library.lib -constr library.constr", "opt_clean -purge",
       "tee -q -o library.json stat -json", "tee -q -o library.txt stat -liberty library.lib",
       // OpenSTA reads no assignments to concatenations.
       "splitnets", "opt_clean -purge", "write_verilog -noattr -noexpr -nohex mapped.v"},
      "library"));
  std::string report = yosys.file("library.json");
  SPINDLE_ASSIGN(double squareMicrometres, areaIn(yosys.file("library.txt"), liberty));
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
  // Before Yosys takes its minutes.
  if (options.hasTiming)
    SPINDLE_RETURN_IF_ERROR(findProgram("sta", "opensta").takeError());
  if (options.isRouted)
    SPINDLE_RETURN_IF_ERROR(findProgram("nextpnr-ice40", "nextpnr-ice40").takeError());
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
  if (options.hasParts)
    SPINDLE_RETURN_IF_ERROR(measureParts(yosys, area, options.isSystem));
  if (options.hasBus)
    SPINDLE_RETURN_IF_ERROR(measureBus(program, folder, kernel, area));
  if (!options.liberty.empty()) {
    SPINDLE_ASSIGN(area.library, measureLibrary(yosys, kernel, options));
  }
  if (options.isRouted) {
    SPINDLE_ASSIGN(area.routed, routeForIce40(yosys, kernel.clockPeriodNs));
  }
  return area;
}

} // namespace spindle::hls
