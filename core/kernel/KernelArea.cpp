#include "core/kernel/KernelArea.h"

#include "core/support/formats/JsonMapping.h"

namespace spindle::hls {

static constexpr FileFormat kKernelAreaFormat = {"spindle-kernel-area", 1};

static void describe(auto &file, MaybeConst<LibraryTiming> auto &timing) {
  file.field("tool", timing.tool);
  file.field("clock_period_ns", timing.periodNs);
  file.field("worst_slack_ns", timing.worstSlackNs);
  file.derived("least_period_ns", [&] { return timing.leastPeriodNs(); });
  file.field("from", timing.from);
  file.field("to", timing.to);
}

static void describe(auto &file, MaybeConst<LibraryPower> auto &power) {
  file.field("tool", power.tool);
  file.field("samples", power.samples);
  file.field("cycles", power.cycles);
  file.field("nets", power.nets);
  file.field("annotated", power.annotated);
  file.list("parts", power.parts, [](auto &entry, auto &part) {
    entry.field("name", part.name);
    entry.field("cells", part.cells);
    entry.field("leakage_pj", part.leakagePj);
    entry.field("clock_pj", part.clockPj);
    entry.field("data_pj", part.dataPj);
  });
}

static void describe(auto &file, MaybeConst<LibraryArea> auto &area) {
  file.field("file", area.library);
  file.field("area_um2", area.squareMicrometres);
  file.field("cells", area.cells);
  file.optional("timing", area.timing);
  file.optional("power", area.power);
}

static void describe(auto &file, MaybeConst<RoutedArea> auto &area) {
  file.field("tool", area.tool);
  file.field("device", area.device);
  file.field("logic_cells", area.logicCells);
  file.field("memories", area.memories);
  file.field("pins", area.pins);
  file.fieldUnless("shift_registers", area.hasShiftRegisters, false);
  file.field("clock_mhz", area.megahertz);
  file.field("target_mhz", area.targetMegahertz);
}

static void describe(auto &file, MaybeConst<AreaPart> auto &part) {
  file.field("name", part.name);
  file.field("lut", part.lut);
  file.fieldUnless("lut_ram", part.lutRam, 0);
  file.field("ff", part.ff);
  file.field("dsp", part.dsp);
  file.field("bram", part.bram);
}

static void describe(auto &file, MaybeConst<KernelArea> auto &area) {
  file.field("kernel", area.kernel);
  file.field("tool", area.tool);
  file.field("lut", area.lut);
  file.fieldUnless("lut_ram", area.lutRam, 0);
  file.field("ff", area.ff);
  file.field("dsp", area.dsp);
  file.field("bram", area.bram);
  file.field("units", area.units);
  file.optional("library", area.library);
  file.optional("routed", area.routed);
  file.fieldUnless("parts", area.parts, {});
  file.optional("bus", area.bus);
}

llvm::Error writeKernelArea(const std::string &path, const KernelArea &area) {
  return writeDescribed(path, kKernelAreaFormat, area);
}

llvm::Expected<KernelArea> readKernelArea(const std::string &path) {
  return readDescribed<KernelArea>(path, kKernelAreaFormat);
}

} // namespace spindle::hls
