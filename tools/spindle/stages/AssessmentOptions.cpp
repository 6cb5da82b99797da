#include "tools/spindle/stages/AssessmentOptions.h"

#include "core/chip/device/Device.h"

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
  reader.read("variation", options.variations);
  for (double variation : options.variations)
    if (!(variation >= 0) || !(variation <= kMostVariation))
      reader.fail("variation", fmt::format("variation is {}, expected 0 to {} for each: standard "
                                           "deviations in shares of a conductance",
                                           variation, kMostVariation));
  reader.read("adc_bits", options.adcBits);
  for (int64_t bits : options.adcBits)
    if (bits != 0 && (bits < 2 || bits > kMostConverterBits))
      reader.fail("adc_bits", fmt::format("adc_bits is {}, expected 2 to {} for each, or 0 for "
                                          "exact sums",
                                          bits, kMostConverterBits));
  reader.read("seeds", options.seeds, int64_t(1), int64_t(1000));
}

} // namespace spindle
