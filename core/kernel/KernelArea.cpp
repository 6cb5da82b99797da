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

static void describe(auto &file, MaybeConst<LibraryArea> auto &area) {
  file.field("file", area.library);
  file.field("area_um2", area.squareMicrometres);
  file.field("cells", area.cells);
  file.optional("timing", area.timing);
}

static void describe(auto &file, MaybeConst<KernelArea> auto &area) {
  file.field("kernel", area.kernel);
  file.field("tool", area.tool);
  file.field("lut", area.lut);
  file.field("ff", area.ff);
  file.field("dsp", area.dsp);
  file.field("bram", area.bram);
  file.field("units", area.units);
  file.optional("library", area.library);
}

llvm::Error writeKernelArea(const std::string &path, const KernelArea &area) {
  return writeDescribed(path, kKernelAreaFormat, area);
}

llvm::Expected<KernelArea> readKernelArea(const std::string &path) {
  return readDescribed<KernelArea>(path, kKernelAreaFormat);
}

} // namespace spindle::hls
