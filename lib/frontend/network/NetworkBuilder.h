// Turns a description into operations of the snn dialect. Private to this folder.
#pragma once

#include "dialects/snn/Snn.h"
#include "lib/frontend/network/Order.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace spindle::network {

class NetworkBuilder {
public:
  NetworkBuilder(mlir::MLIRContext &context, const Description &network, const Order &populations);

  llvm::Expected<mlir::OwningOpRef<mlir::ModuleOp>> run();

private:
  /// An operation `snn.NAME` with one result; `layer` is left out where it is empty.
  mlir::Value make(llvm::StringRef name, mlir::ValueRange operands, mlir::Type result,
                   llvm::StringRef layer, llvm::ArrayRef<mlir::NamedAttribute> attributes = {});
  mlir::Value constant(llvm::ArrayRef<int64_t> shape, llvm::ArrayRef<float> values);
  mlir::NamedAttribute attribute(llvm::StringRef name, mlir::Attribute value) {
    return builder.getNamedAttr(name, value);
  }
  mlir::Type spikes(llvm::ArrayRef<int64_t> shape);
  mlir::Type current(llvm::ArrayRef<int64_t> shape);

  mlir::Value activation(llvm::ArrayRef<int64_t> shape, const std::vector<float> &values);
  mlir::Value encode(mlir::Value activation, snn::Encoding encoding, llvm::StringRef layer,
                     llvm::ArrayRef<mlir::NamedAttribute> attributes = {});

  llvm::Expected<mlir::Value> make(size_t population);
  mlir::Value makeSource(const Population &population, const SampleSource &source);
  mlir::Value makeSource(const Population &population, const PoissonSource &source);
  mlir::Value makeSource(const Population &population, const SpikeSource &source);
  mlir::Value makeNeurons(const Population &population, const Neurons &neurons,
                          mlir::ValueRange currents);
  llvm::Expected<mlir::Value> receive(size_t population, int receptor,
                                      const std::vector<float> &constantCurrent);

  mlir::Value arrive(size_t from, int64_t delay, bool feedsBack);
  llvm::Expected<mlir::Value> project(const Projection &projection, bool feedsBack,
                                      mlir::Value bias);
  llvm::Expected<mlir::Value> connectBy(const Projection &projection, bool feedsBack,
                                        mlir::Value bias);
  llvm::Expected<mlir::Value> weights(const Projection &projection, llvm::ArrayRef<int64_t> offsets,
                                      llvm::ArrayRef<uint32_t> pairs,
                                      llvm::ArrayRef<int64_t> shape);
  /// One value, or one for each synapse of the rows.
  llvm::Expected<std::vector<float>> weightValues(const Projection &projection,
                                                  llvm::ArrayRef<int64_t> offsets,
                                                  llvm::ArrayRef<uint32_t> pairs);
  llvm::Expected<mlir::Value> projectByDelay(const Projection &projection, bool feedsBack,
                                             mlir::Value bias);
  /// The attributes of an operation `snn.random`.
  void addRule(const RandomRows &rule, llvm::SmallVectorImpl<mlir::NamedAttribute> &attributes);
  size_t lastSpiking();
  mlir::Value answer();

  const Description &description;
  const Order &order;
  mlir::Location location;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  mlir::OpBuilder builder;
  mlir::func::FuncOp function;
  std::vector<mlir::Value> signals;                             // of the populations
  std::map<std::pair<size_t, int64_t>, mlir::Value> late, back; // by population and steps
};

} // namespace spindle::network
