// The function under construction: its arguments, arrays and constants.
#pragma once

#include "dialects/hls/Partition.h"
#include "lib/conversion/snn-to-loops/CircuitOptions.h"
#include "lib/conversion/snn-to-loops/LoopProgram.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/AffineExpr.h"
#include "mlir/IR/Builders.h"

#include <map>

namespace spindle::snn_to_loops {

/// One value for all neurons, or an array with one for each.
struct Parameter {
  mlir::IntegerType type;
  int64_t value = 0;
  mlir::Value array; // none where all are equal
};

class ProgramBuilder {
public:
  ProgramBuilder(mlir::MLIRContext &context, const CircuitOptions &settings);

  mlir::OpBuilder body; // after what has been emitted
  const CircuitOptions &options;

  /// An argument; with values, if they are known.
  mlir::Value argument(HardwareArray port, std::vector<int64_t> values = {});
  /// An argument whose tokens are the words of all samples.
  mlir::Value streamArgument(HardwareArray port);
  /// The argument that says of how many samples.
  mlir::Value images();
  /// In a centralised system: what is emitted from now on goes into a loop over the samples.
  void enterSamples();
  /// What is emitted next stands in front of that loop, if there is one.
  void leaveSamples();
  /// Of a process, or around all of them.
  mlir::affine::AffineForOp loopOverSamples(mlir::Location location);
  /// How many samples a process works on from its start to its end: all, or one of the loop around
  /// it.
  mlir::Value samplesOfProcess();
  /// An array of the program's own, with open contents.
  mlir::Value local(llvm::StringRef name, llvm::ArrayRef<int64_t> shape, unsigned bits);
  /// Known values: an argument or a constant of the program, as the options say.
  mlir::Value table(const std::string &layer, const std::string &name, std::vector<int64_t> shape,
                    unsigned bits, std::vector<int64_t> values);
  /// Known values that are constants of the program in any case.
  mlir::Value constants(const std::string &name, llvm::ArrayRef<int64_t> shape, unsigned bits,
                        llvm::ArrayRef<int64_t> values);
  /// One value per neuron, or one for all.
  Parameter parameter(const std::string &layer, const std::string &name, unsigned bits,
                      std::vector<int64_t> values);

  /// A stream between loops; in the circuit it holds `depth` tokens.
  mlir::Value stream(llvm::StringRef name, int64_t depth, unsigned bits);
  /// A stream from one layer to the next, of at most `most` tokens per sample. In a centralised
  /// system it holds all of them, and the next layer begins when they are there.
  mlir::Value streamToLayer(llvm::StringRef name, int64_t depth, int64_t most, unsigned bits);
  /// Every element of a dimension in a bank of its own.
  void separate(mlir::Value array, unsigned dimension);
  /// A constant index in front of all loops.
  mlir::Value position(int64_t value);

  /// Divides the last dimension of an array into blocks of neighbours, a bank for each.
  void divide(mlir::Value array, int64_t blocks);
  /// The array, and copies of it that get whatever is stored in it: two elements can be read from
  /// each at a time. Of an array that is only read there are none: the array stands for them.
  llvm::SmallVector<mlir::Value> copies(mlir::Value array, int64_t count);

  /// A constant in front of all loops.
  mlir::Value constant(mlir::IntegerType type, int64_t value);
  mlir::IntegerType integer(unsigned bits) { return body.getIntegerType(bits); }

  LoopProgram take();
  std::vector<HardwareLayer> layers;
  std::map<std::string, LayerWork> work;
  std::map<std::string, std::vector<int64_t>> lanes;
  mlir::Value given; // of the network: currents or pixels from outside; or none

private:
  mlir::Location named(llvm::StringRef name);
  mlir::Value argumentOf(mlir::Type type, HardwareArray port, std::vector<int64_t> values);
  mlir::Attribute partitionOf(mlir::Value array);
  void setPartition(mlir::Value array, const hls::ArrayPartition &partition);
  /// Arrays and constants stand before all loops, in the order in which they are asked for.
  template <typename Op, typename... Arguments> mlir::Value makeFirst(Arguments &&...arguments);

  mlir::OwningOpRef<mlir::ModuleOp> module;
  mlir::func::FuncOp function;
  mlir::Operation *lastBeforeLoops = nullptr;
  mlir::Value samples;                   // `images()`
  mlir::Operation *sampleLoop = nullptr; // of a centralised system
  std::vector<ProgramArray> arguments;
  std::map<std::pair<unsigned, int64_t>, mlir::Value> numbers;
  std::map<int64_t, mlir::Value> positions;
};

} // namespace spindle::snn_to_loops
