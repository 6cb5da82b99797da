#include "lib/emulation/neuron-level/BuildProgram.h"

#include "lib/emulation/neuron-level/NeuronCode.h"

#include "fmt/format.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "llvm/ADT/DenseMap.h"

using namespace mlir;

namespace spindle::neuron_level {

namespace {

/// Every value is a handle (i64); every function takes the run first.
class ProgramBuilder {
public:
  explicit ProgramBuilder(MLIRContext &context);
  ProgramCode build(const Program &program);

private:
  func::FuncOp declare(StringRef name, ArrayRef<Type> arguments, ArrayRef<Type> results);
  func::FuncOp define(StringRef name, ArrayRef<Type> arguments, ArrayRef<Type> results,
                      ArrayRef<StringRef> compile);
  void addFunction(func::FuncOp source);
  void addEntry(func::FuncOp source);
  ValueRange addOp(Operation *op, func::FuncOp function);
  StringRef neuronFunction(snn::SingleNeuronOp op);
  ValueRange call(StringRef name, ArrayRef<Type> results, ArrayRef<mlir::Value> arguments);
  mlir::Value number(int64_t value);

  OpBuilder builder;
  Location location;
  Type pointer, i64;
  ProgramCode code;
  llvm::DenseMap<mlir::Value, mlir::Value> handles;
  llvm::DenseMap<Operation *, func::FuncOp> functions;
  std::vector<std::pair<NeuronForm, func::FuncOp>> neurons;
};

ProgramBuilder::ProgramBuilder(MLIRContext &context)
    : builder(&context), location(builder.getUnknownLoc()) {
  context.loadDialect<func::FuncDialect, arith::ArithDialect, scf::SCFDialect, LLVM::LLVMDialect>();
  pointer = LLVM::LLVMPointerType::get(&context);
  i64 = builder.getI64Type();
  code.module = ModuleOp::create(location);
  Type f32 = builder.getF32Type();
  declare("neurons_push", {pointer, i64}, {});
  declare("neurons_apply", {pointer, i64}, {i64});
  declare("neurons_begin", {pointer, i64}, {pointer});
  declare("neurons_emit", {pointer, f32}, {builder.getI1Type()});
  declare("neurons_end", {pointer, i64}, {i64});
  declare("neurons_result", {pointer, i64}, {});
  declare("neurons_exponential", {f32}, {f32});
  declare("neurons_logarithm", {f32}, {f32});
}

func::FuncOp ProgramBuilder::declare(StringRef name, ArrayRef<Type> arguments,
                                     ArrayRef<Type> results) {
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToEnd(code.module->getBody());
  auto function =
      func::FuncOp::create(builder, location, name, builder.getFunctionType(arguments, results));
  function.setPrivate();
  return function;
}

/// How LLVM treats lists of calls (long, nothing to gain) and the loops of neurons.
static constexpr StringRef kCalls[] = {"noinline", "optnone"}, kLoops[] = {"noinline"};

/// With an empty body; the builder stands in it.
func::FuncOp ProgramBuilder::define(StringRef name, ArrayRef<Type> arguments,
                                    ArrayRef<Type> results, ArrayRef<StringRef> compile) {
  func::FuncOp function = declare(name, arguments, results);
  function.setPublic();
  function->setAttr("passthrough", builder.getStrArrayAttr(compile));
  builder.setInsertionPointToEnd(function.addEntryBlock());
  return function;
}

ValueRange ProgramBuilder::call(StringRef name, ArrayRef<Type> results,
                                ArrayRef<mlir::Value> arguments) {
  return func::CallOp::create(builder, location, name, results, arguments).getResults();
}

mlir::Value ProgramBuilder::number(int64_t value) {
  return arith::ConstantOp::create(builder, location, builder.getI64IntegerAttr(value));
}

/// One function for each form of the equations.
StringRef ProgramBuilder::neuronFunction(snn::SingleNeuronOp op) {
  NeuronForm form = formOf(op.parameters(), bool(op.getBias()));
  for (auto &[known, function] : neurons)
    if (known == form)
      return function.getName();
  OpBuilder::InsertionGuard guard(builder);
  func::FuncOp function =
      define(fmt::format("neuron{}", neurons.size()), {pointer, pointer}, {}, kLoops);
  emitNeuron(builder, function, form);
  func::ReturnOp::create(builder, location);
  neurons.push_back({form, function});
  return function.getName();
}

ValueRange ProgramBuilder::addOp(Operation *op, func::FuncOp function) {
  mlir::Value run = function.getArgument(0);
  std::vector<mlir::Value> operands;
  for (mlir::Value operand : op->getOperands())
    operands.push_back(handles.find(operand)->second);
  if (auto callOp = dyn_cast<func::CallOp>(op)) {
    operands.insert(operands.begin(), run);
    func::FuncOp callee = functions.find(calleeOf(callOp))->second;
    return call(callee.getName(), callee.getResultTypes().vec(), operands);
  }
  for (mlir::Value operand : operands)
    call("neurons_push", {}, {run, operand});
  mlir::Value index = number(static_cast<int64_t>(code.operations.size()));
  code.operations.push_back(op);
  auto neuron = dyn_cast<snn::SingleNeuronOp>(op);
  if (!neuron)
    return call("neurons_apply", {i64}, {run, index});
  mlir::Value frame = call("neurons_begin", {pointer}, {run, index})[0];
  call(neuronFunction(neuron), {}, {run, frame});
  return call("neurons_end", {i64}, {run, index});
}

void ProgramBuilder::addFunction(func::FuncOp source) {
  std::vector<Type> arguments(source.getNumArguments() + 1, i64);
  arguments[0] = pointer;
  std::vector<Type> results(source.getNumResults(), i64);
  func::FuncOp function =
      define(fmt::format("function{}", functions.size()), arguments, results, kCalls);
  functions[source] = function;
  for (auto [n, argument] : llvm::enumerate(source.getArguments()))
    handles[argument] = function.getArgument(unsigned(n) + 1);
  Block &body = source.getBody().front();
  for (Operation &op : body.without_terminator())
    for (auto [result, handle] : llvm::zip(op.getResults(), addOp(&op, function)))
      handles[result] = handle;
  std::vector<mlir::Value> returned;
  for (mlir::Value value : body.getTerminator()->getOperands())
    returned.push_back(handles.find(value)->second);
  func::ReturnOp::create(builder, location, returned);
}

/// The arguments are the first values of the run.
void ProgramBuilder::addEntry(func::FuncOp source) {
  func::FuncOp run = define("run", {pointer}, {}, kCalls);
  std::vector<mlir::Value> arguments{run.getArgument(0)};
  for (unsigned n = 0; n < source.getNumArguments(); ++n)
    arguments.push_back(number(n));
  func::FuncOp function = functions.find(source)->second;
  for (mlir::Value result : call(function.getName(), function.getResultTypes().vec(), arguments))
    call("neurons_result", {}, {run.getArgument(0), result});
  func::ReturnOp::create(builder, location);
}

ProgramCode ProgramBuilder::build(const Program &program) {
  for (func::FuncOp function : program.functions)
    addFunction(function);
  addEntry(program.entry);
  return std::move(code);
}

} // namespace

ProgramCode buildProgram(const Program &program, MLIRContext &context) {
  return ProgramBuilder(context).build(program);
}

} // namespace spindle::neuron_level
