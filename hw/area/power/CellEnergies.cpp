#include "hw/area/power/CellEnergies.h"

#include "core/support/files/File.h"
#include "hw/cosim/Process.h"

#include "fmt/format.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"

namespace spindle::hls {

/// A line per cell: internal and switching power without and with a change, and leakage, in watts.
constexpr const char *kPowerScript = R"(read_liberty library.lib
set_cmd_units -time ns
read_verilog {0}
link_design {1}
create_clock -name clk -period {2} [get_ports clk]
foreach port [all_inputs] {{
  if {{[get_full_name $port] != "clk"}} {{ set_input_delay 0 -clock clk $port }}
}}
set_output_delay 0 -clock clk [all_outputs]
set corner [sta::cmd_corner]
set paths [split [string trim [read [open power-cells.txt]]] "\n"]
set cells {{}}
foreach path $paths {{ lappend cells [get_cells $path] }}
foreach changes {{0 1}} {{
  sta::set_power_global_activity $changes 0.5
  foreach cell $cells {{ lappend power($changes) [sta::instance_power $cell $corner] }}
}}
set out [open power.txt w]
foreach still $power(0) moving $power(1) {{
  puts $out "[lindex $still 0] [lindex $still 1] [lindex $moving 0] [lindex $moving 1] [lindex $still 2]"
}}
close $out
)";

llvm::Expected<CellEnergies> cellEnergies(const std::string &folder, const std::string &netlist,
                                          const std::string &top, double periodNs,
                                          const std::vector<std::string> &paths) {
  SPINDLE_ASSIGN(std::string sta, findProgram("sta", "opensta"));
  CellEnergies found;
  std::string log = folder + "/power.log";
  SPINDLE_RETURN_IF_ERROR(runProgram({sta, "-version"}, folder, log));
  SPINDLE_ASSIGN(std::string version, readFile(log));
  found.tool = "OpenSTA " + llvm::StringRef(version).trim().str();
  SPINDLE_RETURN_IF_ERROR(writeFile(folder + "/power-cells.txt", llvm::join(paths, "\n") + "\n"));
  SPINDLE_RETURN_IF_ERROR(
      writeFile(folder + "/power.tcl", fmt::format(kPowerScript, netlist, top, periodNs)));
  SPINDLE_RETURN_IF_ERROR(writeFile(folder + "/power.txt", ""));
  SPINDLE_RETURN_IF_ERROR(
      runProgram({sta, "-no_init", "-no_splash", "-exit", "power.tcl"}, folder, log));
  SPINDLE_ASSIGN(std::string text, readFile(folder + "/power.txt"));
  for (llvm::StringRef line : llvm::split(llvm::StringRef(text).trim(), '\n')) {
    llvm::SmallVector<llvm::StringRef> words;
    line.split(words, ' ');
    double watts[5] = {};
    for (size_t n = 0; n < 5; ++n)
      if (words.size() != 5 || words[n].getAsDouble(watts[n]))
        return checkError(log, "OpenSTA has not understood the netlist");
    double toPj = 1e3 * periodNs; // of watts in a cycle
    double still = watts[0] + watts[1], moving = watts[2] + watts[3];
    bool isKnown = watts[1] != watts[3] || watts[1] == 0;
    found.cells.push_back({watts[4] * toPj, still * toPj, (moving - still) * toPj, isKnown});
  }
  // OpenSTA goes on after errors, with a netlist that is not the one that was written.
  if (found.cells.size() != paths.size())
    return checkError(log, fmt::format("OpenSTA knows {} of {} cells of the netlist",
                                       found.cells.size(), paths.size()));
  return found;
}

} // namespace spindle::hls
