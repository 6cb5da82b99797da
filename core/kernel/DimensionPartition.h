// Arrays in several banks, each with ports of its own.
#pragma once

#include <array>
#include <cstdint>

namespace spindle::hls {

/// Where an element of an array lies.
struct BankAddress {
  uint32_t bank = 0;
  uint64_t address = 0; // word within the bank
  bool operator==(const BankAddress &) const = default;
};

/// How one dimension of an array is spread over banks: not at all; in blocks of ceil(extent /
/// factor) neighbours; element i in bank i mod factor; every element for itself. Banks are numbered
/// row-major over the dimensions, and so are the words of a bank.
struct DimensionPartition {
  enum class Kind { None, Block, Cyclic, Complete };
  Kind kind = Kind::None;
  int64_t factor = 1; // banks of this dimension: 1 for none, the extent for complete

  /// Words of one bank along a dimension of `extent` elements.
  int64_t words(int64_t extent) const { return (extent + factor - 1) / factor; }
  /// Of element `index` along it.
  BankAddress placeOf(int64_t extent, int64_t index) const;

  bool operator==(const DimensionPartition &) const = default;
};

/// In the order of DimensionPartition::Kind.
inline constexpr std::array kPartitionNames = {"none", "block", "cyclic", "complete"};

/// Whether files and attributes tell the factor: for none and complete it follows.
constexpr bool hasFactor(DimensionPartition::Kind kind) {
  return kind == DimensionPartition::Kind::Block || kind == DimensionPartition::Kind::Cyclic;
}

} // namespace spindle::hls
