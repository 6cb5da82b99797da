#include "dialects/system/ArrayUse.h"
#include "dialects/system/Launches.h"
#include "dialects/system/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlir::affine;

namespace spindle::system {

#define GEN_PASS_DEF_SYSTEMSTREAMINPUTS
#include "dialects/system/Passes.h.inc"

namespace {

/// Null where it is computed, or where `access` is neither a load nor a store.
Value firstSubscript(Operation *access) {
  if (auto load = dyn_cast<memref::LoadOp>(access))
    return load.getIndices().front();
  if (auto store = dyn_cast<memref::StoreOp>(access))
    return store.getIndices().front();
  SmallVector<Value> subscripts = affineSubscripts(access);
  return subscripts.empty() ? Value() : subscripts.front();
}

/// Where an array is an operand of a launch, and the number of the input another one.
struct Place {
  LaunchFuncOp launch;
  FuncOp kernel;
  unsigned argument = 0;
  std::optional<unsigned> number;

  bool isByInput() const {
    FuncOp of = kernel;
    return number && llvm::all_of(of.getArgument(argument).getUsers(), [&](Operation *access) {
             return firstSubscript(access) == of.getArgument(*number);
           });
  }
};

/// Whether the number of the input is part of a subscript.
bool hasNumberInSubscript(const Place &place) {
  if (!place.number)
    return false;
  FuncOp kernel = place.kernel;
  Value array = kernel.getArgument(place.argument), number = kernel.getArgument(*place.number);
  return llvm::any_of(array.getUsers(), [&](Operation *user) {
    return llvm::is_contained(user->getOperands(), number);
  });
}

/// The integer that has a number's bits.
IntegerType tokenOf(Type element) {
  return IntegerType::get(element.getContext(), element.getIntOrFloatBitWidth());
}

/// The array of one input.
MemRefType partOf(MemRefType whole) {
  return MemRefType::get(whole.getShape().drop_front(), whole.getElementType());
}

class Streams {
public:
  Streams(func::FuncOp of, const Launches &found) : function(of), launches(found) {}

  unsigned run() {
    unsigned made = 0;
    for (unsigned argument = 0; argument < function.getNumArguments(); ++argument) {
      if (!isCandidate(argument))
        continue;
      std::string reason = whyNot(argument);
      if (reason.empty())
        makeStream(argument);
      else
        emitRemark(placeOf(argument))
            << "argument " << argument << " stays an array, moved as a whole: " << reason;
      made += reason.empty();
    }
    return made;
  }

private:
  /// Arguments have a place where the program has one.
  Location placeOf(unsigned argument) {
    Location place = function.getArgument(argument).getLoc();
    return place->findInstanceOf<FileLineColLoc>() ? place : function.getLoc();
  }

  std::vector<Place> placesOf(unsigned argument) {
    std::vector<Place> places;
    for (size_t n = 0; n < launches.all.size(); ++n) {
      LaunchFuncOp launch = launches.all[n];
      Place place{launch, launches.kernelOf(n), 0, {}};
      bool isThere = false;
      for (auto [position, value] : llvm::enumerate(launch.getValues())) {
        if (value == function.getArgument(argument)) {
          place.argument = unsigned(position);
          isThere = true;
        }
        if (value == AffineForOp(launches.inputs).getInductionVar())
          place.number = unsigned(position);
      }
      if (isThere)
        places.push_back(place);
    }
    return places;
  }

  bool isCandidate(unsigned argument) {
    auto array = dyn_cast<MemRefType>(function.getArgumentTypes()[argument]);
    return array && array.getRank() > 0 && llvm::any_of(placesOf(argument), hasNumberInSubscript);
  }

  /// Empty for what becomes a stream.
  std::string whyNot(unsigned argument) {
    auto array = cast<MemRefType>(function.getArgumentTypes()[argument]);
    AffineForOp loop = launches.inputs;
    std::vector<Place> places = placesOf(argument);
    for (const Place &place : places)
      if (!place.isByInput())
        return "not every access has the number of the input as its first subscript";
    if (loop.getConstantLowerBound() != 0 || loop.getConstantUpperBound() != array.getDimSize(0))
      return "the loop over inputs goes from " + std::to_string(loop.getConstantLowerBound()) +
             " to " + std::to_string(loop.getConstantUpperBound()) + ", its first dimension has " +
             std::to_string(array.getDimSize(0));
    if (function.getArgAttr(argument, hls::HlsDialect::partitionName))
      return "it has hls.partition, and a stream has no banks";
    if (!array.getElementType().isIntOrFloat() ||
        function.getArgAttr(argument, hls::HlsDialect::indexName))
      return "its elements are indices, which have no bits of their own";
    bool isWritten = llvm::any_of(
        places, [](const Place &place) { return useOf(place.kernel, place.argument).isWritten; });
    if (isWritten && !isStoredBeforeRead(launches, function.getArgument(argument), true))
      return "it is written, and tasks do not surely write all of an input before one reads any";
    return "";
  }

  void makeStream(unsigned argument) {
    Value whole = function.getArgument(argument);
    auto type = cast<MemRefType>(whole.getType());
    std::vector<Place> places = placesOf(argument);
    bool isWritten = llvm::any_of(
        places, [](const Place &place) { return useOf(place.kernel, place.argument).isWritten; });
    OpBuilder builder(launches.inputs);
    Value part = memref::AllocOp::create(builder, placeOf(argument), partOf(type));
    for (const Place &place : places)
      usePart(place, part);
    whole.setType(hls::StreamType::get(type.getContext(), tokenOf(type.getElementType())));
    function.setFunctionType(builder.getFunctionType(function.getBody().front().getArgumentTypes(),
                                                     function.getResultTypes()));
    function.setArgAttr(argument, "system.array", TypeAttr::get(type));
    FuncOp mover = makeMover(argument, type, isWritten);
    if (isWritten)
      builder.setInsertionPointAfter(places.back().launch);
    else
      builder.setInsertionPoint(places.front().launch);
    auto around = mover->getParentOfType<ModuleOp>();
    auto symbol =
        SymbolRefAttr::get(around.getSymNameAttr(), FlatSymbolRefAttr::get(mover.getSymNameAttr()));
    LaunchFuncOp::create(builder, placeOf(argument), symbol, IntegerAttr(),
                         ValueRange{whole, part});
  }

  /// The kernel has the array of one input in place of all of them.
  void usePart(const Place &place, Value part) {
    FuncOp kernel = place.kernel;
    LaunchFuncOp launch = place.launch;
    BlockArgument array = kernel.getArgument(place.argument);
    array.setType(part.getType());
    for (Operation *user : llvm::make_early_inc_range(array.getUsers()))
      dropFirstSubscript(user);
    launch.getValuesMutable().slice(place.argument, 1).assign(part);
    if (kernel.getArgument(*place.number).use_empty()) {
      (void)kernel.eraseArgument(*place.number);
      launch.getValuesMutable().erase(*place.number);
    }
    kernel.setFunctionType(FunctionType::get(
        kernel.getContext(), kernel.getBody().front().getArgumentTypes(), TypeRange()));
  }

  static void dropFirstSubscript(Operation *access) {
    if (isa<memref::LoadOp, memref::StoreOp>(access)) // behind the array, and the value
      return access->eraseOperand(isa<memref::LoadOp>(access) ? 1 : 2);
    OpBuilder builder(access);
    auto load = dyn_cast<AffineLoadOp>(access);
    auto store = dyn_cast<AffineStoreOp>(access);
    AffineMap map = load ? load.getAffineMap() : store.getAffineMap();
    SmallVector<Value> operands(load ? load.getMapOperands() : store.getMapOperands());
    map = AffineMap::get(map.getNumDims(), map.getNumSymbols(), map.getResults().drop_front(),
                         map.getContext());
    canonicalizeMapAndOperands(&map, &operands);
    if (load) {
      auto made = AffineLoadOp::create(builder, load.getLoc(), load.getMemRef(), map, operands);
      load.replaceAllUsesWith(made.getResult());
    } else {
      AffineStoreOp::create(builder, store.getLoc(), store.getValueToStore(), store.getMemRef(),
                            map, operands);
    }
    access->erase();
  }

  /// A kernel that goes through the array of one input in row-major order, a token for each
  /// element.
  FuncOp makeMover(unsigned argument, MemRefType type, bool isWritten) {
    Location place = placeOf(argument);
    MemRefType part = partOf(type);
    auto kernels = launches.kernelOf(0)->getParentOfType<ModuleOp>();
    OpBuilder builder = OpBuilder::atBlockEnd(&kernels.getBody().front());
    std::string name = (function.getName() + (isWritten ? "_out" : "_in") + Twine(argument)).str();
    auto mover = FuncOp::create(
        builder, place, name,
        builder.getFunctionType({function.getArgument(argument).getType(), part}, {}));
    builder.setInsertionPointToStart(&mover.getBody().front());
    ReturnOp::create(builder, place);
    builder.setInsertionPointToStart(&mover.getBody().front());
    SmallVector<Value> subscripts;
    for (int64_t extent : part.getShape()) {
      auto loop = AffineForOp::create(builder, place, 0, extent);
      subscripts.push_back(loop.getInductionVar());
      builder.setInsertionPointToStart(loop.getBody());
    }
    Value stream = mover.getArgument(0), array = mover.getArgument(1);
    Type element = part.getElementType(), token = tokenOf(element);
    if (isWritten) {
      Value value = AffineLoadOp::create(builder, place, array, subscripts);
      if (element != token)
        value = arith::BitcastOp::create(builder, place, token, value);
      hls::WriteOp::create(builder, place, value, stream);
    } else {
      Value value = hls::ReadOp::create(builder, place, token, stream);
      if (element != token)
        value = arith::BitcastOp::create(builder, place, element, value);
      AffineStoreOp::create(builder, place, value, array, subscripts);
    }
    return mover;
  }

  func::FuncOp function;
  const Launches &launches;
};

/// A kernel is changed for its one launch.
LogicalResult checkKernels(const Launches &launches) {
  DenseSet<Operation *> known;
  for (size_t n = 0; n < launches.all.size(); ++n)
    if (!known.insert(launches.kernelOf(n)).second)
      return LaunchFuncOp(launches.all[n]).emitError()
             << "launches a kernel that another launch has, expected one of its own: "
                "system-stream-inputs comes before system-dispatch";
  return success();
}

struct StreamInputsPass : impl::SystemStreamInputsBase<StreamInputsPass> {
  void runOnOperation() override {
    for (auto function : getOperation().getOps<func::FuncOp>()) {
      if (function.isExternal())
        continue;
      FailureOr<Launches> launches = launchesOf(function);
      if (failed(launches))
        return signalPassFailure();
      if (!launches->inputs || launches->all.empty())
        continue;
      if (failed(checkKernels(*launches)))
        return signalPassFailure();
      streams += Streams(function, *launches).run();
    }
  }
};
} // namespace

} // namespace spindle::system
