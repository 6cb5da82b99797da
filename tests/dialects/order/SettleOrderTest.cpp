// Operations in one order, in whatever order they were made.
#include "dialects/order/SettleOrder.h"

#include "core/support/CounterRandom.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Parser/Parser.h"
#include "gmock/gmock.h"

using namespace mlir;
using ::testing::HasSubstr;

namespace {

class SettleOrder : public ::testing::Test {
protected:
  SettleOrder() {
    context.loadDialect<affine::AffineDialect, arith::ArithDialect, func::FuncDialect,
                        memref::MemRefDialect>();
  }

  OwningOpRef<ModuleOp> parse(const std::string &text) {
    return parseSourceString<ModuleOp>(text, &context);
  }

  static std::string settled(ModuleOp module) {
    for (auto function : module.getOps<func::FuncOp>())
      spindle::settleOrder(function);
    EXPECT_TRUE(succeeded(verify(module)));
    std::string text;
    llvm::raw_string_ostream(text) << module;
    return text;
  }

  MLIRContext context;
};

/// Moves operations without effects at random, as far as their operands and users allow.
void shuffle(Block &block, spindle::CounterRandom &random) {
  SmallVector<Operation *> operations;
  for (Operation &op : block.without_terminator())
    operations.push_back(&op);
  for (int turn = 0; turn < 200; ++turn) {
    Operation *op = operations[random.below(operations.size())];
    Operation *next = op->getNextNode();
    bool isFree = isMemoryEffectFree(op) && op->getNumRegions() == 0;
    bool isFreeNext = isMemoryEffectFree(next) && next->getNumRegions() == 0;
    if (next->hasTrait<OpTrait::IsTerminator>() || (!isFree && !isFreeNext))
      continue;
    bool isNeeded = false;
    next->walk([&](Operation *inner) {
      for (Value operand : inner->getOperands())
        isNeeded |= operand.getDefiningOp() == op;
    });
    if (!isNeeded)
      op->moveAfter(next);
  }
}

const char *const kernel = R"(
  func.func @f(%a: memref<8xi32>, %b: memref<8xi32>) {
    %c1 = arith.constant 1 : i32
    %c2 = arith.constant 2 : i32
    %unused = arith.constant 3 : i32
    affine.for %i = 0 to 8 {
      %x = affine.load %a[%i] : memref<8xi32>
      %y = affine.load %b[%i] : memref<8xi32>
      %0 = arith.addi %x, %c2 : i32
      %1 = arith.muli %y, %0 : i32
      %2 = arith.subi %x, %c1 : i32
      %3 = arith.xori %2, %1 : i32
      affine.store %3, %a[%i] : memref<8xi32>
      %4 = arith.andi %0, %y : i32
      affine.if affine_set<(d0) : (d0 - 3 >= 0)>(%i) {
        %5 = arith.ori %4, %2 : i32
        %6 = arith.shli %5, %c1 : i32
        affine.store %6, %b[%i] : memref<8xi32>
      }
    }
    return
  })";

TEST_F(SettleOrder, DoesNotDependOnTheOrderBefore) {
  std::string expected = settled(*parse(kernel));
  EXPECT_THAT(expected, ::testing::Not(HasSubstr("constant 3"))) << "nobody needs it";
  for (uint64_t seed = 0; seed < 50; ++seed) {
    OwningOpRef<ModuleOp> module = parse(kernel);
    spindle::CounterRandom random(seed);
    SmallVector<Block *> blocks;
    module->walk([&](func::FuncOp function) {
      function.walk([&](Block *block) { blocks.push_back(block); });
    });
    for (Block *block : blocks)
      if (!block->without_terminator().empty())
        shuffle(*block, random);
    EXPECT_EQ(settled(*module), expected) << "seed " << seed;
  }
}

TEST_F(SettleOrder, PutsOperandsInFrontOfTheirUserAndEffectsWhereTheyWere) {
  std::string text = settled(*parse(R"(
    func.func @f(%a: memref<8xi32>, %x: i32, %y: i32) {
      %second = arith.muli %y, %y : i32
      %first = arith.addi %x, %x : i32
      %c1 = arith.constant 1 : index
      %c0 = arith.constant 0 : index
      %old = memref.load %a[%c1] : memref<8xi32>
      memref.store %first, %a[%c0] : memref<8xi32>
      %difference = arith.subi %first, %second : i32
      %sum = arith.addi %old, %difference : i32
      memref.store %sum, %a[%c1] : memref<8xi32>
      return
    })"));
  EXPECT_THAT(text, HasSubstr(R"(    %c1 = arith.constant 1 : index
    %0 = memref.load %arg0[%c1] : memref<8xi32>
    %1 = arith.addi %arg1, %arg1 : i32
    %c0 = arith.constant 0 : index
    memref.store %1, %arg0[%c0] : memref<8xi32>
    %2 = arith.muli %arg2, %arg2 : i32
    %3 = arith.subi %1, %2 : i32
    %4 = arith.addi %0, %3 : i32
    memref.store %4, %arg0[%c1] : memref<8xi32>
    return
)"));
}

} // namespace
