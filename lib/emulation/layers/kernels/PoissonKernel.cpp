// Poisson encoding of the activations that are not zero: Philox4x32-10 of
// core/support/CounterRandom.h, sixteen elements at a time, of which the low words of i64 count.
#include "lib/emulation/layers/PlanBuilder.h"

#include "fmt/format.h"

namespace spindle::layers {

static constexpr llvm::StringLiteral kPoissonKernel = R"(
func.func @$name(%sample: i64, %time: i64, %seed: i64, %list: !llvm.ptr {llvm.noalias}, %ends: !llvm.ptr {llvm.noalias},
                 %values: !llvm.ptr {llvm.noalias}, %words: !llvm.ptr {llvm.noalias}, %drawn: !llvm.ptr {llvm.noalias}, %out: !llvm.ptr {llvm.noalias}) {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %rounds = arith.constant 10 : i64
  %vector = arith.constant 16 : i64
  %size = arith.constant $size : i64
  %first = arith.constant dense<$first> : vector<16xi64>
  %half = arith.constant 32 : i64
  %halves = arith.constant dense<32> : vector<16xi64>
  %low = arith.constant dense<0xffffffff> : vector<16xi64>
  %factor0 = arith.constant dense<0xD2511F53> : vector<16xi64>
  %factor1 = arith.constant dense<0xCD9E8D57> : vector<16xi64>
  %weyl0 = arith.constant 0x9E3779B9 : i64
  %weyl1 = arith.constant 0xBB67AE85 : i64
  %unused = arith.constant dense<8> : vector<16xi32>
  %unit = arith.constant dense<0x33800000> : vector<16xf32> // 2^-24
  %maximum = arith.constant dense<$maximum> : vector<16xf32>
  %none = arith.constant dense<0> : vector<16xi32>
  %lanes = arith.constant dense<[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]> : vector<16xi64>
  %zeros = arith.constant dense<0.0> : vector<16xf32>
  %one = arith.constant 1.0 : f32
  scf.for %i = %c0 to %size step %vector : i64 {
    %to = llvm.getelementptr %out[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.store %zeros, %to {alignment = 64 : i64} : vector<16xf32>, !llvm.ptr
  }
  %c2 = arith.constant 2 : i64
  %c3 = arith.constant 3 : i64
  %capacity = arith.constant $capacity : i64
  %four = arith.shrui %time, %c2 : i64
  %steps = vector.broadcast %four : i64 to vector<16xi64>
  %samples = vector.broadcast %sample : i64 to vector<16xi64>
  %samplesHigh = arith.shrui %samples, %halves : vector<16xi64>
  %seedHigh = arith.shrui %seed, %half : i64
  %count = llvm.load %ends : !llvm.ptr -> i64
  %number = arith.andi %time, %c3 : i64
  %isFirst = arith.cmpi eq, %number, %c0 : i64
  %toDraw = arith.select %isFirst, %count, %c0 : i64
  scf.for %e = %c0 to %toDraw step %vector : i64 { // for four steps
    %entryFrom = llvm.getelementptr %list[%e] : (!llvm.ptr, i64) -> !llvm.ptr, $type
    %entry = llvm.load %entryFrom {alignment = 2 : i64} : !llvm.ptr -> vector<16x$type>
    %element = arith.extui %entry : vector<16x$type> to vector<16xi64>
    %neuron = arith.addi %element, %first : vector<16xi64>
    %random:6 = scf.for %round = %c0 to %rounds step %c1
        iter_args(%x0 = %neuron, %x1 = %steps, %x2 = %samples, %x3 = %samplesHigh, %k0 = %seed, %k1 = %seedHigh)
        -> (vector<16xi64>, vector<16xi64>, vector<16xi64>, vector<16xi64>, i64, i64) : i64 {
      %low0 = arith.andi %x0, %low : vector<16xi64>
      %low2 = arith.andi %x2, %low : vector<16xi64>
      %product0 = arith.muli %low0, %factor0 : vector<16xi64>
      %product1 = arith.muli %low2, %factor1 : vector<16xi64>
      %high0 = arith.shrui %product0, %halves : vector<16xi64>
      %high1 = arith.shrui %product1, %halves : vector<16xi64>
      %key0 = vector.broadcast %k0 : i64 to vector<16xi64>
      %key1 = vector.broadcast %k1 : i64 to vector<16xi64>
      %mixed0 = arith.xori %high1, %x1 : vector<16xi64>
      %mixed1 = arith.xori %high0, %x3 : vector<16xi64>
      %next0 = arith.xori %mixed0, %key0 : vector<16xi64>
      %next2 = arith.xori %mixed1, %key1 : vector<16xi64>
      %nextKey0 = arith.addi %k0, %weyl0 : i64
      %nextKey1 = arith.addi %k1, %weyl1 : i64
      scf.yield %next0, %product1, %next2, %product0, %nextKey0, %nextKey1
          : vector<16xi64>, vector<16xi64>, vector<16xi64>, vector<16xi64>, i64, i64
    }
    $keepWords
  }
  %wordsAt = arith.muli %number, %capacity : i64
  %wordsNow = llvm.getelementptr %words[%wordsAt] : (!llvm.ptr, i64) -> !llvm.ptr, i32
  %spikes = scf.for %e = %c0 to %count step %vector iter_args(%n = %c0) -> (i64) : i64 {
    %entryFrom = llvm.getelementptr %list[%e] : (!llvm.ptr, i64) -> !llvm.ptr, $type
    %entry = llvm.load %entryFrom {alignment = 2 : i64} : !llvm.ptr -> vector<16x$type>
    %wordFrom = llvm.getelementptr %wordsNow[%e] : (!llvm.ptr, i64) -> !llvm.ptr, i32
    %word = llvm.load %wordFrom {alignment = 4 : i64} : !llvm.ptr -> vector<16xi32>
    %bits24 = arith.shrui %word, %unused : vector<16xi32>
    %real = arith.sitofp %bits24 : vector<16xi32> to vector<16xf32>
    %uniform = arith.mulf %real, %unit : vector<16xf32>
    %valueFrom = llvm.getelementptr %values[%e] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %value = llvm.load %valueFrom {alignment = 4 : i64} : !llvm.ptr -> vector<16xf32>
    %probability = arith.divf %value, %maximum : vector<16xf32>
    %below = arith.cmpf olt, %uniform, %probability : vector<16xf32>
    %left = arith.subi %count, %e : i64
    %lefts = vector.broadcast %left : i64 to vector<16xi64>
    %inside = arith.cmpi slt, %lanes, %lefts : vector<16xi64>
    %fires = arith.andi %below, %inside : vector<16xi1>
    %numbers = $numbers
    %packed = llvm.call_intrinsic "llvm.experimental.vector.compress"(%numbers, %fires, %none) : (vector<16xi32>, vector<16xi1>, vector<16xi32>) -> vector<16xi32>
    %to = llvm.getelementptr %drawn[%n] : (!llvm.ptr, i64) -> !llvm.ptr, i32
    llvm.store %packed, %to {alignment = 4 : i64} : vector<16xi32>, !llvm.ptr
    %bits = llvm.bitcast %fires : vector<16xi1> to i16
    %ones = llvm.intr.ctpop(%bits) : (i16) -> i16
    %more = arith.extui %ones : i16 to i64
    %next = arith.addi %n, %more : i64
    scf.yield %next : i64
  }
  scf.for %k = %c0 to %spikes step %c1 : i64 {
    %from = llvm.getelementptr %drawn[%k] : (!llvm.ptr, i64) -> !llvm.ptr, i32
    %narrow = llvm.load %from : !llvm.ptr -> i32
    %at = arith.extui %narrow : i32 to i64
    %to = llvm.getelementptr %out[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.store %one, %to : f32, !llvm.ptr
  }
  return
}
)";

/// Word $k of all elements, behind those of the words before it.
static constexpr llvm::StringLiteral kPoissonKeepWord = R"(
    %word$k = arith.trunci %random#$k : vector<16xi64> to vector<16xi32>
    %wordAt$k = arith.addi %e, %first$k : i64
    %wordTo$k = llvm.getelementptr %words[%wordAt$k] : (!llvm.ptr, i64) -> !llvm.ptr, i32
    llvm.store %word$k, %wordTo$k {alignment = 4 : i64} : vector<16xi32>, !llvm.ptr)";

Signal addPoisson(PlanBuilder &b, snn::EncodeOp op, const Signal &input) {
  EventList active = addEventList(b, input, 1, naturalNumbers(input.elements));
  Signal output = b.addSignal(Unit::Row, input.elements, true);
  size_t drawn = b.addBuffer(Unit::Thread, active.capacity * sizeof(uint32_t));
  size_t words = b.addBuffer(Unit::Slot, 4 * active.capacity * sizeof(uint32_t));
  Names names;
  std::string keepWords;
  for (int64_t k = 0; k < 4; ++k)
    keepWords +=
        fmt::format("%first{} = arith.constant {} : i64", k, k * int64_t(active.capacity)) +
        names.set("k", k).fill(kPoissonKeepWord);
  names.set("size", int64_t(roundUp(input.elements, kVector)))
      .set("type", typeOf(active))
      .set("first", firstNeuronOf(op))
      .set("capacity", int64_t(active.capacity))
      .set("keepWords", keepWords)
      .set("numbers", active.narrow ? "arith.extui %entry : vector<16xi16> to vector<16xi32>"
                                    : "arith.ori %entry, %none : vector<16xi32>")
      .set("maximum", fmt::format("{:.9e}", op.getMaximum().convertToFloat()));
  b.addStage(Work::Steps, kPoissonKernel, names,
             {active.entries, active.ends, *active.values, words, drawn, output.buffer});
  return output;
}

} // namespace spindle::layers
