// Vectors taken apart compute what upstream's own way through LLVM's vectors computes.
#include "dialects/vectors/UnrollVectors.h"
#include "core/support/CounterRandom.h"
#include "dialects/jit/Jit.h"
#include "hw/program/ProgramFile.h"
#include "tests/dialects/vectors/RandomVectors.h"

#include "mlir/Conversion/AffineToStandard/AffineToStandard.h"
#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/ControlFlowToLLVM/ControlFlowToLLVM.h"
#include "mlir/Conversion/FuncToLLVM/ConvertFuncToLLVMPass.h"
#include "mlir/Conversion/IndexToLLVM/IndexToLLVM.h"
#include "mlir/Conversion/MathToLLVM/MathToLLVM.h"
#include "mlir/Conversion/MemRefToLLVM/MemRefToLLVM.h"
#include "mlir/Conversion/ReconcileUnrealizedCasts/ReconcileUnrealizedCasts.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Conversion/UBToLLVM/UBToLLVM.h"
#include "mlir/Conversion/VectorToLLVM/ConvertVectorToLLVMPass.h"
#include "mlir/Conversion/VectorToSCF/VectorToSCF.h"
#include "mlir/Dialect/Affine/Transforms/Passes.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Dialect/Vector/Transforms/LoweringPatterns.h"
#include "mlir/Dialect/Vector/Transforms/VectorRewritePatterns.h"
#include "mlir/ExecutionEngine/ExecutionEngine.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/ExecutionEngine/Orc/JITTargetMachineBuilder.h"
#include "llvm/Target/TargetMachine.h"
#include "gmock/gmock.h"

#include <cstring>

using namespace mlir;
using namespace spindle;

namespace {

using Bytes = std::vector<char>;

/// What upstream's pass to LLVM leaves to others.
LogicalResult lowerByUpstream(ModuleOp module) {
  RewritePatternSet patterns(module.getContext());
  vector::populateVectorMaskLoweringPatternsForSideEffectingOps(patterns);
  vector::populateVectorMaskOpLoweringPatterns(patterns);
  vector::populateVectorScanLoweringPatterns(patterns);
  vector::populateVectorMultiReductionLoweringPatterns(
      patterns, vector::VectorMultiReductionLowering::InnerReduction);
  vector::populateVectorContractLoweringPatterns(patterns,
                                                 vector::VectorContractLowering::ParallelArith);
  vector::populateVectorOuterProductLoweringPatterns(patterns);
  vector::populateVectorBitCastLoweringPatterns(patterns);
  if (failed(applyPatternsGreedily(module, std::move(patterns))))
    return failure();
  PassManager passes(module.getContext());
  passes.addNestedPass<func::FuncOp>(createConvertVectorToSCFPass());
  return passes.run(module);
}

LogicalResult lowerToLlvm(ModuleOp module, bool hasVectors) {
  if (hasVectors && failed(lowerByUpstream(module)))
    return failure();
  PassManager passes(module.getContext());
  passes.addPass(createLowerAffinePass());
  passes.addPass(createSCFToControlFlowPass());
  passes.addPass(memref::createExpandStridedMetadataPass());
  passes.addPass(createLowerAffinePass());
  if (hasVectors)
    passes.addPass(createConvertVectorToLLVMPass());
  passes.addPass(createConvertMathToLLVMPass());
  passes.addPass(createArithToLLVMConversionPass());
  passes.addPass(createConvertIndexToLLVMPass());
  passes.addPass(createUBToLLVMConversionPass());
  passes.addPass(createFinalizeMemRefToLLVMConversionPass());
  passes.addPass(createConvertFuncToLLVMPass());
  passes.addPass(createConvertControlFlowToLLVMPass());
  passes.addPass(createReconcileUnrealizedCastsPass());
  return passes.run(module);
}

/// An array as MLIR passes it: two pointers, an offset, sizes, strides.
std::vector<int64_t> descriptorOf(Bytes &bytes, std::vector<int64_t> shape) {
  auto address = reinterpret_cast<int64_t>(bytes.data());
  std::vector<int64_t> words{address, address, 0};
  words.insert(words.end(), shape.begin(), shape.end());
  for (size_t axis = 0; axis < shape.size(); ++axis) {
    int64_t stride = 1;
    for (size_t inner = axis + 1; inner < shape.size(); ++inner)
      stride *= shape[inner];
    words.push_back(stride);
  }
  return words;
}

template <typename Number> void fill(Bytes &bytes, CounterRandom &random) {
  for (size_t at = 0; at < bytes.size(); at += sizeof(Number)) {
    auto number = Number(int(random.below(17)) - 8);
    std::memcpy(&bytes[at], &number, sizeof number);
  }
}

/// Arrays in the order of the arguments: an input and an output of each type.
std::vector<Bytes> makeArrays(uint64_t seed) {
  CounterRandom random(seed);
  std::vector<Bytes> arrays;
  size_t sizes[] = {1, 2, 4, 8, 4, 8};
  for (size_t type = 0; type < std::size(sizes); ++type) {
    Bytes input(64 * sizes[type]);
    switch (type) {
    case 0:
      fill<int8_t>(input, random);
      break;
    case 1:
      fill<int16_t>(input, random);
      break;
    case 2:
      fill<int32_t>(input, random);
      break;
    case 3:
      fill<int64_t>(input, random);
      break;
    case 4:
      fill<float>(input, random);
      break;
    default:
      fill<double>(input, random);
    }
    arrays.push_back(input);
    arrays.push_back(Bytes(size_t(vectors::kOutputs) * sizes[type], 0));
  }
  return arrays;
}

llvm::Expected<std::vector<Bytes>> runModule(ModuleOp module, std::vector<Bytes> arrays,
                                             int64_t number) {
  jit::registerTranslations(*module.getContext());
  SPINDLE_ASSIGN(auto builder, jit::hostBuilder(llvm::CodeGenOptLevel::None));
  SPINDLE_ASSIGN(auto target, builder.createTargetMachine());
  jit::Options options;
  options.level = 0;
  SPINDLE_ASSIGN(auto engine, jit::makeEngine(module, std::move(target), options));
  std::vector<std::vector<int64_t>> descriptors;
  for (size_t n = 0; n < arrays.size(); ++n)
    descriptors.push_back(descriptorOf(arrays[n], n % 2 == 0
                                                      ? std::vector<int64_t>{8, 8}
                                                      : std::vector<int64_t>{vectors::kOutputs}));
  std::vector<int64_t *> pointers;
  for (auto &descriptor : descriptors)
    pointers.push_back(descriptor.data());
  std::vector<void *> arguments;
  for (int64_t *&pointer : pointers)
    arguments.push_back(&pointer);
  arguments.push_back(&number);
  SPINDLE_ASSIGN(auto entry, engine->lookupPacked("_mlir_ciface_f"));
  entry(arguments.data());
  return arrays;
}

void expectSame(uint64_t seed) {
  std::string text = vectors::randomVectorProgram(seed);
  std::unique_ptr<MLIRContext> context = hls::makeProgramContext();
  auto parsed = hls::parseProgram(*context, text, "program.mlir");
  ASSERT_TRUE(bool(parsed)) << toText(parsed.takeError()) << "\n" << text;
  ModuleOp native = **parsed;
  native.lookupSymbol<func::FuncOp>("f")->setAttr("llvm.emit_c_interface",
                                                  UnitAttr::get(context.get()));
  OwningOpRef<ModuleOp> scalar = native.clone();
  ASSERT_TRUE(succeeded(vectors::unrollVectors(*scalar, "f"))) << text;
  scalar->walk([&](Operation *op) {
    EXPECT_NE(op->getName().getDialectNamespace(), "vector") << text;
    for (Type type : op->getResultTypes())
      EXPECT_FALSE(isa<VectorType>(type)) << text;
  });
  ASSERT_TRUE(succeeded(verify(*scalar))) << text;
  ASSERT_TRUE(succeeded(lowerToLlvm(native, true))) << text;
  ASSERT_TRUE(succeeded(lowerToLlvm(*scalar, false))) << text;
  std::vector<Bytes> arrays = makeArrays(seed);
  int64_t number = int64_t(seed % 8);
  auto expected = runModule(native, arrays, number), found = runModule(*scalar, arrays, number);
  ASSERT_TRUE(bool(expected)) << toText(expected.takeError());
  ASSERT_TRUE(bool(found)) << toText(found.takeError());
  for (size_t n = 0; n < arrays.size(); ++n)
    ASSERT_EQ((*expected)[n], (*found)[n]) << "array " << n << " of\n" << text;
  ASSERT_NE(*expected, arrays) << "nothing was written by\n" << text;
}

TEST(UnrollVectors, ComputesWhatVectorsOfTheProcessorCompute) {
  for (uint64_t seed = 0; seed < 60; ++seed) {
    SCOPED_TRACE(seed);
    expectSame(seed);
    if (HasFatalFailure())
      return;
  }
}

} // namespace
