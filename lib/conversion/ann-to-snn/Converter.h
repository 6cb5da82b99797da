// Walks an ANN in order and writes the spiking network after it, population by population.
#pragma once

#include "core/network/Evaluation.h"
#include "core/support/Error.h"
#include "lib/conversion/ann-to-snn/ConversionPlan.h"
#include "lib/conversion/ann-to-snn/SignalEditor.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/IRMapping.h"

#include <map>

namespace spindle {

class Converter {
public:
  Converter(mlir::func::FuncOp from, mlir::func::FuncOp to, const ConversionPlan &decided,
            const ConversionOptions &choices);

  llvm::Error run();
  ConversionSummary summary;
  std::map<std::string, std::vector<float>> sourceScales;

private:
  /// What is known of a signal of the spiking network besides its value.
  struct Signal {
    std::vector<float> scale;    // per element: the activation is scale times the signal
    std::vector<float> constant; // first_spike: what biases add to each element, not in the signal
    int64_t depth = 0;           // first_spike: windows that have passed
  };

  llvm::Error startInput();
  llvm::Error convert(mlir::Operation &op);
  llvm::Error convertOne(mlir::Operation &op);
  llvm::Error convertSynapse(snn::SynapseOp op);
  llvm::Error convertMaxPool(snn::MaxPool2dOp op);
  llvm::Error convertRelu(snn::ReluOp op);
  llvm::Error keepRelu(snn::ReluOp op, const LayerPlan &layer, llvm::StringRef name);
  llvm::Error checkTensorLayers() const;
  llvm::StringRef nameOf(snn::ReluOp op) const;
  bool answersByTensors();
  /// Whether all that is made of a value of the ANN is read by tensor layers.
  bool leadsToTensors(mlir::Value ann);
  /// The spikes that a tensor layer reads, counted. Errors: membranes, or the input as spikes.
  llvm::Expected<mlir::Value> counted(mlir::Value spikes, mlir::Operation *reader);
  llvm::Error countSources(mlir::Operation *clone);
  llvm::Error answerInTensors(mlir::func::ReturnOp op, mlir::Value value);
  llvm::Error convertResult(mlir::func::ReturnOp op);

  llvm::Error alignSources(mlir::Operation *clone);
  llvm::Expected<Signal> passOn(snn::SynapseOp clone);
  void takeConstants(snn::SynapseOp clone, Signal &signal);
  void makePlain(mlir::OpOperand &source);
  mlir::Value poolIntoPopulation(snn::SynapseOp clone, const Signal &signal);
  /// Brings a linear signal into units of `scale`, adds `shift` (in activations), makes it current.
  mlir::Value finish(mlir::Value value, Signal &signal, const std::vector<float> &scale,
                     const std::vector<float> &shift);
  mlir::Value spiking(mlir::Value current, const Signal &signal, const LayerPlan &plan,
                      llvm::StringRef layer);
  mlir::Value direct(mlir::Value activation);
  void define(mlir::Value ann, mlir::Value value, Signal signal);
  llvm::StringRef layerBefore(mlir::Value ann) const;
  const LayerPlan *nextPlan(mlir::Value ann);
  bool temporal() const { return options.method == ConversionMethod::FirstSpike; }
  int64_t windows(); // first_spike: on the longest way from the input to the output

  mlir::func::FuncOp ann;
  mlir::OpBuilder builder;
  const ConversionPlan &plan;
  const ConversionOptions &options;
  mlir::IRMapping values;
  llvm::DenseMap<mlir::Value, Signal> signals; // by value of the spiking network
  llvm::DenseSet<mlir::Value> shared;          // values of the spiking network, of several readers
  bool endsInTensors = false;                  // that take spikes
  llvm::DenseMap<mlir::Value, bool> tensorsBehind; // by value of the ANN
  llvm::DenseMap<mlir::Value, mlir::Value> counts; // by spikes
  llvm::DenseSet<mlir::Value> late; // values of the ANN that tensor layers make of spikes
  SignalEditor editor{shared};
  std::vector<std::string> rectified; // names of the layers with rectifiers
  size_t nextLayer = 0, pools = 0;
  int64_t window = 0; // first_spike: steps of one
};

} // namespace spindle
