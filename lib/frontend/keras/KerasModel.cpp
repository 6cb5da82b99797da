#include "lib/frontend/keras/KerasLayout.h"
#include "lib/frontend/keras/KerasStore.h"

#include "core/support/TextPlace.h"
#include "core/support/files/File.h"
#include "core/support/formats/JsonLimits.h"

#include "fmt/format.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"

#include <fstream>
#include <set>

namespace spindle {

std::string KerasModel::placeOf(const KerasLayerFile &layer) const {
  return kerasPlace(path, layer.name, layer.kind);
}

/// Puts each call after its sources. Keras stores functional networks in the order in which they
/// were built, which need not be one to compute in.
static llvm::Error sort(KerasModel &model) {
  std::vector<KerasLayerFile> sorted;
  std::set<std::string> done;
  while (!model.layers.empty()) {
    auto ready = llvm::find_if(model.layers, [&](const KerasLayerFile &layer) {
      return llvm::all_of(layer.sources, [&](const KerasSource &source) {
        return source.number || done.count(source.value);
      });
    });
    if (ready == model.layers.end())
      return inputError(model.placeOf(model.layers.front()),
                        "reads a layer that is absent or depends on it");
    done.insert(ready->value);
    sorted.push_back(std::move(*ready));
    model.layers.erase(ready);
  }
  model.layers = std::move(sorted);
  return llvm::Error::success();
}

static llvm::Expected<KerasModel> build(const KerasStore &store, const std::string &path,
                                        const Json &root) {
  KerasModel model;
  model.path = path;
  std::string kind = root.at("class_name").get<std::string>();
  if (!isKerasNetwork(kind))
    return inputError(model.path, fmt::format("the model is a '{}', expected Sequential or "
                                              "Functional",
                                              excerpt(kind, 60)));
  SPINDLE_RETURN_IF_ERROR(checkKerasLayers(root, path));
  SPINDLE_RETURN_IF_ERROR(layOutKeras(root, store.weightsOf(root), model));
  if (model.layers.empty())
    return inputError(model.path, "the model has no layers");
  if (model.input.empty())
    return inputError(model.path, "the shape of the input is not stored; save the model after it "
                                  "was built or trained");
  SPINDLE_RETURN_IF_ERROR(sort(model));
  return model;
}

/// Archives begin as zip files do, whatever their name: Keras wrote HDF5 under both names.
static llvm::Expected<bool> isArchive(const std::string &path) {
  SPINDLE_ASSIGN(std::ifstream stream, openFile(path));
  char magic[4] = {};
  stream.read(magic, sizeof magic);
  return llvm::StringRef(magic, 2) == "PK";
}

static llvm::Expected<KerasStore> openKeras(const std::string &path) {
  SPINDLE_ASSIGN(bool isPacked, isArchive(path));
  return isPacked ? openKerasArchive(path) : openKerasHdf5(path);
}

llvm::Error checkKerasHeader(const std::string &path) {
  SPINDLE_ASSIGN(bool isPacked, isArchive(path));
  return isPacked ? checkKerasArchive(path) : openKerasHdf5(path).takeError();
}

static constexpr int kDeepestConfig = 1000; // a network in another one takes about five

llvm::Expected<KerasModel> readKerasModel(const std::string &path) {
  SPINDLE_ASSIGN(KerasStore store, openKeras(path));
  if (std::optional<JsonExcess> excess = findExcess(store.config, kDeepestConfig))
    return inputError(path, fmt::format("{}: {}", store.configName, excess->message));
  Json root = Json::parse(store.config, nullptr, /*allow_exceptions=*/false);
  if (root.is_discarded())
    return inputError(path, store.configName + " is no JSON");
  if (!root.is_object())
    return inputError(path, fmt::format("{} is {}, expected an object", store.configName,
                                        excerpt(jsonText(root), 60)));
  return parseJson<KerasModel>(path, root,
                               [&](const Json &json) { return build(store, path, json); });
}

} // namespace spindle
