// What happens to samples between the file and the network.
#pragma once

#include "core/network/Samples.h"
#include "lib/dataset/DatasetOptions.h"

namespace spindle {

/// The error of samples of this shape that cannot be prepared so.
llvm::Error checkPreparation(const DatasetOptions &options, const std::vector<int64_t> &shape);

/// Resizes, scales, normalises and pads, in this order; steps that change nothing are left out.
llvm::Error prepare(const DatasetOptions &options, Samples &samples);

/// A value that is no number would pass through the whole network without a trace. `first` is the
/// number of the first one of these samples.
llvm::Error checkFinite(const std::string &place, const Samples &samples, size_t first = 0);

/// Bilinear interpolation with half-pixel centres, edges repeated, not rounded: destination pixel d
/// takes the source at (d + 1/2) · in/out − 1/2, as interpolate of torch with align_corners=False.
void resizeBilinear(Samples &samples, int64_t rows, int64_t columns);

/// (x · scale − mean) / std in this order, each step rounded to float; mean and std per channel.
void normalize(Samples &samples, float scale, const std::vector<double> &mean,
               const std::vector<double> &std);

/// Rows, columns, channels as channels, rows, columns; `shape` has three extents.
void putChannelsFirst(Samples &samples);

/// `pad` zeros on each side of every channel.
void padZeros(Samples &samples, int64_t pad);

} // namespace spindle
