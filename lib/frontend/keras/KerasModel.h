// A Keras HDF5 file: its layers in order, each with its configuration and weights.
#pragma once

#include "core/support/Error.h"
#include "core/support/formats/Hdf5.h"
#include "core/support/formats/Json.h"
#include "lib/frontend/Tensor.h"

#include <map>

namespace spindle {

struct KerasLayerFile {
  std::string kind; // class_name: Conv2D, Dense, …
  std::string name;
  Json config;
  std::vector<std::string> sources;      // layers it reads; none: the input of the network
  std::map<std::string, Tensor> weights; // by the last part of their name: kernel, bias, …
};

struct KerasModel {
  std::string path;
  Shape input; // with a batch of one
  bool channelsLast = true;
  std::vector<KerasLayerFile> layers; // each after its sources
  std::string output;                 // the layer whose result is the network's

  /// Where errors in a layer are reported.
  std::string placeOf(const KerasLayerFile &layer) const;
};

/// The text that describes the layers; refuses files without it.
llvm::Expected<std::string> readKerasConfig(const Hdf5Reader &file);

/// Reads a whole model saved by Keras 1, 2 or 3 in HDF5: a Sequential network, or a Functional one
/// with one input and one output.
llvm::Expected<KerasModel> readKerasModel(const std::string &path);

} // namespace spindle
