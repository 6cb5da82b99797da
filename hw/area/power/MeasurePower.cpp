#include "hw/area/power/MeasurePower.h"

#include "core/kernel/KernelInterface.h"
#include "core/support/files/File.h"
#include "hw/area/MeasureArea.h"
#include "hw/area/power/CellEnergies.h"
#include "hw/area/power/CellNetlist.h"
#include "hw/area/power/SignalActivity.h"
#include "hw/cosim/Cosim.h"
#include "hw/cosim/Process.h"

#include "fmt/format.h"

#include <filesystem>

namespace spindle::hls {

namespace {

/// The netlist on the inputs: how often its signals change.
llvm::Expected<SignalActivity> simulate(const std::string &folder, const CellNetlist &netlist,
                                        const PowerOptions &options, uint64_t &cycles) {
  CosimOptions run;
  run.runs = 1;
  if (!options.inputs.empty())
    run.in = {options.inputs};
  run.netlist = netlist.sources;
  run.hasWaveform = true;
  SPINDLE_ASSIGN(CosimResult result, cosim(folder, run));
  if (!result.problems.empty())
    return checkError(folder, "the netlist: " + result.problems.front());
  cycles = result.cycles.value_or(0);
  return readActivity(folder + "/" + run.netlistWork + "/waveform.vcd");
}

/// By parts, energies of a run.
std::map<std::string, LibraryPower::Part> addUp(const CellNetlist &netlist,
                                                const CellEnergies &energies,
                                                const SignalActivity &activity, double cycles,
                                                LibraryPower &power) {
  std::map<std::string, LibraryPower::Part> parts;
  for (size_t n = 0; n < netlist.cells.size(); ++n) {
    const LibraryCell &cell = netlist.cells[n];
    const CellEnergy &energy = energies.cells[n];
    LibraryPower::Part &part = parts[cell.part];
    part.name = cell.part;
    ++part.cells;
    part.leakagePj += energy.leakagePj * cycles;
    part.clockPj += energy.clockPj * cycles;
    for (const std::string &output : cell.outputs) {
      ++power.nets;
      auto found = activity.signals.find(output);
      if (found == activity.signals.end() || (found->second.changes > 0 && !energy.isKnown))
        continue;
      ++power.annotated;
      double changes = double(found->second.changes) * cycles / double(activity.cycles);
      part.dataPj += energy.changePj * changes / double(cell.outputs.size());
    }
  }
  return parts;
}

} // namespace

llvm::Expected<LibraryArea> measurePower(const std::string &folder, const PowerOptions &options) {
  SPINDLE_ASSIGN(std::string program, findProgram("yosys", "yosys"));
  SPINDLE_RETURN_IF_ERROR(findProgram("sta", "opensta").takeError());
  SPINDLE_RETURN_IF_ERROR(findProgram("verilator", "verilator").takeError());
  SPINDLE_ASSIGN(KernelInterface kernel, readKernelInterface(folder + "/kernel.json"));
  std::error_code code;
  std::filesystem::create_directories(folder + "/area", code);
  Yosys yosys(program, folder, kernel);
  SPINDLE_RETURN_IF_ERROR(copyLibrary(yosys, options.liberty));
  SPINDLE_ASSIGN(CellNetlist netlist, makeCellNetlist(yosys));
  LibraryArea area;
  area.library = std::filesystem::path(options.liberty).filename().string();
  area.cells = netlist.cells.size();
  SPINDLE_ASSIGN(area.squareMicrometres, areaIn(yosys.file("library.txt"), options.liberty));
  LibraryPower &power = area.power.emplace();
  power.samples = options.samples;
  SPINDLE_ASSIGN(SignalActivity activity, simulate(folder, netlist, options, power.cycles));
  std::vector<std::string> paths;
  for (const LibraryCell &cell : netlist.cells)
    paths.push_back(cell.path);
  SPINDLE_ASSIGN(CellEnergies energies, cellEnergies(yosys.workFolder(), netlist.timed, kernel.top,
                                                     kernel.clockPeriodNs, paths));
  power.tool = energies.tool;
  for (auto &[name, part] : addUp(netlist, energies, activity, double(power.cycles), power)) {
    auto samples = double(options.samples);
    part.leakagePj /= samples;
    part.clockPj /= samples;
    part.dataPj /= samples;
    power.parts.push_back(part);
  }
  return area;
}

} // namespace spindle::hls
