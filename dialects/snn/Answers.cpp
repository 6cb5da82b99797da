#include "dialects/snn/Answers.h"

#include "dialects/snn/Names.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;

namespace spindle::snn {

static bool isReturned(Value value) {
  return llvm::all_of(value.getUsers(), [](Operation *user) {
    auto reshape = dyn_cast<ReshapeOp>(user);
    return isa<func::ReturnOp>(user) || (reshape && isReturned(reshape.getOutput()));
  });
}

bool isAnswer(DecodeOp decode) { return isReturned(decode.getOutput()); }

ReluOp answeringRectifier(Value answer) {
  while (Operation *op = answer.getDefiningOp()) {
    if (!isa<ReshapeOp, TransposeOp, MaxPool2dOp>(op))
      return dyn_cast<ReluOp>(op);
    answer = op->getOperand(0);
  }
  return {};
}

std::string answerName(Value answer) {
  while (Operation *op = answer.getDefiningOp()) {
    auto synapse = dyn_cast<SynapseOp>(op);
    if (!synapse)
      break;
    if (synapse.hasWeights() || (!layerOf(op).empty() && !isa<AvgPool2dOp>(op)))
      return nameOf(op);
    answer = synapse.getSources()[0];
  }
  return "answer";
}

} // namespace spindle::snn
