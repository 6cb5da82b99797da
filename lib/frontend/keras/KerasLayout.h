// Lays the networks of a Keras file out as calls of layers.
#pragma once

#include "lib/frontend/keras/KerasModel.h"

#include "llvm/ADT/ArrayRef.h"

#include <functional>
#include <set>

namespace spindle {

/// The weights of the layer `name` inside these networks, the outermost one first; of a layer of
/// the model itself there are none.
using KerasWeightsOf = std::function<llvm::Expected<std::shared_ptr<const KerasWeights>>(
    const std::string &name, llvm::ArrayRef<std::string> networks)>;

/// Whether a class is a network, which can also be a layer of another one.
bool isKerasNetwork(const std::string &kind);

/// Classes and functions (`x * 2`) that add, subtract, multiply and divide, numbers too.
const std::set<std::string> &arithmeticOfKeras();

/// The layers of the configuration of a network; Keras 1 stored the bare list.
const Json &kerasLayers(const Json &config);
/// The name of a layer of this list; empty where it has none.
std::string kerasName(const Json &layer);
/// Where errors in a layer are reported.
std::string kerasPlace(const std::string &path, const std::string &name, const std::string &kind);

/// Refuses what only has the name of a layer of Keras: classes of the program that saved the
/// model, functions of keras.ops other than arithmetic. Names are bounded.
llvm::Error checkKerasLayers(const Json &network, const std::string &path);

/// Adds the calls of all layers to `model`, in the order of the file, with its input and output.
/// Throws what the JSON library throws.
llvm::Error layOutKeras(const Json &root, const KerasWeightsOf &weightsOf, KerasModel &model);

} // namespace spindle
