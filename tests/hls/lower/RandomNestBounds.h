// Random nests, and their iterations without any of the code that is tested.
#pragma once

#include "hw/hls/lower/kernel/LoopNest.h"

#include "mlir/IR/Builders.h"

#include <algorithm>
#include <random>

namespace spindle::hls {

inline int64_t valueByMlir(mlir::AffineExpr expression, llvm::ArrayRef<int64_t> dimensions) {
  mlir::Builder builder(expression.getContext());
  llvm::SmallVector<mlir::Attribute> operands, results;
  for (int64_t value : dimensions)
    operands.push_back(builder.getI64IntegerAttr(value));
  auto map = mlir::AffineMap::get(dimensions.size(), 0, expression);
  (void)map.constantFold(operands, results);
  return llvm::cast<mlir::IntegerAttr>(results[0]).getInt();
}

struct RandomNestBounds {
  NestBounds bounds; // of no values: `operands` stand for two of them
  std::vector<int64_t> operands;

  std::vector<int64_t> known(size_t level, const std::vector<int64_t> &counters) const {
    std::vector<int64_t> all = operands;
    all.insert(all.end(), counters.begin(), counters.begin() + static_cast<ptrdiff_t>(level));
    return all;
  }
  int64_t lowerAt(size_t level, const std::vector<int64_t> &counters) const {
    int64_t largest = INT64_MIN;
    for (mlir::AffineExpr bound : bounds.lower[level].getResults())
      largest = std::max(largest, valueByMlir(bound, known(level, counters)));
    return largest;
  }
  int64_t upperAt(size_t level, const std::vector<int64_t> &counters) const {
    int64_t smallest = INT64_MAX;
    for (mlir::AffineExpr bound : bounds.upper[level].getResults())
      smallest = std::min(smallest, valueByMlir(bound, known(level, counters)));
    return smallest;
  }
};

inline RandomNestBounds randomNestBounds(mlir::MLIRContext &context, std::mt19937 &random) {
  auto number = [&](int64_t least, int64_t most) {
    return std::uniform_int_distribution<int64_t>(least, most)(random);
  };
  RandomNestBounds nest;
  nest.operands = {number(-3, 5), number(0, 4)};
  auto levels = static_cast<size_t>(number(1, 3));
  for (size_t level = 0; level < levels; ++level) {
    size_t inputs = nest.operands.size() + level;
    auto map = [&](int64_t least, int64_t most) {
      llvm::SmallVector<mlir::AffineExpr> results;
      for (int64_t count = number(1, 2); count > 0; --count) {
        mlir::AffineExpr result = mlir::getAffineConstantExpr(number(least, most), &context);
        if (number(0, 1))
          result = result + mlir::getAffineDimExpr(
                                static_cast<unsigned>(number(0, static_cast<int64_t>(inputs) - 1)),
                                &context) *
                                number(-1, 1);
        results.push_back(result);
      }
      return mlir::AffineMap::get(static_cast<unsigned>(inputs), 0, results, &context);
    };
    nest.bounds.lower.push_back(map(-2, 2));
    nest.bounds.upper.push_back(map(0, 6));
    nest.bounds.atLeast.push_back(number(0, 2) ? 1 : number(2, 5));
  }
  return nest;
}

/// Counters of every iteration, bubbles included.
inline std::vector<std::vector<int64_t>> iterationsByHand(const RandomNestBounds &nest) {
  std::vector<std::vector<int64_t>> done = {{}};
  for (size_t level = 0; level < nest.bounds.lower.size(); ++level) {
    std::vector<std::vector<int64_t>> next;
    for (const std::vector<int64_t> &outer : done) {
      int64_t first = nest.lowerAt(level, outer);
      int64_t end = std::max(nest.upperAt(level, outer), first + nest.bounds.atLeast[level]);
      for (int64_t counter = first; counter < end; ++counter) {
        next.push_back(outer);
        next.back().push_back(counter);
      }
    }
    done = std::move(next);
  }
  return done;
}

} // namespace spindle::hls
