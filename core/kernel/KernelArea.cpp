#include "core/kernel/KernelArea.h"

#include "core/support/formats/JsonValues.h"

namespace spindle::hls {

static constexpr FileFormat kKernelAreaFormat = {"spindle-kernel-area", 1};

static Json toJson(const LibraryTiming &timing) {
  return {{"tool", timing.tool},
          {"clock_period_ns", timing.periodNs},
          {"worst_slack_ns", timing.worstSlackNs},
          {"least_period_ns", timing.leastPeriodNs()},
          {"from", timing.from},
          {"to", timing.to}};
}

static LibraryTiming timingOf(const Json &json) {
  LibraryTiming timing;
  timing.tool = textAt(json, "tool");
  timing.periodNs = numberAt(json, "clock_period_ns");
  timing.worstSlackNs = numberAt(json, "worst_slack_ns");
  timing.from = textAt(json, "from");
  timing.to = textAt(json, "to");
  return timing;
}

static Json toJson(const LibraryArea &area) {
  Json json = {{"file", area.library}, {"area_um2", area.squareMicrometres}, {"cells", area.cells}};
  if (area.timing)
    json["timing"] = toJson(*area.timing);
  return json;
}

static LibraryArea libraryOf(const Json &json) {
  LibraryArea area;
  area.library = textAt(json, "file");
  area.squareMicrometres = numberAt(json, "area_um2");
  area.cells = unsignedAt<uint64_t>(json, "cells");
  if (json.contains("timing"))
    area.timing = timingOf(memberAt(json, "timing"));
  return area;
}

llvm::Error writeKernelArea(const std::string &path, const KernelArea &area) {
  Json json = jsonHeader(kKernelAreaFormat);
  json["kernel"] = area.kernel;
  json["tool"] = area.tool;
  json["lut"] = area.lut;
  json["ff"] = area.ff;
  json["dsp"] = area.dsp;
  json["bram"] = area.bram;
  json["units"] = Json::object();
  for (const auto &[kind, count] : area.units)
    json["units"][kind] = count;
  if (area.library)
    json["library"] = toJson(*area.library);
  return writeJson(path, json);
}

static KernelArea areaFromJson(const Json &json) {
  KernelArea area;
  area.kernel = textAt(json, "kernel");
  area.tool = textAt(json, "tool");
  area.lut = unsignedAt<uint64_t>(json, "lut");
  area.ff = unsignedAt<uint64_t>(json, "ff");
  area.dsp = unsignedAt<uint64_t>(json, "dsp");
  area.bram = numberAt(json, "bram");
  for (const auto &[kind, count] : objectAt(json, "units").items())
    area.units[kind] = unsignedValue<uint32_t>(count);
  if (json.contains("library"))
    area.library = libraryOf(memberAt(json, "library"));
  return area;
}

llvm::Expected<KernelArea> readKernelArea(const std::string &path) {
  SPINDLE_ASSIGN(Json json, readJson(path, kKernelAreaFormat));
  return parseJson<KernelArea>(path, json, areaFromJson);
}

} // namespace spindle::hls
