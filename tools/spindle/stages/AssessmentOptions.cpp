#include "tools/spindle/stages/AssessmentOptions.h"

#include "fmt/format.h"

#include <algorithm>
#include <cmath>

namespace spindle {

void readAssessmentOptions(YamlReader &reader, AssessmentOptions &options) {
  reader.read("samples", options.samples, int64_t(1), int64_t(1'000'000));
  reader.read("step_us", options.stepUs);
  for (double step : options.stepUs)
    if (!(step > 0) || !(step <= 1e6))
      reader.fail("step_us",
                  fmt::format("step_us is {}, expected more than 0 and at most 1000000 µs "
                              "for each step",
                              step));
  std::sort(options.stepUs.begin(), options.stepUs.end());
  options.stepUs.erase(std::unique(options.stepUs.begin(), options.stepUs.end()),
                       options.stepUs.end());
}

} // namespace spindle
