// How well the ANN classifies the data set, and how well the SNN does after each step.
#pragma once

#include "core/network/Population.h"
#include "core/support/Error.h"

namespace spindle {

/// Rows: the label, columns: the answer. Empty beyond the classes that a table is made for.
using ConfusionTable = std::vector<std::vector<uint64_t>>;
constexpr size_t kMostConfused = 2048;

/// The ANN on the test set; file 10-ann.json.
struct AnnEvaluation {
  std::string model;               // path as the user wrote it
  std::string source;              // "onnx" or "mlir"
  std::vector<std::string> layers; // names of the weighted layers, in order
  uint64_t parameters = 0;         // weights and biases
  uint64_t samples = 0, correct = 0;
  ConfusionTable confusion;
  bool operator==(const AnnEvaluation &) const = default;
};

/// In the place of a neuron: a tensor layer whose sums are the answer.
inline constexpr const char *kTensorAnswer = "sums";

/// Scales that the conversion chose; file 20-snn.json.
struct ConversionSummary {
  struct Layer {
    std::string name;
    std::string neuron; // "if", "lif" or "integrator"; of tensor layers "relu", or kTensorAnswer
    std::vector<double> scale; // activation that stands for a rate of one; one, or one per channel
    bool operator==(const Layer &) const = default;
  };
  std::string
      method; // "percentile", "max", "calibrated", "first_spike"; "none" for a spiking model
  double percentile = 0;
  uint64_t calibrationSamples = 0;
  std::vector<Layer> layers;
  uint64_t steps = 0; // that the network was made for
  /// A layer that is a tensor kernel in the circuit that the network was divided for.
  struct Kernel {
    std::string name;
    int64_t lanes = 1, inputs = 1;
    bool operator==(const Kernel &) const = default;
  };
  std::vector<Kernel> kernels = {}; // of `hardware.as: auto`
  /// Of a search that judges by samples the network was not fitted to. Points are of accuracy,
  /// against the ANN; with the margin added it is an upper bound (95 %).
  struct HeldOut {
    /// Fewer steps, which were within the loss, but not with the margin added.
    struct Unproven {
      uint64_t steps = 0;
      double lossPoints = 0, marginPoints = 0;
      bool operator==(const Unproven &) const = default;
    };
    uint64_t samples = 0;
    double lossPoints = 0, marginPoints = 0;
    bool proven = false; // loss and margin are what may be lost, or less
    uint64_t tried = 0;  // networks that were judged
    std::optional<Unproven> unproven = std::nullopt;
    bool operator==(const HeldOut &) const = default;
  };
  std::optional<HeldOut> heldOut = std::nullopt;
  bool operator==(const ConversionSummary &) const = default;
};

/// The SNN on the test set; file 30-emulation.json.
struct EmulationSummary {
  std::string engine;   // "layers", "lanes" or "interpreter"
  std::string encoding; // "direct" or "poisson"
  uint32_t steps = 0;
  uint64_t samples = 0;
  // Both empty where the samples have no labels.
  std::vector<uint64_t> correctByStep; // answers right when stopped after step 1, 2, …
  ConfusionTable confusion;            // after the last step
  std::vector<Population> populations;
  std::vector<uint64_t> spikes; // per population, over all samples
  uint64_t synapses = 0;        // of the network, linear chains composed
  uint64_t synapticEvents = 0;  // sum over neurons of spikes × fan-out, over all samples
  double seconds = 0;           // wall time of the emulation proper
  uint32_t threads = 0;
  uint64_t peakBytes = 0; // most memory that the process held until then; 0 where it is not known
  bool operator==(const EmulationSummary &) const = default;
};

/// A confusion table that is there counts every sample once, and its diagonal the right answers.
llvm::Error verify(const AnnEvaluation &evaluation);
/// The same unless there are no labels, one count of right answers per step and one spike count per
/// population.
llvm::Error verify(const EmulationSummary &summary);

llvm::Error writeAnnEvaluation(const std::string &path, const AnnEvaluation &evaluation);
llvm::Expected<AnnEvaluation> readAnnEvaluation(const std::string &path);
llvm::Error writeConversionSummary(const std::string &path, const ConversionSummary &summary);
llvm::Expected<ConversionSummary> readConversionSummary(const std::string &path);
/// What depends on clock and machine (`seconds`, `threads`, `peakBytes`) is written under `timing`.
llvm::Error writeEmulationSummary(const std::string &path, const EmulationSummary &summary);
llvm::Expected<EmulationSummary> readEmulationSummary(const std::string &path);

} // namespace spindle
