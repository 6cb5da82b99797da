// A perfect nest written anew in another order of its iterations.
#pragma once

#include "hw/hls/loops/analysis/NestOrder.h"

namespace spindle::hls {

/// Builds, before the nest, one that does the same iterations in the order of the new loops; bounds
/// are recomputed, so that triangles stay without guards; a loop that has only moved keeps its
/// attributes. The nest itself stays for the caller to
/// erase. Null where bounds are not affine without divisions or values are carried in iter_args.
/// Legality is asked of NestOrder.
mlir::affine::AffineForOp rebuildNest(mlir::affine::AffineForOp outermost,
                                      const LoopMatrix &matrix);

} // namespace spindle::hls
