#include "tools/spindle/stages/AssessDevices.h"

#include "lib/emulation/runtime/Batches.h"
#include "sim/model/devices/DisturbedNetwork.h"

#include "fmt/format.h"

#include <atomic>

namespace spindle {

llvm::Expected<std::vector<Device>> devicesOf(const AssessmentOptions &options, const Chip &chip,
                                              const std::string &place) {
  if (!chip.crossbar.device) {
    if (!options.variations.empty() || !options.adcBits.empty())
      return inputError(place, fmt::format("chip '{}' has no crossbar.device, of which variation "
                                           "and adc_bits are; add it to its file, or leave them "
                                           "out",
                                           chip.name));
    return std::vector<Device>();
  }
  const Device &given = *chip.crossbar.device;
  if (given.converter.bits == 0 && !options.adcBits.empty())
    return inputError(place, fmt::format("chip '{}' has no crossbar.device.adc, whose range "
                                         "adc_bits needs; add it to its file, or leave adc_bits "
                                         "out",
                                         chip.name));
  std::vector<double> variations = options.variations;
  if (variations.empty())
    variations = {given.programmingNoise};
  std::vector<int64_t> bits = options.adcBits;
  if (bits.empty())
    bits = {given.converter.bits};
  std::vector<Device> devices;
  for (double variation : variations)
    for (int64_t each : bits) {
      devices.push_back(given);
      devices.back().programmingNoise = variation;
      devices.back().converter.bits = static_cast<uint32_t>(each);
    }
  return devices;
}

llvm::Expected<DevicePoint> assessDevice(const NetworkOnDevices &given, const Device &device,
                                         uint64_t seeds, const Progress &progress) {
  DevicePoint point{device.programmingNoise, device.converter.bits, {}};
  for (uint64_t seed = device.seed; seed < device.seed + seeds; ++seed) {
    auto crossbars = disturbedCrossbars(given.graph, given.clustering, device, seed);
    std::vector<std::unique_ptr<DisturbedNetwork>> networks;
    for (size_t thread = 0; thread < given.threads; ++thread)
      networks.push_back(
          std::make_unique<DisturbedNetwork>(given.emulation.open(), crossbars, device, seed));
    std::atomic<uint64_t> correct = 0;
    auto work = [&](size_t thread, size_t first, size_t count) -> llvm::Error {
      DisturbedNetwork &network = *networks[thread];
      for (size_t sample = first; sample < first + count; ++sample) {
        SPINDLE_RETURN_IF_ERROR(network.begin(sample));
        for (uint32_t step = 0; step < given.steps; ++step)
          for (size_t p = 0; p < given.graph.populations.size(); ++p)
            network.step(p, step, {});
        correct += network.answers(given.steps).back() == given.samples.labels[sample];
      }
      return llvm::Error::success();
    };
    SPINDLE_RETURN_IF_ERROR(
        forEachBatch(given.samples.count(), BatchSizes(1), given.threads, work, progress));
    point.correct.push_back(correct);
  }
  return point;
}

} // namespace spindle
