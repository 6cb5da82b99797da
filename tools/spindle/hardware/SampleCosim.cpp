#include "core/network/HardwareNetwork.h"
#include "core/network/MembraneTrace.h"
#include "core/network/SpikeTrace.h"
#include "core/run/StageFileNames.h"
#include "core/support/files/FileHash.h"
#include "core/support/files/FolderLock.h"
#include "core/support/formats/Npz.h"
#include "dialects/hls/interpreter/Interpreter.h"
#include "hw/program/Golden.h"
#include "hw/program/ProgramFile.h"
#include "tools/spindle/hardware/HardwareFiles.h"

#include "fmt/format.h"

#include <bit>
#include <filesystem>
#include <optional>
#include <regex>

namespace spindle {

namespace {

namespace fs = std::filesystem;

struct Recording {
  HardwareNetwork network;
  SpikeTrace trace;
  MembraneTrace membranes;              // of the population that answers, if one does
  std::vector<float> currents;          // samples × elements, under direct coding
  std::vector<hls::KernelArray> arrays; // weights filled in, all others zero
};

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
        int64_t(trace.recordings[0].population.size) != array.shape[0])
      return inputError(path,
                        fmt::format("found {} samples of {} steps and {} neurons, expected "
                                    "{} of {} and {}; {}",
                                    trace.samples, trace.steps, trace.recordings[0].population.size,
                                    images, recording.network.steps, array.shape[0], remedy));
  }
  return llvm::Error::success();
}

/// What the host made of the samples.
llvm::Error readCurrents(const std::string &folder, uint32_t images, Recording &recording) {
  for (const HardwareArray &array : recording.network.arrays) {
    if (array.role != ArrayRole::Currents)
      continue;
    std::string path = folder + "/" + kHardwareCurrents;
    SPINDLE_ASSIGN(std::vector<NpzMember> members, readNpz(path));
    const NpyArray *found = findMember(members, "currents");
    if (!found || found->shape.size() != 2 || found->shape[0] < int64_t(images) ||
        found->shape[1] != array.elements)
      return inputError(path, fmt::format("found no 'currents' of {} samples and {} elements, run "
                                          "the stage hardware again",
                                          images, array.elements));
    recording.currents = found->floats();
  }
  return llvm::Error::success();
}

/// The currents of a sample in the order of the port.
hls::KernelArray currentsOf(const Recording &recording, size_t sample, size_t index) {
  const HardwareArray &array = recording.network.arrays[index];
  hls::KernelArray values = recording.arrays[index];
  size_t lanes = size_t(array.shape[1]);
  for (size_t n = 0; n < values.count(); ++n) {
    size_t element = size_t(array.first[n / lanes]) + n % lanes * size_t(array.stride);
    float value = recording.currents[sample * size_t(array.elements) + element];
    values.set(n, uint64_t(int64_t(value)) & values.type.mask());
  }
  return values;
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
  SPINDLE_RETURN_IF_ERROR(readCurrents(folder, images, made));
  bool hasWeights = false; // else they are constants of the circuit
  for (const HardwareArray &array : made.network.arrays)
    hasWeights |= array.role == ArrayRole::Weights;
  std::string weights = folder + "/" + kHardwareWeights;
  std::vector<NpzMember> members;
  if (hasWeights) {
    SPINDLE_ASSIGN(members, readNpz(weights));
  }
  for (const HardwareArray &array : made.network.arrays)
    made.arrays.push_back(
        hls::makeArray({hls::ElementType::Kind::Integer, array.bits}, array.shape));
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

/// The spikes of a population in a recorded sample.
llvm::Expected<hls::KernelArray> spikesOf(const Recording &recording, size_t sample, size_t index) {
  const HardwareArray &array = recording.network.arrays[index];
  hls::KernelArray spikes = recording.arrays[index];
  for (const Population &population : recording.trace.populations) {
    if (population.name != array.layer || population.size != neuronsOf(array))
      continue;
    for (const Spike &spike : recording.trace.recorded[sample]) {
      if (spike.neuron - population.first >= population.size)
        continue;
      SpikePlace place = placeOf(array, spike.step, spike.neuron - population.first);
      spikes.set(place.element, spikes.at(place.element) | uint64_t(1) << place.bit);
    }
    return spikes;
  }
  return inputError("hardware.json",
                    fmt::format("found no population '{}' of {} neurons among the recorded spikes; "
                                "run the stage hardware again",
                                array.layer, neuronsOf(array)));
}

/// `layer 'dense1', neuron 5, step 3`
std::string neuronText(const HardwareArray &array, size_t element, unsigned bit) {
  return fmt::format("layer '{}', neuron {}, step {}", array.layer, neuronAt(array, {element, bit}),
                     element / size_t(array.shape[1]));
}

/// The membranes that answer after the last step; empty where they agree.
std::string compareAnswer(const Recording &recording, size_t sample, size_t index,
                          const hls::KernelArray &found, uint64_t &compared) {
  const HardwareArray &array = recording.network.arrays[index];
  const MembraneTrace &trace = recording.membranes;
  size_t classes = found.count();
  size_t last = ((sample + 1) * trace.steps - 1) * classes;
  for (size_t number = 0; number < classes; ++number) {
    int64_t value = int64_t(found.at(number) << (64 - array.bits)) >> (64 - array.bits);
    float wanted = trace.recordings[0].values[last + number];
    ++compared;
    if (float(value) != wanted)
      return fmt::format(
          "sample {}: layer '{}', class {}: found the membrane {}, expected {} as in "
          "the emulator",
          sample, array.layer, number, value, wanted);
  }
  return "";
}

/// What the program makes of a sample against what the emulator made of it; empty where they agree.
llvm::Expected<std::string> compareSample(const Recording &recording, size_t sample,
                                          const hls::Values &found, SampleCosim &made) {
  for (size_t index = 0; index < recording.network.arrays.size(); ++index) {
    const HardwareArray &array = recording.network.arrays[index];
    if (array.role == ArrayRole::Answer && !array.layer.empty())
      if (std::string problem =
              compareAnswer(recording, sample, index, found.arguments[index], made.membranes);
          !problem.empty())
        return problem;
    if (array.role != ArrayRole::Spikes)
      continue;
    SPINDLE_ASSIGN(hls::KernelArray wanted, spikesOf(recording, sample, index));
    for (size_t element = 0; element < wanted.count(); ++element) {
      uint64_t right = wanted.at(element), wrong = right ^ found.arguments[index].at(element);
      made.spikes += unsigned(std::popcount(right));
      if (wrong == 0)
        continue;
      auto bit = unsigned(std::countr_zero(wrong));
      bool spiked = right >> bit & 1;
      return fmt::format("sample {}: {}: found {}, expected {} as in the emulator", sample,
                         neuronText(array, element, bit), spiked ? "silence" : "a spike",
                         spiked ? "a spike" : "silence");
    }
  }
  return std::string();
}

/// Cycles of a kernel whose tokens decide how many it takes: its schedule, cycle by cycle.
llvm::Expected<uint64_t> cyclesOf(mlir::ModuleOp scheduled, std::vector<hls::KernelArray> arguments,
                                  const std::string &folder) {
  auto kernels = scheduled.getOps<hls::KernelOp>();
  if (kernels.empty())
    return inputError(folder + "/scheduled.mlir", "found no hls.kernel, run the stage hardware "
                                                  "again");
  SPINDLE_ASSIGN(hls::Interpretation run,
                 hls::interpret(*kernels.begin(), std::move(arguments), {}));
  return run.cycles;
}

/// `run 2: arg5[37] is …` is of an array of spikes: which neuron, and when?
std::string withNeuron(const std::string &problem, const HardwareNetwork &network) {
  static const std::regex form(R"(^run (\d+)[^:]*: arg(\d+)\[(\d+)(?:, ?|\]\[)?(\d*)\])");
  std::smatch match;
  if (!std::regex_search(problem, match, form))
    return problem;
  size_t index = std::stoul(match[2]);
  if (index >= network.arrays.size() || network.arrays[index].role != ArrayRole::Spikes)
    return problem;
  size_t element = std::stoul(match[3]);
  if (match[4].length() > 0)
    element = element * size_t(network.arrays[index].shape[1]) + std::stoul(match[4]);
  static const std::regex bits(R"(\(0x([0-9a-f]+)\), expected [^(]*\(0x([0-9a-f]+)\))");
  unsigned bit = 0; // the lowest that differs
  if (std::smatch both; std::regex_search(problem, both, bits))
    bit = unsigned(
        std::countr_zero(std::stoull(both[1], nullptr, 16) ^ std::stoull(both[2], nullptr, 16)));
  return fmt::format("sample {}: {}: {}", match[1].str(),
                     neuronText(network.arrays[index], element, bit), problem);
}

} // namespace

llvm::Expected<SampleCosim> cosimSamples(const std::string &folder, uint32_t images,
                                         hls::CosimOptions options) {
  SPINDLE_ASSIGN(Recording recording, readRecording(folder, images));
  auto context = hls::makeProgramContext();
  SPINDLE_ASSIGN(hls::KernelInterface kernel, hls::readKernelInterface(folder + "/kernel.json"));
  SPINDLE_ASSIGN(auto module, hls::readProgram(*context, folder + "/" + kernel.original));
  SPINDLE_ASSIGN(hls::Golden golden, hls::Golden::compile(*module, kernel.function));
  SPINDLE_RETURN_IF_ERROR(makeFolder(folder + "/cosim/samples"));
  SPINDLE_ASSIGN(auto scheduled, hls::readProgram(*context, folder + "/scheduled.mlir"));
  SampleCosim made;
  made.steps = recording.network.steps;
  std::vector<std::string> problems;
  options.in.clear();
  for (uint32_t sample = 0; sample < images; ++sample) {
    hls::Values inputs{recording.arrays, {}};
    for (size_t index = 0; index < inputs.arguments.size(); ++index)
      if (recording.network.arrays[index].role == ArrayRole::Input) {
        SPINDLE_ASSIGN(inputs.arguments[index], spikesOf(recording, sample, index));
      } else if (recording.network.arrays[index].role == ArrayRole::Currents) {
        inputs.arguments[index] = currentsOf(recording, sample, index);
      }
    SPINDLE_ASSIGN(hls::Values found, golden.run(inputs.arguments));
    SPINDLE_ASSIGN(std::string problem, compareSample(recording, sample, found, made));
    if (!problem.empty())
      problems.push_back(problem);
    if (!recording.network.predictedCycles) {
      SPINDLE_ASSIGN(uint64_t cycles, cyclesOf(*scheduled, inputs.arguments, folder));
      options.predicted.push_back(cycles);
    }
    options.in.push_back(fmt::format("{}/cosim/samples/{}.npz", folder, sample));
    SPINDLE_RETURN_IF_ERROR(hls::writeValues(options.in.back(), inputs));
  }
  made.result.top = recording.network.top;
  made.result.predictedCycles = recording.network.predictedCycles;
  made.result.problems = problems;
  if (!problems.empty()) // what the circuit would be compared with is wrong
    return made;
  options.runs = images;
  SPINDLE_ASSIGN(made.result, hls::cosim(folder, options));
  for (std::string &problem : made.result.problems)
    problem = withNeuron(problem, recording.network);
  return made;
}

} // namespace spindle
