#include "hw/synthesis/PartAreas.h"

#include "hw/hls/lower/kernel/SourceNames.h"
#include "hw/synthesis/EstimateArea.h"

namespace spindle::hls {

/// Tasks, memories and streams by name → where they come from.
static std::map<std::string, std::string> sourcesOf(KernelOp kernel) {
  std::map<std::string, std::string> sources;
  kernel.walk([&](PipelineOp pipeline) {
    std::string source = sourceOf(pipeline.getLoc());
    sources[pipeline.getName().str()] = source;
    pipeline.walk([&](mlir::Operation *op) {
      if (llvm::isa<LoadOp, StoreOp>(op))
        sources[memoryOf(op).getSymName().str()] = source;
      else if (llvm::isa<PopOp>(op))
        sources[fifoOf(op).getSymName().str()] = source;
      else if (llvm::isa<PushOp>(op))
        sources.try_emplace(fifoOf(op).getSymName().str(), source);
    });
  });
  return sources;
}

std::map<std::string, DeviceArea> areasBySource(const Synthesis &made, const Target &target) {
  std::map<std::string, std::string> sources = sourcesOf(made.kernel);
  std::map<std::string, DeviceArea> areas;
  for (const auto &[part, area] : estimateParts(*made.design, target)) {
    auto source = sources.find(part);
    areas[source == sources.end() ? "" : source->second] += area;
  }
  return areas;
}

} // namespace spindle::hls
