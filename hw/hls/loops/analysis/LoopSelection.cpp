#include "hw/hls/loops/analysis/LoopSelection.h"

#include "dialects/hls/OpenLoops.h"

#include <map>

using namespace mlir;
using mlir::affine::AffineForOp;

namespace spindle::hls {

namespace {

unsigned depthOf(AffineForOp loop) {
  unsigned depth = 0;
  for (auto outer = loop->getParentOfType<AffineForOp>(); outer;
       outer = outer->getParentOfType<AffineForOp>())
    ++depth;
  return depth;
}

bool readFactor(StringRef text, uint64_t &factor) {
  if (text == "full") {
    factor = 0;
    return true;
  }
  return !text.getAsInteger(10, factor) && factor > 0;
}
} // namespace

FailureOr<SmallVector<SelectedLoop>> selectLoops(func::FuncOp function, StringRef attribute,
                                                 ArrayRef<std::string> byDepth) {
  std::map<unsigned, uint64_t> factors;
  for (const std::string &entry : byDepth) {
    auto [depthText, factorText] = StringRef(entry).split(':');
    unsigned depth;
    uint64_t factor;
    if (depthText.getAsInteger(10, depth) || !readFactor(factorText, factor))
      return function.emitError("cannot read '")
             << entry << "', expected depth:factor such as 2:4 or 0:full";
    factors[depth] = factor;
  }
  SmallVector<SelectedLoop> selected;
  function.walk([&](Operation *op) {
    Attribute mark = op->removeAttr(attribute);
    auto loop = dyn_cast<AffineForOp>(op);
    if (!loop || holdsOpenLoop(loop)) {
      if (mark)
        op->emitWarning() << "'" << attribute
                          << "' is ignored: it is for loops that data end neither themselves nor "
                             "inside";
      return;
    }
    if (!mark) {
      auto found = factors.find(depthOf(loop));
      if (found != factors.end())
        selected.push_back({loop, found->second});
      return;
    }
    selected.push_back({loop, uint64_t(cast<IntegerAttr>(mark).getInt())}); // verified
  });
  return selected;
}

} // namespace spindle::hls
