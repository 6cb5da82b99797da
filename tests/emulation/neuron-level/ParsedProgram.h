// A program of the neuron level from text.
#pragma once

#include "lib/emulation/neuron-level/NeuronInterpreter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

namespace spindle::test {

using neuron_level::Bundle;
using neuron_level::Floats;
using neuron_level::Indices;
using neuron_level::kNever;
using neuron_level::Train;
using neuron_level::Value;
using Values = std::vector<Value>;

class ParsedProgram {
public:
  explicit ParsedProgram(const std::string &text) {
    context.loadDialect<snn::SnnDialect, mlir::arith::ArithDialect, mlir::func::FuncDialect,
                        mlir::tensor::TensorDialect>();
    module = mlir::parseSourceString<mlir::ModuleOp>(
        "!train = !snn.spike_train<?xf32>\n!bundle = !snn.spike_bundle<?x!train>\n" + text,
        mlir::ParserConfig(&context), "neurons.mlir");
    EXPECT_TRUE(module);
  }
  mlir::ModuleOp operator*() { return *module; }
  llvm::Expected<neuron_level::Program> read(const std::string &function = "f") {
    return neuron_level::readProgram(*module, function);
  }
  Values interpret(Values arguments, const std::string &function = "f") {
    neuron_level::Program program = llvm::cantFail(read(function));
    return llvm::cantFail(neuron_level::interpret(program, std::move(arguments)));
  }
  /// The text of the error that reading or interpreting ends with.
  std::string errorOf(Values arguments, const std::string &function = "f") {
    auto program = read(function);
    if (!program)
      return toText(program.takeError());
    auto results = neuron_level::interpret(*program, std::move(arguments));
    return results ? "no error" : toText(results.takeError());
  }

private:
  mlir::MLIRContext context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
};

/// The listing of Curzel 2023, figure 5.11, corrected.
inline const char *const kListing = R"(
module attributes {snn.lif.k = 1.0 : f32, snn.lif.vth = 30.0 : f32, snn.lif.vrest = -20.0 : f32} {
  func.func @dense_2(%data: tensor<2xf32>, %w0: tensor<2xf32>, %w1: tensor<2xf32>, %b0: f32, %b1: f32) -> tensor<2xindex> {
    %in = snn.tensor_to_spike_train_bundle(%data : tensor<2xf32>) : !bundle
    %in0 = snn.spike_bundle_select(%in[0] : !bundle) : !train
    %in1 = snn.spike_bundle_select(%in[1] : !bundle) : !train
    %v00 = snn.neuron(%in0 : !train) : !train
    %v01 = snn.neuron(%in1 : !train) : !train
    %v0 = snn.spike_bundle_collect(%v00 : !train, %v01 : !train) : !bundle
    %v10 = snn.neuron(%v0 : !bundle, %w0 : tensor<2xf32>, %b0 : f32) : !train
    %v11 = snn.neuron(%v0 : !bundle, %w1 : tensor<2xf32>, %b1 : f32) : !train
    %v1 = snn.spike_bundle_collect(%v10 : !train, %v11 : !train) : !bundle
    %order = snn.get_order(%v1 : !bundle) : tensor<?xindex>
    %out = tensor.cast %order : tensor<?xindex> to tensor<2xindex>
    return %out : tensor<2xindex>
  }
})";

} // namespace spindle::test
