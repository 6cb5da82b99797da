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

namespace {

/// What a network made of all samples.
struct Outcome {
  uint64_t correct = 0;
  std::vector<uint64_t> fingerprints; // of all spikes, by sample
};

} // namespace

/// Of spikes in their order and steps (FNV-1a, over whole numbers).
static void addTo(uint64_t &fingerprint, llvm::ArrayRef<NeuronId> spikes) {
  auto add = [&](uint64_t number) { fingerprint = (fingerprint ^ number) * 0x100000001b3; };
  for (NeuronId neuron : spikes)
    add(neuron);
  add(UINT64_MAX); // the end of a step
}

static llvm::Expected<Outcome> outcomeOf(const NetworkOnDevices &given,
                                         std::vector<std::unique_ptr<SteppedNetwork>> networks,
                                         const Progress &progress) {
  std::atomic<uint64_t> correct = 0;
  Outcome outcome;
  outcome.fingerprints.assign(given.samples.count(), 0xcbf29ce484222325);
  auto work = [&](size_t thread, size_t first, size_t count) -> llvm::Error {
    SteppedNetwork &network = *networks[thread];
    for (size_t sample = first; sample < first + count; ++sample) {
      SPINDLE_RETURN_IF_ERROR(network.begin(sample));
      for (size_t p = 0; p < given.graph.populations.size(); ++p)
        for (uint32_t step = 0; step < given.steps; ++step)
          addTo(outcome.fingerprints[sample], network.step(p, step, {}));
      correct += network.answers(given.steps).back() == given.samples.labels[sample];
    }
    return llvm::Error::success();
  };
  SPINDLE_RETURN_IF_ERROR(
      forEachBatch(given.samples.count(), BatchSizes(1), given.threads, work, progress));
  outcome.correct = correct;
  return outcome;
}

/// A network for each thread.
template <typename Make>
static std::vector<std::unique_ptr<SteppedNetwork>> networksFor(const NetworkOnDevices &given,
                                                                Make make) {
  std::vector<std::unique_ptr<SteppedNetwork>> networks;
  for (size_t thread = 0; thread < given.threads; ++thread)
    networks.push_back(make(given.emulation.open()));
  return networks;
}

static llvm::Expected<DevicePoint> assessDevice(const NetworkOnDevices &given, const Device &device,
                                                uint64_t seeds, const Outcome &ideal,
                                                const Progress &progress) {
  DevicePoint point{device.programmingNoise, device.converter.bits, {}, {}};
  seeds = device.isRandom() ? seeds : 1;
  for (uint64_t seed = device.seed; seed < device.seed + seeds; ++seed) {
    auto crossbars = disturbedCrossbars(given.graph, given.clustering, device, seed);
    auto disturb = [&](std::unique_ptr<SteppedNetwork> network) {
      return std::make_unique<DisturbedNetwork>(std::move(network), crossbars, device, seed);
    };
    SPINDLE_ASSIGN(Outcome made, outcomeOf(given, networksFor(given, disturb), progress));
    point.correct.push_back(made.correct);
    uint64_t same = 0;
    for (size_t sample = 0; sample < made.fingerprints.size(); ++sample)
      same += made.fingerprints[sample] == ideal.fingerprints[sample];
    point.sameSpikes.push_back(same);
  }
  return point;
}

llvm::Expected<std::vector<DevicePoint>> assessDevices(const NetworkOnDevices &given,
                                                       llvm::ArrayRef<Device> devices,
                                                       uint64_t seeds, const Progress &progress) {
  std::vector<DevicePoint> points;
  if (devices.empty())
    return points;
  auto leave = [](std::unique_ptr<SteppedNetwork> network) { return network; };
  SPINDLE_ASSIGN(Outcome ideal, outcomeOf(given, networksFor(given, leave), progress));
  for (const Device &device : devices) {
    SPINDLE_ASSIGN(DevicePoint point, assessDevice(given, device, seeds, ideal, progress));
    points.push_back(std::move(point));
  }
  return points;
}

} // namespace spindle
