// Turns nodes of NIR into operations of the snn dialect. Private to this folder.
#pragma once

#include "dialects/snn/Snn.h"
#include "lib/frontend/ModelOptions.h"
#include "lib/frontend/nir/NirGraph.h"

#include <optional>

namespace spindle {

/// One node under construction: its parameters, the builder, and where errors are.
class NirBuilder {
public:
  NirBuilder(const NirNode &nirNode, std::string nodePlace, const ModelOptions &modelOptions,
             mlir::OpBuilder &opBuilder, mlir::Location opLocation)
      : node(nirNode), options(modelOptions), place(std::move(nodePlace)), builder(opBuilder),
        location(opLocation) {}

  const NirNode &node;
  const ModelOptions &options;

  llvm::Error refuse(const std::string &message) const { return inputError(place, message); }

  bool has(const std::string &name) const { return node.parameters.count(name) != 0; }
  /// The numbers of a parameter; an error where it is absent, holds texts or no finite numbers.
  llvm::Expected<const NirArray *> numbers(const std::string &name) const;
  /// `count` whole numbers; one in the file stands for all.
  llvm::Expected<std::vector<int64_t>> integers(const std::string &name, size_t count) const;
  /// The values of a parameter of a population of this shape, times `factor`: one where all are
  /// equal, one per channel where the file has that, else one per neuron. `absent` stands for a
  /// parameter that the file leaves out.
  llvm::Expected<std::vector<float>> perNeuron(const std::string &name,
                                               llvm::ArrayRef<int64_t> shape, double factor,
                                               std::optional<float> absent) const;

  /// Makes an operation named `snn.…` with the node's name as `layer`.
  mlir::Value make(llvm::StringRef name, mlir::ValueRange operands, mlir::Type result,
                   llvm::ArrayRef<mlir::NamedAttribute> attributes = {}) const;
  mlir::Value constant(llvm::ArrayRef<int64_t> shape, llvm::ArrayRef<float> values) const;
  mlir::NamedAttribute attribute(llvm::StringRef name, mlir::Attribute value) const {
    return builder.getNamedAttr(name, value);
  }
  mlir::Builder &attributes() const { return builder; }
  /// Spikes as current, unchanged in value.
  mlir::Value toCurrent(mlir::Value signal) const;
  /// A current, and what this node's own spikes of some steps ago add to it, one weight per neuron.
  mlir::Value withEcho(mlir::Value current, int64_t steps, llvm::ArrayRef<float> weights) const;

private:
  std::string place;
  mlir::OpBuilder &builder;
  mlir::Location location;
};

using NirRule = llvm::Expected<mlir::Value> (*)(const NirBuilder &, mlir::Value input);

/// The rules for nodes that are linear, and for populations, by type.
const std::map<std::string, NirRule> &nirSynapseRules();
const std::map<std::string, NirRule> &nirNeuronRules();

} // namespace spindle
