// Kernels are compiled for the host and run on random inputs.
#include "core/support/CounterRandom.h"
#include "tests/hls/loops/RandomKernels.h"
#include "tests/support/ForeignMemory.h"

#include "mlir/Conversion/AffineToStandard/AffineToStandard.h"
#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/ControlFlowToLLVM/ControlFlowToLLVM.h"
#include "mlir/Conversion/FuncToLLVM/ConvertFuncToLLVMPass.h"
#include "mlir/Conversion/MathToLLVM/MathToLLVM.h"
#include "mlir/Conversion/MemRefToLLVM/MemRefToLLVM.h"
#include "mlir/Conversion/ReconcileUnrealizedCasts/ReconcileUnrealizedCasts.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Affine/Utils.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/ExecutionEngine/ExecutionEngine.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Verifier.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "llvm/Support/TargetSelect.h"
#include "gtest/gtest.h"

#include <cmath>
#include <cstring>

using namespace mlir;

namespace spindle::hls {

namespace {

/// What a memref argument points to, of any rank up to eight.
struct Descriptor {
  void *allocated, *aligned;
  int64_t offset;
  int64_t sizesAndStrides[16];
};

/// One argument: the bytes of an array or of a scalar.
struct Buffer {
  Type element;
  SmallVector<int64_t> shape;
  std::vector<char> bytes;
  bool isArray = false;

  size_t width() const { return (element.getIntOrFloatBitWidth() + 7) / 8; }
  size_t count() const {
    size_t n = 1;
    for (int64_t extent : shape)
      n *= size_t(extent);
    return n;
  }
  double number(size_t n) const {
    const char *at = bytes.data() + n * width();
    if (element.isF64())
      return *reinterpret_cast<const double *>(at);
    if (element.isF32())
      return *reinterpret_cast<const float *>(at);
    int64_t integer = 0;
    std::memcpy(&integer, at, width());
    return double(integer);
  }
  bool same(const Buffer &other, size_t n) const {
    if (std::memcmp(bytes.data() + n * width(), other.bytes.data() + n * width(), width()) == 0)
      return true;
    return isa<FloatType>(element) && std::isnan(number(n)) && std::isnan(other.number(n));
  }
};

/// Floats in [-1, 1); small integers.
void fill(Buffer &buffer, CounterRandom &random) {
  buffer.bytes.resize(buffer.count() * buffer.width());
  for (size_t n = 0; n < buffer.count(); ++n) {
    char *at = buffer.bytes.data() + n * buffer.width();
    double uniform = 2 * random.uniform() - 1;
    if (buffer.element.isF64()) {
      std::memcpy(at, &uniform, 8);
    } else if (buffer.element.isF32()) {
      float narrow = float(uniform);
      std::memcpy(at, &narrow, 4);
    } else {
      int64_t integer = int64_t(random.below(200)) - 100;
      if (buffer.element.isInteger(1))
        integer &= 1;
      std::memcpy(at, &integer, buffer.width());
    }
  }
}

std::vector<Buffer> randomArguments(func::FuncOp function, uint64_t seed) {
  CounterRandom random(seed, /*substream=*/1);
  std::vector<Buffer> arguments;
  for (Type type : function.getArgumentTypes()) {
    Buffer buffer;
    if (auto array = dyn_cast<MemRefType>(type)) {
      buffer.element = array.getElementType();
      buffer.shape.assign(array.getShape().begin(), array.getShape().end());
      buffer.isArray = true;
    } else {
      buffer.element = type.isIndex() ? IntegerType::get(type.getContext(), 64) : type;
    }
    fill(buffer, random);
    arguments.push_back(std::move(buffer));
  }
  for (Type type : function.getResultTypes())
    arguments.push_back({type, {}, std::vector<char>(8), false});
  return arguments;
}

/// Adds an argument of one i32 that becomes 1 when an index is out of range. Such an access goes to
/// element 0, so that nothing beside the array is read or written.
void watchRange(func::FuncOp function) {
  OpBuilder builder(function.getContext());
  auto flagType = MemRefType::get({}, builder.getI32Type());
  unsigned last = function.getNumArguments();
  (void)function.insertArgument(last, flagType, {}, function.getLoc());
  Value flag = function.getArgument(last);
  auto watched = [&](Operation *op, Value array, AffineMap map, ValueRange operands) {
    builder.setInsertionPoint(op);
    Location loc = op->getLoc();
    auto indices = affine::expandAffineMap(builder, loc, map, operands);
    Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
    for (auto [index, extent] : llvm::zip(*indices, cast<MemRefType>(array.getType()).getShape())) {
      Value limit = arith::ConstantIndexOp::create(builder, loc, extent);
      Value outside = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::uge, index, limit);
      auto then = scf::IfOp::create(builder, loc, outside, /*withElseRegion=*/false);
      OpBuilder inside = then.getThenBodyBuilder();
      Value one = arith::ConstantIntOp::create(inside, loc, 1, 32);
      memref::StoreOp::create(inside, loc, one, flag, ValueRange{});
      index = arith::SelectOp::create(builder, loc, outside, zero, index);
    }
    return *indices;
  };
  SmallVector<affine::AffineLoadOp> loads;
  SmallVector<affine::AffineStoreOp> stores;
  function.walk([&](affine::AffineLoadOp load) { loads.push_back(load); });
  function.walk([&](affine::AffineStoreOp store) { stores.push_back(store); });
  for (affine::AffineLoadOp load : loads) {
    auto indices = watched(load, load.getMemRef(), load.getAffineMap(), load.getMapOperands());
    Value value = memref::LoadOp::create(builder, load.getLoc(), load.getMemRef(), indices);
    load.replaceAllUsesWith(value);
    load.erase();
  }
  for (affine::AffineStoreOp store : stores) {
    auto indices = watched(store, store.getMemRef(), store.getAffineMap(), store.getMapOperands());
    memref::StoreOp::create(builder, store.getLoc(), store.getValueToStore(), store.getMemRef(),
                            indices);
    store.erase();
  }
}

LogicalResult lowerToLlvm(ModuleOp module) {
  PassManager passes(module.getContext());
  passes.addPass(createLowerAffinePass());
  passes.addPass(createSCFToControlFlowPass());
  passes.addPass(createConvertMathToLLVMPass());
  passes.addPass(createArithToLLVMConversionPass());
  passes.addPass(createFinalizeMemRefToLLVMConversionPass());
  passes.addPass(createConvertFuncToLLVMPass());
  passes.addPass(createConvertControlFlowToLLVMPass());
  passes.addPass(createReconcileUnrealizedCastsPass());
  return passes.run(module);
}

Descriptor describe(Buffer &buffer) {
  Descriptor d{buffer.bytes.data(), buffer.bytes.data(), 0, {}};
  int64_t stride = 1;
  size_t rank = buffer.shape.size();
  for (size_t n = rank; n-- > 0; stride *= buffer.shape[n]) {
    d.sizesAndStrides[n] = buffer.shape[n];
    d.sizesAndStrides[rank + n] = stride;
  }
  return d;
}

/// Runs a copy of the module; the arguments are changed as the function does.
testing::AssertionResult run(ModuleOp module, StringRef function, std::vector<Buffer> &arguments) {
  static const bool once = [] {
    llvm::InitializeNativeTarget();
    llvm::InitializeNativeTargetAsmPrinter();
    return true;
  }();
  (void)once;
  OwningOpRef<ModuleOp> copy(module.clone());
  auto kernel = copy->lookupSymbol<func::FuncOp>(function);
  watchRange(kernel);
  kernel->setAttr("llvm.emit_c_interface", UnitAttr::get(module.getContext()));
  if (failed(lowerToLlvm(*copy)))
    return testing::AssertionFailure() << "cannot be lowered";
  ExecutionEngineOptions options;
  options.jitCodeGenOptLevel = llvm::CodeGenOptLevel::None;
  auto engine = ExecutionEngine::create(*copy, options);
  if (!engine)
    return testing::AssertionFailure() << llvm::toString(engine.takeError());
  size_t inputs = module.lookupSymbol<func::FuncOp>(function).getNumArguments();
  Buffer flag{IntegerType::get(module.getContext(), 32), {}, std::vector<char>(4), true};
  Descriptor flagDescriptor = describe(flag), *flagPointer = &flagDescriptor;
  std::vector<Descriptor> descriptors(arguments.size());
  std::vector<Descriptor *> pointers(arguments.size());
  SmallVector<void *> packed;
  for (size_t n = 0; n < arguments.size(); ++n) {
    if (n == inputs)
      packed.push_back(&flagPointer);
    descriptors[n] = describe(arguments[n]);
    pointers[n] = &descriptors[n];
    packed.push_back(arguments[n].isArray ? static_cast<void *>(&pointers[n])
                                          : arguments[n].bytes.data());
  }
  if (inputs == arguments.size())
    packed.push_back(&flagPointer);
  ForeignMemory ignored;
  if (llvm::Error error = (*engine)->invokePacked(("_mlir_ciface_" + function).str(), packed))
    return testing::AssertionFailure() << llvm::toString(std::move(error));
  if (flag.number(0) != 0)
    return testing::AssertionFailure() << "reads or writes out of range";
  return testing::AssertionSuccess();
}

std::string print(Operation *op) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  op->print(stream);
  return text;
}
} // namespace

MLIRContext &kernelContext() {
  static MLIRContext &context = *[] {
    DialectRegistry registry;
    registerAllDialects(registry);
    registerAllExtensions(registry);
    registerBuiltinDialectTranslation(registry);
    registerLLVMDialectTranslation(registry);
    auto *made = new MLIRContext(registry, MLIRContext::Threading::DISABLED);
    made->loadAllAvailableDialects();
    return made;
  }();
  return context;
}

OwningOpRef<ModuleOp> parseKernel(StringRef text) {
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(text, &kernelContext());
  EXPECT_TRUE(module) << text.str();
  return module;
}

void expectSameResults(ModuleOp before, ModuleOp after, uint64_t seed, StringRef function) {
  auto kernel = before.lookupSymbol<func::FuncOp>(function);
  ASSERT_TRUE(kernel) << "no function @" << function.str();
  std::vector<Buffer> expected = randomArguments(kernel, seed), found = expected;
  ASSERT_TRUE(run(before, function, expected)) << print(before);
  ASSERT_TRUE(run(after, function, found)) << print(after);
  for (size_t a = 0; a < expected.size(); ++a)
    for (size_t n = 0; n < expected[a].count(); ++n)
      ASSERT_TRUE(expected[a].same(found[a], n))
          << "seed " << seed << ", argument " << a << ", element " << n << ": expected "
          << expected[a].number(n) << ", found " << found[a].number(n) << "\nbefore:\n"
          << print(before) << "\nafter:\n"
          << print(after);
}

OwningOpRef<ModuleOp> expectPipelineKeepsResults(StringRef kernel, StringRef pipeline,
                                                 uint64_t seed) {
  OwningOpRef<ModuleOp> before = parseKernel(kernel);
  if (!before)
    return nullptr;
  OwningOpRef<ModuleOp> after(before->clone());
  PassManager passes(before->getContext());
  std::string errors;
  llvm::raw_string_ostream stream(errors);
  ScopedDiagnosticHandler handler(before->getContext(), [&](Diagnostic &diagnostic) {
    stream << diagnostic << "\n";
    return success();
  });
  bool isParsed =
      succeeded(parsePassPipeline(("func.func(" + pipeline + ")").str(), passes, stream));
  EXPECT_TRUE(isParsed) << errors;
  bool isRun = isParsed && succeeded(passes.run(*after));
  EXPECT_TRUE(isRun) << "seed " << seed << ", " << pipeline.str() << "\n"
                     << errors << print(*before);
  if (!isRun)
    return nullptr;
  expectSameResults(*before, *after, seed);
  return after;
}

} // namespace spindle::hls
