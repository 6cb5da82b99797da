#include "core/kernel/CosimResult.h"

#include "core/support/formats/JsonMapping.h"

#include <numeric>

namespace spindle::hls {

static constexpr FileFormat kCosimFormat = {"spindle-cosim", 1};

/// What the clock says, of both kinds of results.
static void describeTiming(auto &file, auto &result) {
  file.group("timing", [&](auto &timing) {
    timing.field("build_seconds", result.buildSeconds);
    timing.field("simulation_seconds", result.simulationSeconds);
  });
}

static void describe(auto &file, MaybeConst<ImageTimes> auto &images) {
  file.field("latencies", images.latencies);
  file.field("intervals", images.intervals);
}

static void describe(auto &file, MaybeConst<StreamUse> auto &use) {
  file.field("cycles", use.cycles);
  file.list("tasks", use.tasks, [](auto &entry, auto &task) {
    entry.field("name", task.name);
    entry.field("iterations", task.iterations);
    entry.field("without_token", task.withoutToken);
    entry.field("without_room", task.withoutRoom);
  });
  file.list("fifos", use.fifos, [](auto &entry, auto &fifo) {
    entry.field("name", fifo.name);
    entry.field("depth", fifo.depth);
    entry.field("most", fifo.most);
    entry.field("mean", fifo.mean);
    entry.fieldUnless("from", fifo.from, "");
    entry.fieldUnless("to", fifo.to, "");
  });
}

static void describe(auto &file, MaybeConst<BusResult> auto &bus) {
  file.field("top", bus.top);
  file.field("cycles", bus.cycles);
  file.field("runs", bus.runs);
  file.field("mismatches", bus.mismatches);
  file.optional("images", bus.images);
  file.optional("memory_latency", bus.memoryLatency);
  file.optional("all_samples_cycles", bus.allSamples);
  describeTiming(file, bus);
}

double ImageTimes::meanInterval() const {
  return intervals.empty()
             ? 0
             : double(std::accumulate(intervals.begin(), intervals.end(), uint64_t(0))) /
                   double(intervals.size());
}

static void describe(auto &file, MaybeConst<CosimResult> auto &result) {
  file.field("top", result.top);
  file.field("cycles", result.cycles);
  file.field("predicted_cycles", result.predictedCycles);
  file.field("runs", result.runs);
  file.fieldUnless("run_cycles", result.runCycles, {});
  if (file.has("tasks", !result.tasks.empty()))
    file.list("tasks", result.tasks, [](auto &entry, auto &span) { // as in system.json
      entry.field("task", span.task);
      entry.field("input", span.input);
      entry.field("start", span.start);
      entry.field("end", span.end);
    });
  file.field("seed", result.seed);
  file.field("mismatches", result.mismatches);
  file.field("problems", result.problems);
  file.fieldOr("inputs", result.inputs, "uniform");
  file.fieldOr("reassociated", result.isReassociated, false);
  file.optional("bus", result.bus);
  file.optional("images", result.images);
  file.optional("use", result.use);
  describeTiming(file, result);
}

llvm::Error writeCosimResult(const std::string &path, const CosimResult &result) {
  return writeDescribed(path, kCosimFormat, result);
}

llvm::Expected<CosimResult> readCosimResult(const std::string &path) {
  return readDescribed<CosimResult>(path, kCosimFormat);
}

} // namespace spindle::hls
