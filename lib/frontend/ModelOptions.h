// Which model a flow compiles and how its file is to be read.
#pragma once

#include "core/support/formats/Yaml.h"

#include <optional>
#include <string>

namespace spindle {

/// Order of the dimensions of an image in the model. Auto: channels last where the last extent is
/// at most four and the first is more.
enum class InputLayout { Auto, Nchw, Nhwc };

enum class ModelFormat { Onnx, Keras, Mlir, Nir, Network };

/// By the ending of a name, in capitals or not; none for an ending that no format has.
std::optional<ModelFormat> modelFormatOf(llvm::StringRef path);

struct ModelOptions {
  std::string path;      // .onnx, .h5, .mlir, .mlirbc, .nir or .yaml, resolved
  std::string function;  // MLIR: the function to compile; empty: main, or the only public one
  std::string arguments; // MLIR: npz archive of the arguments that are not the input, resolved
  InputLayout inputLayout = InputLayout::Auto;

  // NIR leaves these to whoever runs the network.
  enum class NirReset { Zero, Subtract };
  enum class NirDiscretization { Euler, Exact, ExactCrossing };
  enum class NirInput { Events, Current };
  double dtMs = 0.1;                  // of a step; times of the file are in seconds
  NirReset nirReset = NirReset::Zero; // to v_reset, or by the threshold
  bool resetDelay = false;            // the reset acts on the membrane of the next step
  NirDiscretization discretization = NirDiscretization::Euler;
  NirInput nirInput = NirInput::Events; // what the Input stands for

  std::optional<int64_t> networkSeed; // in place of that of a network file
  bool listSynapses = false;          // of random connections, which are rules otherwise

  std::optional<ModelFormat> format() const { return modelFormatOf(path); }
  /// Whether the format is one of spiking networks, which need no conversion.
  bool spikesAlready() const;
};

/// The section `model:` of a flow. Paths are looked up as PathResolver says.
void readModelOptions(YamlReader &reader, const std::string &yamlFile, ModelOptions &options);

} // namespace spindle
