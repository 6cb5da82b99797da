// Populations as nodes: one value per neuron, times in seconds.
#include "lib/frontend/nir/NirNodes.h"

#include "fmt/format.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace spindle {

namespace {

/// Collects the parameters of one population.
class Parameters {
public:
  Parameters(Operation *op, double dtMs) : shape(snn::shapeOf(op->getResult(0))), stepMs(dtMs) {}

  void add(const char *name, llvm::ArrayRef<float> values) {
    NirArray array{NirType::Float32, {shape.begin(), shape.end()}, {}, {}};
    for (size_t n = 0, size = count(); n < size; ++n)
      array.numbers.push_back(values[n * values.size() / size]);
    arrays[name] = std::move(array);
  }

  /// Steps in seconds: single precision where that gives the same steps again.
  void addTime(const char *name, llvm::ArrayRef<float> steps) {
    add(name, steps);
    NirArray &array = arrays[name];
    double dt = stepMs / 1000;
    for (double &number : array.numbers) {
      double seconds = number * dt;
      auto readBack = static_cast<float>(double(static_cast<float>(seconds)) * (1000 / stepMs));
      if (readBack != static_cast<float>(number))
        array.type = NirType::Float64;
      number = seconds;
    }
    if (array.type == NirType::Float32)
      for (double &number : array.numbers)
        number = static_cast<float>(number);
  }

  NirArrays arrays;

private:
  size_t count() const {
    size_t size = 1;
    for (int64_t extent : shape)
      size *= static_cast<size_t>(extent);
    return size;
  }

  llvm::ArrayRef<int64_t> shape;
  double stepMs;
};

bool isZero(llvm::ArrayRef<float> values) {
  return llvm::all_of(values, [](float value) { return value == 0; });
}

llvm::Error checkStart(Operation *op, llvm::ArrayRef<float> initial) {
  if (isZero(initial))
    return llvm::Error::success();
  return refuseExport(op, "starts with an initial_membrane, which NIR cannot say; convert with "
                          "initial_membrane 0");
}

template <typename Op> llvm::Error addFiring(Op op, Parameters &parameters) {
  SPINDLE_RETURN_IF_ERROR(checkStart(op, op.getInitialMembrane()));
  if (llvm::any_of(op.getRefractory(), [](int64_t steps) { return steps != 0; }))
    return refuseExport(op, "has a refractory period, which NIR cannot say");
  if (op.getMaxSpikes() != 1)
    return refuseExport(op, "may spike several times per step, which NIR cannot say");
  parameters.add("v_threshold", op.getThreshold());
  if (!isZero(op.getVReset())) // zero where it is absent
    parameters.add("v_reset", op.getVReset());
  return llvm::Error::success();
}

template <typename Op> void addLeak(Op op, const char *tau, Parameters &parameters) {
  parameters.addTime(tau, op.getTau());
  parameters.add("r", op.getR());
  parameters.add("v_leak", op.getVLeak());
}

template <typename Op> void addSynapse(Op op, Parameters &parameters) {
  addLeak(op, "tau_mem", parameters);
  parameters.addTime("tau_syn", op.getTauSyn());
  parameters.add("w_in", op.getWIn());
}

using NodeType = llvm::Expected<const char *>;

NodeType fill(snn::IfOp op, Parameters &parameters) {
  parameters.add("r", op.getR());
  SPINDLE_RETURN_IF_ERROR(addFiring(op, parameters));
  return "IF";
}

NodeType fill(snn::LifOp op, Parameters &parameters) {
  addLeak(op, "tau", parameters);
  SPINDLE_RETURN_IF_ERROR(addFiring(op, parameters));
  return "LIF";
}

NodeType fill(snn::CubaLifOp op, Parameters &parameters) {
  addSynapse(op, parameters);
  SPINDLE_RETURN_IF_ERROR(addFiring(op, parameters));
  return "CubaLIF";
}

NodeType fill(snn::IntegratorOp op, Parameters &parameters) {
  SPINDLE_RETURN_IF_ERROR(checkStart(op, op.getInitialMembrane()));
  if (op.getSustained())
    return refuseExport(op, "keeps currents on, which NIR cannot say");
  parameters.add("r", op.getR());
  return "I";
}

NodeType fill(snn::LiOp op, Parameters &parameters) {
  SPINDLE_RETURN_IF_ERROR(checkStart(op, op.getInitialMembrane()));
  addLeak(op, "tau", parameters);
  return "LI";
}

NodeType fill(snn::CubaLiOp op, Parameters &parameters) {
  SPINDLE_RETURN_IF_ERROR(checkStart(op, op.getInitialMembrane()));
  addSynapse(op, parameters);
  return "CubaLI";
}

} // namespace

llvm::Expected<NirNode> populationNode(Operation *op, double dtMs) {
  Parameters parameters(op, dtMs);
  NodeType type =
      llvm::TypeSwitch<Operation *, NodeType>(op)
          .Case<snn::IfOp, snn::LifOp, snn::CubaLifOp, snn::IntegratorOp, snn::LiOp, snn::CubaLiOp>(
              [&](auto population) { return fill(population, parameters); })
          .Default([](Operation *other) -> NodeType {
            return refuseExport(other, "has no counterpart in NIR");
          });
  if (!type)
    return type.takeError();
  return NirNode{"", *type, std::move(parameters.arrays), {}, {}, {}};
}

} // namespace spindle
