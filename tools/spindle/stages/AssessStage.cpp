// The stage that says what a network's accuracy is on the chip.
#include "tools/spindle/flow/Stage.h"
#include "tools/spindle/stages/AssessDevices.h"
#include "tools/spindle/stages/ChipFiles.h"
#include "tools/spindle/stages/ModuleFile.h"

#include "core/chip/assessment/Assessment.h"
#include "core/network/Evaluation.h"
#include "core/run/StageFileNames.h"
#include "core/support/files/DataPath.h"
#include "lib/emulation/Emulation.h"
#include "lib/emulation/SteppedEmulation.h"
#include "lib/emulation/runtime/Batches.h"
#include "sim/model/DeliveredChip.h"

#include "fmt/format.h"

#include <mutex>

namespace spindle {

namespace {

/// What all points of an assessment share.
struct AssessedNetwork {
  const SpikingGraph &graph;
  const Clustering &clustering;
  const Mapping &mapping;
  const Chip &chip;
  const Samples &samples;
  const SteppedEmulation &emulation;
  uint32_t steps;
  size_t threads;
  LateSpikes late;
};

} // namespace

/// The steps that the flow asks for, else the chip's own; none are needed where devices are
/// assessed.
static llvm::Expected<std::vector<double>> stepsUsOf(const StageRun &run, const Chip &chip) {
  if (!run.flow.assessment.stepUs.empty())
    return run.flow.assessment.stepUs;
  if (chip.synchronisation == Synchronisation::Free)
    return std::vector<double>{chip.stepUs.value};
  if (chip.crossbar.device)
    return std::vector<double>();
  return inputError(run.flow.places.at("assessment"),
                    fmt::format("chip '{}' has synchronisation {}, which waits for every spike; "
                                "give assessment.step_us, the steps of a free-running chip in µs, "
                                "or set synchronisation: free in its file, or add "
                                "crossbar.device to it",
                                chip.name,
                                kSynchronisationNames[static_cast<size_t>(chip.synchronisation)]));
}

static llvm::Expected<DeliveredPoint> deliver(const AssessedNetwork &given, double stepUs,
                                              const Progress &progress) {
  SPINDLE_ASSIGN(std::unique_ptr<DeliveredChip> chip,
                 DeliveredChip::make(given.graph, given.clustering, given.mapping, given.chip,
                                     stepUs, given.late));
  DeliveredPoint point{stepUs, 0, std::vector<DeliveryCounts>(given.graph.populations.size())};
  std::vector<std::unique_ptr<SteppedNetwork>> networks;
  for (size_t thread = 0; thread < given.threads; ++thread)
    networks.push_back(given.emulation.open());
  std::mutex adding; // sums of whole numbers: whatever the order
  auto work = [&](size_t thread, size_t first, size_t count) -> llvm::Error {
    for (size_t sample = first; sample < first + count; ++sample) {
      SteppedNetwork &network = *networks[thread];
      SPINDLE_RETURN_IF_ERROR(network.begin(sample));
      std::vector<DeliveryCounts> counts;
      SPINDLE_RETURN_IF_ERROR(chip->run(network, given.steps, counts));
      bool isRight = network.answers(given.steps).back() == given.samples.labels[sample];
      std::lock_guard<std::mutex> lock(adding);
      point.correct += isRight;
      for (size_t p = 0; p < counts.size(); ++p)
        point.populations[p] += counts[p];
    }
    return llvm::Error::success();
  };
  SPINDLE_RETURN_IF_ERROR(
      forEachBatch(given.samples.count(), BatchSizes(1), given.threads, work, progress));
  return point;
}

/// One line per device.
static std::string describeDevices(const Assessment &assessment) {
  std::string text;
  for (const DevicePoint &point : assessment.devices) {
    AccuracySpread spread = spreadOf(assessment, point);
    text += fmt::format("\n          {:.2f} ± {:.2f} % with a variation of {:g} %", spread.mean,
                        spread.deviation, 100 * point.variation);
    text += point.adcBits > 0 ? fmt::format(" and {} bits", point.adcBits) : " and exact sums";
    text += fmt::format(", {} seeds; {:.2f} % of the samples spike as they do ideally",
                        point.correct.size(), 100 * sameShare(assessment, point));
  }
  return text;
}

/// One line per step.
static std::string describe(const Assessment &assessment) {
  auto percent = [&](uint64_t correct) {
    return 100 * double(correct) / double(assessment.samples);
  };
  std::string text = fmt::format("accuracy {:.2f} % of {} samples ideally",
                                 percent(assessment.idealCorrect), assessment.samples);
  for (const DeliveredPoint &point : assessment.delivered) {
    DeliveryCounts all;
    for (const DeliveryCounts &count : point.populations)
      all += count;
    text += fmt::format("\n          {:.2f} % with steps of {:g} µs: {} of {} spikes late, {} lost",
                        percent(point.correct), point.stepUs, all.lateSpikes, all.spikes,
                        all.lostSpikes);
    if (all.sums > 0)
      text += fmt::format("; {} of {} partial sums late, {} lost", all.lateSums, all.sums,
                          all.lostSums);
  }
  text += describeDevices(assessment);
  if (assessment.delivered.size() < 2)
    return text;
  std::optional<size_t> knee = kneeOf(assessment);
  if (!knee)
    return text + fmt::format("\n          no knee: the longest step costs more than {:g} point, "
                              "try longer ones",
                              kKneePoints);
  if (*knee == 0)
    return text +
           fmt::format("\n          no knee: the shortest step costs no more than {:g} point",
                       kKneePoints);
  return text +
         fmt::format("\n          knee at {:g} µs: the next shorter step costs more than {:g} "
                     "point",
                     assessment.delivered[*knee].stepUs, kKneePoints);
}

llvm::Expected<std::string> runAssess(const StageRun &run) {
  SPINDLE_RETURN_IF_ERROR(run.need(run.flow.hasDataset, "dataset"));
  SPINDLE_RETURN_IF_ERROR(run.need(run.flow.hasChip, "chip"));
  SPINDLE_ASSIGN(Chip chip, readChip(run.flow.chip));
  SPINDLE_ASSIGN(std::vector<double> stepsUs, stepsUsOf(run, chip));
  SPINDLE_ASSIGN(std::vector<Device> devices,
                 devicesOf(run.flow.assessment, chip, run.flow.places.at("assessment")));
  SPINDLE_ASSIGN(SpikingGraph graph, readSpikingGraph(run.file(run::kGraph)));
  SPINDLE_RETURN_IF_ERROR(needSynapses(graph, run.file(run::kGraph), "an assessment"));
  SPINDLE_ASSIGN(Clustering clustering, readClustering(run.file(run::kClusters)));
  SPINDLE_ASSIGN(Mapping mapping, readMappingOf(run, clustering, chip));
  SPINDLE_ASSIGN(EmulationSummary emulated, readEmulationSummary(run.file(run::kEmulation)));
  auto context = makeNetworkContext();
  SPINDLE_ASSIGN(auto network, readModule(*context, run.file(run::kSnnModule)));

  DatasetOptions dataset = run.flow.dataset;
  int64_t most = run.flow.assessment.samples;
  dataset.test.limit = std::min(dataset.test.limit.value_or(most), most);
  SPINDLE_ASSIGN(Samples samples, loadDataset(dataset, PathResolver(run.flow.path)));
  if (!samples.labelled)
    return inputError(run.flow.path, "the samples have no labels, so that there is no accuracy; "
                                     "leave out the section assessment");
  EmulationOptions options = run.flow.emulation;
  options.steps = static_cast<int64_t>(emulated.steps);
  options.recordSamples = 1;
  options.recordMembranes.clear();
  SPINDLE_ASSIGN(EmulationResult ideal, emulate(*network, samples, options));
  SPINDLE_ASSIGN(std::unique_ptr<SteppedEmulation> stepped,
                 SteppedEmulation::make(*network, samples, options));

  Assessment assessment;
  assessment.chip = chip.name;
  assessment.steps = emulated.steps;
  assessment.samples = samples.count();
  assessment.idealCorrect = ideal.summary.correctByStep.back();
  assessment.late = run.flow.simulation.late;
  for (const Population &population : graph.populations)
    assessment.populations.push_back(population.name);
  AssessedNetwork given{graph,          clustering,
                        mapping,        chip,
                        samples,        *stepped,
                        emulated.steps, static_cast<size_t>(std::max<int64_t>(1, options.threads)),
                        assessment.late};
  for (double stepUs : stepsUs) {
    SPINDLE_ASSIGN(DeliveredPoint point, deliver(given, stepUs, run.counting()));
    assessment.delivered.push_back(std::move(point));
  }
  NetworkOnDevices onDevices{graph, clustering, samples, *stepped, emulated.steps, given.threads};
  SPINDLE_ASSIGN(assessment.devices,
                 assessDevices(onDevices, devices, static_cast<uint64_t>(run.flow.assessment.seeds),
                               run.counting()));
  SPINDLE_RETURN_IF_ERROR(writeAssessment(run.output(run::kAssessment), assessment));
  return describe(assessment);
}

} // namespace spindle
