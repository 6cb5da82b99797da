#include "hw/program/Golden.h"

#include "dialects/affine/EmptyLoops.h"
#include "dialects/affine/Remainders.h"
#include "dialects/location/Location.h"
#include "dialects/upstream/DefinePoison.h"
#include "dialects/upstream/DenseArrays.h"
#include "dialects/upstream/ForgetPlaces.h"
#include "dialects/upstream/SpellIndices.h"
#include "dialects/upstream/SpellSincos.h"
#include "hw/program/Confine.h"
#include "hw/program/GoldenStreams.h"
#include "hw/program/LowerGolden.h"
#include "hw/program/MathSymbols.h"
#include "hw/program/WatchAccesses.h"
#include "hw/program/WatchIterations.h"
#include "hw/program/meaning/DefineBehaviour.h"
#include "hw/program/meaning/DefineClasses.h"
#include "hw/program/meaning/DefineHalves.h"

#include "fmt/format.h"
#include "fmt/ranges.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/ExecutionEngine/ExecutionEngine.h"
#include "llvm/ExecutionEngine/Orc/JITTargetMachineBuilder.h"
#include "llvm/Target/TargetMachine.h"

#include <algorithm>

using namespace mlir;

namespace spindle::hls {

struct Golden::Code {
  std::unique_ptr<ExecutionEngine> engine;
  void (*entry)(void **) = nullptr;
  std::vector<WatchedAccess> accesses;
  WatchedLoops loops;
};

Golden::Golden() : code(std::make_unique<Code>()) {}
Golden::Golden(Golden &&) = default;
Golden &Golden::operator=(Golden &&) = default;
Golden::~Golden() = default;

/// A type of the lowered function; errors name it.
static llvm::Expected<GoldenType> goldenType(Type type, const std::string &place) {
  Type element = type;
  GoldenType result;
  if (auto array = dyn_cast<MemRefType>(type)) {
    element = array.getElementType();
    result.isArray = true;
    result.shape.assign(array.getShape().begin(), array.getShape().end());
    if (!array.getLayout().isIdentity())
      element = {};
  }
  std::string text;
  llvm::raw_string_ostream(text) << (element ? element : type);
  std::optional<ElementType> known = parseElementType(text);
  if (!known)
    return inputError(place,
                      fmt::format("type {} is not supported, expected i1 to i64, index, f16, "
                                  "bf16, f32, f64 or a dense memref of them",
                                  text));
  result.type = *known;
  return result;
}

/// For this processor, without fused products and sums: no other of its features changes a value.
static llvm::Expected<std::unique_ptr<ExecutionEngine>> makeGoldenEngine(ModuleOp module,
                                                                         GoldenCode quality) {
  bool isPlain = quality == GoldenCode::Plain;
  SPINDLE_ASSIGN(
      llvm::orc::JITTargetMachineBuilder builder,
      jit::hostBuilder(isPlain ? llvm::CodeGenOptLevel::None : llvm::CodeGenOptLevel::Default));
  SPINDLE_ASSIGN(std::unique_ptr<llvm::TargetMachine> target, builder.createTargetMachine());
  jit::Options options;
  if (isPlain)
    options.level = 0;
  options.callees = mathCallees();
  return jit::makeEngine(module, std::move(target), options);
}

llvm::Expected<Golden> Golden::compile(ModuleOp module, const std::string &function,
                                       GoldenCode quality, LocalContents contents) {
  OwningOpRef<ModuleOp> copy = module.clone();
  forgetPlaces(*copy);
  removeEmptyLoops(*copy); // of both, passes below would conclude what is wrong
  spellRemainders(*copy);
  definePoison(*copy);
  spellIndices(*copy);
  spellSincos(*copy);
  SPINDLE_RETURN_IF_ERROR(confineProgram(*copy, function));
  exchangeDenseArrays(copy->lookupSymbol<func::FuncOp>(function));
  SPINDLE_RETURN_IF_ERROR(takeVectorsApart(*copy, function));
  SPINDLE_ASSIGN(std::vector<Type> tokens, lowerStreams(*copy, function));
  Golden golden;
  WatchedLoops &loops = golden.code->loops;
  SPINDLE_RETURN_IF_ERROR(
      lowerToBuffers(*copy, function, contents, [&] { loops.loops = watchLoops(*copy); }));
  golden.code->accesses = watchAccesses(*copy, function);
  if (!loops.loops.empty())
    loops.accesses = watchTouches(*copy, function);
  auto lowered = copy->lookupSymbol<func::FuncOp>(function);
  std::string place = golden.place = filePlaceOf(module) + ": @" + function;
  for (Type type : lowered.getArgumentTypes()) {
    size_t index = golden.argumentTypes.size();
    bool isStream = index < tokens.size() && tokens[index];
    SPINDLE_ASSIGN(GoldenType argument, goldenType(isStream ? tokens[index] : type, place));
    if (isStream)
      argument = {argument.type, true, {ShapedType::kDynamic}, true};
    golden.argumentTypes.push_back(std::move(argument));
  }
  for (Type type : lowered.getResultTypes()) {
    SPINDLE_ASSIGN(GoldenType result, goldenType(type, place));
    golden.resultTypes.push_back(std::move(result));
  }
  defineClasses(*copy);
  defineHalves(*copy);
  defineBehaviour(*copy);
  SPINDLE_RETURN_IF_ERROR(lowerToLlvm(*copy));
  SPINDLE_RETURN_IF_ERROR(checkLinkage(*copy));
  jit::registerTranslations(*module.getContext());
  SPINDLE_ASSIGN(golden.code->engine, makeGoldenEngine(*copy, quality));
  SPINDLE_ASSIGN(golden.code->entry,
                 golden.code->engine->lookupPacked(std::string("_mlir_ciface_") + kGoldenEntry));
  return golden;
}

/// What MLIR passes for a memref: two pointers, offset, sizes, strides.
static std::vector<int64_t> descriptorOf(KernelArray &array) {
  auto address = reinterpret_cast<int64_t>(array.bytes.data());
  std::vector<int64_t> words = {address, address, 0};
  words.insert(words.end(), array.shape.begin(), array.shape.end());
  std::vector<int64_t> strides(array.shape.size(), 1);
  for (size_t i = strides.size(); i-- > 1;)
    strides[i - 1] = strides[i] * array.shape[i];
  words.insert(words.end(), strides.begin(), strides.end());
  return words;
}

static bool fits(const std::vector<int64_t> &shape, const GoldenType &type) {
  auto isSize = [](int64_t has, int64_t wants) {
    return has == wants || ShapedType::isDynamic(wants);
  };
  return std::equal(shape.begin(), shape.end(), type.shape.begin(), type.shape.end(), isSize);
}

static llvm::Error checkInputs(const std::string &place, const std::vector<KernelArray> &inputs,
                               const std::vector<GoldenType> &types) {
  if (inputs.size() != types.size())
    return inputError(place, fmt::format("{} arguments, expected {}", inputs.size(), types.size()));
  for (size_t i = 0; i < inputs.size(); ++i)
    if (inputs[i].type != types[i].type || !fits(inputs[i].shape, types[i]))
      return inputError(place, fmt::format("arg{} is {} [{}], expected {} [{}]", i,
                                           inputs[i].type.text(), fmt::join(inputs[i].shape, ", "),
                                           types[i].type.text(), fmt::join(types[i].shape, ", ")));
  return llvm::Error::success();
}

/// The bytes of all arrays one after the other, of streams after their number.
static std::string joinArrays(const Values &values, const std::vector<GoldenType> &types) {
  std::string bytes;
  for (auto [array, type] : llvm::zip(values.arguments, types)) {
    uint64_t count = array.bytes.size();
    if (type.isStream)
      bytes.append(reinterpret_cast<const char *>(&count), sizeof count);
    bytes += array.bytes;
  }
  for (const KernelArray &array : values.results)
    bytes += array.bytes;
  return bytes;
}

/// Back from there; false where they are not as many.
bool Golden::takeBack(llvm::StringRef bytes, Values &values) const {
  auto take = [&](char *to, size_t size) {
    bool isThere = bytes.size() >= size;
    if (isThere)
      std::copy_n(bytes.begin(), size, to);
    bytes = bytes.drop_front(isThere ? size : bytes.size());
    return isThere;
  };
  for (auto [array, type] : llvm::zip(values.arguments, argumentTypes)) {
    uint64_t count = array.bytes.size();
    if (type.isStream &&
        (!take(reinterpret_cast<char *>(&count), sizeof count) || count > bytes.size()))
      return false;
    if (type.isStream)
      array = makeArray(array.type, {int64_t(count / array.type.bytes())});
    if (!take(array.bytes.data(), array.bytes.size()))
      return false;
  }
  for (KernelArray &array : values.results)
    if (!take(array.bytes.data(), array.bytes.size()))
      return false;
  return bytes.empty();
}

static std::vector<uint64_t> tokensOf(const KernelArray &array) {
  std::vector<uint64_t> tokens;
  for (size_t n = 0; n < array.count(); ++n)
    tokens.push_back(array.at(n));
  return tokens;
}

/// Returns the bytes of what has become of the values.
std::string Golden::execute(Values &values, const Refusal &refuse) const {
  GoldenStreams streams(place, refuse);
  std::vector<uint64_t> queues(values.arguments.size());
  std::vector<std::vector<int64_t>> descriptors;
  std::vector<void *> pointers; // to what is passed: a scalar, or a descriptor's address
  size_t arrays = values.arguments.size() + values.results.size();
  descriptors.reserve(arrays);
  pointers.reserve(arrays);
  std::vector<void *> packed;
  auto pass = [&](KernelArray &array, bool isArray) {
    if (isArray)
      packed.push_back(
          &pointers.emplace_back(descriptors.emplace_back(descriptorOf(array)).data()));
    else
      packed.push_back(array.bytes.data());
  };
  for (size_t i = 0; i < values.arguments.size(); ++i) {
    if (!argumentTypes[i].isStream) {
      pass(values.arguments[i], argumentTypes[i].isArray);
      continue;
    }
    queues[i] = streams.add(tokensOf(values.arguments[i]));
    packed.push_back(&queues[i]);
  }
  for (KernelArray &result : values.results)
    pass(result, true);
  GoldenMemory memory;
  AccessWatch watch(code->accesses, refuse);
  std::vector<IterationWatch::Region> regions;
  for (size_t i = 0; i < values.arguments.size(); ++i)
    regions.push_back(argumentTypes[i].isArray && !argumentTypes[i].isStream
                          ? IterationWatch::Region(values.arguments[i].bytes.data(),
                                                   values.arguments[i].bytes.size())
                          : IterationWatch::Region(nullptr, 0));
  IterationWatch iterations(code->loops, std::move(regions), refuse);
  code->entry(packed.data());
  for (size_t i = 0; i < values.arguments.size(); ++i) {
    if (!argumentTypes[i].isStream)
      continue;
    std::vector<uint64_t> tokens = streams.result(queues[i]);
    values.arguments[i] = makeArray(argumentTypes[i].type, {int64_t(tokens.size())});
    for (size_t n = 0; n < tokens.size(); ++n)
      values.arguments[i].set(n, tokens[n]);
  }
  return joinArrays(values, argumentTypes);
}

llvm::Expected<Values> Golden::run(std::vector<KernelArray> inputs, double seconds) const {
  SPINDLE_RETURN_IF_ERROR(checkInputs(place, inputs, argumentTypes));
  Values values{std::move(inputs), {}};
  for (const GoldenType &type : resultTypes)
    values.results.push_back(makeArray(type.type, {}));
  SPINDLE_ASSIGN(std::string bytes,
                 runApart({place, "the program", "correct it, or give it other inputs", seconds},
                          [&](const Refusal &refuse) { return execute(values, refuse); }));
  if (!takeBack(bytes, values))
    return checkError(place, fmt::format("{} bytes came back", bytes.size()));
  return values;
}

llvm::Expected<Values> runGolden(ModuleOp module, const std::string &function, const Values &inputs,
                                 GoldenCode quality) {
  SPINDLE_ASSIGN(Golden golden, Golden::compile(module, function, quality));
  std::vector<KernelArray> arguments = inputs.arguments;
  for (size_t i = arguments.size(); i < golden.arguments().size(); ++i) {
    const GoldenType &type = golden.arguments()[i];
    if (type.isArray && !ShapedType::isDynamicShape(type.shape))
      arguments.push_back(makeArray(type.type, type.shape));
  }
  return golden.run(std::move(arguments));
}

} // namespace spindle::hls
