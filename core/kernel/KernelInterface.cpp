#include "core/kernel/KernelInterface.h"

#include "core/kernel/FilesBeside.h"
#include "core/support/TextPlace.h"
#include "core/support/formats/JsonValues.h"

#include "fmt/format.h"
#include "fmt/ranges.h"

#include <algorithm>
#include <cctype>
#include <charconv>

namespace spindle::hls {

namespace {

constexpr FileFormat kKernelFormat = {"spindle-kernel", 1};

/// Of a bank as in targets, and of all banks together.
constexpr uint32_t kMostPorts = 64, kMostLatency = 16;
constexpr uint64_t kMostMemoryPorts = 1 << 16;

using Partition = DimensionPartition;

llvm::Error verifyDimension(const std::string &place, const Partition &partition, int64_t extent) {
  int64_t expected = partition.factor;
  if (partition.kind == Partition::Kind::None)
    expected = 1;
  if (partition.kind == Partition::Kind::Complete)
    expected = extent;
  if (partition.factor != expected || partition.factor < 1 || partition.factor > extent)
    return inputError(place,
                      fmt::format("{} partition of {} elements into {} banks, expected {}",
                                  kPartitionNames[size_t(partition.kind)], extent, partition.factor,
                                  partition.factor == expected ? fmt::format("1 to {}", extent)
                                                               : fmt::format("{}", expected)));
  return llvm::Error::success();
}

llvm::Error verifyMemory(const std::string &place, const KernelArgument &argument) {
  int64_t elements = 1;
  for (int64_t extent : argument.shape) {
    if (extent < 1 || elements > kMostElements / extent)
      return inputError(place, fmt::format("has the shape [{}], expected extents of at least 1 and "
                                           "at most {} elements",
                                           fmt::join(argument.shape, ", "), kMostElements));
    elements *= extent;
  }
  if (argument.partition.size() != argument.shape.size())
    return inputError(place, fmt::format("has {} partitions for {} dimensions",
                                         argument.partition.size(), argument.shape.size()));
  for (size_t d = 0; d < argument.shape.size(); ++d)
    SPINDLE_RETURN_IF_ERROR(verifyDimension(fmt::format("{}: partition[{}]", place, d),
                                            argument.partition[d], argument.shape[d]));
  if (argument.ports < 1 || argument.ports > kMostPorts)
    return inputError(place,
                      fmt::format("has {} ports, expected 1 to {}", argument.ports, kMostPorts));
  if (argument.readLatency < 1 || argument.readLatency > kMostLatency)
    return inputError(place, fmt::format("has a read latency of {}, expected 1 to {}",
                                         argument.readLatency, kMostLatency));
  return llvm::Error::success();
}

ElementType typeAt(const Json &json) {
  std::string text = textAt(json, "type");
  if (std::optional<ElementType> type = parseElementType(text))
    return *type;
  refuseValue(memberAt(json, "type"), "i1 to i64, index, f32 or f64");
}

Partition partitionOf(const Json &json, int64_t extent) {
  std::string kind = textAt(json, "kind");
  auto row = std::find(kPartitionNames.begin(), kPartitionNames.end(), kind);
  if (row == kPartitionNames.end())
    refuseValue(memberAt(json, "kind"), fmt::format("{}", fmt::join(kPartitionNames, ", ")));
  Partition partition{static_cast<Partition::Kind>(row - kPartitionNames.begin()), 1};
  if (json.contains("factor"))
    partition.factor = unsignedAt<uint32_t>(json, "factor");
  else if (partition.kind == Partition::Kind::Complete)
    partition.factor = extent;
  return partition;
}

KernelArgument argumentOf(const Json &json) {
  KernelArgument argument;
  argument.index = unsignedAt<uint32_t>(json, "index");
  argument.type = typeAt(json);
  std::string kind = textAt(json, "kind");
  if (kind != "scalar" && kind != "memory" && kind != "stream")
    refuseValue(memberAt(json, "kind"), "scalar, memory or stream");
  if (kind == "scalar")
    return argument;
  if (kind == "stream") {
    argument.kind = KernelArgument::Kind::Stream;
    argument.isRead = flagAt(json, "read");
    argument.isWritten = flagAt(json, "write");
    return argument;
  }
  argument.kind = KernelArgument::Kind::Memory;
  for (const Json &extent : listAt(json, "shape"))
    argument.shape.push_back(unsignedValue<uint32_t>(extent));
  for (const Json &partition : listAt(json, "partition")) {
    size_t dimension = argument.partition.size();
    int64_t extent = dimension < argument.shape.size() ? argument.shape[dimension] : 1;
    argument.partition.push_back(partitionOf(partition, extent));
  }
  argument.ports = unsignedAt<uint32_t>(json, "ports");
  argument.readLatency = unsignedAt<uint32_t>(json, "read_latency");
  argument.isRead = flagAt(json, "read");
  argument.isWritten = flagAt(json, "write");
  return argument;
}

Json toJson(const KernelArgument &argument) {
  Json json;
  json["index"] = argument.index;
  json["kind"] = argument.isMemory() ? "memory" : argument.isStream() ? "stream" : "scalar";
  json["type"] = argument.type.text();
  if (argument.isStream()) {
    json["read"] = argument.isRead;
    json["write"] = argument.isWritten;
  }
  if (!argument.isMemory())
    return json;
  json["shape"] = argument.shape;
  json["partition"] = Json::array();
  for (const Partition &partition : argument.partition) {
    Json entry = {{"kind", kPartitionNames[size_t(partition.kind)]}};
    if (hasFactor(partition.kind))
      entry["factor"] = partition.factor;
    json["partition"].push_back(std::move(entry));
  }
  json["banks"] = argument.banks();
  json["ports"] = argument.ports;
  json["read_latency"] = argument.readLatency;
  json["read"] = argument.isRead;
  json["write"] = argument.isWritten;
  return json;
}

/// `"0": 20` for a scalar, `"3": [20, 25]` for the shape of an array.
std::map<uint32_t, std::vector<int64_t>> bindOf(const Json &json) {
  std::map<uint32_t, std::vector<int64_t>> bind;
  for (const auto &[key, value] : json.items()) {
    uint32_t index = 0;
    std::from_chars(key.data(), key.data() + key.size(), index);
    if (std::to_string(index) != key) // too large, padded, or no number
      throw JsonFault{&json, fmt::format("has the key '{}', expected an argument index, a whole "
                                         "number from 0 to {} without leading zeros",
                                         excerpt(key), UINT32_MAX)};
    bind[index] = value.is_array() ? signedList(value) : std::vector{signedValue(value)};
  }
  return bind;
}

KernelInterface kernelFromJson(const Json &json) {
  KernelInterface kernel;
  kernel.top = textAt(json, "top");
  kernel.function = textAt(json, "function");
  kernel.original = textAt(json, "original");
  kernel.bind = bindOf(objectAt(json, "bind"));
  kernel.target = textAt(json, "target");
  kernel.clockPeriodNs = numberAt(json, "clock_period_ns");
  kernel.sources = textsAt(json, "sources");
  if (json.contains("contents"))
    kernel.contents = textsAt(json, "contents");
  if (!memberAt(json, "predicted_cycles").is_null())
    kernel.predictedCycles = unsignedAt<uint64_t>(json, "predicted_cycles");
  kernel.hasClockEnable = flagOr(json, "clock_enable", false);
  for (const Json &argument : listAt(json, "arguments"))
    kernel.arguments.push_back(argumentOf(argument));
  for (const Json &result : listAt(json, "results"))
    kernel.results.push_back(typeAt(result));
  for (const auto &[name, count] : objectAt(json, "units").items())
    kernel.units[name] = unsignedValue<uint32_t>(count);
  if (json.contains("estimate")) {
    const Json &area = memberAt(json, "estimate");
    kernel.estimate = DeviceArea{numberAt(area, "lut"), numberAt(area, "ff"), numberAt(area, "dsp"),
                                 numberAt(area, "bram")};
  }
  kernel.math = textAt(json, "math");
  kernel.isReassociated = flagOr(json, "reassociated", false);
  return kernel;
}

} // namespace

bool isModuleName(const std::string &name) {
  auto isPart = [](unsigned char c) { return std::isalnum(c) || c == '_'; };
  return !name.empty() && !std::isdigit(static_cast<unsigned char>(name[0])) &&
         std::all_of(name.begin(), name.end(), isPart);
}

uint64_t KernelArgument::elements() const {
  uint64_t count = 1;
  for (int64_t extent : shape)
    count *= static_cast<uint64_t>(extent);
  return count;
}

uint32_t KernelArgument::banks() const {
  uint32_t count = 1;
  for (const Partition &dimension : partition)
    count *= static_cast<uint32_t>(dimension.factor);
  return count;
}

uint64_t KernelArgument::bankWords() const {
  uint64_t words = 1;
  for (size_t d = 0; d < shape.size(); ++d)
    words *= static_cast<uint64_t>(partition[d].words(shape[d]));
  return words;
}

BankAddress KernelArgument::place(uint64_t element) const {
  std::vector<int64_t> indices(shape.size());
  for (size_t d = shape.size(); d-- > 0; element /= static_cast<uint64_t>(shape[d]))
    indices[d] = static_cast<int64_t>(element % static_cast<uint64_t>(shape[d]));
  BankAddress result;
  for (size_t d = 0; d < shape.size(); ++d) {
    BankAddress along = partition[d].placeOf(shape[d], indices[d]);
    result.bank = result.bank * static_cast<uint32_t>(partition[d].factor) + along.bank;
    result.address =
        result.address * static_cast<uint64_t>(partition[d].words(shape[d])) + along.address;
  }
  return result;
}

std::string portName(uint32_t argument, uint32_t bank, uint32_t port) {
  return fmt::format("arg{}_b{}_p{}", argument, bank, port);
}

llvm::Error verify(const KernelInterface &kernel, const std::string &place) {
  if (!isModuleName(kernel.top))
    return inputError(place, fmt::format("top is '{}', expected the name of a module", kernel.top));
  if (kernel.function.empty() || kernel.original.empty() || kernel.sources.empty())
    return inputError(place, "names no function, original program or sources");
  if (!(kernel.clockPeriodNs > 0))
    return inputError(
        place, fmt::format("clock_period_ns is {}, expected more than 0", kernel.clockPeriodNs));
  uint64_t ports = 0;
  for (size_t i = 0; i < kernel.arguments.size(); ++i) {
    const KernelArgument &argument = kernel.arguments[i];
    std::string where = fmt::format("{}: arguments[{}]", place, i);
    if (i > 0 && argument.index <= kernel.arguments[i - 1].index)
      return inputError(where, fmt::format("has the index {} after {}, expected ascending ones",
                                           argument.index, kernel.arguments[i - 1].index));
    if (!argument.isMemory() && kernel.bind.count(argument.index))
      return inputError(
          where, fmt::format("argument {} is bound, expected no port for it", argument.index));
    if (argument.isStream() && argument.isRead == argument.isWritten)
      return inputError(
          where, fmt::format("is a stream that the kernel {}, expected one of both",
                             argument.isRead ? "reads and writes" : "neither reads nor writes"));
    if (!argument.isMemory())
      continue;
    SPINDLE_RETURN_IF_ERROR(verifyMemory(where, argument));
    uint64_t banks = 1; // of at most as many as there are elements
    for (const Partition &dimension : argument.partition)
      banks *= static_cast<uint64_t>(dimension.factor);
    ports += banks * argument.ports;
    if (ports > kMostMemoryPorts)
      return inputError(where, fmt::format("has {} banks of {} ports, expected at most {} ports of "
                                           "all arrays",
                                           banks, argument.ports, kMostMemoryPorts));
  }
  return llvm::Error::success();
}

llvm::Error writeKernelInterface(const std::string &path, const KernelInterface &kernel) {
  Json json = jsonHeader(kKernelFormat);
  json["top"] = kernel.top;
  json["function"] = kernel.function;
  json["original"] = kernel.original;
  json["bind"] = Json::object();
  for (const auto &[index, values] : kernel.bind)
    json["bind"][std::to_string(index)] = values.size() == 1 ? Json(values[0]) : Json(values);
  json["target"] = kernel.target;
  json["clock_period_ns"] = kernel.clockPeriodNs;
  json["sources"] = kernel.sources;
  if (!kernel.contents.empty())
    json["contents"] = kernel.contents;
  json["predicted_cycles"] = kernel.predictedCycles ? Json(*kernel.predictedCycles) : Json();
  json["clock_enable"] = kernel.hasClockEnable;
  json["arguments"] = Json::array();
  for (const KernelArgument &argument : kernel.arguments)
    json["arguments"].push_back(toJson(argument));
  json["results"] = Json::array();
  for (const ElementType &result : kernel.results)
    json["results"].push_back({{"type", result.text()}});
  json["units"] = Json::object();
  for (const auto &[name, count] : kernel.units)
    json["units"][name] = count;
  if (const std::optional<DeviceArea> &area = kernel.estimate)
    json["estimate"] = {
        {"lut", area->lut}, {"ff", area->ff}, {"dsp", area->dsp}, {"bram", area->bram}};
  json["math"] = kernel.math;
  json["reassociated"] = kernel.isReassociated;
  return writeJson(path, json);
}

llvm::Expected<KernelInterface> readKernelInterface(const std::string &path) {
  SPINDLE_ASSIGN(Json json, readJson(path, kKernelFormat));
  SPINDLE_ASSIGN(KernelInterface kernel, parseJson<KernelInterface>(path, json, kernelFromJson));
  SPINDLE_RETURN_IF_ERROR(verify(kernel, path));
  SPINDLE_RETURN_IF_ERROR(checkFilesBeside(path, {kernel.original}));
  SPINDLE_RETURN_IF_ERROR(checkFilesBeside(path, kernel.sources, kVerilogEndings));
  SPINDLE_RETURN_IF_ERROR(checkFilesBeside(path, kernel.contents, {".hex"}));
  return kernel;
}

} // namespace spindle::hls
