#include "core/kernel/KernelInterface.h"

#include "core/kernel/FilesBeside.h"
#include "core/support/TextPlace.h"
#include "core/support/formats/JsonMapping.h"

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

constexpr const char *kArgumentNames[] = {"scalar", "memory",
                                          "stream"}; // in the order of their kinds

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

llvm::Error verifyShape(const std::string &place, const KernelArgument &argument) {
  int64_t elements = 1;
  for (int64_t extent : argument.shape) {
    if (extent < 1 || elements > kMostElements / extent)
      return inputError(place, fmt::format("has the shape [{}], expected extents of at least 1 and "
                                           "at most {} elements",
                                           fmt::join(argument.shape, ", "), kMostElements));
    elements *= extent;
  }
  return llvm::Error::success();
}

llvm::Error verifyMemory(const std::string &place, const KernelArgument &argument) {
  SPINDLE_RETURN_IF_ERROR(verifyShape(place, argument));
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

/// The name of an element type.
template <typename T> struct TypeName {
  T &type;
  Json toJson() const { return type.text(); }
  void readFrom(const Json &json) {
    std::optional<ElementType> named = parseElementType(textValue(json));
    if (!named)
      refuseValue(json, "i1 to i64, index, f16, bf16, f32 or f64");
    type = *named;
  }
};

/// `"0": 20` for a scalar, `"3": [20, 25]` for the shape of an array.
template <typename T> struct BoundArguments {
  T &bind;
  Json toJson() const {
    Json json = Json::object();
    for (const auto &[index, values] : bind)
      json[std::to_string(index)] = values.size() == 1 ? Json(values[0]) : Json(values);
    return json;
  }
  void readFrom(const Json &json) {
    for (const auto &[key, value] : objectValue(json).items()) {
      uint32_t index = 0;
      std::from_chars(key.data(), key.data() + key.size(), index);
      if (std::to_string(index) != key) // too large, padded, or no number
        throw JsonFault{&json, fmt::format("has the key '{}', expected an argument index, a whole "
                                           "number from 0 to {} without leading zeros",
                                           excerpt(key), UINT32_MAX)};
      if (value.is_array())
        readInto(value, bind[index]);
      else
        bind[index] = {signedValue(value)};
    }
  }
};

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
    if (argument.isStream())
      SPINDLE_RETURN_IF_ERROR(verifyShape(where, argument));
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

static void describe(auto &file, MaybeConst<ElementType> auto &type) {
  file.field("type", TypeName{type});
}

static void describe(auto &file, MaybeConst<Partition> auto &partition, int64_t extent) {
  file.field("kind", wordOf(partition.kind, kPartitionNames, "none, block, cyclic, complete"));
  if (file.has("factor", hasFactor(partition.kind)))
    file.field("factor", within<uint32_t>(partition.factor));
  else
    file.assume(partition.factor, partition.kind == Partition::Kind::Complete ? extent : 1);
}

static void describe(auto &file, MaybeConst<KernelArgument> auto &argument) {
  file.field("index", argument.index);
  file.field("kind", wordOf(argument.kind, kArgumentNames, "scalar, memory or stream"));
  describe(file, argument.type);
  if (argument.isStream()) {
    file.field("read", argument.isRead);
    file.field("write", argument.isWritten);
    if (file.has("shape", !argument.shape.empty()))
      file.field("shape", within<uint32_t>(argument.shape));
  }
  if (!argument.isMemory())
    return;
  file.field("shape", within<uint32_t>(argument.shape));
  size_t next = 0;
  file.list("partition", argument.partition, [&](auto &entry, auto &partition) {
    int64_t extent = next < argument.shape.size() ? argument.shape[next] : 1;
    ++next;
    describe(entry, partition, extent);
  });
  file.derived("banks", [&] { return argument.banks(); });
  file.field("ports", argument.ports);
  file.field("read_latency", argument.readLatency);
  file.field("read", argument.isRead);
  file.field("write", argument.isWritten);
}

static void describe(auto &file, MaybeConst<DeviceArea> auto &area) {
  file.field("lut", area.lut);
  file.field("ff", area.ff);
  file.field("dsp", area.dsp);
  file.field("bram", area.bram);
}

static void describe(auto &file, MaybeConst<KernelInterface> auto &kernel) {
  file.field("top", kernel.top);
  file.field("function", kernel.function);
  file.field("original", kernel.original);
  file.field("bind", BoundArguments{kernel.bind});
  file.field("target", kernel.target);
  file.field("clock_period_ns", kernel.clockPeriodNs);
  file.field("sources", kernel.sources);
  file.fieldUnless("contents", kernel.contents, {});
  file.field("predicted_cycles", kernel.predictedCycles);
  file.fieldOr("clock_enable", kernel.hasClockEnable, false);
  file.field("arguments", kernel.arguments);
  file.field("results", kernel.results);
  file.field("units", kernel.units);
  file.optional("estimate", kernel.estimate);
  file.field("math", kernel.math);
  file.fieldOr("reassociated", kernel.isReassociated, false);
}

llvm::Error writeKernelInterface(const std::string &path, const KernelInterface &kernel) {
  return writeDescribed(path, kKernelFormat, kernel);
}

llvm::Expected<KernelInterface> readKernelInterface(const std::string &path) {
  SPINDLE_ASSIGN(KernelInterface kernel, readDescribed<KernelInterface>(path, kKernelFormat));
  SPINDLE_RETURN_IF_ERROR(verify(kernel, path));
  SPINDLE_RETURN_IF_ERROR(checkFilesBeside(path, {kernel.original}));
  SPINDLE_RETURN_IF_ERROR(checkFilesBeside(path, kernel.sources, kVerilogEndings));
  SPINDLE_RETURN_IF_ERROR(checkFilesBeside(path, kernel.contents, {".hex"}));
  return kernel;
}

} // namespace spindle::hls
