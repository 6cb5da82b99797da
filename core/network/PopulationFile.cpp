#include "core/network/PopulationFile.h"

#include "fmt/format.h"

#include <algorithm>
#include <optional>
#include <set>

namespace spindle {

/// The product of a shape where it is a valid number of neurons.
static std::optional<uint32_t> sizeOf(const std::vector<int64_t> &shape) {
  uint64_t product = 1;
  for (int64_t extent : shape) {
    if (extent <= 0 || extent >= int64_t(UINT32_MAX))
      return std::nullopt;
    product *= static_cast<uint64_t>(extent);
    if (product >= UINT32_MAX)
      return std::nullopt;
  }
  return static_cast<uint32_t>(product);
}

std::string populationFault(const std::vector<Population> &populations) {
  std::set<std::string> names;
  uint64_t next = 0;
  for (const Population &population : populations) {
    if (population.name.empty())
      return "a population has no name";
    if (!names.insert(population.name).second)
      return fmt::format("two populations are called '{}', names must differ", population.name);
    std::optional<uint32_t> size = sizeOf(population.shape);
    if (!size || *size != population.size)
      return fmt::format("population '{}' has {} neurons, which is not the product of its shape",
                         population.name, population.size);
    if (population.first != next)
      return fmt::format("population '{}' starts at neuron {}, expected {}", population.name,
                         population.first, next);
    next += population.size;
    if (next >= UINT32_MAX)
      return "the network has more neurons than ids, at most 4294967294";
  }
  return "";
}

std::string populationGroup(const std::string &name) {
  std::string group;
  for (size_t i = 0; i < name.size(); ++i)
    if (name[i] == '%' || name[i] == '/' || (name[i] == '.' && i == 0))
      group += fmt::format("%{:02X}", name[i]);
    else
      group += name[i];
  return group;
}

llvm::Error numberPopulations(const std::string &place, std::vector<Population> &populations) {
  uint64_t next = 0;
  for (Population &population : populations) {
    std::optional<uint32_t> size = sizeOf(population.shape);
    if (!size)
      return inputError(place,
                        fmt::format("population '{}' has a shape with an extent below one or "
                                    "more neurons than ids",
                                    population.name));
    population.first = static_cast<NeuronId>(next);
    population.size = *size;
    next = std::min<uint64_t>(next + *size, UINT32_MAX);
  }
  if (std::string fault = populationFault(populations); !fault.empty())
    return inputError(place, fault);
  return llvm::Error::success();
}

llvm::Error writeSonataHeader(Hdf5Writer &file, FileFormat format) {
  SPINDLE_RETURN_IF_ERROR(file.attribute("/", "magic", int64_t(0x0A7A)));
  SPINDLE_RETURN_IF_ERROR(file.attribute("/", "version", std::vector<int64_t>{0, 1}));
  SPINDLE_RETURN_IF_ERROR(file.attribute("/", "format", std::string(format.name)));
  return file.attribute("/", "format_version", format.version);
}

llvm::Error writePopulations(Hdf5Writer &file, const std::vector<Population> &populations) {
  std::vector<std::string> names;
  std::vector<uint8_t> kinds;
  std::vector<uint32_t> dimensions;
  std::vector<uint64_t> shapes;
  for (const Population &population : populations) {
    names.push_back(population.name);
    kinds.push_back(static_cast<uint8_t>(population.kind));
    dimensions.push_back(static_cast<uint32_t>(population.shape.size()));
    shapes.insert(shapes.end(), population.shape.begin(), population.shape.end());
  }
  SPINDLE_RETURN_IF_ERROR(file.write("populations/name", names));
  SPINDLE_RETURN_IF_ERROR(file.write("populations/kind", kinds));
  SPINDLE_RETURN_IF_ERROR(file.write("populations/dimensions", dimensions));
  return file.write("populations/shape", shapes);
}

llvm::Expected<std::vector<Population>> readPopulations(const Hdf5Reader &file) {
  std::vector<std::string> names;
  std::vector<uint8_t> kinds;
  std::vector<uint32_t> dimensions;
  std::vector<uint64_t> shapes;
  SPINDLE_RETURN_IF_ERROR(file.read("populations/name", names));
  SPINDLE_RETURN_IF_ERROR(file.read("populations/kind", kinds));
  SPINDLE_RETURN_IF_ERROR(file.read("populations/dimensions", dimensions));
  SPINDLE_RETURN_IF_ERROR(file.read("populations/shape", shapes));
  uint64_t extents = 0;
  for (uint32_t count : dimensions)
    extents += count;
  if (kinds.size() != names.size() || dimensions.size() != names.size() || shapes.size() != extents)
    return inputError(
        file.fileName(),
        fmt::format("populations has {} names, {} kinds, {} dimensions and {} extents, "
                    "which do not belong together",
                    names.size(), kinds.size(), dimensions.size(), shapes.size()));
  std::vector<Population> populations(names.size());
  auto extent = shapes.begin();
  for (size_t i = 0; i < names.size(); ++i) {
    if (kinds[i] > static_cast<uint8_t>(PopulationKind::Neuron))
      return inputError(file.fileName(), fmt::format("population '{}' has the kind {}, expected 0 "
                                                     "(input) or 1 (neuron)",
                                                     names[i], kinds[i]));
    populations[i].name = names[i];
    populations[i].kind = static_cast<PopulationKind>(kinds[i]);
    populations[i].shape.assign(extent, extent + dimensions[i]);
    extent += dimensions[i];
  }
  SPINDLE_RETURN_IF_ERROR(numberPopulations(file.fileName(), populations));
  return populations;
}

} // namespace spindle
