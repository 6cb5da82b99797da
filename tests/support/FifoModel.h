// FIFOs of circuits in the simulation of the rtl dialect.
#pragma once

#include "dialects/rtl/simulation/Simulation.h"

#include "gtest/gtest.h"

#include <deque>

namespace spindle::hls {

/// spindle_fifo, by the header of hw/rtl/spindle_fifo.sv.
class FifoModel : public rtl::ExternModel {
public:
  FifoModel(rtl::ExternOp fifo, mlir::DictionaryAttr parameters)
      : bits(rtl::interfaceOf(fifo).type.getResult(2).getIntOrFloatBitWidth()),
        depth(number(parameters, "DEPTH")), margin(number(parameters, "MARGIN")) {}

  std::vector<llvm::APInt> outputs(llvm::ArrayRef<llvm::APInt>) override {
    return {llvm::APInt(1, words.size() + margin <= depth), llvm::APInt(1, !words.empty()),
            words.empty() ? llvm::APInt(bits, 0) : words.front()};
  }

  void clock(llvm::ArrayRef<llvm::APInt> inputs) override {
    bool pushes = inputs[2].isOne(), pops = inputs[4].isOne();
    if (inputs[1].isOne())
      return words.clear();
    EXPECT_FALSE(pops && words.empty()) << "pop of an empty FIFO";
    EXPECT_FALSE(pushes && words.size() == depth) << "push onto a full FIFO";
    if (pops && !words.empty())
      words.pop_front();
    if (pushes)
      words.push_back(inputs[3]);
  }

private:
  static size_t number(mlir::DictionaryAttr parameters, const char *name) {
    return size_t(parameters.getAs<mlir::IntegerAttr>(name).getInt());
  }
  unsigned bits;
  size_t depth, margin;
  std::deque<llvm::APInt> words;
};

} // namespace spindle::hls
