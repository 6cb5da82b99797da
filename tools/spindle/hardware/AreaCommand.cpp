// `area`: what a synthesised kernel takes of a device, by Yosys.
#include "tools/spindle/hardware/HardwareCommands.h"

#include "core/support/files/FolderLock.h"
#include "hw/area/MeasureArea.h"

#include "CLI/CLI.hpp"
#include "fmt/format.h"

#include <memory>

namespace spindle {

static llvm::Error runArea(const std::string &folder, const hls::AreaOptions &options) {
  SPINDLE_ASSIGN(FolderLock lock, FolderLock::take(folder));
  SPINDLE_ASSIGN(hls::KernelArea area, hls::measureArea(folder, options));
  SPINDLE_RETURN_IF_ERROR(hls::writeKernelArea(folder + "/area.json", area));
  fmt::print("area      {}: {} LUT, {} FF, {} DSP, {} BRAM by {} for xc7\n", area.kernel, area.lut,
             area.ff, area.dsp, area.bram, area.tool);
  if (!area.library)
    return llvm::Error::success();
  fmt::print("area      {}: {:.0f} µm², {} cells of {}\n", area.kernel,
             area.library->squareMicrometres, area.library->cells, area.library->library);
  if (const std::optional<hls::LibraryTiming> &timing = area.library->timing)
    fmt::print("timing    {}: least period {:.2f} ns, slack {:.2f} ns at {} ns, from {} to {}, "
               "without wires, by {}\n",
               area.kernel, timing->leastPeriodNs(), timing->worstSlackNs, timing->periodNs,
               timing->from, timing->to, timing->tool);
  return llvm::Error::success();
}

void addAreaCommand(CLI::App &app, Command &command) {
  struct Arguments {
    std::string folder;
    hls::AreaOptions options;
  };
  auto arguments = std::make_shared<Arguments>();
  CLI::App *sub = app.add_subcommand("area", "count what a synthesised kernel takes of a device");
  sub->add_option("folder", arguments->folder, "what synth made (kernel.json)")
      ->required()
      ->type_name("FOLDER");
  CLI::Option *liberty =
      sub->add_option("--liberty", arguments->options.liberty,
                      "also the area in the cells of this library (.lib, .lib.gz)")
          ->type_name("FILE");
  sub->add_flag("--timing", arguments->options.hasTiming,
                "and the slowest path in these cells at the target's clock, by OpenSTA")
      ->needs(liberty);
  sub->callback(
      [=, &command] { command = [=] { return runArea(arguments->folder, arguments->options); }; });
}

} // namespace spindle
