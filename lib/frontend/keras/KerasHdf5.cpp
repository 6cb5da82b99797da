// Models that Keras saved in HDF5: weights by their names, in groups by the names of layers.
#include "lib/frontend/keras/KerasStore.h"

#include "core/support/formats/Hdf5.h"

#include "fmt/format.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"

#include <algorithm>

namespace spindle {

static llvm::Error tooDeep(const Hdf5Reader &file, const std::string &group) {
  return inputError(file.fileName(),
                    fmt::format("group '{}' is nested too deep, expected the weights of a layer "
                                "within 16 groups",
                                group));
}

/// All data sets below a group, by the last part of their names without `:0`.
static llvm::Error readWeights(const Hdf5Reader &file, const std::string &group,
                               KerasWeights &weights, int depth = 16) {
  if (depth == 0)
    return tooDeep(file, group);
  SPINDLE_ASSIGN(std::vector<std::string> names, file.members(group));
  for (const std::string &name : names) {
    std::string path = group + "/" + name;
    llvm::Expected<std::vector<std::string>> inner = file.members(path);
    if (inner) {
      SPINDLE_RETURN_IF_ERROR(readWeights(file, path, weights, depth - 1));
      continue;
    }
    llvm::consumeError(inner.takeError());
    SPINDLE_ASSIGN(std::vector<uint64_t> extents, file.shape(path));
    Tensor tensor = Tensor::constant(Shape(extents.begin(), extents.end()), {});
    SPINDLE_RETURN_IF_ERROR(file.read(path, tensor.values));
    if (tensor.values.empty())
      return inputError(
          file.fileName(),
          fmt::format("data set '{}' is empty, expected the numbers of a weight", path));
    if (!weights.try_emplace(llvm::StringRef(name).split(':').first.str(), std::move(tensor))
             .second)
      return inputError(file.fileName(),
                        fmt::format("'{}' is the second weight of this name in the group of one "
                                    "layer; give the layers of networks inside names of their own, "
                                    "or save the model as .keras",
                                    path));
  }
  return llvm::Error::success();
}

/// All groups and data sets below `group` by the last part of their names.
static llvm::Error listMembers(const Hdf5Reader &file, const std::string &group,
                               std::multimap<std::string, std::string> &members, int depth = 16) {
  if (depth == 0)
    return tooDeep(file, group);
  llvm::Expected<std::vector<std::string>> names = file.members(group);
  if (!names) { // a data set
    llvm::consumeError(names.takeError());
    return llvm::Error::success();
  }
  for (const std::string &inner : *names) {
    std::string path = group + "/" + inner;
    members.emplace(inner, path);
    SPINDLE_RETURN_IF_ERROR(listMembers(file, path, members, depth - 1));
  }
  return llvm::Error::success();
}

/// Whether all networks stand among the groups of a path, in their order.
static bool liesWithin(llvm::StringRef path, llvm::ArrayRef<std::string> networks) {
  llvm::SmallVector<llvm::StringRef> groups;
  path.split(groups, '/');
  auto at = groups.begin();
  for (const std::string &network : networks) {
    at = std::find(at, groups.end(), network);
    if (at == groups.end())
      return false;
    ++at;
  }
  return true;
}

static void keepShortest(std::vector<std::string> &paths) {
  auto depth = [](llvm::StringRef path) { return path.count('/'); };
  size_t least = SIZE_MAX;
  for (const std::string &path : paths)
    least = std::min(least, depth(path));
  llvm::erase_if(paths, [&](const std::string &path) { return depth(path) > least; });
}

/// Keras 2 puts the layers of a network inside directly into the group of the outermost one, Keras
/// 3 into groups of the networks between.
class WeightsInFile {
public:
  explicit WeightsInFile(std::shared_ptr<const Hdf5Reader> reader)
      : owner(std::move(reader)), file(*owner) {}

  llvm::Expected<std::shared_ptr<const KerasWeights>>
  operator()(const std::string &name, llvm::ArrayRef<std::string> networks) {
    std::string group = "model_weights/" + (networks.empty() ? name : networks.front());
    std::vector<std::string> groups;
    if (file.has(group) && networks.empty())
      groups = {group};
    else if (file.has(group)) {
      SPINDLE_ASSIGN(groups, groupsOf(group, name));
    }
    if (groups.size() > 1) {
      llvm::erase_if(groups, [&](const std::string &path) { return !liesWithin(path, networks); });
      keepShortest(groups); // longer ones are of networks further inside
    }
    if (groups.size() > 1)
      return inputError(file.fileName(),
                        fmt::format("the weights of layer '{}' may be in {} or in {}; give the "
                                    "layers of networks inside names of their own",
                                    name, groups[0], groups[1]));
    auto weights = std::make_shared<KerasWeights>();
    for (const std::string &path : groups)
      SPINDLE_RETURN_IF_ERROR(readWeights(file, path, *weights));
    return std::shared_ptr<const KerasWeights>(std::move(weights));
  }

private:
  llvm::Expected<std::vector<std::string>> groupsOf(const std::string &group,
                                                    const std::string &name) {
    auto [listed, isNew] = below.try_emplace(group);
    if (isNew)
      SPINDLE_RETURN_IF_ERROR(listMembers(file, group, listed->second));
    std::vector<std::string> paths;
    for (auto [at, end] = listed->second.equal_range(name); at != end; ++at)
      paths.push_back(at->second);
    return paths;
  }

  std::shared_ptr<const Hdf5Reader> owner;
  const Hdf5Reader &file;
  std::map<std::string, std::multimap<std::string, std::string>> below; // by group
};

llvm::Expected<KerasStore> openKerasHdf5(const std::string &path) {
  SPINDLE_ASSIGN(Hdf5Reader file, Hdf5Reader::open(path));
  KerasStore store{"", "attribute 'model_config'", {}};
  if (llvm::Error absent = file.attribute("/", "model_config", store.config)) {
    llvm::consumeError(std::move(absent));
    return inputError(path, "not a Keras model: it has no attribute 'model_config'; "
                            "save the whole model, not its weights alone");
  }
  auto shared = std::make_shared<const Hdf5Reader>(std::move(file));
  store.weightsOf = [shared](const Json &) { return WeightsInFile(shared); };
  return store;
}

} // namespace spindle
