#include "lib/conversion/ann-to-snn/Calibration.h"

#include "lib/conversion/ann-to-snn/ThresholdSearch.h"

namespace spindle {

/// What the mean answer lacks, per element. Sums in sample order, so that threads do not matter.
static llvm::Error balanceAnswers(mlir::ModuleOp snn, const std::string &layer,
                                  const LayerActivations &wanted, CurrentSource currents,
                                  LayerPlan &plan) {
  size_t size = 1;
  for (int64_t extent : wanted.shape)
    size *= static_cast<size_t>(extent);
  size_t samples = wanted.values.size() / size;
  std::vector<float> found(wanted.values.size(), 0);
  SPINDLE_RETURN_IF_ERROR(currents(snn, layer, [&](size_t sample, llvm::ArrayRef<float> of) {
    for (size_t k = 0; k < of.size(); ++k)
      found[sample * size + k % size] += of[k] * float(size) / float(of.size());
  }));
  std::vector<double> lack(size, 0);
  for (size_t k = 0; k < found.size(); ++k)
    lack[k % size] += double(wanted.values[k]) - found[k];
  plan.shift.resize(size);
  for (size_t k = 0; k < size; ++k)
    plan.shift[k] = static_cast<float>(lack[k] / static_cast<double>(samples));
  return llvm::Error::success();
}

llvm::Expected<SpikingNetwork> calibrate(mlir::ModuleOp ann, const Activations &activations,
                                         const ConversionOptions &options, CurrentSource currents) {
  ConversionPlan plan = planFromActivations(activations, options);
  for (size_t l = 0; l < plan.layers.size(); ++l) {
    SPINDLE_ASSIGN(SpikingNetwork network, convertAnnToSnn(ann, plan, options));
    const LayerActivations &wanted = activations.layers[l];
    size_t size = wanted.values.size() / activations.samples;
    bool answers = l + 1 == plan.layers.size() && options.decoding == DecodingChoice::Membrane;
    if (answers) {
      SPINDLE_RETURN_IF_ERROR(
          balanceAnswers(*network.module, wanted.layer, wanted, currents, plan.layers[l]));
      continue;
    }
    ThresholdSearch search(plan.layers[l], options, activations.samples);
    SPINDLE_RETURN_IF_ERROR(
        currents(*network.module, wanted.layer, [&](size_t sample, llvm::ArrayRef<float> arriving) {
          search.read(sample, arriving, wanted.values.data() + sample * size);
        }));
    plan.layers[l] = search.best();
  }
  SPINDLE_ASSIGN(SpikingNetwork network, convertAnnToSnn(ann, plan, options));
  network.summary.calibrationSamples = activations.samples;
  return network;
}

} // namespace spindle
