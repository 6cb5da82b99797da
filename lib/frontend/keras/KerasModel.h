// A saved Keras model: the calls of its layers in order, each with its configuration and weights.
#pragma once

#include "core/support/Error.h"
#include "core/support/formats/Json.h"
#include "lib/frontend/Tensor.h"

#include <map>
#include <memory>
#include <optional>

namespace spindle {

using KerasWeights = std::map<std::string, Tensor>; // by the last part of their name: kernel, …

/// What a call of a layer reads: the value of another call, or a number (`x + 1`).
struct KerasSource {
  std::string value;
  std::optional<double> number;
};

/// One call of a layer. A layer that is called several times stands here as often, with the same
/// weights; so do the layers of a network that is a layer of another one.
struct KerasLayerFile {
  std::string kind; // class_name: Conv2D, Dense, …
  std::string name;
  std::string value; // of the result, each once: networks around the layer, name, call
  Json config;
  std::vector<KerasSource> sources; // none: the input of the network
  std::shared_ptr<const KerasWeights> weights;
};

struct KerasModel {
  std::string path;
  Shape input; // with a batch of one
  bool channelsLast = true;
  std::vector<KerasLayerFile> layers; // each after its sources
  std::string output;                 // the value that is the network's result

  /// Where errors in a layer are reported.
  std::string placeOf(const KerasLayerFile &layer) const;
};

/// Refuses files that are no saved models.
llvm::Error checkKerasHeader(const std::string &path);

/// Reads a whole model saved by Keras 1, 2 or 3 as HDF5 or as an archive (`.keras`): a Sequential
/// network, or a Functional one with one input and one output. Networks inside are laid out as
/// their layers.
llvm::Expected<KerasModel> readKerasModel(const std::string &path);

} // namespace spindle
