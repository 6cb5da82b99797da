// Feed-forward workloads: Poisson encoding, then dense layers and convolutions of random weights
// with leaky neurons (20 ms, steps of 1 ms, threshold 1, reset to 0), average pooling between them.
#pragma once

#include "core/network/Samples.h"
#include "tests/bench/EmulationWorkload.h"
#include "tests/emulation/NetworkBuilder.h"

namespace spindle::bench {

struct LayerSpec {
  enum class Kind { Dense, Convolution, Pool };
  Kind kind;
  int64_t outputs = 0; // neurons or filters
  int64_t kernel = 1;  // edge of the window
  int64_t padding = 0;
  double mean = 0, deviation = 0; // of the weights, which are normal
};

class LayeredWorkload : public EmulationWorkload {
public:
  /// Inputs are U(0, 1) with probability 0.3, else 0.
  LayeredWorkload(test::Shape input, std::vector<LayerSpec> layers, size_t samples, int64_t steps);

  llvm::Expected<Measurement> run(const EngineChoice &choice) const override;
  bool runsInFixedPoint() const override { return true; }
  bool hasSamples() const override { return true; }
  VectorWork bound(const MachineRates &rates, const Measurement &measured) const override;
  std::vector<Peer> peers() const override;
  llvm::Error write(const std::string &path) const override;

private:
  void build(test::NetworkBuilder &network) const;

  std::vector<LayerSpec> layers;
  int64_t steps;
  Samples samples;
  std::vector<test::Shape> shapes;         // before each layer, and after the last one
  std::vector<std::vector<float>> weights; // per layer, none for pooling
};

} // namespace spindle::bench
