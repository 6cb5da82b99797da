// The nodes of an ONNX graph in order, each by the function of its operator.
#include "lib/frontend/Import.h"
#include "lib/frontend/onnx/OnnxData.h"
#include "lib/frontend/onnx/OnnxModel.h"
#include "lib/frontend/onnx/OnnxNode.h"

#include "fmt/format.h"
#include "fmt/ranges.h"

#include <set>

using namespace mlir;

namespace spindle {

static std::map<std::string, OnnxOperator> allOperators() {
  std::map<std::string, OnnxOperator> operators;
  for (llvm::ArrayRef<OnnxOperator> table :
       {onnxActivations(), onnxArithmetic(), onnxArrangements(), onnxConstants(), onnxReductions(),
        onnxResizing(), onnxShapes(), onnxWindows()})
    for (const OnnxOperator &entry : table)
      operators.emplace(entry.name, entry);
  return operators;
}

static std::string supported(const std::map<std::string, OnnxOperator> &operators) {
  std::vector<std::string> names;
  for (const auto &[name, entry] : operators)
    names.push_back(name);
  return fmt::format("{}", fmt::join(names, ", "));
}

/// Shape of the input with a batch of one; the batch of the file goes to `batch`.
static llvm::Expected<Shape> readInputShape(const OnnxModel &model, int64_t &batch) {
  const onnx::TypeProto_Tensor &type = model.input->type().tensor_type();
  std::string place = fmt::format("{}: input '{}'", model.path, model.input->name());
  // Whatever the precision of the model, it is computed in f32 here.
  if (!llvm::is_contained(
          {onnx::TensorProto::FLOAT, onnx::TensorProto::DOUBLE, onnx::TensorProto::FLOAT16},
          type.elem_type()))
    return inputError(place, fmt::format("elements are {}, expected FLOAT, DOUBLE or FLOAT16",
                                         onnx::TensorProto_DataType_Name(
                                             onnx::TensorProto_DataType(type.elem_type()))));
  Shape shape;
  for (const onnx::TensorShapeProto_Dimension &dimension : type.shape().dim())
    shape.push_back(dimension.has_dim_value() ? dimension.dim_value() : 0);
  if (shape.size() >= 2) {
    batch = std::max<int64_t>(shape[0], 1);
    shape[0] = 1;
  }
  if (shape.empty())
    return inputError(place, "has no shape; export the model with a fixed input shape");
  for (size_t d = 0; d < shape.size(); ++d)
    if (shape[d] < 1)
      return inputError(
          place,
          fmt::format("dimension {} has no fixed extent; export the model with a fixed input shape",
                      d));
  return shape;
}

/// The values on which nothing but arrangements follow, up to the output.
static std::set<std::string> findEnd(const OnnxModel &model) {
  std::set<std::string> end = {model.output};
  static const std::set<std::string> arrangements = {
      "ArgMax",     "Cast",           "DequantizeLinear", "Dropout", "Flatten", "Identity",
      "LogSoftmax", "QuantizeLinear", "Reshape",          "Softmax", "Squeeze", "Unsqueeze"};
  for (auto node = model.order.rbegin(); node != model.order.rend(); ++node)
    if (arrangements.count((*node)->op_type()) && (*node)->input_size() > 0 &&
        end.count((*node)->output(0)))
      end.insert((*node)->input(0));
  return end;
}

static llvm::Expected<Tensor> convert(const OnnxModel &model, const onnx::NodeProto &node,
                                      const std::map<std::string, OnnxOperator> &operators,
                                      const std::map<std::string, Tensor> &values, bool atEnd,
                                      size_t output, AnnBuilder &builder) {
  auto found = operators.find(node.op_type());
  bool known = node.domain().empty() || node.domain() == "ai.onnx";
  const char *reason = known ? onnxRefusal(node.op_type()) : nullptr;
  if (reason && found == operators.end())
    return builder.refuse(fmt::format("operator is not supported; {}", reason));
  if (found == operators.end() || !known)
    return builder.refuse(
        fmt::format("operator is not supported; supported: {}", supported(operators)));
  const OnnxOperator &entry = found->second;
  std::vector<Tensor> inputs;
  for (const std::string &name : node.input()) {
    auto value = values.find(name);
    if (name.empty())
      inputs.emplace_back();
    else if (value != values.end())
      inputs.push_back(value->second);
    else
      return builder.refuse(
          fmt::format("reads '{}', a further output that is not supported", name));
  }
  OnnxNode context(node, std::move(inputs), model.opset, atEnd, output, builder);
  if (size_t(node.input_size()) > entry.mostInputs)
    return builder.refuse(
        fmt::format("has {} inputs, expected at most {}", node.input_size(), entry.mostInputs));
  for (size_t k = 0; k < entry.leastInputs; ++k)
    if (!context.has(k))
      return builder.refuse(fmt::format("input {} is absent, expected {}", k, entry.leastInputs));
  return entry.function(context);
}

/// What any node reads, and the output.
static std::set<std::string> readNames(const OnnxModel &model) {
  std::set<std::string> names = {model.output};
  for (const onnx::NodeProto *node : model.order)
    names.insert(node->input().begin(), node->input().end());
  return names;
}

llvm::Expected<OwningOpRef<ModuleOp>> importOnnx(MLIRContext &context,
                                                 const ModelOptions &options) {
  SPINDLE_ASSIGN(std::unique_ptr<OnnxModel> model, readOnnxModel(options.path));
  SPINDLE_RETURN_IF_ERROR(loadOnnxData(*model));
  AnnBuilder builder(context, UnknownLoc::get(&context));
  std::map<std::string, Tensor> values;
  const std::set<std::string> read = readNames(*model);
  for (const auto &[name, proto] : model->initializers) {
    if (!read.count(name))
      continue; // of any type
    SPINDLE_ASSIGN(values[name], readOnnxTensor(*proto, options.path));
  }
  SPINDLE_ASSIGN(Shape shape, readInputShape(*model, builder.batch));
  builder.enter(fmt::format("{}: input '{}'", options.path, model->input->name()),
                NameLoc::get(StringAttr::get(&context, model->input->name())));
  SPINDLE_ASSIGN(values[model->input->name()],
                 builder.input(shape, isChannelsLast(options.inputLayout, shape)));

  const std::map<std::string, OnnxOperator> operators = allOperators();
  const std::set<std::string> end = findEnd(*model);
  for (const onnx::NodeProto *node : model->order) {
    std::string name = node->name().empty() ? node->output(0) : node->name();
    builder.enter(model->placeOf(*node), NameLoc::get(StringAttr::get(&context, name)),
                  node->name());
    bool atEnd = end.count(node->output(0)) != 0;
    auto found = operators.find(node->op_type());
    bool all = found != operators.end() && found->second.manyOutputs;
    for (int k = 0; k < (all ? node->output_size() : 1); ++k) {
      SPINDLE_ASSIGN(values[node->output(k)],
                     convert(*model, *node, operators, values, atEnd, size_t(k), builder));
    }
  }
  builder.enter(fmt::format("{}: output '{}'", options.path, model->output),
                builder.presentLocation());
  auto result = values.find(model->output);
  if (result == values.end())
    return builder.refuse("is a further output of its node, which is not supported");
  return builder.finish(result->second);
}

} // namespace spindle
