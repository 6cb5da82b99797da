#include "hw/program/LowerGolden.h"

#include "dialects/location/Location.h"
#include "dialects/upstream/SpellClones.h"
#include "dialects/upstream/SpellContents.h"
#include "dialects/upstream/SpellTensors.h"
#include "dialects/upstream/TosaToLinalg.h"
#include "dialects/vectors/UnrollVectors.h"
#include "hw/program/FillLocals.h"

#include "mlir/Conversion/AffineToStandard/AffineToStandard.h"
#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/ControlFlowToLLVM/ControlFlowToLLVM.h"
#include "mlir/Conversion/FuncToLLVM/ConvertFuncToLLVM.h"
#include "mlir/Conversion/IndexToLLVM/IndexToLLVM.h"
#include "mlir/Conversion/LLVMCommon/ConversionTarget.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Conversion/MathToLLVM/MathToLLVM.h"
#include "mlir/Conversion/MathToLibm/MathToLibm.h"
#include "mlir/Conversion/MemRefToLLVM/MemRefToLLVM.h"
#include "mlir/Conversion/ReconcileUnrealizedCasts/ReconcileUnrealizedCasts.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Conversion/TensorToLinalg/TensorToLinalgPass.h"
#include "mlir/Conversion/UBToLLVM/UBToLLVM.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Affine/Transforms/Passes.h"
#include "mlir/Dialect/Arith/Transforms/BufferizableOpInterfaceImpl.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Bufferization/Transforms/FuncBufferizableOpInterfaceImpl.h"
#include "mlir/Dialect/Bufferization/Transforms/Passes.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/ControlFlow/Transforms/BufferizableOpInterfaceImpl.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Dialect/Linalg/Transforms/BufferizableOpInterfaceImpl.h"
#include "mlir/Dialect/Linalg/Utils/Utils.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Transforms/BufferizableOpInterfaceImpl.h"
#include "mlir/Dialect/Tensor/Transforms/BufferizableOpInterfaceImpl.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Rewrite/PatternApplicator.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;

namespace spindle::hls {

/// Changes the module; what that has to say becomes one error.
static llvm::Error change(ModuleOp module, llvm::function_ref<LogicalResult()> run) {
  std::string place = filePlaceOf(module), messages; // passes print unless someone listens
  ScopedDiagnosticHandler listen(module.getContext(), [&](Diagnostic &diagnostic) {
    if (diagnostic.getSeverity() != DiagnosticSeverity::Error)
      return success();
    if (std::string where = filePlaceOf(diagnostic.getLocation());
        messages.empty() && !where.empty())
      place = where;
    llvm::raw_string_ostream(messages) << (messages.empty() ? "" : "; ") << diagnostic;
    return success();
  });
  if (failed(run()))
    return inputError(place, "the program cannot be compiled for golden values: " + messages);
  return llvm::Error::success();
}

static llvm::Error runPasses(PassManager &passes, ModuleOp module) {
  return change(module, [&] { return passes.run(module); });
}

llvm::Error takeVectorsApart(ModuleOp module, const std::string &function) {
  return change(module, [&] { return vectors::unrollVectors(module, function); });
}

static void registerInterfaces(MLIRContext *context) {
  DialectRegistry registry;
  arith::registerBufferizableOpInterfaceExternalModels(registry);
  cf::registerBufferizableOpInterfaceExternalModels(registry);
  bufferization::func_ext::registerBufferizableOpInterfaceExternalModels(registry);
  linalg::registerBufferizableOpInterfaceExternalModels(registry);
  scf::registerBufferizableOpInterfaceExternalModels(registry);
  tensor::registerBufferizableOpInterfaceExternalModels(registry);
  context->appendDialectRegistry(registry);
}

/// Tensors are values: a kernel that is given one has to leave it as it is.
static void protectTensors(func::FuncOp function) {
  for (unsigned i = 0; i < function.getNumArguments(); ++i)
    if (isa<TensorType>(function.getArgument(i).getType()))
      function.setArgAttr(i, bufferization::BufferizationDialect::kWritableAttrName,
                          BoolAttr::get(function.getContext(), false));
}

/// Whatever else stands in the file need not be fit for anything.
static void keepOnly(func::FuncOp function, PassManager &passes) {
  for (auto other : function->getParentOfType<ModuleOp>().getOps<func::FuncOp>())
    other.setVisibility(other == function ? SymbolTable::Visibility::Public
                                          : SymbolTable::Visibility::Private);
  passes.addPass(createSymbolDCEPass());
}

/// softmax and the like as the operations that define them.
static void spellAggregates(ModuleOp module) {
  module.walk([](linalg::AggregatedOpInterface op) {
    OpBuilder builder(op);
    FailureOr<SmallVector<Value>> parts = op.decomposeOperation(builder);
    if (failed(parts) || parts->size() != op->getNumResults())
      return;
    op->replaceAllUsesWith(*parts);
    op->erase();
  });
}

static void addBufferization(PassManager &passes) {
  passes.addNestedPass<func::FuncOp>(createConvertElementwiseToLinalgPass());
  passes.addPass(createConvertTensorToLinalgPass());
  bufferization::OneShotBufferizePassOptions bufferise;
  bufferise.bufferizeFunctionBoundaries = true;
  bufferise.allowReturnAllocsFromLoops = true;
  bufferise.functionBoundaryTypeConversion = bufferization::LayoutMapOption::IdentityLayoutMap;
  passes.addPass(bufferization::createOneShotBufferizePass(bufferise));
}

/// Functions that are called return arrays, of any size.
static llvm::Error addResultArguments(ModuleOp module) {
  bufferization::BufferResultsToOutParamsOpts results;
  results.modifyPublicFunctions = true;
  results.filterFn = [](func::FuncOp *function) { return function->isPublic(); };
  return change(module,
                [&] { return bufferization::promoteBufferResultsToOutParams(module, results); });
}

/// Copies of arrays that do not lie densely would need a library.
static void copyByLoops(ModuleOp module) {
  module.walk([](memref::CopyOp copy) {
    OpBuilder builder(copy);
    linalg::makeMemRefCopyOp(builder, copy.getLoc(), copy.getSource(), copy.getTarget());
    copy.erase();
  });
}

/// Upstream has no sizes for several open extents of a group, which the operation gives.
static void spellExpansions(ModuleOp module) {
  module.walk([](memref::ExpandShapeOp expand) {
    auto from = cast<MemRefType>(expand.getSrc().getType());
    auto to = cast<MemRefType>(expand.getResult().getType());
    if (to.getNumDynamicDims() < 2 || !from.getLayout().isIdentity() ||
        !to.getLayout().isIdentity())
      return;
    OpBuilder builder(expand);
    SmallVector<OpFoldResult> sizes = expand.getMixedOutputShape(), strides(sizes.size());
    OpFoldResult stride = builder.getIndexAttr(1);
    for (size_t dim = sizes.size(); dim-- > 0;) {
      strides[dim] = stride;
      AffineExpr product = builder.getAffineSymbolExpr(0) * builder.getAffineSymbolExpr(1);
      stride = affine::makeComposedFoldedAffineApply(builder, expand.getLoc(), product,
                                                     {stride, sizes[dim]});
    }
    Value dense = memref::ReinterpretCastOp::create(
        builder, expand.getLoc(),
        MemRefType::get(
            to.getShape(), to.getElementType(),
            StridedLayoutAttr::get(to.getContext(), 0,
                                   llvm::map_to_vector(strides,
                                                       [](OpFoldResult value) {
                                                         return getConstantIntValue(value).value_or(
                                                             ShapedType::kDynamic);
                                                       })),
            to.getMemorySpace()),
        expand.getSrc(), OpFoldResult(builder.getIndexAttr(0)), sizes, strides);
    expand.replaceAllUsesWith(
        memref::CastOp::create(builder, expand.getLoc(), to, dense).getResult());
    expand.erase();
  });
}

/// A promise of the program; broken by inputs that nobody meant, it would end the process.
static void believeAssertions(ModuleOp module) {
  module.walk([](cf::AssertOp assertion) { assertion.erase(); });
}

static void addEntry(ModuleOp module, func::FuncOp function) {
  ImplicitLocOpBuilder builder(function.getLoc(), module.getBody(), module.getBody()->end());
  SmallVector<Type> types(function.getArgumentTypes());
  for (Type result : function.getResultTypes())
    types.push_back(MemRefType::get({}, result));
  auto entry =
      func::FuncOp::create(builder, kGoldenEntry, builder.getFunctionType(types, TypeRange()));
  entry->setAttr(LLVM::LLVMDialect::getEmitCWrapperAttrName(), builder.getUnitAttr());
  builder.setInsertionPointToStart(entry.addEntryBlock());
  ValueRange arguments = entry.getArguments();
  auto call =
      func::CallOp::create(builder, function, arguments.take_front(function.getNumArguments()));
  for (auto [result, place] :
       llvm::zip(call.getResults(), arguments.drop_front(function.getNumArguments())))
    memref::StoreOp::create(builder, result, place);
  func::ReturnOp::create(builder);
}

llvm::Error lowerToBuffers(ModuleOp module, const std::string &name, LocalContents contents,
                           llvm::function_ref<void()> atLoops) {
  registerInterfaces(module.getContext());
  auto function = module.lookupSymbol<func::FuncOp>(name);
  protectTensors(function);
  PassManager passes(module.getContext());
  keepOnly(function, passes);
  if (usesTosa(module))
    addTosaToLinalg(passes);
  if (usesTensors(module)) // else upstream refuses some programs for nothing
    addBufferization(passes);
  believeAssertions(module);
  spellAggregates(module);
  spellTensors(module);
  SPINDLE_RETURN_IF_ERROR(runPasses(passes, module));
  SPINDLE_RETURN_IF_ERROR(addResultArguments(module));
  SPINDLE_RETURN_IF_ERROR(change(module, [&] {
    return success(succeeded(spellClones(module)) && succeeded(spellContents(module)));
  }));
  copyByLoops(module);
  spellExpansions(module);
  addEntry(module, function);
  PassManager loops(module.getContext());
  loops.addNestedPass<func::FuncOp>(createConvertLinalgToLoopsPass());
  SPINDLE_RETURN_IF_ERROR(runPasses(loops, module));
  atLoops();
  fillLocals(module, contents);
  loops.addPass(memref::createExpandStridedMetadataPass());
  loops.addPass(createLowerAffinePass());
  SPINDLE_RETURN_IF_ERROR(runPasses(loops, module));
  RewritePatternSet patterns(module.getContext());
  arith::populateCeilFloorDivExpandOpsPatterns(patterns);
  (void)applyPatternsGreedily(module, std::move(patterns)); // at most leaves an operation to refuse
  return llvm::Error::success();
}

/// Whether every operation of structured control is one of the three of most programs.
static bool isPlainControl(ModuleOp module) {
  WalkResult found = module.walk([](Operation *op) {
    return isa<scf::SCFDialect>(op->getDialect()) &&
                   !isa<scf::ForOp, scf::IfOp, scf::WhileOp, scf::YieldOp, scf::ConditionOp>(op)
               ? WalkResult::interrupt()
               : WalkResult::advance();
  });
  return !found.wasInterrupted();
}

/// Op by op, from the outside to the inside: upstream's conversion, which others get, lists every
/// operation that a split of a block moves.
static LogicalResult lowerControl(ModuleOp module) {
  if (!isPlainControl(module)) {
    PassManager passes(module.getContext());
    passes.addPass(createSCFToControlFlowPass());
    passes.enableVerifier(false);
    return passes.run(module);
  }
  RewritePatternSet patterns(module.getContext());
  populateSCFToControlFlowConversionPatterns(patterns);
  FrozenRewritePatternSet frozen(std::move(patterns));
  PatternApplicator applicator(frozen);
  applicator.applyDefaultCostModel();
  PatternRewriter rewriter(module.getContext());
  SmallVector<Operation *> operations;
  module.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (isa<scf::ForOp, scf::IfOp, scf::WhileOp>(op))
      operations.push_back(op);
  });
  for (Operation *op : operations) {
    rewriter.setInsertionPoint(op);
    if (failed(applicator.matchAndRewrite(op, rewriter)))
      return op->emitOpError("cannot be lowered to branches");
  }
  return success();
}

/// Nothing where no operation is of that dialect, as in most programs.
static LogicalResult lowerMath(ModuleOp module) {
  WalkResult found = module.walk([](Operation *op) {
    return isa<math::MathDialect>(op->getDialect()) ? WalkResult::interrupt()
                                                    : WalkResult::advance();
  });
  if (!found.wasInterrupted())
    return success();
  PassManager passes(module.getContext());
  passes.addPass(createConvertMathToLLVMPass());
  passes.addPass(createConvertMathToLibmPass());
  passes.enableVerifier(false); // all of it is verified at the end
  return passes.run(module);
}

/// All dialects at once: one after the other, each would look at every operation again and leave
/// casts.
static LogicalResult convertDialects(ModuleOp module) {
  MLIRContext *context = module.getContext();
  // Its folding puts constants into the program, of which a conversion would not know.
  module.walk([](memref::ExtractStridedMetadataOp op) {
    SmallVector<Value> results;
    (void)OpBuilder(op).tryFold(op, results);
  });
  LowerToLLVMOptions options(context);
  options.useGenericFunctions = true;
  LLVMTypeConverter types(context, options);
  RewritePatternSet patterns(context);
  SymbolTableCollection symbols;
  arith::populateArithToLLVMConversionPatterns(types, patterns);
  populateFinalizeMemRefToLLVMConversionPatterns(types, patterns, &symbols);
  index::populateIndexToLLVMConversionPatterns(types, patterns);
  ub::populateUBToLLVMConversionPatterns(types, patterns);
  cf::populateControlFlowToLLVMConversionPatterns(types, patterns);
  populateFuncToLLVMConversionPatterns(types, patterns, &symbols);
  LLVMConversionTarget target(*context);
  target.addLegalOp<ModuleOp>();
  if (failed(applyFullConversion(module, target, std::move(patterns))))
    return failure();
  SmallVector<UnrealizedConversionCastOp> casts;
  module.walk([&](UnrealizedConversionCastOp cast) { casts.push_back(cast); });
  reconcileUnrealizedCasts(casts);
  return success();
}

llvm::Error lowerToLlvm(ModuleOp module) {
  return change(module, [&] {
    return success(succeeded(lowerControl(module)) && succeeded(lowerMath(module)) &&
                   succeeded(convertDialects(module)) && succeeded(verify(module)));
  });
}

} // namespace spindle::hls
