#include "lib/emulation/ranks/Serve.h"

#include "lib/emulation/ranks/DivideNeurons.h"
#include "lib/emulation/ranks/ShareMessages.h"

#include "fmt/format.h"

namespace spindle {

using ranks::Bytes;
using ranks::Job;
using ranks::JobKind;

static llvm::Expected<Share> work(Ranks &ranks, const Job &job, const Bytes &module) {
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  SPINDLE_ASSIGN(auto snn, ranks::unpackNetwork(module, context));
  bool isPart = job.kind == JobKind::Neurons;
  SPINDLE_ASSIGN(Network network,
                 readNetwork(*snn, isPart ? NetworkExtent::Part : NetworkExtent::Whole));
  return isPart ? emulatePart(ranks, network, job.samples, job.options, {})
                : emulateShare(network, job.samples, job.options, job.range, {});
}

llvm::Error serveEmulations(Ranks &ranks) {
  for (;;) {
    Job job = ranks::unpackJob(ranks.receive(0));
    if (job.kind == JobKind::Stop)
      return llvm::Error::success();
    Bytes module = ranks.receive(0), answer;
    try {
      answer = ranks::packAnswer(work(ranks, job, module));
    } catch (const std::bad_alloc &) {
      answer = ranks::packAnswer(inputError(
          "", fmt::format("out of memory on rank {}; emulate fewer samples or a smaller network",
                          ranks.rank())));
    }
    ranks.send(0, answer);
  }
}

void dismiss(Ranks &ranks) {
  for (size_t rank = 1; rank < ranks.size(); ++rank)
    ranks.send(rank, ranks::packJob({}));
}

} // namespace spindle
