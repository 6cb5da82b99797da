// Models that Keras saved as `.keras`: a zip file of a configuration and of weights in HDF5. There
// a layer has the name of its class, with a number where there are several, and its weights have
// the numbers 0, 1, … in the order in which a layer of its class makes them.
#include "lib/frontend/keras/KerasStore.h"

#include "core/support/formats/Hdf5.h"
#include "core/support/formats/ZipFile.h"

#include "fmt/format.h"
#include "fmt/ranges.h"
#include "llvm/ADT/StringExtras.h"

#include <filesystem>

namespace spindle {

namespace {

constexpr uint64_t mostConfigBytes = 64 << 20;

/// `DepthwiseConv2D` → `depthwise_conv2d`: an underline before every capital that begins a word.
std::string snakeCase(const std::string &kind) {
  auto isUpper = [&](size_t i) { return i < kind.size() && llvm::isUpper(kind[i]); };
  auto isLower = [&](size_t i) { return i < kind.size() && llvm::isLower(kind[i]); };
  std::string name;
  for (size_t i = 0; i < kind.size(); ++i) {
    if (i > 0 && isUpper(i) && (isLower(i - 1) || isLower(i + 1)))
      name += '_';
    name += llvm::toLower(kind[i]);
  }
  return name;
}

/// The names of the weights of a layer, in their order.
std::vector<std::string> rolesOf(const std::string &kind, const Json &config) {
  auto uses = [&](const char *key) { return config.value(key, Json(true)) != false; };
  std::vector<std::string> roles;
  if (kind == "Dense" || kind == "Conv1D" || kind == "Conv2D" || kind == "DepthwiseConv2D")
    roles = {"kernel"};
  else if (kind == "SeparableConv2D")
    roles = {"depthwise_kernel", "pointwise_kernel"};
  if (!roles.empty() && uses("use_bias"))
    roles.push_back("bias");
  if (llvm::StringRef(kind).starts_with("BatchNormalization")) {
    if (uses("scale"))
      roles.push_back("gamma");
    if (uses("center"))
      roles.push_back("beta");
    roles.insert(roles.end(), {"moving_mean", "moving_variance"});
  }
  if (kind == "Normalization" && config.value("mean", Json()).is_null())
    roles = {"mean", "variance"};
  return roles;
}

/// A layer of the configuration, and the group of its weights.
struct Place {
  std::string group, kind, name;
  const Json *config;
  bool isStored; // where the weights of a layer that several networks share are
};

using Way = std::vector<std::string>; // names: the networks around a layer, the outermost one
                                      // first, and the layer

class NumberedWeights {
public:
  NumberedWeights(std::shared_ptr<const Hdf5Reader> reader, const Json &root)
      : file(std::move(reader)) {
    Way way;
    visit(root.at("config"), "layers", way);
  }

  llvm::Expected<std::shared_ptr<const KerasWeights>>
  operator()(const std::string &name, llvm::ArrayRef<std::string> networks) const {
    Way way(networks.begin(), networks.end());
    way.push_back(name);
    auto weights = std::make_shared<KerasWeights>();
    auto place = places.find(way);
    if (place != places.end()) {
      SPINDLE_ASSIGN(const Place *own, findStored(place->second));
      SPINDLE_RETURN_IF_ERROR(read(*own, *weights));
    }
    return std::shared_ptr<const KerasWeights>(std::move(weights));
  }

private:
  void visit(const Json &config, const std::string &group, Way &way) {
    std::map<std::string, size_t> counts; // of classes
    for (const Json &layer : kerasLayers(config)) {
      const Json &own = layer.at("config");
      auto kind = layer.at("class_name").get<std::string>();
      std::string snake = snakeCase(kind), path = group + "/" + snake;
      if (size_t earlier = counts[snake]++)
        path += fmt::format("_{}", earlier);
      std::string name = kerasName(layer);
      std::string weights = path + "/vars";
      way.push_back(name);
      auto [place, isNew] =
          places.try_emplace(way, Place{weights, kind, name, &own, file->has(weights)});
      if (isNew && place->second.isStored)
        stored[{kind, name}].push_back(&place->second);
      if (isKerasNetwork(kind))
        visit(own, path + "/layers", way);
      way.pop_back();
    }
  }

  /// A layer that several networks share is stored in the first of them.
  llvm::Expected<const Place *> findStored(const Place &place) const {
    auto others = stored.find({place.kind, place.name});
    if (place.isStored || others == stored.end())
      return &place;
    if (others->second.size() > 1 && !rolesOf(place.kind, *place.config).empty())
      return inputError(file->fileName(),
                        fmt::format("the weights of layer '{}' may be in '{}' or in '{}'; give the "
                                    "layers of networks inside names of their own",
                                    place.name, others->second[0]->group,
                                    others->second[1]->group));
    return others->second.front();
  }

  llvm::Error read(const Place &place, KerasWeights &weights) const {
    std::vector<std::string> roles = rolesOf(place.kind, *place.config);
    if (roles.empty() || !place.isStored)
      return llvm::Error::success();
    SPINDLE_ASSIGN(std::vector<std::string> found, file->members(place.group));
    if (place.kind == "Normalization" && found.size() == 3) // the third one counts samples
      roles.push_back("count");
    if (!found.empty() && found.size() != roles.size())
      return inputError(file->fileName(),
                        fmt::format("layer '{}' ({}) has {} weights in '{}', expected {}: {}",
                                    place.name, place.kind, found.size(), place.group, roles.size(),
                                    fmt::join(roles, ", ")));
    for (size_t i = 0; i < found.size(); ++i) {
      std::string name = fmt::format("{}/{}", place.group, i);
      SPINDLE_ASSIGN(weights[roles[i]], readTensor(name));
    }
    return llvm::Error::success();
  }

  llvm::Expected<Tensor> readTensor(const std::string &name) const {
    SPINDLE_ASSIGN(std::vector<uint64_t> extents, file->shape(name));
    Tensor tensor = Tensor::constant(Shape(extents.begin(), extents.end()), {});
    std::string type;
    if (llvm::Error absent = file->attribute(name, "dtype", type))
      llvm::consumeError(std::move(absent));
    if (type == "bfloat16")
      return inputError(
          file->fileName(),
          fmt::format("the weight '{}' is of bfloat16; save the model in float32", name));
    SPINDLE_RETURN_IF_ERROR(file->read(name, tensor.values));
    return tensor;
  }

  std::shared_ptr<const Hdf5Reader> file;
  std::map<Way, Place> places;
  std::map<std::pair<std::string, std::string>, std::vector<const Place *>> stored; // kind, name
};

} // namespace

/// What holds numbers hardly shrinks, and what is unpacked from it is limited by its own size.
static uint64_t mostWeightBytes(const std::string &path) {
  std::error_code status;
  uint64_t size = std::filesystem::file_size(path, status);
  return (uint64_t{1} << 20) + 8 * (status ? 0 : size);
}

llvm::Error checkKerasArchive(const std::string &path) {
  SPINDLE_ASSIGN(ZipHandle archive, openZip(path, "a Keras archive"));
  for (const char *member : {"config.json", "model.weights.h5"})
    if (zip_name_locate(archive.get(), member, 0) < 0)
      return inputError(path, fmt::format("member '{}' is absent", member));
  return llvm::Error::success();
}

llvm::Expected<KerasStore> openKerasArchive(const std::string &path) {
  SPINDLE_ASSIGN(ZipHandle archive, openZip(path, "a Keras archive"));
  KerasStore store{"", "member 'config.json'", {}};
  SPINDLE_ASSIGN(store.config, readZipMember(archive.get(), path, "config.json", mostConfigBytes));
  SPINDLE_ASSIGN(std::string bytes,
                 readZipMember(archive.get(), path, "model.weights.h5", mostWeightBytes(path)));
  SPINDLE_ASSIGN(Hdf5Reader file, Hdf5Reader::openBytes(path, bytes));
  auto shared = std::make_shared<const Hdf5Reader>(std::move(file));
  store.weightsOf = [shared](const Json &root) -> KerasWeightsOf {
    auto weights = std::make_shared<const NumberedWeights>(shared, root);
    return [weights](const std::string &name, llvm::ArrayRef<std::string> networks) {
      return (*weights)(name, networks);
    };
  };
  return store;
}

} // namespace spindle
