#include "lib/frontend/AnnBuilder.h"

#include "fmt/format.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Verifier.h"

using namespace mlir;

namespace spindle {

AnnBuilder::AnnBuilder(MLIRContext &context, Location start)
    : module(ModuleOp::create(start)), builder(&context), location(start) {}

void AnnBuilder::enter(std::string where, Location at, StringRef name) {
  place = std::move(where);
  location = at;
  layer = name.empty() ? StringAttr() : builder.getStringAttr(name);
}

llvm::Expected<Tensor> AnnBuilder::input(const Shape &modelShape, bool channelsLast) {
  SPINDLE_RETURN_IF_ERROR(checkSize(modelShape));
  Shape sample = sampleShape(modelShape);
  if (channelsLast && sample.size() != 3)
    return refuse(
        fmt::format("input of {} is no image, input_layout nhwc does not apply", toText(sample)));
  Shape outside = sample;
  if (channelsLast)
    outside = {sample[2], sample[0], sample[1]};
  else if (sample.size() != 3)
    outside = {sizeOf(sample)};

  auto type = RankedTensorType::get(outside, builder.getF32Type());
  builder.setInsertionPointToEnd(module->getBody());
  auto function = func::FuncOp::create(builder, location, "main",
                                       builder.getFunctionType({type}, ArrayRef<Type>()));
  body = function.addEntryBlock();
  builder.setInsertionPointToEnd(body);

  Value value = body->getArgument(0);
  if (channelsLast)
    value = snn::TransposeOp::create(builder, location, snn::withShape(type, sample), value,
                                     ArrayRef<int64_t>{1, 2, 0});
  return activation(value, modelShape);
}

llvm::Expected<OwningOpRef<ModuleOp>> AnnBuilder::finish(const Tensor &result) {
  if (result.isConstant())
    return refuse("the result does not depend on the input");
  SPINDLE_ASSIGN(Tensor flat, reshape(result, {1, spindle::sizeOf(result.shape)}));
  func::ReturnOp::create(builder, location, flat.activation);
  auto function = cast<func::FuncOp>(body->getParentOp());
  function.setType(builder.getFunctionType(body->getArgumentTypes(), {flat.activation.getType()}));
  if (failed(verify(*module)))
    return checkError(place, "the imported graph does not verify");
  return std::move(module);
}

llvm::Expected<Tensor> AnnBuilder::activation(Value value, const Shape &shape) {
  Shape sample = sampleShape(shape);
  if (snn::shapeOf(value) != ArrayRef<int64_t>(sample))
    value =
        snn::ReshapeOp::create(builder, location, snn::withShape(value.getType(), sample), value);
  return Tensor{shape, {}, value, {}, {}};
}

Value AnnBuilder::constant(const std::vector<double> &values, Shape shape) {
  if (shape.empty())
    shape = {int64_t(values.size())};
  return snn::makeConstant(builder, location, shape,
                           std::vector<float>(values.begin(), values.end()));
}

llvm::Error AnnBuilder::checkSize(const Shape &shape, int64_t limit) const {
  int64_t size = 1;
  for (int64_t extent : shape) {
    if (extent < 1 || extent > limit / size)
      return refuse(fmt::format("shape {} has an extent below one or more than {} elements",
                                toText(shape), limit));
    size *= extent;
  }
  return llvm::Error::success();
}

llvm::Error AnnBuilder::checkComputed(const Shape &shape, const Tensor &from) const {
  return checkSize(shape, std::max(int64_t(1) << 22, int64_t(from.values.size())));
}

} // namespace spindle
