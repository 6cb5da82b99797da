#include "core/support/files/FolderLock.h"
#include "dialects/hls/interpreter/Interpreter.h"
#include "hw/cosim/samples/SampleMoments.h"
#include "hw/cosim/samples/SampleTokens.h"
#include "hw/program/Golden.h"
#include "hw/program/ProgramFile.h"
#include "tools/spindle/hardware/SampleRecording.h"

#include "fmt/format.h"

#include <bit>
#include <optional>

namespace spindle {

namespace {

/// Beyond so many FIFOs equal ones are objects of one class under Verilator, which hide their
/// counters.
constexpr size_t kMostWatched = 64;

hls::StreamUse useOf(hls::KernelOp kernel, const hls::Interpretation &run) {
  hls::StreamUse use;
  use.cycles = run.cycles;
  for (const auto &[name, pipeline] : run.pipelines)
    use.tasks.push_back({name, pipeline.iterations, pipeline.withoutToken, pipeline.withoutRoom});
  for (const auto &[name, fifo] : run.fifos)
    use.fifos.push_back({name, fifo.depth, fifo.most, double(fifo.sum) / double(run.cycles)});
  kernel.walk([&](mlir::Operation *op) {
    if (!llvm::isa<hls::PopOp, hls::PushOp>(op))
      return;
    std::string name = hls::fifoOf(op).getSymName().str();
    std::string task = hls::nameOf(op->getParentOfType<hls::PipelineOp>()).str();
    for (hls::StreamUse::Fifo &fifo : use.fifos)
      if (fifo.name == name)
        (llvm::isa<hls::PopOp>(op) ? fifo.to : fifo.from) = task;
  });
  return use;
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
    if (use.fifos.size() <= kMostWatched)
      for (const hls::StreamUse::Fifo &fifo : use.fifos)
        options.fifos.push_back(fifo.name);
    SPINDLE_ASSIGN(made.result, hls::cosim(folder, options));
    if (hasStreams()) {
      std::vector<std::string> &problems = made.result.problems;
      checkFills(images, made.result, problems);
      made.result.images = measure(images, made.result.streamCycles, "", problems);
      made.result.use = use;
      if (hls::BusResult *bus = made.result.bus ? &*made.result.bus : nullptr) {
        if (bus->memoryLatency) {
          bus->images = latencies(images, bus->streamCycles);
          if (images < bus->runCycles.size())
            bus->allSamples = bus->runCycles[images];
        } else {
          bus->images = measure(images, bus->streamCycles, bus->top + ": ", problems);
        }
      }
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
    use = useOf(*kernels.begin(), run); // of all samples in the end, which come last
    foreseen.push_back(hls::momentsOf(recording.network.arrays, run.streamCycles, range.count));
    return llvm::Error::success();
  }

  /// Whether the streams of the run of all samples were as full as was foreseen.
  void checkFills(uint32_t images, const hls::CosimResult &result,
                  std::vector<std::string> &problems) const {
    if (result.fills.size() <= images || result.fills[images].size() != use.fifos.size())
      return; // it came to no end, or too many of them to watch
    for (size_t n = 0; n < use.fifos.size(); ++n) {
      const hls::StreamUse::Fifo &wanted = use.fifos[n];
      uint64_t most = result.fills[images][n][0];
      // What comes from outside may come one by one, or find room in front of the circuit.
      bool isPartly = wanted.from.empty() && most < wanted.most;
      // The last word of what goes out may leave in the cycle in which the run is done.
      isPartly |= wanted.to.empty() && most + 1 == wanted.most;
      if (most != wanted.most && !isPartly)
        problems.push_back(fmt::format("run {}: stream '{}' holds {} tokens at most, predicted "
                                       "were {}",
                                       images, wanted.name, most, wanted.most));
    }
  }

  /// Of single samples in memory, which makes them wait.
  hls::ImageTimes
  latencies(uint32_t images,
            const std::vector<std::vector<std::vector<uint64_t>>> &streamCycles) const {
    hls::ImageTimes times;
    for (size_t run = 0; run < images && run < streamCycles.size(); ++run)
      for (const hls::SampleMoments &sample :
           hls::momentsOf(recording.network.arrays, streamCycles[run], ranges[run].count))
        times.latencies.push_back(sample.latency());
    return times;
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
        // Words that find room in front of the circuit come before the start or one per cycle.
        bool isEarly =
            foreseen[run][sample].firstWord == 0 && found.firstWord <= wanted.firstWord + sample;
        if (found.answer != wanted.answer || (found.firstWord != wanted.firstWord && !isEarly))
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
  hls::StreamUse use;
  std::vector<std::vector<hls::SampleMoments>> foreseen;
};

} // namespace

llvm::Error writeSampleInputs(const std::string &folder, uint32_t images, const std::string &path) {
  SPINDLE_ASSIGN(Recording recording, readRecording(folder, images));
  bool hasStreams = llvm::any_of(recording.network.arrays,
                                 [](const HardwareArray &array) { return array.isStream; });
  if (!hasStreams && images > 1)
    return inputError(folder, fmt::format("takes one sample in a run (style clock), found {}, "
                                          "expected 1",
                                          images));
  SPINDLE_ASSIGN(hls::Values inputs, argumentsOf(recording, {0, images}));
  return hls::writeValues(path, inputs);
}

llvm::Expected<SampleCosim> cosimSamples(const std::string &folder, uint32_t images,
                                         hls::CosimOptions options) {
  SPINDLE_ASSIGN(Recording recording, readRecording(folder, images));
  SampleRuns runs(folder, std::move(recording));
  SPINDLE_RETURN_IF_ERROR(runs.read());
  return runs.run(images, std::move(options));
}

} // namespace spindle
