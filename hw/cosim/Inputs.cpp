#include "hw/cosim/Inputs.h"

#include "core/support/CounterRandom.h"
#include "core/support/formats/Npz.h"

#include "fmt/format.h"
#include "fmt/ranges.h"
#include "mlir/IR/BuiltinTypeInterfaces.h"

#include <algorithm>
#include <limits>

namespace spindle::hls {

static std::string textOf(ElementType type, bool isArray, const std::vector<int64_t> &shape) {
  return isArray ? fmt::format("{} [{}]", type.text(), fmt::join(shape, ", ")) : type.text();
}

static std::string streamText(ElementType type) { return "a stream of " + type.text(); }

/// The kernel's extents, wherever the program leaves them open.
static void settleShape(std::vector<int64_t> &shape, const std::vector<int64_t> &ofKernel) {
  if (shape.size() != ofKernel.size())
    return;
  for (size_t dim = 0; dim < shape.size(); ++dim)
    if (mlir::ShapedType::isDynamic(shape[dim]))
      shape[dim] = ofKernel[dim];
}

/// kernel.json and the program beside it are not of one synthesis.
static llvm::Error refuseKernel(const std::string &place, const std::string &found) {
  return inputError(place, found + "; synthesise the kernel again");
}

/// `functionArguments`: without those that results became.
static llvm::Error checkBindings(const Golden &golden, const KernelInterface &kernel,
                                 size_t functionArguments, const std::string &place) {
  for (const auto &[index, values] : kernel.bind) {
    if (index >= functionArguments)
      return refuseKernel(place, fmt::format("binds arg{}, but the program has {} arguments", index,
                                             functionArguments));
    const GoldenType &type = golden.arguments()[index];
    size_t expected = type.isArray ? type.shape.size() : 1;
    if (values.size() != expected)
      return refuseKernel(place, fmt::format("binds arg{} to {} numbers, expected {} for {}", index,
                                             values.size(), expected,
                                             textOf(type.type, type.isArray, type.shape)));
  }
  return llvm::Error::success();
}

/// What is not listed would be neither driven nor compared.
static llvm::Error checkListed(const std::vector<ProgramArgument> &arguments,
                               const KernelInterface &kernel, const std::string &place) {
  std::vector<bool> isListed(arguments.size());
  for (const KernelArgument &port : kernel.arguments)
    isListed[port.index] = true;
  for (size_t index = 0; index < arguments.size(); ++index)
    if (!isListed[index] && !arguments[index].bound)
      return refuseKernel(place, fmt::format("does not list arg{}, expected all arguments of the "
                                             "program except bound scalars",
                                             index));
  return llvm::Error::success();
}

llvm::Expected<std::vector<ProgramArgument>> programArguments(const Golden &golden,
                                                              const KernelInterface &kernel,
                                                              const std::vector<bool> &isIndex,
                                                              const std::string &place) {
  SPINDLE_RETURN_IF_ERROR(checkBindings(golden, kernel, isIndex.size(), place));
  std::vector<ProgramArgument> arguments;
  for (const GoldenType &type : golden.arguments()) {
    size_t index = arguments.size();
    ProgramArgument argument{type.type, type.isArray, type.shape, type.isStream};
    argument.isResult = index >= isIndex.size();
    argument.isIndex = !argument.isResult && isIndex[index];
    if (auto bound = kernel.bind.find(uint32_t(index)); bound != kernel.bind.end()) {
      if (type.isArray)
        argument.shape = bound->second;
      else
        argument.bound = bound->second[0];
    }
    arguments.push_back(std::move(argument));
  }
  for (const KernelArgument &port : kernel.arguments) {
    bool isQueue = port.isStream() && !port.isArray();
    std::string wants =
        isQueue ? streamText(port.type) : textOf(port.type, port.isArray(), port.shape);
    if (port.index >= arguments.size())
      return refuseKernel(place, fmt::format("arg{} is {}, but the program has {} arguments",
                                             port.index, wants, arguments.size()));
    ProgramArgument &argument = arguments[port.index];
    argument.isRead = port.isRead;
    if (argument.isArray)
      settleShape(argument.shape, port.shape);
    std::string has = argument.isStream ? streamText(argument.type)
                                        : textOf(argument.type, argument.isArray, argument.shape);
    if (has != wants)
      return refuseKernel(
          place, fmt::format("arg{} is {}, but {} in the program", port.index, wants, has));
  }
  SPINDLE_RETURN_IF_ERROR(checkListed(arguments, kernel, place));
  std::vector<ElementType> results;
  for (const GoldenType &type : golden.results())
    results.push_back(type.type);
  if (results != kernel.results)
    return refuseKernel(place, fmt::format("has {} results, but the program returns {} of other "
                                           "number or types",
                                           kernel.results.size(), results.size()));
  return arguments;
}

namespace {

class Draw {
public:
  Draw(InputKind inputKind, bool withSpecial, int64_t indexEnd, CounterRandom numbers)
      : kind(inputKind), isSpecial(withSpecial), end(indexEnd), random(numbers) {}

  KernelArray draw(const ProgramArgument &argument) {
    std::vector<int64_t> shape = argument.isArray ? argument.shape : std::vector<int64_t>();
    if (argument.isStream)
      shape = {argument.isRead ? kDrawnTokens : 0};
    KernelArray array = makeArray(argument.type, shape);
    if (argument.bound)
      return makeIntegers(argument.type, {}, {*argument.bound});
    if (argument.type.isFloat())
      return makeFloats(argument.type, array.shape, floats(array.shape, array.count()));
    for (size_t i = 0; i < array.count(); ++i)
      array.set(i, argument.isIndex ? random.below(uint32_t(end)) : integer());
    return array;
  }

private:
  uint64_t integer() {
    if (random.below(2) == 0)
      return uint64_t(int64_t(random.below(17)) - 8);
    uint64_t high = random();
    return high << 32 | random();
  }

  /// All bits of a double between 0 and 1.
  double fraction() {
    uint64_t high = random() >> 5, low = random() >> 6;
    return double(high << 26 | low) * 0x1p-53;
  }

  double number() {
    if (kind == InputKind::Integers)
      return double(random.below(5)) - 2;
    return kind == InputKind::Uniform ? fraction() * 4 - 2 : fraction() * 1.5 + 0.5;
  }

  double special() {
    using Limits = std::numeric_limits<double>;
    const double values[] = {0,
                             Limits::infinity(),
                             Limits::quiet_NaN(),
                             0x1p-1060,
                             0x1p-140,
                             Limits::max(),
                             std::numeric_limits<float>::max()};
    double value = values[random.below(uint32_t(std::size(values)))];
    return random.below(2) ? -value : value;
  }

  std::vector<double> floats(const std::vector<int64_t> &shape, size_t count) {
    std::vector<double> values(count);
    for (double &value : values)
      value = isSpecial && random.below(8) == 0 ? special() : number();
    bool isSquare = shape.size() == 2 && shape[0] == shape[1];
    if (kind == InputKind::Definite && isSquare)
      makeDefinite(values, size_t(shape[0]));
    return values;
  }

  /// The symmetric part, with a diagonal that outweighs every row (Gershgorin).
  static void makeDefinite(std::vector<double> &values, size_t n) {
    for (size_t i = 0; i < n; ++i)
      for (size_t j = 0; j < i; ++j)
        values[j * n + i] = values[i * n + j];
    for (size_t i = 0; i < n; ++i)
      values[i * n + i] += 2 * double(n);
  }

  InputKind kind;
  bool isSpecial;
  int64_t end; // of indices
  CounterRandom random;
};

} // namespace

std::vector<KernelArray> randomInputs(const std::vector<ProgramArgument> &arguments, InputKind kind,
                                      bool withSpecial, uint64_t seed, uint32_t run) {
  int64_t end = std::numeric_limits<uint32_t>::max();
  for (const ProgramArgument &argument : arguments)
    for (int64_t extent : argument.isStream ? std::vector<int64_t>() : argument.shape)
      end = std::min(end, extent);
  if (end == std::numeric_limits<uint32_t>::max())
    end = 16; // no array at all
  std::vector<KernelArray> inputs;
  for (const ProgramArgument &argument : arguments)
    inputs.push_back(Draw(kind, withSpecial, end, CounterRandom(seed, run, uint32_t(inputs.size())))
                         .draw(argument));
  return inputs;
}

llvm::Expected<std::vector<KernelArray>> readInputs(const std::string &path,
                                                    const std::vector<ProgramArgument> &arguments) {
  SPINDLE_ASSIGN(std::vector<NpzMember> members, readNpz(path));
  std::vector<KernelArray> inputs;
  for (const ProgramArgument &argument : arguments) {
    std::string name = fmt::format("arg{}", inputs.size());
    if (argument.isStream && !argument.isRead) {
      inputs.push_back(makeArray(argument.type, {0}));
      continue;
    }
    std::vector<int64_t> shape = argument.isArray ? argument.shape : std::vector<int64_t>();
    if (argument.isStream) {
      const NpyArray *tokens = findMember(members, name);
      shape = {tokens && tokens->shape.size() == 1 ? int64_t(tokens->shape[0]) : 0};
    }
    KernelArray bound = makeArray(argument.type, shape);
    if (argument.bound)
      bound = makeIntegers(argument.type, {}, {*argument.bound});
    const NpyArray *array = findMember(members, name);
    if (!array && (argument.bound || argument.isResult)) {
      inputs.push_back(std::move(bound));
      continue;
    }
    if (!array)
      return inputError(
          path, fmt::format("no array '{}', expected arg0 to arg{}", name, arguments.size() - 1));
    SPINDLE_ASSIGN(KernelArray input, fromNpy(*array, argument.type, shape, path, name));
    if (argument.bound && input != bound)
      return inputError(path, fmt::format("{} is {}, but the kernel was synthesised for {}", name,
                                          numberText(input.type, input.at(0)), *argument.bound));
    inputs.push_back(std::move(input));
  }
  return inputs;
}

llvm::Error writeValues(const std::string &path, const Values &values) {
  std::vector<NpzMember> members;
  for (size_t i = 0; i < values.arguments.size(); ++i)
    members.push_back({fmt::format("arg{}", i), toNpy(values.arguments[i])});
  for (size_t i = 0; i < values.results.size(); ++i)
    members.push_back({fmt::format("result{}", i), toNpy(values.results[i])});
  return writeNpz(path, members);
}

} // namespace spindle::hls
