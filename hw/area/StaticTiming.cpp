#include "hw/area/StaticTiming.h"

#include "core/support/files/File.h"
#include "hw/cosim/Process.h"

#include "fmt/format.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"

#include <map>

namespace spindle::hls {

/// Ends of paths are pins of cells without names; registers are known by the net that they drive.
constexpr const char *kScript = R"(read_liberty library.lib
set_cmd_units -time ns
read_verilog mapped.v
link_design {0}
create_clock -name clk -period {1} [get_ports clk]
foreach port [all_inputs] {{
  if {{[get_full_name $port] != "clk"}} {{ set_input_delay 0 -clock clk $port }}
}}
set_output_delay 0 -clock clk [all_outputs]
proc register_of {{pin}} {{
  set name [get_full_name $pin]
  set cell [string range $name 0 [expr [string last / $name] - 1]]
  foreach output {{Q Q_N QN}} {{
    if {{![catch {{get_nets -of_objects [get_pins -quiet $cell/$output]}} nets] && [llength $nets]}} {{
      return [get_full_name [lindex $nets 0]]
    }}
  }}
  return $name
}}
set paths {{}}
if {{[llength [get_ports -quiet clk]]}} {{ set paths [find_timing_paths -path_delay max] }}
foreach path $paths {{
  puts "slack_ns [get_property $path slack]"
  puts "from [register_of [get_property $path startpoint]]"
  puts "to [register_of [get_property $path endpoint]]"
}}
)";

llvm::Expected<LibraryTiming> measureTiming(const std::string &folder, const std::string &top,
                                            double periodNs) {
  SPINDLE_ASSIGN(std::string sta, findProgram("sta", "opensta"));
  SPINDLE_RETURN_IF_ERROR(writeFile(folder + "/timing.tcl", fmt::format(kScript, top, periodNs)));
  std::string log = folder + "/timing.log";
  SPINDLE_RETURN_IF_ERROR(runProgram({sta, "-version"}, folder, log));
  SPINDLE_ASSIGN(std::string version, readFile(log));
  SPINDLE_RETURN_IF_ERROR(
      runProgram({sta, "-no_init", "-no_splash", "-exit", "timing.tcl"}, folder, log));
  SPINDLE_ASSIGN(std::string text, readFile(log));
  std::map<std::string, std::string> found;
  for (llvm::StringRef line : llvm::split(llvm::StringRef(text).trim(), '\n')) {
    auto [key, value] = line.split(' ');
    found[key.str()] = value.str();
  }
  LibraryTiming timing;
  timing.tool = "OpenSTA " + llvm::StringRef(version).trim().str();
  timing.periodNs = periodNs;
  // OpenSTA goes on after errors, with a netlist that is not the one that was written.
  if (found.count("Error:") || llvm::StringRef(found["slack_ns"]).getAsDouble(timing.worstSlackNs))
    return checkError(log, "OpenSTA finds no path, or has not understood the netlist");
  timing.from = found["from"];
  timing.to = found["to"];
  return timing;
}

} // namespace spindle::hls
