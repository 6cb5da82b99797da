#include "hw/hls/lower/rtl/PackMemories.h"

#include "dialects/rtl/Rtl.h"
#include "hw/hls/Target.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"

namespace spindle::hls {

namespace {

constexpr unsigned kDeepest = 64; // operations between two ports that are compared

/// Whether two wires of a module carry the same in every cycle, by their logic; results of an
/// instance by the outputs of its module.
class SameWires {
public:
  explicit SameWires(mlir::ModuleOp of) : design(of) {}

  bool operator()(mlir::Value a, mlir::Value b) { return isSame(a, b, kDeepest); }

private:
  bool isSame(mlir::Value a, mlir::Value b, unsigned depth) {
    if (a == b)
      return true;
    auto x = llvm::dyn_cast<mlir::OpResult>(a), y = llvm::dyn_cast<mlir::OpResult>(b);
    if (!x || !y || depth == 0 || a.getType() != b.getType())
      return false;
    auto [known, isNew] = answers.try_emplace({a, b}, false);
    if (!isNew)
      return known->second;
    bool answer = areEqual(x, y, depth - 1);
    return answers[{a, b}] = answer;
  }

  bool areEqual(mlir::OpResult a, mlir::OpResult b, unsigned depth) {
    mlir::Operation *one = a.getOwner(), *other = b.getOwner();
    if (auto instance = llvm::dyn_cast<rtl::InstanceOp>(one); instance && one == other) {
      auto circuit = design.lookupSymbol<rtl::CircuitModuleOp>(instance.getModule());
      return circuit && isSame(circuit.getTerminator()->getOperand(a.getResultNumber()),
                               circuit.getTerminator()->getOperand(b.getResultNumber()), depth);
    }
    bool isLogic = llvm::isa<mlir::arith::ArithDialect>(one->getDialect()) ||
                   llvm::isa<rtl::OneHotOp, rtl::ConcatOp, rtl::ExtractOp>(one);
    if (!isLogic || one->getName() != other->getName() || one->getNumRegions() > 0 ||
        one->getAttrDictionary() != other->getAttrDictionary() ||
        one->getNumOperands() != other->getNumOperands() ||
        a.getResultNumber() != b.getResultNumber())
      return false;
    for (auto [left, right] : llvm::zip(one->getOperands(), other->getOperands()))
      if (!isSame(left, right, depth))
        return false;
    return true;
  }

  mlir::ModuleOp design;
  llvm::DenseMap<std::pair<mlir::Value, mlir::Value>, bool> answers;
};

/// `local0` of `local0_b3`.
llvm::StringRef arrayOf(rtl::MemoryOp memory) { return memory.getMemoryName().rsplit("_b").first; }

unsigned widthOf(rtl::MemoryOp memory) {
  return memory.getResult(0).getType().getIntOrFloatBitWidth();
}

/// Reads and writes of a block at most, as the estimate counts them.
bool hasTwoOfBoth(rtl::MemoryOp memory) {
  unsigned readers = 0, writers = 0;
  for (unsigned port = 0; port < memory.getNumResults(); ++port) {
    readers += !memory.getResult(port).use_empty();
    writers += !mlir::matchPattern(memory.getPort(port).writeEnable, mlir::m_Constant());
  }
  return readers + writers > 2;
}

/// Banks of so many memories that a word may hold with the fewest blocks, the fewest of equals.
size_t banksInWord(llvm::MutableArrayRef<rtl::MemoryOp> banks) {
  auto depth = uint64_t(banks.front().getDepth());
  uint64_t bits = widthOf(banks.front());
  bool isBusy = llvm::any_of(banks, hasTwoOfBoth);
  auto blocks = [&](size_t inWord) {
    double whole = double(banks.size() / inWord) * blocksFor(depth, inWord * bits, isBusy);
    size_t rest = banks.size() % inWord;
    return whole + (rest ? blocksFor(depth, rest * bits, isBusy) : 0);
  };
  size_t best = 1;
  for (size_t inWord = 2; inWord <= banks.size(); ++inWord)
    if (blocks(inWord) < blocks(best))
      best = inWord;
  return best;
}

mlir::ElementsAttr joinContents(llvm::MutableArrayRef<rtl::MemoryOp> banks, mlir::Type word) {
  if (!banks.front().getInitialAttr())
    return {};
  std::vector<llvm::APInt> words(size_t(banks.front().getDepth()),
                                 llvm::APInt(word.getIntOrFloatBitWidth(), 0));
  unsigned low = 0;
  for (rtl::MemoryOp bank : banks) {
    for (auto [whole, part] : llvm::zip(words, bank.getInitialAttr().getValues<llvm::APInt>()))
      whole.insertBits(part, low);
    low += widthOf(bank);
  }
  auto type = mlir::RankedTensorType::get({int64_t(words.size())}, word);
  return mlir::DenseElementsAttr::get(type, words);
}

void join(llvm::MutableArrayRef<rtl::MemoryOp> banks) {
  rtl::MemoryOp first = banks.front();
  mlir::OpBuilder builder(first);
  unsigned bits = widthOf(first);
  mlir::Type word = builder.getIntegerType(bits * unsigned(banks.size()));
  std::vector<rtl::MemoryPort> ports;
  for (unsigned port = 0; port < first.getNumResults(); ++port) {
    rtl::MemoryPort joined = first.getPort(port);
    llvm::SmallVector<mlir::Value> data; // the highest first
    for (rtl::MemoryOp bank : llvm::reverse(banks))
      data.push_back(bank.getPort(port).data);
    joined.data = rtl::ConcatOp::create(builder, first.getLoc(), data);
    ports.push_back(joined);
  }
  auto memory =
      rtl::MemoryOp::create(builder, first.getLoc(), first.getMemoryName(), first.getClock(),
                            first.getDepth(), word, ports, joinContents(banks, word));
  for (auto [number, bank] : llvm::enumerate(banks))
    for (unsigned port = 0; port < bank.getNumResults(); ++port)
      bank.getResult(port).replaceAllUsesWith(rtl::ExtractOp::create(builder, bank.getLoc(),
                                                                     memory.getResult(port),
                                                                     int64_t(number * bits), bits)
                                                  .getResult());
  for (rtl::MemoryOp bank : banks)
    bank.erase();
}

bool areTogether(rtl::MemoryOp one, rtl::MemoryOp other, SameWires &same) {
  if (arrayOf(one) != arrayOf(other) || one.getDepth() != other.getDepth() ||
      one.getNumResults() != other.getNumResults() || one.getClock() != other.getClock() ||
      widthOf(one) != widthOf(other) || bool(one.getInitialAttr()) != bool(other.getInitialAttr()))
    return false;
  for (unsigned port = 0; port < one.getNumResults(); ++port) {
    rtl::MemoryPort a = one.getPort(port), b = other.getPort(port);
    if (!same(a.enable, b.enable) || !same(a.writeEnable, b.writeEnable) ||
        !same(a.address, b.address))
      return false;
  }
  return true;
}

} // namespace

unsigned packMemories(mlir::ModuleOp design) {
  unsigned packed = 0;
  for (auto circuit : design.getOps<rtl::CircuitModuleOp>()) {
    SameWires same(design);
    std::vector<std::vector<rtl::MemoryOp>> groups; // banks in their order
    for (auto memory : circuit.getBodyBlock()->getOps<rtl::MemoryOp>()) {
      if (memory.getDistributed())
        continue;
      auto group = llvm::find_if(groups, [&](const std::vector<rtl::MemoryOp> &known) {
        return areTogether(rtl::MemoryOp(known.front()), memory, same);
      });
      if (group == groups.end())
        groups.push_back({memory});
      else
        group->push_back(memory);
    }
    for (llvm::MutableArrayRef<rtl::MemoryOp> banks : groups) {
      size_t inWord = banksInWord(banks);
      for (; inWord > 1 && banks.size() > 1;
           banks = banks.drop_front(std::min(inWord, banks.size()))) {
        llvm::MutableArrayRef<rtl::MemoryOp> together = banks.take_front(inWord);
        packed += unsigned(together.size()) - 1;
        join(together);
      }
    }
  }
  return packed;
}

} // namespace spindle::hls
