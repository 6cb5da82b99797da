#include "hw/hls/Target.h"

#include "core/support/formats/Yaml.h"
#include "hw/hls/TargetFiles.h"

#include "fmt/format.h"
#include "fmt/ranges.h"

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <span>

namespace spindle::hls {

namespace {

constexpr const char *kFormat = "spindle-target";
constexpr int64_t kVersion = 1;
constexpr double kMostNs = 1e6;
constexpr int64_t kMostCycles = 10'000, kMostArea = 100'000'000;

void readCount(YamlReader &reader, const char *key, unsigned &value, int64_t least, int64_t most) {
  int64_t number = value;
  reader.read(key, number, least, most);
  value = static_cast<unsigned>(number);
}

void readMemory(YamlReader reader, BlockMemory &memory) {
  readCount(reader, "ports", memory.ports, 1, 64);
  readCount(reader, "read_latency", memory.readLatency, 1, 16);
  reader.read("delay_in_ns", memory.delayInNs, 0, kMostNs);
  reader.read("delay_out_ns", memory.delayOutNs, 0, kMostNs);
  readCount(reader, "block_luts", memory.blockLuts, 0, 10'000);
}

void readLogic(YamlReader reader, std::map<std::string, LogicDelay> &logic) {
  for (const std::string &operation : reader.keys()) {
    YamlReader section = reader.section(operation);
    LogicDelay delay;
    section.read("ns", delay.ns, 0, kMostNs);
    section.read("ns_per_bit", delay.nsPerBit, 0, kMostNs);
    logic[operation] = delay;
  }
}

DeviceArea readCapacity(YamlReader reader) {
  DeviceArea capacity;
  for (const char *key : {"lut", "ff", "dsp", "bram"})
    reader.require(key);
  reader.read("lut", capacity.lut, 1, kMostArea);
  reader.read("ff", capacity.ff, 1, kMostArea);
  reader.read("dsp", capacity.dsp, 0, kMostArea);
  reader.read("bram", capacity.bram, 0, kMostArea);
  return capacity;
}

/// `i32_18x25` where a unit looks at some bits only.
std::string typeText(const FunctionalUnit &unit) {
  return unit.operandBits.empty()
             ? unit.type
             : fmt::format("{}_{}", unit.type, fmt::join(unit.operandBits, "x"));
}

FunctionalUnit readUnit(YamlReader &reader) {
  FunctionalUnit unit;
  for (const char *key : {"operations", "type", "module", "latency"})
    reader.require(key);
  reader.read("operations", unit.operations);
  reader.read("type", unit.type);
  reader.read("operand_bits", unit.operandBits);
  reader.read("variant", unit.variant);
  reader.read("module", unit.module);
  YamlReader parameters = reader.section("parameters");
  for (const std::string &name : parameters.keys())
    parameters.read(name, unit.parameters[name]);
  readCount(reader, "latency", unit.latency, 1, kMostCycles);
  readCount(reader, "interval", unit.interval, 1, kMostCycles);
  reader.read("delay_in_ns", unit.delayInNs, 0, kMostNs);
  reader.read("delay_out_ns", unit.delayOutNs, 0, kMostNs);
  reader.read("lut", unit.area.lut, 0, kMostArea);
  reader.read("ff", unit.area.ff, 0, kMostArea);
  reader.read("dsp", unit.area.dsp, 0, kMostArea);
  reader.read("source", unit.source);
  if (!unit.operations.empty())
    unit.name = unit.operations.front() + "_" + typeText(unit);
  return unit;
}

} // namespace

bool FunctionalUnit::fits(const std::vector<int64_t> &bits) const {
  return operandBits.empty() ||
         (operandBits.size() == bits.size() &&
          std::equal(bits.begin(), bits.end(), operandBits.begin(), std::less_equal<int64_t>()));
}

const FunctionalUnit *Target::unitFor(const std::string &operation, const std::string &type,
                                      const std::vector<int64_t> &operandBits) const {
  std::vector<int64_t> swapped(operandBits.rbegin(), operandBits.rend());
  for (const FunctionalUnit &unit : units)
    if (unit.type == type &&
        std::find(unit.operations.begin(), unit.operations.end(), operation) !=
            unit.operations.end() &&
        (unit.fits(operandBits) || unit.fits(swapped)))
      return &unit;
  return nullptr;
}

int64_t Target::dspLuts() const {
  return capacity && capacity->dsp > 0 ? int64_t(capacity->lut / capacity->dsp / 2) : 0;
}

double Target::logicDelayNs(const std::string &operation, unsigned bits) const {
  auto found = logic.find(operation);
  return found == logic.end() ? 0 : found->second.ns + found->second.nsPerBit * bits;
}

int64_t lutRamLuts(int64_t words, int64_t bits, int64_t reads, bool isConstant) {
  int64_t inOne = isConstant ? 64 : 32, rows = (words + inOne - 1) / inOne;
  return bits * reads * (rows + (rows - 1) / 2);
}

double blocksFor(uint64_t words, uint64_t bits, bool hasTwoOfBoth) {
  constexpr std::array<std::pair<uint64_t, uint64_t>, 6> halves = {
      {{16384, 1}, {8192, 2}, {4096, 4}, {2048, 9}, {1024, 18}, {512, 36}}};
  uint64_t fewest = UINT64_MAX;
  for (auto [deep, wide] : std::span(halves).first(halves.size() - (hasTwoOfBoth ? 1 : 0)))
    fewest = std::min(fewest, ((words + deep - 1) / deep) * ((bits + wide - 1) / wide));
  return double(fewest) / 2;
}

double Target::lutRamDelayNs(int64_t words) const {
  double delay = logicDelayNs("multiplexer", 1) + logicDelayNs("select", 1);
  for (int64_t reached = 64; reached < words; reached *= 4)
    delay += logicDelayNs("select", 1);
  return std::min(delay, clockPeriodNs);
}

/// Signed bits of the factors of products.
static llvm::Error verifyOperandBits(const FunctionalUnit &unit, const std::string &place) {
  int64_t most = std::atoll(unit.type.substr(1).c_str());
  bool isPair = unit.operations == std::vector<std::string>{"multiply_pair"};
  bool isProduct = isPair || unit.operations == std::vector<std::string>{"muli"};
  bool fits = unit.operandBits.size() == (isPair ? 3 : 2) &&
              std::all_of(unit.operandBits.begin(), unit.operandBits.end(),
                          [&](int64_t bits) { return bits >= 1 && bits <= most; });
  if (!isProduct || !fits)
    return inputError(place,
                      fmt::format("operand_bits [{}] of unit {}, expected two numbers from 1 "
                                  "to the bits of the type of a muli, or three of a multiply_pair",
                                  fmt::join(unit.operandBits, ", "), unit.name));
  return llvm::Error::success();
}

/// Whether two units for the same operation may stand side by side.
static llvm::Error verifyVariants(const FunctionalUnit &first, const FunctionalUnit &second,
                                  const std::string &operation, const std::string &place) {
  std::string both = fmt::format("two units for {} of {}", operation, typeText(first));
  if (first.variant.empty() || second.variant.empty())
    return inputError(place, both + ", expected one, or a `variant` of each");
  if (first.variant == second.variant)
    return inputError(
        place, fmt::format("{} are '{}', expected variants of other names", both, first.variant));
  if (first.operations != second.operations)
    return inputError(
        place,
        fmt::format("{} have the operations {} and {}, expected the same of all variants", both,
                    fmt::join(first.operations, ", "), fmt::join(second.operations, ", ")));
  return llvm::Error::success();
}

llvm::Error verify(const Target &target, const std::string &place) {
  std::multimap<std::string, const FunctionalUnit *> kinds;
  for (const FunctionalUnit &unit : target.units) {
    if (unit.operations.empty())
      return inputError(place, fmt::format("a unit of module {} has no operations", unit.module));
    for (const std::string &operation : unit.operations) {
      std::string kind = operation + "_" + typeText(unit);
      for (auto [other, end] = kinds.equal_range(kind); other != end; ++other)
        SPINDLE_RETURN_IF_ERROR(verifyVariants(*other->second, unit, operation, place));
      kinds.emplace(kind, &unit);
    }
    if (!unit.operandBits.empty())
      SPINDLE_RETURN_IF_ERROR(verifyOperandBits(unit, place));
    if (std::max(unit.delayInNs, unit.delayOutNs) > target.clockPeriodNs)
      return inputError(
          place, fmt::format("unit {} needs {} ns, more than the clock period of {} ns", unit.name,
                             std::max(unit.delayInNs, unit.delayOutNs), target.clockPeriodNs));
  }
  return llvm::Error::success();
}

/// A name has neither folder nor ending.
static llvm::Expected<YamlDocument> loadTarget(const std::string &pathOrName) {
  if (pathOrName.find_first_of("/.") != std::string::npos)
    return YamlDocument::load(pathOrName);
  std::vector<std::string> names;
  for (auto [name, text] : target_file::kFiles) {
    if (name == pathOrName)
      return YamlDocument::parse(text, pathOrName);
    names.push_back(name);
  }
  return inputError("",
                    fmt::format("there is no target '{}', expected {} or a file such as {}.yaml",
                                pathOrName, fmt::join(names, ", "), pathOrName));
}

llvm::Expected<Target> readTarget(const std::string &path) {
  SPINDLE_ASSIGN(YamlDocument document, loadTarget(path));
  YamlReader reader(document);
  Target target;
  std::string format;
  int64_t version = 0;
  reader.read("format", format);
  reader.read("version", version);
  if (format != kFormat)
    reader.fail("format", fmt::format("format is '{}', expected '{}'", format, kFormat));
  if (version != kVersion)
    reader.fail("version", fmt::format("version is {}, expected {}", version, kVersion));
  for (const char *key : {"name", "clock", "units"})
    reader.require(key);
  reader.read("name", target.name);
  reader.read("part", target.part);
  YamlReader clock = reader.section("clock");
  clock.require("period_ns");
  clock.read("period_ns", target.clockPeriodNs, 0.01, kMostNs);
  if (reader.has("capacity"))
    target.capacity = readCapacity(reader.section("capacity"));
  readCount(reader, "lut_inputs", target.lutInputs, 4, 6);
  readMemory(reader.section("memory"), target.memory);
  readLogic(reader.section("logic"), target.logic);
  for (YamlReader &unit : reader.sequence("units"))
    target.units.push_back(readUnit(unit));
  SPINDLE_RETURN_IF_ERROR(reader.finish());
  SPINDLE_RETURN_IF_ERROR(verify(target, path));
  return target;
}

} // namespace spindle::hls
