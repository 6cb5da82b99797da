#include "tools/spindle/hardware/SampleRecording.h"

#include "core/run/StageFileNames.h"
#include "core/support/files/File.h"
#include "core/support/files/FileHash.h"
#include "core/support/formats/Npz.h"
#include "hw/cosim/samples/SampleTokens.h"
#include "hw/program/ProgramFile.h"

#include "fmt/format.h"

#include <algorithm>
#include <bit>
#include <filesystem>
#include <optional>

namespace spindle {

namespace {

namespace fs = std::filesystem;

/// Whether membranes that were recorded say what comes out.
bool readsMembranes(const HardwareArray &array) {
  return array.answer == AnswerKind::Membranes &&
         (array.role == ArrayRole::Class ||
          (array.role == ArrayRole::Answer && !array.layer.empty()));
}

/// Whether tensor layers behind the spikes make what comes out.
bool readsSums(const HardwareArray &array) {
  return goesOut(array.role) && array.answer == AnswerKind::Sums;
}

/// How many membranes answer; of a class it is not known.
std::optional<int64_t> classesOf(const HardwareArray &answer) {
  if (answer.role == ArrayRole::Class)
    return std::nullopt;
  return answer.first.empty() ? answer.shape[0] : answer.elements;
}

/// What the membranes that answer were in the emulator.
llvm::Error readAnswers(const std::string &folder, uint32_t images, Recording &recording) {
  for (const HardwareArray &array : recording.network.arrays) {
    if (!readsMembranes(array))
      continue;
    std::string path = (fs::path(folder) / ".." / run::kMembranes).lexically_normal().string();
    std::string remedy = fmt::format("give emulation.record_membranes: [{}] and run the stages "
                                     "emulate and hardware again",
                                     array.layer);
    if (!isThere(path))
      return inputError(path, fmt::format("found no such file, expected the membranes of '{}', "
                                          "which answer; {}",
                                          array.layer, remedy));
    SPINDLE_ASSIGN(recording.membranes, readMembranes(path, array.layer));
    const MembraneTrace &trace = recording.membranes;
    auto found = int64_t(trace.recordings[0].population.size),
         classes = classesOf(array).value_or(found);
    if (trace.samples < images || trace.steps != recording.network.steps || found != classes)
      return inputError(path, fmt::format("found {} samples of {} steps and {} neurons, expected "
                                          "{} of {} and {}; {}",
                                          trace.samples, trace.steps, found, images,
                                          recording.network.steps, classes, remedy));
  }
  return llvm::Error::success();
}

/// The array in a file beside hardware.json, of enough samples; of so many elements, if that is
/// known.
llvm::Expected<NpyArray> readBeside(const std::string &path, const std::string &name,
                                    uint32_t images, std::optional<int64_t> elements) {
  SPINDLE_ASSIGN(std::vector<NpzMember> members, readNpz(path));
  const NpyArray *found = findMember(members, name);
  if (!found || found->shape.size() != 2 || found->shape[0] < int64_t(images) ||
      found->shape[1] == 0 || found->shape[1] != elements.value_or(found->shape[1]))
    return inputError(
        path, fmt::format("found no '{}' of {} samples{}, run the stage hardware again", name,
                          images, elements ? fmt::format(" and {} elements", *elements) : ""));
  return *found;
}

/// What tensor layers answered in the emulator.
llvm::Error readSums(const std::string &folder, uint32_t images, Recording &recording) {
  for (const HardwareArray &array : recording.network.arrays) {
    if (!readsSums(array))
      continue;
    SPINDLE_ASSIGN(NpyArray found, readBeside(folder + "/" + kHardwareAnswers, "answers", images,
                                              classesOf(array)));
    recording.sums = found.floats();
    recording.classes = size_t(found.shape[1]);
  }
  return llvm::Error::success();
}

/// What the host made of the samples.
llvm::Error readGiven(const std::string &folder, uint32_t images, Recording &recording) {
  for (const HardwareArray &array : recording.network.arrays) {
    if (!isGiven(array.role))
      continue;
    std::string name = givenName(array.role);
    SPINDLE_ASSIGN(NpyArray found,
                   readBeside(folder + "/" + name + ".npz", name, images, array.elements));
    recording.given = found.floats();
  }
  return llvm::Error::success();
}

} // namespace

llvm::Expected<Recording> readRecording(const std::string &folder, uint32_t images) {
  Recording made;
  SPINDLE_ASSIGN(made.network, readHardwareNetwork(folder + "/hardware.json"));
  std::string spikes = (fs::path(folder) / ".." / run::kSpikes).lexically_normal().string();
  SPINDLE_ASSIGN(made.trace, readSpikeTrace(spikes));
  if (made.trace.steps != made.network.steps)
    return inputError(spikes, fmt::format("found {} steps, expected the {} of hardware.json; run "
                                          "the stage hardware again",
                                          made.trace.steps, made.network.steps));
  SPINDLE_ASSIGN(std::string hash, hashFile(spikes));
  if (made.network.spikesHash != hash)
    return inputError(spikes, "found other spikes than the circuit was made with; run the stage "
                              "hardware again");
  if (made.trace.recorded.size() < images)
    return inputError(spikes, fmt::format("found {} recorded samples, expected {}; raise "
                                          "emulation.record_samples",
                                          made.trace.recorded.size(), images));
  SPINDLE_RETURN_IF_ERROR(readAnswers(folder, images, made));
  SPINDLE_RETURN_IF_ERROR(readSums(folder, images, made));
  SPINDLE_RETURN_IF_ERROR(readGiven(folder, images, made));
  bool hasWeights = false; // else they are constants of the circuit
  for (const HardwareArray &array : made.network.arrays)
    hasWeights |= array.role == ArrayRole::Weights;
  std::string weights = folder + "/" + kHardwareWeights;
  std::vector<NpzMember> members;
  if (hasWeights) {
    SPINDLE_ASSIGN(members, readNpz(weights));
  }
  for (const HardwareArray &array : made.network.arrays)
    made.arrays.push_back(hls::makeTokens(array, 0));
  for (const NpzMember &member : members) {
    size_t index = made.arrays.size();
    if (sscanf(member.name.c_str(), "arg%zu", &index) != 1 || index >= made.arrays.size())
      return inputError(weights, fmt::format("found an array '{}', expected arg0 to arg{}",
                                             member.name, made.arrays.size() - 1));
    hls::KernelArray &array = made.arrays[index];
    SPINDLE_ASSIGN(array,
                   hls::fromNpy(member.array, array.type, array.shape, weights, member.name));
  }
  return made;
}

namespace {

/// Their spikes at a port. Errors: no such population.
llvm::Error addSpikes(const Recording &recording, SampleRange range, const HardwareArray &array,
                      hls::KernelArray &tokens) {
  for (const Population &population : recording.trace.populations) {
    if (population.name != array.layer || population.size != neuronsOf(array))
      continue;
    for (uint32_t sample = 0; sample < range.count; ++sample)
      for (const Spike &spike : recording.trace.recorded[range.first + sample]) {
        uint64_t neuron = uint64_t(spike.neuron) - population.first;
        if (neuron < population.size && holds(array, neuron))
          hls::addSpike(tokens, array, sample, spike.step, neuron);
      }
    return llvm::Error::success();
  }
  return inputError("hardware.json",
                    fmt::format("found no population '{}' of {} neurons among the recorded spikes; "
                                "run the stage hardware again",
                                array.layer, neuronsOf(array)));
}

} // namespace

llvm::Expected<hls::Values> argumentsOf(const Recording &recording, SampleRange range) {
  hls::Values made;
  for (size_t index = 0; index < recording.network.arrays.size(); ++index) {
    const HardwareArray &array = recording.network.arrays[index];
    hls::KernelArray tokens = array.role == ArrayRole::Weights
                                  ? recording.arrays[index]
                                  : hls::makeTokens(array, goesOut(array.role) ? 0 : range.count);
    if (array.role == ArrayRole::Input)
      SPINDLE_RETURN_IF_ERROR(addSpikes(recording, range, array, tokens));
    auto elements = size_t(isGiven(array.role) ? array.elements : 0);
    for (uint32_t sample = 0; elements > 0 && sample < range.count; ++sample) {
      const float *values = recording.given.data() + (range.first + sample) * elements;
      for (size_t element = 0; element < elements; ++element)
        if (holds(array, element))
          hls::setValue(tokens, array, sample, element, int64_t(values[element]));
    }
    made.arguments.push_back(std::move(tokens));
  }
  return made;
}

namespace {

/// Membranes after the last step of a sample.
std::vector<float> lastMembranes(const Recording &recording, uint32_t sample) {
  const MembraneTrace &trace = recording.membranes;
  size_t classes = trace.recordings[0].population.size;
  auto last = trace.recordings[0].values.begin() +
              std::ptrdiff_t(((size_t(sample) + 1) * trace.steps - 1) * classes);
  return {last, last + std::ptrdiff_t(classes)};
}

/// The sums of tensor layers for a sample.
std::vector<float> sumsOf(const Recording &recording, uint32_t sample) {
  auto first = recording.sums.begin() + std::ptrdiff_t(sample * recording.classes);
  return {first, first + std::ptrdiff_t(recording.classes)};
}

/// What a population answers by its spikes in a sample: their number, or the steps since the first
/// one, that one included.
std::vector<float> answersOf(const Recording &recording, const HardwareArray &port,
                             uint32_t sample) {
  for (const Population &population : recording.trace.populations) {
    if (population.name != port.layer)
      continue;
    std::vector<float> answers(population.size, 0);
    for (const Spike &spike : recording.trace.recorded[sample]) {
      uint64_t neuron = uint64_t(spike.neuron) - population.first;
      if (neuron >= population.size)
        continue;
      float &answer = answers[neuron];
      answer = port.answer == AnswerKind::Counts
                   ? answer + 1
                   : std::max(answer, float(recording.trace.steps - spike.step));
    }
    return answers;
  }
  return {};
}

/// What answers at a port, whatever kind it is of.
std::vector<float> answersAt(const Recording &recording, const HardwareArray &port,
                             uint32_t sample) {
  if (readsSums(port))
    return sumsOf(recording, sample);
  return readsMembranes(port) ? lastMembranes(recording, sample)
                              : answersOf(recording, port, sample);
}

/// The first of the largest.
int64_t placeOfLargest(const std::vector<float> &answers) {
  return std::max_element(answers.begin(), answers.end()) - answers.begin();
}

/// What has to come out at a port, or nothing where the emulator has no word on it.
llvm::Expected<std::optional<hls::KernelArray>> wantedAt(const Recording &recording,
                                                         SampleRange range, size_t index) {
  const HardwareArray &array = recording.network.arrays[index];
  hls::KernelArray wanted = hls::makeTokens(array, range.count);
  if (array.role == ArrayRole::Spikes) {
    SPINDLE_RETURN_IF_ERROR(addSpikes(recording, range, array, wanted));
    return std::optional(std::move(wanted));
  }
  if (array.role == ArrayRole::Class) {
    for (uint32_t sample = 0; sample < range.count; ++sample) {
      uint32_t number = range.first + sample;
      hls::setValue(wanted, array, sample, 0, placeOfLargest(answersAt(recording, array, number)));
    }
    return std::optional(std::move(wanted));
  }
  if (!readsMembranes(array) && !readsSums(array))
    return std::nullopt;
  for (uint32_t sample = 0; sample < range.count; ++sample) {
    std::vector<float> answers = answersAt(recording, array, range.first + sample);
    for (size_t element = 0; element < answers.size(); ++element)
      if (array.first.empty() || holds(array, element))
        hls::setValue(wanted, array, sample, element, int64_t(answers[element]));
  }
  return std::optional(std::move(wanted));
}

} // namespace

llvm::Expected<std::string> compareSamples(const Recording &recording, SampleRange range,
                                           const hls::Values &found, SampleCosim &made) {
  for (size_t index = 0; index < recording.network.arrays.size(); ++index) {
    const HardwareArray &array = recording.network.arrays[index];
    SPINDLE_ASSIGN(std::optional<hls::KernelArray> wanted, wantedAt(recording, range, index));
    if (!wanted)
      continue;
    std::string difference =
        hls::firstDifference(array, found.arguments[index], *wanted, range.first);
    if (!difference.empty())
      return difference + " as in the emulator";
    for (size_t token = 0; array.role == ArrayRole::Spikes && token < wanted->count(); ++token)
      made.spikes += unsigned(std::popcount(wanted->at(token)));
    if (array.role == ArrayRole::Class)
      made.classes += wanted->count();
    if (array.role == ArrayRole::Answer) // words have places that stand for nobody
      for (size_t n = 0; n < answersAt(recording, array, range.first).size(); ++n)
        (readsSums(array) ? made.sums : made.membranes) +=
            array.first.empty() || holds(array, n) ? range.count : 0;
  }
  return std::string();
}

} // namespace spindle
