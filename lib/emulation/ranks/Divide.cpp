#include "lib/emulation/ranks/Divide.h"

#include "lib/emulation/network/FanOut.h"
#include "lib/emulation/ranks/DivideNeurons.h"
#include "lib/emulation/ranks/DivideSamples.h"
#include "lib/emulation/ranks/Serve.h"

#include "fmt/format.h"

namespace spindle {

static bool hasFeedback(const Network &network) {
  return llvm::any_of(network.ops,
                      [](const NetworkOp &each) { return mlir::isa<snn::FeedbackOp>(each.op); });
}

/// Neurons where that is asked for, or likely to help; a share with a refusal where it cannot be.
static llvm::Expected<Share> tryNeurons(Ranks *ranks, const Network &network,
                                        const Samples &samples, const EmulationOptions &options,
                                        const Progress &progress) {
  bool isAsked = options.divide == Division::Neurons;
  bool helps = options.divide == Division::Automatic && ranks && hasFeedback(network) &&
               samples.count() < ranks->size();
  Share none;
  none.refusal = "not asked for";
  if (ranks && ranks->size() > 1)
    return isAsked || helps ? divideNeurons(*ranks, network, samples, options, progress)
                            : llvm::Expected<Share>(std::move(none));
  if (!isAsked || options.threads == 1)
    return none;
  llvm::Expected<Share> share(std::move(none));
  runThreadRanks(
      static_cast<size_t>(options.threads),
      [&](Ranks &threads) {
        share = divideNeurons(threads, network, samples, options, progress);
        dismiss(threads);
      },
      [](Ranks &threads) { llvm::cantFail(serveEmulations(threads)); });
  return share;
}

llvm::Expected<Share> divideEmulation(Ranks *ranks, mlir::ModuleOp snn, const Network &network,
                                      const Samples &samples, const EmulationOptions &options,
                                      const Progress &progress) {
  bool isAlone = !ranks || ranks->size() == 1;
  SPINDLE_ASSIGN(Share share, tryNeurons(ranks, network, samples, options, progress));
  if (share.refusal.empty())
    return share;
  if (options.divide == Division::Neurons && !(isAlone && options.threads == 1))
    return inputError(
        "emulation",
        fmt::format("divide is 'neurons', but {}; expected auto or samples", share.refusal));
  size_t recorded = std::min<size_t>(samples.count(), static_cast<size_t>(options.recordSamples));
  if (isAlone) {
    SPINDLE_ASSIGN(
        share, emulateShare(network, samples, options, {0, samples.count(), recorded}, progress));
  } else {
    SPINDLE_ASSIGN(share, divideSamples(*ranks, snn, network, samples, options, progress));
  }
  FanOut fanOut = countSynapses(network);
  share.synapses = fanOut.total;
  for (size_t neuron = 0; neuron < fanOut.synapses.size(); ++neuron)
    share.synapticEvents += share.tally.counts[neuron] * fanOut.synapses[neuron];
  return share;
}

} // namespace spindle
