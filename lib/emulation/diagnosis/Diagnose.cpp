#include "lib/emulation/diagnosis/Diagnose.h"

#include "dialects/snn/Answers.h"
#include "lib/emulation/Emulation.h"
#include "lib/emulation/EvaluateAnn.h"
#include "lib/emulation/diagnosis/AnalogTwin.h"
#include "lib/emulation/diagnosis/LayerErrors.h"
#include "lib/emulation/network/Network.h"

#include "fmt/format.h"

#include <algorithm>

using namespace mlir;

namespace spindle {

namespace {

/// A spiking layer and what it came from.
struct Origin {
  snn::NeuronOp op;
  const Population *population;
  const LayerActivations *activations;
  const ConversionSummary::Layer *converted;
  std::optional<float> maximum; // of a clamped rectifier
};

/// The progress of one of several equal parts.
class Parts {
public:
  Parts(const Progress &whole, size_t count) : progress(whole), parts(count) {}
  Progress next() {
    if (!progress)
      return {};
    return [this, number = part++](uint64_t done, uint64_t all) {
      progress(number * all + done, parts * all);
    };
  }

private:
  const Progress &progress;
  size_t parts, part = 0;
};

} // namespace

template <typename List, typename Name>
static auto findNamed(const List &list, const std::string &name, Name nameOf) {
  return std::find_if(list.begin(), list.end(), [&](const auto &x) { return nameOf(x) == name; });
}

static std::optional<float> maximumOf(ModuleOp ann, const std::string &layer) {
  std::optional<float> maximum;
  ann.walk([&](snn::ReluOp relu) {
    if (nameOf(relu) == layer && relu.getMaximum())
      maximum = relu.getMaximum()->convertToFloat();
  });
  return maximum;
}

/// Spiking populations that have a rectifier of the same name, in order.
static llvm::Expected<std::vector<Origin>> originsOf(ModuleOp ann, const Network &network,
                                                     const ConversionSummary &conversion,
                                                     const Activations &activations) {
  std::vector<Origin> origins;
  for (const NetworkOp &each : network.ops) {
    auto op = dyn_cast<snn::NeuronOp>(each.op);
    if (!op || !isa<snn::SpikeBundleType>(op.getTarget().getType()))
      continue;
    std::string name = snn::layerOf(op).str();
    auto made = findNamed(conversion.layers, name, [](const auto &x) { return x.name; });
    auto from = findNamed(activations.layers, name, [](const auto &x) { return x.layer; });
    if (made == conversion.layers.end() || made->scale.empty() || from == activations.layers.end())
      continue;
    const Population &population = network.populations[*each.population];
    if (from->values.size() != activations.samples * population.size ||
        population.size % made->scale.size() != 0)
      return inputError(placeOrNameOf(op),
                        fmt::format("{} has {} neurons, which its rectifier in the ANN and its {} "
                                    "scales do not fit; convert again, or leave out the section "
                                    "diagnosis if neurons were removed",
                                    name, population.size, made->scale.size()));
    origins.push_back({op, &population, &*from, &*made, maximumOf(ann, name)});
  }
  return origins;
}

/// Whether only rearrangements lie between the spikes of a population and the answer.
static bool isDecoded(Value spikes) {
  return llvm::any_of(spikes.getUsers(), [](Operation *user) {
    auto decode = dyn_cast<snn::DecodeOp>(user);
    return (decode && snn::isAnswer(decode)) ||
           (isa<snn::SpikeBundleType>(user->getResult(0).getType()) &&
            !isa<snn::MaxPool2dOp>(user) && isDecoded(user->getResult(0)));
  });
}

/// Spiking populations that are neither the host's nor the answer.
static void countHidden(const Network &network, const EmulationSummary &summary,
                        Diagnosis &diagnosis) {
  for (const NetworkOp &each : network.ops) {
    Value target = each.op->getResult(0);
    if (!each.population || isa<snn::EncodeOp>(each.op) ||
        !isa<snn::SpikeBundleType>(target.getType()) || isDecoded(target))
      continue;
    diagnosis.hiddenNeurons += network.populations[*each.population].size;
    diagnosis.hiddenSpikes += summary.spikes[*each.population];
  }
}

/// Right answers with the analog twin of one layer.
static llvm::Error emulateTwin(ModuleOp snn, const Origin &origin, const Samples &samples,
                               EmulationOptions options, const Progress &progress,
                               DiagnosedLayer &layer) {
  layer.withoutTwin = twinObstacle(origin.op);
  if (!layer.withoutTwin.empty())
    return llvm::Error::success();
  AnalogTwin exact{layer.name};
  for (double scale : origin.converted->scale)
    if (origin.maximum)
      exact.maximum.push_back(static_cast<float>(*origin.maximum / scale));
  SPINDLE_ASSIGN(OwningOpRef<ModuleOp> twin, withAnalogTwins(snn, exact));
  options.recordSamples = 1;
  options.recordMembranes.clear();
  SPINDLE_ASSIGN(EmulationResult result, emulate(*twin, samples, options, progress));
  layer.twinCorrect = result.summary.correctByStep.back();
  return llvm::Error::success();
}

llvm::Expected<Diagnosis> diagnose(ModuleOp ann, ModuleOp snn, const ConversionSummary &conversion,
                                   const Samples &samples, const EmulationOptions &options,
                                   const Progress &progress) {
  if (conversion.layers.empty())
    return inputError(placeOrNameOf(snn),
                      "this network was not converted, there is no ANN to compare it "
                      "with; leave out the section diagnosis");
  size_t threads = static_cast<size_t>(options.threads);
  SPINDLE_ASSIGN(AnnEvaluation evaluation, evaluateAnn(ann, samples, threads));
  SPINDLE_ASSIGN(Activations activations, collectActivations(ann, samples, threads));
  SPINDLE_ASSIGN(Network network, readNetwork(snn));
  SPINDLE_ASSIGN(std::vector<Origin> origins, originsOf(ann, network, conversion, activations));

  Parts parts(progress, origins.size() + 1);
  EmulationOptions recording = options;
  recording.recordSamples = static_cast<int64_t>(samples.count());
  recording.recordMembranes.clear();
  SPINDLE_ASSIGN(EmulationResult result, emulate(snn, samples, recording, parts.next()));
  Diagnosis diagnosis;
  diagnosis.steps = result.summary.steps;
  diagnosis.samples = samples.count();
  diagnosis.annCorrect = evaluation.correct;
  diagnosis.snnCorrect = result.summary.correctByStep.back();
  countHidden(network, result.summary, diagnosis);
  for (const Origin &origin : origins) {
    LayerErrors errors(origin.op, *origin.population, *origin.activations, origin.converted->scale,
                       diagnosis.steps);
    for (const std::vector<Spike> &spikes : result.trace.recorded)
      errors.read(spikes);
    DiagnosedLayer layer = errors.result();
    layer.name = origin.converted->name;
    SPINDLE_RETURN_IF_ERROR(emulateTwin(snn, origin, samples, options, parts.next(), layer));
    diagnosis.layers.push_back(std::move(layer));
  }
  SPINDLE_RETURN_IF_ERROR(verify(diagnosis));
  return diagnosis;
}

} // namespace spindle
