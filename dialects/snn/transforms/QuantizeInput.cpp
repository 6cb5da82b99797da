// Integers in place of pixels, and of the activations that tensor layers hand on.
#include "dialects/snn/transforms/Passes.h"

#include <cmath>

using namespace mlir;

namespace spindle::snn {

#define GEN_PASS_DEF_SNNQUANTIZEINPUT
#include "dialects/snn/transforms/Passes.h.inc"

namespace {

struct QuantizeInput : impl::SnnQuantizeInputBase<QuantizeInput> {
  using SnnQuantizeInputBase::SnnQuantizeInputBase;

  /// Spikes come at the same rates when the maximum is counted in units.
  static LogicalResult countInUnits(EncodeOp encode, float unit) {
    float maximum = std::round(encode.getMaximum().convertToFloat() / unit);
    if (encode.getEncoding() == Encoding::Events)
      return success();
    if (maximum < 1 || maximum > 4095)
      return encode.emitError("has a maximum of ")
             << double(maximum) << " units of the input, expected 1 to 4095; give another range";
    encode.setMaximum(llvm::APFloat(maximum));
    encode.setIntegers(encode.getEncoding() != Encoding::Poisson);
    return success();
  }

  /// A constant current of the input itself gets a layer of weights.
  static void scaleBefore(EncodeOp encode, float unit) {
    OpBuilder builder(encode);
    Value input = encode.getInput();
    int64_t channels = shapeOf(input)[0];
    std::vector<float> factors(size_t(channels), unit);
    Value factor = makeConstant(builder, encode.getLoc(), {channels}, factors);
    Value scaled = ScaleOp::create(builder, encode.getLoc(), input.getType(), input, factor,
                                   Value(), encode.getLayerAttr());
    encode.setOperand(scaled);
  }

  /// Multiplies what is made from `value`, which counts units now, by the unit.
  static LogicalResult follow(Value value, float unit) {
    for (OpOperand &use : llvm::make_early_inc_range(value.getUses())) {
      Operation *op = use.getOwner();
      auto synapse = dyn_cast<SynapseOp>(op);
      if (isa<func::ReturnOp>(op))
        continue; // answers are compared with each other
      if (auto encode = dyn_cast<EncodeOp>(op)) {
        if (encode.getEncoding() == Encoding::Direct)
          scaleBefore(encode, unit);
        else if (failed(countInUnits(encode, unit)))
          return failure();
      } else if (synapse && synapse.hasWeights()) {
        std::vector<float> in(size_t(sizeOf(value)), unit),
            out(size_t(sizeOf(synapse.getTarget())), 1);
        if (failed(synapse.rescale(in, out)))
          return op->emitError("cannot take the unit of what it reads into its weights, expected "
                               "constant ones");
      } else if (isa<AddOp, ConcatOp>(op)) {
        return op->emitError("joins numbers that come once per sample, those of the input or of a "
                             "tensor layer, expected a layer of weights on them");
      } else if (synapse || isa<MaxPool2dOp>(op)) {
        if (failed(follow(op->getResult(0), unit)))
          return failure();
      } else {
        return op->emitError(
            "reads numbers that come once per sample, expected layers of weights, poolings "
            "or an encoder");
      }
    }
    return success();
  }

  /// A rectifier with levels makes integers of its own unit.
  static LogicalResult countLevels(ReluOp rectifier) {
    OpBuilder builder(rectifier);
    int64_t levels = *rectifier.getLevels();
    float unit = rectifier.getMaximum()->convertToFloat() / float(levels);
    if (failed(follow(rectifier.getOutput(), unit)))
      return failure();
    auto quantize =
        QuantizeOp::create(builder, rectifier.getLoc(), rectifier.getType(), rectifier.getInput(),
                           builder.getF32FloatAttr(unit), builder.getI64IntegerAttr(0),
                           builder.getI64IntegerAttr(levels), rectifier.getLayerAttr());
    rectifier.replaceAllUsesWith(quantize.getOutput());
    rectifier.erase();
    return success();
  }

  void runOnOperation() override {
    func::FuncOp function = getOperation();
    if (function.isExternal() || function.getNumArguments() == 0 ||
        runsInTime(function.getArgument(0).getType()))
      return;
    Value input = function.getArgument(0);
    bool isRead = llvm::any_of(input.getUsers(), [](Operation *user) {
      auto encode = dyn_cast<EncodeOp>(user);
      return !encode || encode.getEncoding() != Encoding::Events;
    });
    if (isRead && failed(follow(input, unit)))
      return signalPassFailure();
    for (ReluOp rectifier : llvm::make_early_inc_range(function.getOps<ReluOp>()))
      if (rectifier.getLevels() && failed(countLevels(rectifier)))
        return signalPassFailure();
    if (!isRead)
      return;
    OpBuilder builder = OpBuilder::atBlockBegin(&function.getBody().front());
    auto quantize =
        QuantizeOp::create(builder, function.getLoc(), input.getType(), input,
                           builder.getF32FloatAttr(unit), builder.getI64IntegerAttr(low),
                           builder.getI64IntegerAttr(high), builder.getStringAttr("input"));
    input.replaceUsesWithIf(quantize.getOutput(), [&](OpOperand &use) {
      auto encode = dyn_cast<EncodeOp>(use.getOwner());
      bool readsEvents = encode && encode.getEncoding() == Encoding::Events;
      return use.getOwner() != quantize && !readsEvents;
    });
  }
};
} // namespace

} // namespace spindle::snn
