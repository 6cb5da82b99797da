#include "hw/hls/loops/unroll/UnrolledSize.h"

#include "fmt/format.h"

using namespace mlir;
using namespace mlir::affine;

namespace spindle::hls {

LogicalResult checkUnrolledSize(AffineForOp loop, uint64_t copies) {
  uint64_t operations = 0;
  loop.getBody()->walk([&](Operation *) { ++operations; });
  if (copies <= kMostUnrolled / operations)
    return success();
  return loop.emitError(
      fmt::format("cannot be unrolled {} times: so many copies of its {} operations are more than "
                  "the {} that a body may have; unroll it or the loops in it by less",
                  copies, operations, kMostUnrolled));
}

} // namespace spindle::hls
