#include "dialects/system/ArrayUse.h"
#include "dialects/system/Launches.h"
#include "dialects/system/Passes.h"

using namespace mlir;

namespace spindle::system {

#define GEN_PASS_DEF_SYSTEMDISPATCH
#include "dialects/system/Passes.h.inc"

namespace {

bool isSame(FuncOp a, FuncOp b) {
  return a.getFunctionType() == b.getFunctionType() && a.getArgAttrsAttr() == b.getArgAttrsAttr() &&
         OperationEquivalence::isRegionEquivalentTo(&a.getBody(), &b.getBody(),
                                                    OperationEquivalence::IgnoreLocations);
}

/// Equal kernels become the first of them.
unsigned mergeKernels(const Launches &launches) {
  SmallVector<FuncOp> kept;
  SetVector<Operation *> dropped;
  for (size_t n = 0; n < launches.all.size(); ++n) {
    FuncOp kernel = launches.kernelOf(n);
    auto *same = llvm::find_if(kept, [&](FuncOp other) { return isSame(other, kernel); });
    if (same == kept.end()) {
      kept.push_back(kernel);
      continue;
    }
    if (*same == kernel)
      continue;
    LaunchFuncOp launch = launches.all[n];
    auto around = (*same)->getParentOfType<ModuleOp>();
    launch.setKernelAttr(SymbolRefAttr::get(around.getSymNameAttr(),
                                            FlatSymbolRefAttr::get((*same).getSymNameAttr())));
    dropped.insert(kernel);
  }
  unsigned merged = 0;
  for (Operation *kernel : dropped)
    if (llvm::none_of(launches.all, [&](LaunchFuncOp launch) {
          return SymbolTable::lookupNearestSymbolFrom(launch, launch.getKernelAttr()) == kernel;
        })) {
      kernel->erase();
      ++merged;
    }
  return merged;
}

/// A local array that a launch rewrites as a whole is another array from there on: what was in it
/// nobody reads, and those who still read it keep nobody waiting.
unsigned splitArrays(const Launches &launches, func::FuncOp function) {
  SmallVector<Operation *> arrays;
  function.walk([&](Operation *op) {
    if (isLocalArray(op))
      arrays.push_back(op);
  });
  OpBuilder builder(function.getContext());
  unsigned made = 0;
  for (Operation *array : arrays) {
    if (launches.inputs && !isOfOneInput(launches, array->getResult(0)))
      continue;
    Operation *now = nullptr; // none: nobody has touched it
    for (size_t n = 0; n < launches.all.size(); ++n) {
      LaunchFuncOp launch = launches.all[n];
      for (auto [argument, operand] : llvm::enumerate(launch.getValuesMutable())) {
        if (operand.get() != array->getResult(0))
          continue;
        if (now && rewritesAll(launches.kernelOf(n), unsigned(argument))) {
          builder.setInsertionPointAfter(now);
          now = builder.clone(*array);
          ++made;
        } else if (!now) {
          now = array;
        }
        operand.set(now->getResult(0));
      }
    }
  }
  return made;
}

/// Arrays that kernels hand on.
void makeChannels(const Launches &launches, func::FuncOp function, bool mayOverlap) {
  SmallVector<Operation *> arrays;
  function.walk([&](Operation *op) {
    if (isa<memref::AllocOp, memref::AllocaOp>(op))
      arrays.push_back(op);
  });
  OpBuilder builder(function.getContext());
  for (Operation *op : arrays) {
    Value array = op->getResult(0);
    for (Operation *user : llvm::make_early_inc_range(array.getUsers()))
      if (isa<memref::DeallocOp>(user))
        user->erase();
    if (array.use_empty()) {
      op->erase();
      continue;
    }
    bool isDouble = mayOverlap && launches.inputs && isOfOneInput(launches, array);
    builder.setInsertionPoint(op);
    auto channel = ChannelOp::create(builder, op->getLoc(), array.getType(), isDouble ? 2 : 1);
    array.replaceAllUsesWith(channel);
    op->erase();
  }
}

enum class Sharing { Auto, All, None };

/// Each launch gets the first circuit of its kernel whose other launches never run at the same
/// time as it.
unsigned chooseCircuits(const Launches &launches, Sharing sharing) {
  std::vector<llvm::SmallBitVector> before = predecessorsOf(launches);
  std::vector<SmallVector<size_t>> circuits; // their launches
  for (size_t n = 0; n < launches.all.size(); ++n) {
    auto mayShare = [&](const SmallVector<size_t> &others) {
      if (sharing == Sharing::None || launches.kernelOf(others.front()) != launches.kernelOf(n))
        return false;
      return sharing == Sharing::All ||
             (!launches.inputs &&
              llvm::all_of(others, [&](size_t other) { return before[n].test(unsigned(other)); }));
    };
    auto found = llvm::find_if(circuits, mayShare);
    if (found == circuits.end())
      found = circuits.insert(circuits.end(), SmallVector<size_t>());
    found->push_back(n);
    LaunchFuncOp launch = launches.all[n];
    launch.setOn(found - circuits.begin());
  }
  return unsigned(circuits.size());
}

struct DispatchPass : impl::SystemDispatchBase<DispatchPass> {
  using SystemDispatchBase::SystemDispatchBase;

  LogicalResult dispatch(func::FuncOp function, Sharing sharing) {
    FailureOr<Launches> launches = launchesOf(function);
    if (failed(launches) || launches->all.empty())
      return failure(failed(launches));
    merged += mergeKernels(*launches);
    if (kind == "dataflow")
      split += splitArrays(*launches, function);
    makeChannels(*launches, function, kind == "dataflow");
    circuits += chooseCircuits(*launches, kind == "dataflow" ? sharing : Sharing::All);
    return success();
  }

  void runOnOperation() override {
    std::optional<Sharing> sharing = llvm::StringSwitch<std::optional<Sharing>>(share)
                                         .Case("auto", Sharing::Auto)
                                         .Case("all", Sharing::All)
                                         .Case("none", Sharing::None)
                                         .Default(std::nullopt);
    bool isKind = kind == "dataflow" || kind == "centralised";
    if (!sharing || !isKind) {
      if (isKind)
        getOperation().emitError() << "share is '" << share << "', expected auto, all or none";
      else
        getOperation().emitError() << "kind is '" << kind << "', expected centralised or dataflow";
      return signalPassFailure();
    }
    for (auto function : getOperation().getOps<func::FuncOp>())
      if (!function.isExternal() && failed(dispatch(function, *sharing)))
        return signalPassFailure();
  }
};
} // namespace

} // namespace spindle::system
