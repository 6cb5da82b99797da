// `eval`: a function of the neuron level on arrays.
#include "tools/spindle/Commands.h"
#include "tools/spindle/stages/ModuleFile.h"

#include "core/support/formats/Npz.h"
#include "lib/emulation/neuron-level/CompiledProgram.h"
#include "lib/emulation/neuron-level/Conversions.h"
#include "lib/emulation/neuron-level/NeuronInterpreter.h"

#include "CLI/CLI.hpp"
#include "fmt/format.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

#include <memory>

namespace spindle {

namespace {
struct EvalArguments {
  std::string file, function, in, out, engine = "interpreter";
};
} // namespace

/// One array as the argument's type wants it: trains and bundles as times padded with inf.
static llvm::Expected<neuron_level::Value> readValue(const NpyArray &array, mlir::Type type) {
  if (type.isF32() || type.isIntOrIndex()) {
    if (array.count() != 1)
      return neuron_level::dataError(
          fmt::format("has {} elements, expected one number", array.count()));
    return type.isF32() ? neuron_level::Value(array.floats()[0])
                        : neuron_level::Value(array.integers()[0]);
  }
  auto tensor = mlir::dyn_cast<mlir::RankedTensorType>(type);
  if (tensor && tensor.getElementType().isIndex()) {
    if (!array.isInteger())
      return neuron_level::dataError("holds floats, expected integers");
    return neuron_level::Value(neuron_level::Indices{array.shape, array.integers()});
  }
  neuron_level::Floats floats{array.shape, array.floats()};
  if (tensor)
    return neuron_level::Value(std::move(floats));
  bool isTrain = mlir::isa<snn::SpikeTrainType>(type);
  size_t rank = isTrain ? 0 : snn::shapeOf(type).size();
  if (array.shape.size() != rank + 1 && (isTrain || array.shape.size() != rank))
    return neuron_level::dataError(fmt::format("has rank {}, expected {}", array.shape.size(),
                                               isTrain
                                                   ? "1 (spike times)"
                                                   : fmt::format("{} (one time per train) or {} (a "
                                                                 "list per train)",
                                                                 rank, rank + 1)));
  if (isTrain) {
    SPINDLE_ASSIGN(neuron_level::Train train, neuron_level::tensorToSpikeTrain(floats));
    return neuron_level::Value(std::move(train));
  }
  SPINDLE_ASSIGN(neuron_level::Bundle bundle, neuron_level::tensorToSpikeTrainBundle(floats, rank));
  return neuron_level::Value(std::move(bundle));
}

static llvm::Expected<NpyArray> writeValue(const neuron_level::Value &value) {
  if (auto *number = std::get_if<float>(&value))
    return makeNpy({}, std::vector<float>{*number});
  if (auto *number = std::get_if<int64_t>(&value))
    return makeNpy({}, std::vector<int64_t>{*number});
  if (auto *indices = std::get_if<neuron_level::Indices>(&value))
    return makeNpy(indices->shape, indices->values);
  if (auto *floats = std::get_if<neuron_level::Floats>(&value))
    return makeNpy(floats->shape, floats->values);
  if (auto *train = std::get_if<neuron_level::Train>(&value))
    return makeNpy({static_cast<int64_t>(train->size())}, *train);
  const auto &bundle = std::get<neuron_level::Bundle>(value);
  SPINDLE_ASSIGN(neuron_level::Floats times,
                 neuron_level::spikeBundleToTensor(bundle, bundle.shape.size() + 1, -1));
  return makeNpy(times.shape, times.values);
}

static llvm::Expected<std::vector<neuron_level::Value>> readArguments(const std::string &path,
                                                                      mlir::func::FuncOp entry) {
  std::vector<NpzMember> members;
  if (!path.empty()) {
    SPINDLE_ASSIGN(members, readNpz(path));
  }
  std::vector<neuron_level::Value> arguments;
  for (unsigned n = 0; n < entry.getNumArguments(); ++n) {
    std::string name = fmt::format("arg{}", n);
    const NpyArray *array = findMember(members, name);
    if (!array)
      return inputError(
          path.empty() ? "--in" : path,
          fmt::format("no array '{}', expected arg0 to arg{}", name, entry.getNumArguments() - 1));
    auto value = readValue(*array, entry.getArgumentTypes()[n]);
    if (!value)
      return neuron_level::placed(value.takeError(), path + ": " + name);
    arguments.push_back(std::move(*value));
  }
  return arguments;
}

static llvm::Error evaluateFile(const EvalArguments &options) {
  auto context = makeNetworkContext();
  context->loadDialect<mlir::tensor::TensorDialect>();
  SPINDLE_ASSIGN(auto module, readModule(*context, options.file));
  auto program = neuron_level::readProgram(*module, options.function);
  if (!program)
    return program.takeError();
  SPINDLE_ASSIGN(std::vector<neuron_level::Value> arguments,
                 readArguments(options.in, program->entry));
  std::vector<neuron_level::Value> results;
  if (options.engine == "compiled") {
    SPINDLE_ASSIGN(auto compiled, neuron_level::CompiledProgram::compile(*program));
    SPINDLE_ASSIGN(results, compiled->run(std::move(arguments)));
  } else {
    SPINDLE_ASSIGN(results, neuron_level::interpret(*program, std::move(arguments)));
  }
  std::vector<NpzMember> members;
  for (size_t n = 0; n < results.size(); ++n) {
    SPINDLE_ASSIGN(NpyArray array, writeValue(results[n]));
    members.push_back({fmt::format("result{}", n), std::move(array)});
  }
  return writeNpz(options.out, members);
}

void addEvalCommand(CLI::App &app, Command &command) {
  auto options = std::make_shared<EvalArguments>();
  CLI::App *sub = app.add_subcommand("eval", "run a function of the neuron level on arrays");
  sub->add_option("file", options->file, "MLIR file")->type_name("FILE")->required();
  sub->add_option("--function", options->function, "function to run")->required();
  sub->add_option("--in", options->in, "arrays arg0, arg1, … (.npz)")->type_name("FILE");
  sub->add_option("--out", options->out, "file to write: result0, result1, … (.npz)")
      ->type_name("FILE")
      ->required();
  sub->add_option("--engine", options->engine, "interpreter or compiled")
      ->check(CLI::IsMember({"interpreter", "compiled"}));
  sub->callback([=, &command] { command = [=] { return evaluateFile(*options); }; });
}

} // namespace spindle
