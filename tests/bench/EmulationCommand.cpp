#include "tests/bench/EmulationCommand.h"

#include "core/support/files/File.h"
#include "tests/bench/Peers.h"

#include "fmt/format.h"
#include "fmt/ranges.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"

#include <algorithm>
#include <thread>

namespace spindle::bench {

/// Spikes of a peer may differ by chance: the smallest population makes about 1e4 of them, which
/// are not independent.
constexpr double kSpikeTolerance = 0.05;
constexpr double kIdle = 0.95; // of both processors, before two threads are measured

static llvm::Expected<std::vector<WorkloadEntry>>
chosenWorkloads(const std::vector<std::string> &names) {
  std::vector<WorkloadEntry> all = emulationWorkloads(), chosen;
  if (names.empty())
    std::copy_if(all.begin(), all.end(), std::back_inserter(chosen),
                 [](const WorkloadEntry &entry) { return !entry.isForTests; });
  for (const std::string &name : names) {
    auto hasName = [&](const WorkloadEntry &entry) { return entry.name == name; };
    auto found = std::find_if(all.begin(), all.end(), hasName);
    if (found == all.end()) {
      std::vector<std::string> known;
      for (const WorkloadEntry &entry : all)
        known.push_back(entry.name);
      return inputError("--workload", fmt::format("'{}' is no workload, expected one of {}", name,
                                                  fmt::join(known, ", ")));
    }
    chosen.push_back(*found);
  }
  return chosen;
}

/// Prints rows and keeps them for the file.
class Table {
public:
  explicit Table(std::string path) : csvPath(std::move(path)) {
    fmt::print("{:9} {:18} {:>9} {:>10} {:>9} {:>9}  {}\n", "workload", "engine", "seconds",
               "events/s", "bound, s", "of bound", "remarks");
  }
  void row(const std::string &workload, const std::string &engine, double seconds, double events,
           double bound, const std::string &remark) {
    fmt::print("{:9} {:18} {:9.4f} {:10.3g} {:9.4f} {:8.0f}%  {}\n", workload, engine, seconds,
               events / seconds, bound, 100 * bound / seconds, remark);
    std::fflush(stdout);
    csv += fmt::format("{},{},{:.6g},{:.6g},{:.6g}\n", workload, engine, seconds, events / seconds,
                       bound);
  }
  void skipped(const std::string &workload, const std::string &engine, const std::string &reason) {
    fmt::print("{:9} {:18} skipped: {}\n", workload, engine, reason);
  }
  llvm::Error write() const {
    return csvPath.empty() ? llvm::Error::success() : writeFile(csvPath, csv);
  }

private:
  std::string csvPath;
  std::string csv = "workload,engine,seconds,events_per_second,bound_seconds\n";
};

static llvm::Expected<Measurement> fastest(const EmulationWorkload &workload, int64_t runs,
                                           const EngineChoice &choice = {}) {
  Measurement best;
  for (int64_t run = 0; run < runs; ++run) {
    SPINDLE_ASSIGN(Measurement measured, workload.run(choice));
    double compileSeconds = run == 0 ? measured.compileSeconds : best.compileSeconds;
    if (run == 0 || measured.seconds < best.seconds)
      best = std::move(measured);
    best.compileSeconds = compileSeconds; // later runs find the kernels
  }
  return best;
}

/// `1179613 1494076 13061 spikes`: of each population, over all samples.
static std::string spikeCounts(const std::vector<uint64_t> &spikes) {
  return fmt::format("{} spikes", fmt::join(spikes, " "));
}

static llvm::Error runPeers(const std::string &name, const EmulationWorkload &workload,
                            const Measurement &ours, double bound, int64_t runs, Table &table) {
  llvm::SmallString<128> file;
  if (llvm::sys::fs::createTemporaryFile("spindle-" + name, "npz", file))
    return inputError(file.str().str(), "cannot create a temporary file");
  llvm::FileRemover remove(file);
  SPINDLE_RETURN_IF_ERROR(workload.write(file.str().str()));
  for (const Peer &peer : workload.peers()) {
    SPINDLE_ASSIGN(auto answer, runPeer(peer, file.str().str(), runs));
    if (auto *skipped = std::get_if<PeerSkipped>(&answer)) {
      table.skipped(name, peer.engine, skipped->reason);
      continue;
    }
    const auto &measured = std::get<PeerAnswer>(answer);
    table.row(name, peer.engine, measured.seconds, double(ours.synapticEvents), bound,
              fmt::format("{:.1f} × spindle-f32; {}; {}", measured.seconds / ours.seconds,
                          spikeCounts(measured.spikes), measured.detail));
    if (peer.equalSteps > 0) {
      SPINDLE_ASSIGN(uint64_t equal, checkFirstSpikes(peer, file.str().str(), ours));
      fmt::print("{:9} {:18} makes the same {} spikes in the first {} steps, in f64\n", name,
                 peer.engine, equal, peer.equalSteps);
    }
    SPINDLE_RETURN_IF_ERROR(checkSpikes(peer.script, ours, measured, kSpikeTolerance));
  }
  return llvm::Error::success();
}

/// Two threads mean nothing while others use the machine.
static llvm::Error printTwoThreads(const std::string &name, const EmulationWorkload &workload,
                                   const Measurement &one, int64_t runs) {
  if (std::thread::hardware_concurrency() < 2)
    return llvm::Error::success();
  double idle = idleShare(300);
  if (idle < kIdle) {
    fmt::print("{:9} two threads: not measured, others use {:.0f} % of the machine\n", name,
               100 * (1 - idle));
    return llvm::Error::success();
  }
  SPINDLE_ASSIGN(Measurement two, fastest(workload, runs, {.threads = 2}));
  fmt::print("{:9} two threads: {:.4f} s, {:.2f} × as fast as one\n", name, two.seconds,
             one.seconds / two.seconds);
  if (!workload.hasSamples())
    return llvm::Error::success();
  SPINDLE_ASSIGN(Measurement alone, fastest(workload, runs, {.oneSample = true}));
  SPINDLE_ASSIGN(two, fastest(workload, runs, {.threads = 2, .oneSample = true}));
  fmt::print("{:9} one sample, two threads: {:.4f} s, {:.2f} × as fast as one\n", name, two.seconds,
             alone.seconds / two.seconds);
  return llvm::Error::success();
}

static llvm::Error measure(const std::string &name, const EmulationWorkload &workload,
                           const EmulationBenchOptions &options, Table &table) {
  MachineRates rates = measureRates();
  SPINDLE_ASSIGN(Measurement ours, fastest(workload, options.runs));
  keepBest(rates, measureRates());
  VectorWork work = workload.bound(rates, ours);
  double bound = work.seconds(rates);
  auto row = [&](const char *engine, const Measurement &measured) {
    table.row(name, engine, measured.seconds, double(measured.synapticEvents),
              workload.bound(rates, measured).seconds(rates),
              fmt::format("{}, compiled in {:.2f} s", spikeCounts(measured.spikes),
                          measured.compileSeconds));
  };
  row("spindle-f32", ours);
  if (workload.runsInFixedPoint()) {
    SPINDLE_ASSIGN(Measurement fixed, fastest(workload, options.runs, {.fixedPoint = true}));
    row("spindle-i16", fixed);
  }
  if (options.lanes) {
    SPINDLE_ASSIGN(Measurement lanes,
                   fastest(workload, options.runs, {.engine = EmulationEngine::Lanes}));
    row("spindle-f32-lanes", lanes);
  }
  if (options.peers)
    SPINDLE_RETURN_IF_ERROR(runPeers(name, workload, ours, bound, options.runs, table));
  SPINDLE_RETURN_IF_ERROR(printTwoThreads(name, workload, ours, options.runs));
  fmt::print("{:9} bound: {} = {:.4f} s; {:.1f} GHz\n", name, work.formula(rates), bound,
             rates.clock * 1e-9);
  return llvm::Error::success();
}

static llvm::Error exportWorkload(const std::string &name, const EmulationWorkload &workload,
                                  const std::string &folder) {
  if (std::error_code code = llvm::sys::fs::create_directories(folder))
    return inputError(folder, fmt::format("cannot create the folder: {}", code.message()));
  std::string path = fmt::format("{}/{}.npz", folder, name);
  SPINDLE_RETURN_IF_ERROR(workload.write(path));
  for (const Peer &peer : workload.peers())
    fmt::print("/usr/bin/python3 {}/{} {}\n", SPINDLE_PEERS, peer.script, path);
  return llvm::Error::success();
}

llvm::Error benchEmulation(const EmulationBenchOptions &options) {
  SPINDLE_ASSIGN(std::vector<WorkloadEntry> workloads, chosenWorkloads(options.workloads));
  if (!options.exportFolder.empty()) {
    for (const WorkloadEntry &entry : workloads)
      SPINDLE_RETURN_IF_ERROR(exportWorkload(entry.name, *entry.make(), options.exportFolder));
    return llvm::Error::success();
  }
  fmt::print("one thread, simulation only, the fastest of {} runs\n\n", options.runs);
  Table table(options.csvPath);
  for (const WorkloadEntry &entry : workloads)
    SPINDLE_RETURN_IF_ERROR(measure(entry.name, *entry.make(), options, table));
  return table.write();
}

} // namespace spindle::bench
