#include "lib/emulation/runtime/EmulationOptions.h"

#include "fmt/format.h"
#include "llvm/ADT/STLExtras.h"

namespace spindle {

namespace {

struct Range {
  const char *key;
  int64_t EmulationOptions::*member;
  int64_t least, most;
};

constexpr Range kRanges[] = {
    {"steps", &EmulationOptions::steps, 1, 1'000'000}, // counts in f32 are exact up to 2^24
    {"samples", &EmulationOptions::trials, 1, std::numeric_limits<uint32_t>::max()},
    {"seed", &EmulationOptions::seed, 0, std::numeric_limits<int64_t>::max()},
    {"threads", &EmulationOptions::threads, 1, 1024},
    {"record_samples", &EmulationOptions::recordSamples, 0, std::numeric_limits<uint32_t>::max()},
};

constexpr double kLeastStepMs = 1e-6, kMostStepMs = 1e6;

} // namespace

void readEmulationOptions(YamlReader &reader, EmulationOptions &options) {
  for (const Range &range : kRanges)
    reader.read(range.key, options.*range.member, range.least, range.most);
  reader.read("step_ms", options.stepMs, kLeastStepMs, kMostStepMs);
  if (reader.has("duration")) {
    options.durationMs = 0;
    reader.read("duration", *options.durationMs, 1e-6, 1e12);
    if (reader.has("steps"))
      reader.fail("duration", "duration and steps are both given, expected one of them");
  }
  reader.read("record_membranes", options.recordMembranes);
  for (const std::string &name : options.recordMembranes)
    if (llvm::count(options.recordMembranes, name) > 1) {
      reader.fail("record_membranes",
                  fmt::format("record_membranes names '{}' twice, expected each once", name));
      break;
    }
  reader.readEnum("divide", options.divide, {"auto", "samples", "neurons"});
  reader.readEnum("engine", options.engine, {"compiled", "layers", "lanes", "interpreter"});
  reader.readEnum("encoding", options.encoding,
                  llvm::ArrayRef(kInputEncodingNames).drop_back()); // an ANN has no events
}

llvm::Error checkEmulationOptions(const EmulationOptions &options) {
  for (const Range &range : kRanges)
    if (int64_t value = options.*range.member; value < range.least || value > range.most)
      return inputError("emulation", fmt::format("{} is {}, expected {} to {}", range.key, value,
                                                 range.least, range.most));
  if (!(options.stepMs >= kLeastStepMs && options.stepMs <= kMostStepMs))
    return inputError("emulation", fmt::format("step_ms is {}, expected {} to {}", options.stepMs,
                                               kLeastStepMs, kMostStepMs));
  return llvm::Error::success();
}

} // namespace spindle
