#include "core/network/HardwareNetwork.h"
#include "core/network/MembraneTrace.h"
#include "core/network/SpikeTrace.h"
#include "core/run/StageFileNames.h"
#include "core/support/files/FileHash.h"
#include "core/support/files/FolderLock.h"
#include "core/support/formats/Npz.h"
#include "dialects/hls/interpreter/Interpreter.h"
#include "hw/cosim/samples/SampleMoments.h"
#include "hw/cosim/samples/SampleTokens.h"
#include "hw/program/Golden.h"
#include "hw/program/ProgramFile.h"
#include "tools/spindle/hardware/HardwareFiles.h"

#include "fmt/format.h"

#include <bit>
#include <filesystem>
#include <optional>

namespace spindle {

namespace {

namespace fs = std::filesystem;

struct Recording {
  HardwareNetwork network;
  SpikeTrace trace;
  MembraneTrace membranes;              // of the population that answers, if one does
  std::vector<float> given;             // samples × elements, under direct coding
  std::vector<hls::KernelArray> arrays; // weights; of others nothing is read
};

int64_t classesOf(const HardwareArray &answer) {
  return answer.first.empty() ? answer.shape[0] : answer.elements;
}

/// What the membranes that answer were in the emulator.
llvm::Error readAnswers(const std::string &folder, uint32_t images, Recording &recording) {
  for (const HardwareArray &array : recording.network.arrays) {
    if (array.role != ArrayRole::Answer || array.layer.empty())
      continue;
    std::string path = (fs::path(folder) / ".." / run::kMembranes).lexically_normal().string();
    std::string remedy = fmt::format("give emulation.record_membranes: [{}] and run the stages "
                                     "emulate and hardware again",
                                     array.layer);
    if (!fs::exists(path))
      return inputError(path, fmt::format("found no such file, expected the membranes of '{}', "
                                          "which answer; {}",
                                          array.layer, remedy));
    SPINDLE_ASSIGN(recording.membranes, readMembranes(path, array.layer));
    const MembraneTrace &trace = recording.membranes;
    if (trace.samples < images || trace.steps != recording.network.steps ||
        int64_t(trace.recordings[0].population.size) != classesOf(array))
      return inputError(path,
                        fmt::format("found {} samples of {} steps and {} neurons, expected "
                                    "{} of {} and {}; {}",
                                    trace.samples, trace.steps, trace.recordings[0].population.size,
                                    images, recording.network.steps, classesOf(array), remedy));
  }
  return llvm::Error::success();
}

/// What the host made of the samples.
llvm::Error readGiven(const std::string &folder, uint32_t images, Recording &recording) {
  for (const HardwareArray &array : recording.network.arrays) {
    if (!isGiven(array.role))
      continue;
    std::string name = givenName(array.role), path = folder + "/" + name + ".npz";
    SPINDLE_ASSIGN(std::vector<NpzMember> members, readNpz(path));
    const NpyArray *found = findMember(members, name);
    if (!found || found->shape.size() != 2 || found->shape[0] < int64_t(images) ||
        found->shape[1] != array.elements)
      return inputError(path, fmt::format("found no '{}' of {} samples and {} elements, run the "
                                          "stage hardware again",
                                          name, images, array.elements));
    recording.given = found->floats();
  }
  return llvm::Error::success();
}

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

/// Samples of a recording, one after the other.
struct SampleRange {
  uint32_t first = 0, count = 1;
};

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

/// What goes into the circuit; streams that come out are empty.
llvm::Expected<hls::Values> argumentsOf(const Recording &recording, SampleRange range) {
  hls::Values made;
  for (size_t index = 0; index < recording.network.arrays.size(); ++index) {
    const HardwareArray &array = recording.network.arrays[index];
    bool goesOut = array.role == ArrayRole::Spikes || array.role == ArrayRole::Answer;
    hls::KernelArray tokens = array.role == ArrayRole::Weights
                                  ? recording.arrays[index]
                                  : hls::makeTokens(array, goesOut ? 0 : range.count);
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

/// What has to come out at a port, or nothing where the emulator has no word on it.
llvm::Expected<std::optional<hls::KernelArray>> wantedAt(const Recording &recording,
                                                         SampleRange range, size_t index) {
  const HardwareArray &array = recording.network.arrays[index];
  hls::KernelArray wanted = hls::makeTokens(array, range.count);
  if (array.role == ArrayRole::Spikes) {
    SPINDLE_RETURN_IF_ERROR(addSpikes(recording, range, array, wanted));
    return std::optional(std::move(wanted));
  }
  if (array.role != ArrayRole::Answer || array.layer.empty())
    return std::nullopt;
  const MembraneTrace &trace = recording.membranes; // after the last step
  size_t classes = trace.recordings[0].population.size;
  for (size_t sample = 0; sample < range.count; ++sample) {
    size_t last = ((range.first + sample + 1) * trace.steps - 1) * classes;
    for (size_t element = 0; element < classes; ++element)
      if (array.first.empty() || holds(array, element))
        hls::setValue(wanted, array, sample, element,
                      int64_t(trace.recordings[0].values[last + element]));
  }
  return std::optional(std::move(wanted));
}

/// What the program makes of samples against what the emulator made of them; empty where they
/// agree.
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
    if (array.role == ArrayRole::Answer)
      made.membranes +=
          array.first.empty() ? wanted->count() : wanted->count() * size_t(array.perWord);
  }
  return std::string();
}

/// The circuit on the samples of a recording.
class SampleRuns {
public:
  SampleRuns(const std::string &path, Recording made) : folder(path), recording(std::move(made)) {}

  llvm::Error read() {
    context = hls::makeProgramContext();
    SPINDLE_ASSIGN(hls::KernelInterface kernel, hls::readKernelInterface(folder + "/kernel.json"));
    SPINDLE_ASSIGN(module, hls::readProgram(*context, folder + "/" + kernel.original));
    SPINDLE_ASSIGN(golden, hls::Golden::compile(*module, kernel.function));
    SPINDLE_ASSIGN(scheduled, hls::readProgram(*context, folder + "/scheduled.mlir"));
    return makeFolder(folder + "/cosim/samples");
  }

  llvm::Expected<SampleCosim> run(uint32_t images, hls::CosimOptions options) {
    SampleCosim made;
    made.steps = recording.network.steps;
    made.result.top = recording.network.top;
    made.result.predictedCycles = recording.network.predictedCycles;
    SPINDLE_ASSIGN(made.result.problems, checkProgram(images, made));
    if (!made.result.problems.empty()) // what the circuit would be compared with is wrong
      return made;
    options.in.clear();
    for (uint32_t sample = 0; sample < images; ++sample)
      SPINDLE_RETURN_IF_ERROR(add({sample, 1}, 0, options));
    if (hasStreams()) {
      uint32_t few = std::min<uint32_t>(images, 4);
      SPINDLE_RETURN_IF_ERROR(add({0, images}, 0, options));
      SPINDLE_RETURN_IF_ERROR(add({0, few}, 50, options));
      SPINDLE_RETURN_IF_ERROR(add({0, few}, 87, options)); // after a reset in mid-run
    }
    options.runs = uint32_t(ranges.size());
    options.names = [&](size_t run, size_t argument, size_t token, uint64_t bits) {
      return hls::bitName(recording.network.arrays[argument], token,
                          unsigned(std::countr_zero(bits)), ranges[run].first);
    };
    SPINDLE_ASSIGN(made.result, hls::cosim(folder, options));
    if (hasStreams()) {
      std::vector<std::string> &problems = made.result.problems;
      made.result.images = measure(images, made.result.streamCycles, "", problems);
      if (hls::BusResult *bus = made.result.bus ? &*made.result.bus : nullptr)
        bus->images = measure(images, bus->streamCycles, bus->top + ": ", problems);
      made.result.runCycles.clear(); // of one sample and of all
    }
    return made;
  }

private:
  bool hasStreams() const {
    return llvm::any_of(recording.network.arrays,
                        [](const HardwareArray &array) { return array.isStream; });
  }

  /// In a stream all samples at once, else one after the other.
  llvm::Expected<std::vector<std::string>> checkProgram(uint32_t images, SampleCosim &made) {
    std::vector<std::string> problems;
    uint32_t each = hasStreams() ? images : 1;
    for (uint32_t first = 0; first < images; first += each) {
      SPINDLE_ASSIGN(hls::Values inputs, argumentsOf(recording, {first, each}));
      SPINDLE_ASSIGN(hls::Values found, golden->run(inputs.arguments));
      SPINDLE_ASSIGN(std::string problem, compareSamples(recording, {first, each}, found, made));
      if (!problem.empty())
        problems.push_back(problem);
    }
    return problems;
  }

  /// A run on these samples, whose cycles are foreseen where no stream stalls.
  llvm::Error add(SampleRange range, uint64_t stallPercent, hls::CosimOptions &options) {
    SPINDLE_ASSIGN(hls::Values inputs, argumentsOf(recording, range));
    options.in.push_back(fmt::format("{}/cosim/samples/{}.npz", folder, ranges.size()));
    SPINDLE_RETURN_IF_ERROR(hls::writeValues(options.in.back(), inputs));
    ranges.push_back(range);
    if (!hasStreams())
      return llvm::Error::success();
    options.stalls.push_back(stallPercent);
    if (stallPercent > 0)
      return llvm::Error::success();
    auto kernels = scheduled->getOps<hls::KernelOp>();
    if (kernels.empty())
      return inputError(folder + "/scheduled.mlir", "found no hls.kernel, run the stage hardware "
                                                    "again");
    SPINDLE_ASSIGN(hls::Interpretation run,
                   hls::interpret(*kernels.begin(), std::move(inputs.arguments), {}));
    options.predicted.push_back(run.cycles);
    foreseen.push_back(hls::momentsOf(recording.network.arrays, run.streamCycles, range.count));
    return llvm::Error::success();
  }

  /// When the answers came, and whether that was foreseen. Behind a bus, whose module `top`
  /// names, a run begins when its first word goes in: what a host does before takes its time.
  hls::ImageTimes measure(uint32_t images,
                          const std::vector<std::vector<std::vector<uint64_t>>> &streamCycles,
                          const std::string &top, std::vector<std::string> &problems) const {
    hls::ImageTimes times;
    for (size_t run = 0; run <= images && run < streamCycles.size(); ++run) {
      const SampleRange &range = ranges[run];
      std::vector<hls::SampleMoments> moments =
          hls::momentsOf(recording.network.arrays, streamCycles[run], range.count);
      uint64_t begin = 0;
      if (!top.empty() && !moments.empty())
        begin = moments.front().firstWord - foreseen[run].front().firstWord;
      for (size_t sample = 0; sample < moments.size(); ++sample) {
        const hls::SampleMoments &found = moments[sample];
        hls::SampleMoments wanted = foreseen[run][sample];
        wanted.firstWord += begin;
        wanted.answer += begin;
        if (found != wanted)
          problems.push_back(fmt::format(
              "{}run {}, sample {}: first word in cycle {} and answer in cycle {}, predicted were "
              "{} and {}",
              top, run, range.first + sample, found.firstWord, found.answer, wanted.firstWord,
              wanted.answer));
        if (run < images)
          times.latencies.push_back(found.latency());
        else if (sample > 0)
          times.intervals.push_back(found.answer - moments[sample - 1].answer);
      }
    }
    return times;
  }

  std::string folder;
  Recording recording;
  std::unique_ptr<mlir::MLIRContext> context;
  mlir::OwningOpRef<mlir::ModuleOp> module, scheduled;
  std::optional<hls::Golden> golden;
  std::vector<SampleRange> ranges; // of each run
  std::vector<std::vector<hls::SampleMoments>> foreseen;
};

} // namespace

llvm::Expected<SampleCosim> cosimSamples(const std::string &folder, uint32_t images,
                                         hls::CosimOptions options) {
  SPINDLE_ASSIGN(Recording recording, readRecording(folder, images));
  SampleRuns runs(folder, std::move(recording));
  SPINDLE_RETURN_IF_ERROR(runs.read());
  return runs.run(images, std::move(options));
}

} // namespace spindle
