#include "dialects/system/ArrayUse.h"
#include "dialects/system/Passes.h"
#include "dialects/system/SinkValues.h"

#include "mlir/IR/IRMapping.h"

using namespace mlir;

namespace spindle::system {

#define GEN_PASS_DEF_SYSTEMOUTLINE
#include "dialects/system/Passes.h.inc"

namespace {

/// What a launch uses of its function, in the order of use.
SetVector<Value> valuesFromOutside(LaunchOp launch) {
  SetVector<Value> values;
  launch.getBody().walk<WalkOrder::PreOrder>([&](Operation *op) {
    for (Value operand : op->getOperands())
      if (!launch.getBody().isAncestor(operand.getParentRegion()))
        values.insert(operand);
  });
  return values;
}

/// Arrays that the launch alone uses move into it.
void takeOwnArrays(LaunchOp launch) {
  if (!isa<func::FuncOp>(launch->getParentOp()))
    return; // what an input leaves the next one may read
  for (Value value : valuesFromOutside(launch)) {
    auto array = value.getDefiningOp<memref::AllocOp>();
    if (!array || !llvm::all_of(array->getUsers(), [&](Operation *user) {
          return launch->isAncestor(user) || isa<memref::DeallocOp>(user);
        }))
      continue;
    for (Operation *user : llvm::make_early_inc_range(array->getUsers()))
      if (isa<memref::DeallocOp>(user) && !launch->isAncestor(user))
        user->erase();
    array->moveBefore(&launch.getBody().front().front());
  }
}

class Outline {
public:
  explicit Outline(func::FuncOp into) : function(into) {}

  FailureOr<unsigned> run() {
    SmallVector<LaunchOp> launches;
    function.walk<WalkOrder::PreOrder>([&](LaunchOp launch) { launches.push_back(launch); });
    if (launches.empty())
      return 0u;
    OpBuilder builder(function.getContext());
    builder.setInsertionPointAfter(function);
    std::string name = (function.getName() + "_kernels").str();
    if (SymbolTable::lookupNearestSymbolFrom(function, builder.getStringAttr(name)))
      return function.emitError() << "the module has a symbol '" << name
                                  << "' already, which the kernels of '" << function.getName()
                                  << "' need: rename it";
    OperationState state(function.getLoc(), ModuleOp::getOperationName());
    state.addAttribute(SymbolTable::getSymbolAttrName(), builder.getStringAttr(name));
    state.addRegion()->emplaceBlock();
    kernels = cast<ModuleOp>(builder.create(state));
    for (LaunchOp launch : launches)
      if (failed(outline(launch)))
        return failure();
    eraseUnused(function.getBody().front());
    return number;
  }

private:
  LogicalResult outline(LaunchOp launch) {
    sinkValues(launch);
    takeOwnArrays(launch);
    SetVector<Value> values = valuesFromOutside(launch);
    OpBuilder builder = OpBuilder::atBlockEnd(&kernels.getBody().front());
    SmallVector<Type> types;
    for (Value value : values) {
      types.push_back(value.getType());
      auto array = dyn_cast<MemRefType>(value.getType());
      if (array ? !array.hasStaticShape() || !array.getLayout().isIdentity()
                : !value.getType().isIntOrIndexOrFloat())
        return launch.emitError() << "uses a value of type " << value.getType()
                                  << ", expected arrays of static shape and scalars";
    }
    std::string name = (function.getName() + "_" + Twine(number++)).str();
    auto kernel =
        FuncOp::create(builder, launch.getLoc(), name, builder.getFunctionType(types, {}));
    builder.setInsertionPointToStart(&kernel.getBody().front());
    IRMapping inside;
    inside.map(values.getArrayRef(), kernel.getArguments());
    for (Operation &op : launch.getBody().front().without_terminator())
      builder.clone(op, inside);
    ReturnOp::create(builder, launch.getLoc());
    takeConstants(kernel);
    for (auto [position, value] : llvm::enumerate(values))
      if (auto argument = dyn_cast<BlockArgument>(value);
          argument && argument.getOwner()->getParentOp() == function)
        if (DictionaryAttr attributes = function.getArgAttrDict(argument.getArgNumber()))
          kernel.setArgAttrs(unsigned(position), attributes);
    builder.setInsertionPoint(launch);
    auto symbol = SymbolRefAttr::get(kernels.getSymNameAttr(),
                                     FlatSymbolRefAttr::get(builder.getContext(), name));
    LaunchFuncOp::create(builder, launch.getLoc(), symbol, IntegerAttr(), values.getArrayRef());
    launch.erase();
    return success();
  }

  /// Symbols are looked up among the kernels.
  void takeConstants(FuncOp kernel) {
    kernel.walk([&](memref::GetGlobalOp use) {
      auto global =
          SymbolTable::lookupNearestSymbolFrom<memref::GlobalOp>(function, use.getNameAttr());
      if (global && !SymbolTable::lookupSymbolIn(kernels, use.getName()))
        kernels.getBody().front().push_front(global->clone());
    });
  }

  func::FuncOp function;
  ModuleOp kernels;
  unsigned number = 0;
};

struct OutlinePass : impl::SystemOutlineBase<OutlinePass> {
  void runOnOperation() override {
    for (auto function : llvm::make_early_inc_range(getOperation().getOps<func::FuncOp>())) {
      FailureOr<unsigned> made = Outline(function).run();
      if (failed(made))
        return signalPassFailure();
      kernels += *made;
    }
  }
};
} // namespace

} // namespace spindle::system
