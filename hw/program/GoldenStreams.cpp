#include "hw/program/GoldenStreams.h"

#include "dialects/hls/Hls.h"
#include "dialects/location/Location.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

#include "fmt/format.h"

using namespace mlir;

namespace spindle::hls {

namespace {

constexpr const char *kMake = "spindle_stream_make", *kRead = "spindle_stream_read",
                     *kWrite = "spindle_stream_write";

/// Compiled code has no argument of ours through which it could say whose streams it means.
thread_local GoldenStreams *current = nullptr;

uint64_t makeStream() { return current->add({}); }
uint64_t readStream(uint64_t queue) { return current->read(queue); }
void writeStream(uint64_t queue, uint64_t token) { current->write(queue, token); }

template <typename Function> void *addressOf(Function *function) {
  return reinterpret_cast<void *>(function);
}

class Lowering {
public:
  explicit Lowering(ModuleOp whole)
      : module(whole), word(IntegerType::get(whole.getContext(), 64)) {}

  llvm::Error run() {
    llvm::SmallVector<Operation *> ops;
    module.walk([&](Operation *op) { ops.push_back(op); });
    for (Operation *op : ops)
      SPINDLE_RETURN_IF_ERROR(lower(op));
    return llvm::Error::success();
  }

private:
  /// What makes a stream comes first, so that operands are numbers by then.
  llvm::Error lower(Operation *op) {
    ImplicitLocOpBuilder builder(op->getLoc(), op);
    if (auto function = dyn_cast<func::FuncOp>(op))
      return lowerTypes(function);
    if (isa<MakeStreamOp>(op)) {
      op->getResult(0).replaceAllUsesWith(call(builder, kMake, word, ValueRange()));
      op->erase();
      return llvm::Error::success();
    }
    if (auto read = dyn_cast<ReadOp>(op)) {
      Value token = call(builder, kRead, word, op->getOperand(0));
      if (token.getType() != read.getType())
        token = arith::TruncIOp::create(builder, read.getType(), token);
      read.replaceAllUsesWith(token);
      op->erase();
      return llvm::Error::success();
    }
    if (auto write = dyn_cast<WriteOp>(op)) {
      Value token = write.getToken();
      if (token.getType() != word)
        token = arith::ExtUIOp::create(builder, word, token);
      call(builder, kWrite, TypeRange(), {op->getOperand(1), token});
      op->erase();
      return llvm::Error::success();
    }
    bool makesStream = llvm::any_of(op->getResultTypes(), llvm::IsaPred<StreamType>);
    for (Region &region : op->getRegions())
      for (Block &block : region)
        makesStream |= llvm::any_of(block.getArgumentTypes(), llvm::IsaPred<StreamType>);
    if (makesStream)
      return inputError(filePlaceOf(op),
                        fmt::format("operation {} makes a stream, expected hls.make_stream or an "
                                    "argument of a function",
                                    op->getName().getStringRef().str()));
    return llvm::Error::success();
  }

  llvm::Error lowerTypes(func::FuncOp function) {
    for (Type result : function.getResultTypes())
      if (isa<StreamType>(result))
        return inputError(filePlaceOf(function), "a function returns a stream, expected streams "
                                                 "among its arguments");
    llvm::SmallVector<Type> types(function.getArgumentTypes());
    for (Type &type : types)
      type = isa<StreamType>(type) ? word : type;
    function.setFunctionType(
        FunctionType::get(module.getContext(), types, function.getResultTypes()));
    for (auto [argument, type] : llvm::zip(function.getArguments(), types))
      argument.setType(type);
    return llvm::Error::success();
  }

  Value call(ImplicitLocOpBuilder &builder, const char *name, TypeRange results,
             ValueRange operands) {
    auto function = module.lookupSymbol<func::FuncOp>(name);
    if (!function) {
      auto atEnd = ImplicitLocOpBuilder::atBlockEnd(builder.getLoc(), module.getBody());
      llvm::SmallVector<Type> types(operands.size(), word);
      function = func::FuncOp::create(atEnd, name, atEnd.getFunctionType(types, results));
      function.setPrivate();
    }
    auto made = func::CallOp::create(builder, function, operands);
    return results.empty() ? Value() : made.getResult(0);
  }

  ModuleOp module;
  Type word;
};

} // namespace

llvm::Expected<std::vector<Type>> lowerStreams(ModuleOp module, const std::string &name) {
  std::vector<Type> tokens;
  for (Type type : module.lookupSymbol<func::FuncOp>(name).getArgumentTypes()) {
    auto stream = dyn_cast<StreamType>(type);
    tokens.push_back(stream ? stream.getElement() : Type());
  }
  SPINDLE_RETURN_IF_ERROR(Lowering(module).run());
  return tokens;
}

std::vector<jit::Callee> streamCallees() {
  return {{kMake, addressOf(makeStream)},
          {kRead, addressOf(readStream)},
          {kWrite, addressOf(writeStream)}};
}

GoldenStreams::GoldenStreams(std::string where, const Refusal &refusal)
    : place(std::move(where)), refuse(refusal) {
  current = this;
}
GoldenStreams::~GoldenStreams() { current = nullptr; }

uint64_t GoldenStreams::add(std::vector<uint64_t> tokens) {
  queues.push_back({{tokens.begin(), tokens.end()}, {}, {}});
  return queues.size() - 1;
}

std::vector<uint64_t> GoldenStreams::result(uint64_t queue) const {
  return queues[queue].written.empty() ? queues[queue].taken : queues[queue].written;
}

void GoldenStreams::write(uint64_t queue, uint64_t token) {
  queues[queue].waiting.push_back(token);
  queues[queue].written.push_back(token);
}

uint64_t GoldenStreams::read(uint64_t queue) {
  Queue &from = queues[queue];
  if (from.waiting.empty())
    refuse(place, fmt::format("reads token {} of a stream that holds no more: give it more tokens, "
                              "and write a stream before it is read",
                              from.taken.size()));
  from.taken.push_back(from.waiting.front());
  from.waiting.pop_front();
  return from.taken.back();
}

} // namespace spindle::hls
