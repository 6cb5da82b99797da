#include "dialects/hls/Hls.h"
#include "dialects/system/ArrayUse.h"
#include "dialects/system/ChainCover.h"
#include "dialects/system/Launches.h"
#include "dialects/system/Passes.h"

#include "llvm/ADT/MapVector.h"

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

/// A kernel with a stream holds the stream's FIFO: it belongs to the launch whose stream that is.
bool hasStream(FuncOp kernel) {
  return llvm::any_of(kernel.getArgumentTypes(), llvm::IsaPred<hls::StreamType>);
}

/// Equal kernels become the first of them.
unsigned mergeKernels(const Launches &launches) {
  SmallVector<FuncOp> kept;
  SetVector<Operation *> dropped;
  for (size_t n = 0; n < launches.all.size(); ++n) {
    FuncOp kernel = launches.kernelOf(n);
    auto *same = llvm::find_if(kept, [&](FuncOp other) {
      return isSame(other, kernel) && (other == kernel || !hasStream(kernel));
    });
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

/// Launches of one kernel share a circuit: all of them, none, or those that never run at the same
/// time, on as few circuits as possible. With a loop around them, any two may.
unsigned chooseCircuits(const Launches &launches, Sharing sharing) {
  std::vector<llvm::SmallBitVector> before = predecessorsOf(launches);
  llvm::MapVector<Operation *, SmallVector<unsigned>> ofKernels;
  for (unsigned n = 0; n < launches.all.size(); ++n)
    ofKernels[launches.kernelOf(n)].push_back(n);
  std::vector<std::pair<Operation *, uint32_t>> sharers(launches.all.size()); // kernel, chain
  for (auto &[kernel, all] : ofKernels) {
    std::vector<llvm::SmallBitVector> mayShare(all.size(),
                                               llvm::SmallBitVector(unsigned(all.size())));
    for (size_t late = 0; late < all.size(); ++late)
      for (size_t early = 0; early < late; ++early)
        if (!hasStream(launches.kernelOf(all[late])) &&
            (sharing == Sharing::All ||
             (sharing == Sharing::Auto && !launches.inputs && before[all[late]].test(all[early]))))
          mayShare[late].set(unsigned(early));
    for (auto [n, chain] : llvm::zip(all, coverByChains(mayShare)))
      sharers[n] = {kernel, chain};
  }
  llvm::MapVector<std::pair<Operation *, uint32_t>, unsigned> circuits; // by their first launch
  for (auto [launch, sharer] : llvm::zip(launches.all, sharers)) {
    unsigned circuit = circuits.try_emplace(sharer, unsigned(circuits.size())).first->second;
    LaunchFuncOp(launch).setOn(circuit);
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
