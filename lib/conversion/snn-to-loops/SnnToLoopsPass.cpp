#include "lib/conversion/ReplaceModule.h"
#include "lib/conversion/snn-to-loops/Passes.h"
#include "lib/conversion/snn-to-loops/SnnToLoops.h"

using namespace mlir;

namespace spindle::snn_to_loops {

#define GEN_PASS_DEF_SNNTOLOOPS
#include "lib/conversion/snn-to-loops/Passes.h.inc"

namespace {

struct SnnToLoopsPass : impl::SnnToLoopsBase<SnnToLoopsPass> {
  using SnnToLoopsBase::SnnToLoopsBase;

  llvm::Expected<LoopProgram> convert() {
    CircuitOptions options;
    options.steps = steps;
    options.others.lanes = others;
    if (style != "clock" && style != "event")
      return inputError("", "found style '" + style + "', expected clock or event");
    if (style == "event")
      options.others.style = LayerStyle::Event;
    if (!system.empty() && system != "dataflow" && system != "centralised")
      return inputError("", "found system '" + system + "', expected dataflow or centralised");
    if (!system.empty())
      options.system =
          system == "dataflow" ? hls::SystemKind::Dataflow : hls::SystemKind::Centralised;
    options.recordsSpikes = record;
    options.takesWeights = arguments;
    for (const std::string &layer : layers)
      SPINDLE_RETURN_IF_ERROR(readLayerOption(layer, options));
    return snnToLoops(getOperation(), options);
  }

  void runOnOperation() override {
    if (failed(replaceModule(getOperation(), convert())))
      signalPassFailure();
  }
};

} // namespace

} // namespace spindle::snn_to_loops
