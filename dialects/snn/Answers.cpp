#include "dialects/snn/Answers.h"

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

} // namespace spindle::snn
