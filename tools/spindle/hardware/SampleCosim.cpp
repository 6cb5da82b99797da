#include "core/network/HardwareNetwork.h"
#include "core/network/SpikeTrace.h"
#include "core/run/StageFileNames.h"
#include "core/support/files/FileHash.h"
#include "core/support/files/FolderLock.h"
#include "core/support/formats/Npz.h"
#include "hw/program/Golden.h"
#include "hw/program/ProgramFile.h"
#include "tools/spindle/hardware/HardwareFiles.h"

#include "fmt/format.h"

#include <filesystem>
#include <regex>

namespace spindle {

namespace {

namespace fs = std::filesystem;

struct Recording {
  HardwareNetwork network;
  SpikeTrace trace;
  std::vector<hls::KernelArray> arrays; // weights filled in, all others zero
};

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
    if (population.name != array.layer || int64_t(population.size) != array.shape[1])
      continue;
    for (const Spike &spike : recording.trace.recorded[sample])
      if (spike.neuron - population.first < population.size)
        spikes.set(size_t(spike.step) * population.size + (spike.neuron - population.first), 1);
    return spikes;
  }
  return inputError("hardware.json",
                    fmt::format("found no population '{}' of {} neurons among the recorded spikes; "
                                "run the stage hardware again",
                                array.layer, array.shape[1]));
}

/// `layer 'dense1', neuron 5, step 3`
std::string neuronText(const HardwareArray &array, size_t element) {
  auto neurons = size_t(array.shape[1]);
  return fmt::format("layer '{}', neuron {}, step {}", array.layer, element % neurons,
                     element / neurons);
}

/// What the program makes of a sample against what the emulator made of it; empty where they agree.
llvm::Expected<std::string> compareSample(const Recording &recording, size_t sample,
                                          const hls::Values &found, uint64_t &spikes) {
  for (size_t index = 0; index < recording.network.arrays.size(); ++index) {
    const HardwareArray &array = recording.network.arrays[index];
    if (array.role != ArrayRole::Spikes)
      continue;
    SPINDLE_ASSIGN(hls::KernelArray wanted, spikesOf(recording, sample, index));
    for (size_t element = 0; element < wanted.count(); ++element) {
      bool spiked = wanted.at(element);
      spikes += spiked;
      if (bool(found.arguments[index].at(element)) != spiked)
        return fmt::format("sample {}: {}: found {}, expected {} as in the emulator", sample,
                           neuronText(array, element), spiked ? "silence" : "a spike",
                           spiked ? "a spike" : "silence");
    }
  }
  return std::string();
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
  return fmt::format("sample {}: {}: {}", match[1].str(),
                     neuronText(network.arrays[index], element), problem);
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
  SampleCosim made;
  made.steps = recording.network.steps;
  std::vector<std::string> problems;
  options.in.clear();
  for (uint32_t sample = 0; sample < images; ++sample) {
    hls::Values inputs{recording.arrays, {}};
    for (size_t index = 0; index < inputs.arguments.size(); ++index)
      if (recording.network.arrays[index].role == ArrayRole::Input) {
        SPINDLE_ASSIGN(inputs.arguments[index], spikesOf(recording, sample, index));
      }
    SPINDLE_ASSIGN(hls::Values found, golden.run(inputs.arguments));
    SPINDLE_ASSIGN(std::string problem, compareSample(recording, sample, found, made.spikes));
    if (!problem.empty())
      problems.push_back(problem);
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
