// `area`: what a synthesised kernel takes of a device, by Yosys.
#include "tools/spindle/hardware/HardwareCommands.h"

#include "core/network/HardwareNetwork.h"
#include "core/support/files/File.h"
#include "core/support/files/FolderLock.h"
#include "hw/area/MeasureArea.h"
#include "hw/area/power/MeasurePower.h"
#include "tools/spindle/hardware/HardwareFiles.h"

#include "CLI/CLI.hpp"
#include "fmt/format.h"

#include <filesystem>
#include <map>
#include <memory>

namespace spindle {

/// Layer by layer: the tasks of each, mapped by themselves, beside the estimate, which has their
/// memories and streams, too.
static llvm::Error printLayers(const std::string &folder, const hls::KernelArea &area) {
  SPINDLE_ASSIGN(HardwareNetwork network, readHardwareNetwork(folder + "/hardware.json"));
  std::map<std::string, std::string> layerOf; // by task
  for (const HardwareLayer &layer : network.layers)
    for (const std::string &task : layer.tasks)
      layerOf[task] = layer.name;
  std::map<std::string, hls::AreaPart> found;
  std::vector<std::string> order;
  for (const HardwareLayer &layer : network.layers)
    order.push_back(layer.name);
  for (const hls::AreaPart &part : area.parts) {
    auto layer = layerOf.find(part.name);
    const std::string &name = layer == layerOf.end() ? part.name : layer->second;
    hls::AreaPart &sum = found[name];
    if (!llvm::is_contained(order, name))
      order.push_back(name);
    sum.lut += part.lut;
    sum.lutRam += part.lutRam;
    sum.ff += part.ff;
    sum.dsp += part.dsp;
    sum.bram += part.bram;
  }
  for (const std::string &name : order) {
    const hls::AreaPart &part = found[name];
    if (part.lut + part.ff + part.dsp == 0 && part.bram == 0)
      continue;
    fmt::print("area      {}: {} LUT, {} more in LUT RAM, {} FF, {} DSP, {} BRAM by itself", name,
               part.lut, part.lutRam, part.ff, part.dsp, part.bram);
    for (const HardwareLayer &layer : network.layers)
      if (layer.name == name && layer.estimate)
        fmt::print("; estimate with memories and streams {}", hls::areaText(*layer.estimate));
    fmt::print("\n");
  }
  return llvm::Error::success();
}

/// Kernels, managers, memories, each mapped by itself.
static void printSystem(const hls::KernelArea &area) {
  for (const hls::AreaPart &part : area.parts)
    if (part.lut + part.ff + part.dsp > 0 || part.bram > 0)
      fmt::print("area      {}: {} LUT, {} more in LUT RAM, {} FF, {} DSP, {} BRAM by itself\n",
                 part.name, part.lut, part.lutRam, part.ff, part.dsp, part.bram);
}

/// Arrays behind a bus are memories of the wrapper.
static void printBus(const hls::AreaPart &bus) {
  fmt::print("area      {}: {} LUT, {} more in LUT RAM, {} FF, {} BRAM beside the kernel\n",
             bus.name, bus.lut, bus.lutRam, bus.ff, bus.bram);
}

static void printRouted(const std::string &kernel, const hls::RoutedArea &area) {
  fmt::print(
      "routed    {}: {} logic cells, {} memory blocks, {:.1f} MHz (target {:g}) on {}{} by {}\n",
      kernel, area.logicCells, area.memories, area.megahertz, area.targetMegahertz, area.device,
      area.hasShiftRegisters ? fmt::format(", {} bits of ports behind shift registers", area.pins)
                             : "",
      area.tool);
}

static void printLibrary(const std::string &kernel, const hls::LibraryArea &library) {
  fmt::print("area      {}: {:.0f} µm², {} cells of {}\n", kernel, library.squareMicrometres,
             library.cells, library.library);
  if (const std::optional<hls::LibraryTiming> &timing = library.timing)
    fmt::print("timing    {}: least period {:.2f} ns, slack {:.2f} ns at {} ns, from {} to {}, "
               "without wires, by {}\n",
               kernel, timing->leastPeriodNs(), timing->worstSlackNs, timing->periodNs,
               timing->from, timing->to, timing->tool);
}

/// By layer, as the tasks say; what is for none is control and streams.
static llvm::Error printPower(const std::string &folder, const hls::LibraryPower &power) {
  SPINDLE_ASSIGN(HardwareNetwork network, readHardwareNetwork(folder + "/hardware.json"));
  std::map<std::string, std::string> layerOf; // by task
  for (const HardwareLayer &layer : network.layers)
    for (const std::string &task : layer.tasks)
      layerOf[task] = layer.name;
  std::map<std::string, hls::LibraryPower::Part> layers;
  double whole = 0;
  for (const hls::LibraryPower::Part &part : power.parts) {
    hls::LibraryPower::Part &sum =
        layers[layerOf.count(part.name) ? layerOf[part.name] : "streams and control"];
    sum.cells += part.cells;
    sum.leakagePj += part.leakagePj;
    sum.clockPj += part.clockPj;
    sum.dataPj += part.dataPj;
    whole += part.totalPj();
  }
  for (const auto &[name, part] : layers)
    fmt::print("power     {}: {:.1f} pJ a sample: {:.1f} clock, {:.1f} data, {:.1f} leakage, in {} "
               "cells\n",
               name, part.totalPj(), part.clockPj, part.dataPj, part.leakagePj, part.cells);
  fmt::print("power     {:.1f} pJ a sample beside memories and wires, {} samples in {} cycles; "
             "activity of {} of {} nets by simulation; {}\n",
             whole, power.samples, power.cycles, power.annotated, power.nets, power.tool);
  return llvm::Error::success();
}

/// The first recorded samples in the cells of the library.
static llvm::Expected<hls::LibraryArea> powerOf(const std::string &folder,
                                                const std::string &liberty, uint32_t samples) {
  if (!isThere(folder + "/hardware.json"))
    return inputError(folder, "found no hardware.json, expected the circuit of a network, whose "
                              "recorded samples say what happens in it (--power)");
  hls::PowerOptions options{liberty, folder + "/area/samples.npz", samples};
  SPINDLE_RETURN_IF_ERROR(makeFolder(folder + "/area"));
  SPINDLE_RETURN_IF_ERROR(writeSampleInputs(folder, samples, options.inputs));
  return hls::measurePower(folder, options);
}

static llvm::Error runArea(const std::string &folder, hls::AreaOptions options,
                           uint32_t powerSamples) {
  SPINDLE_ASSIGN(FolderLock lock, FolderLock::take(folder));
  std::string liberty = options.liberty;
  if (powerSamples > 0) // its cells are counted without memories
    options.liberty.clear();
  bool isNetwork = isThere(folder + "/hardware.json");
  options.isSystem = isThere(folder + "/system.json");
  options.hasParts = isNetwork || options.isSystem;
  options.hasBus = isThere(folder + "/axi.json");
  SPINDLE_ASSIGN(hls::KernelArea area, hls::measureArea(folder, options));
  if (powerSamples > 0) {
    SPINDLE_ASSIGN(area.library, powerOf(folder, liberty, powerSamples));
  }
  SPINDLE_RETURN_IF_ERROR(hls::writeKernelArea(folder + "/area.json", area));
  fmt::print("area      {}: {} LUT, {} FF, {} DSP, {} BRAM by {} for xc7\n", area.kernel, area.lut,
             area.ff, area.dsp, area.bram, area.tool);
  if (area.lutRam > 0)
    fmt::print("area      {}: its cells of LUT RAM take {} LUTs more than one each\n", area.kernel,
               area.lutRam);
  if (isNetwork) {
    SPINDLE_RETURN_IF_ERROR(printLayers(folder, area));
  } else {
    printSystem(area);
  }
  if (area.bus)
    printBus(*area.bus);
  if (area.library)
    printLibrary(area.kernel, *area.library);
  if (area.library && area.library->power)
    SPINDLE_RETURN_IF_ERROR(printPower(folder, *area.library->power));
  if (area.routed)
    printRouted(area.kernel, *area.routed);
  return llvm::Error::success();
}

void addAreaCommand(CLI::App &app, Command &command) {
  struct Arguments {
    std::string folder;
    hls::AreaOptions options;
    uint32_t powerSamples = 0;
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
  CLI::Option *timing =
      sub->add_flag("--timing", arguments->options.hasTiming,
                    "and the slowest path in these cells at the target's clock, by OpenSTA")
          ->needs(liberty);
  sub->add_option("--power", arguments->powerSamples,
                  "of a network (90-hardware): the energy of its first recorded samples in these "
                  "cells, memories left out, by a simulation of the netlist and OpenSTA")
      ->type_name("SAMPLES")
      ->check(CLI::Range(1, 1000))
      ->needs(liberty)
      ->excludes(timing);
  sub->add_flag("--ice40", arguments->options.isRouted,
                "also placed and routed on an iCE40 HX8K by nextpnr: logic cells and clock");
  sub->callback([=, &command] {
    command = [=] {
      return runArea(arguments->folder, arguments->options, arguments->powerSamples);
    };
  });
}

} // namespace spindle
