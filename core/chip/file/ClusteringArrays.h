// Units, clusters and links of a clustering as arrays (docs/formats/clusters.md).
#pragma once

#include "core/chip/Clustering.h"
#include "core/chip/file/ArraysBeside.h"

namespace spindle {

llvm::Error writeClusteringArrays(const std::string &path, const Clustering &clustering);
/// The lists of a clustering whose other members are known; what they say together is checked by
/// `verify`.
llvm::Error readClusteringArrays(const ArraysReader &file, Clustering &clustering);

} // namespace spindle
