// Where an argument lies in the memory behind the channels.
#pragma once

#include "hw/cosim/harness/axi/ArrayModel.h"
#include "hw/cosim/harness/axi/TokenModel.h"

#include <memory>

namespace spindle::hls {

/// The elements of one argument, one after the other from a multiple of a word on.
struct Region {
  std::string name;    // arg<i>
  uint64_t number = 0; // tells the addresses of regions apart
  unsigned bytes = 1;  // of an element
  uint64_t mask = ~uint64_t(0);
  uint64_t base = 0;
  std::vector<uint8_t> contents;
  Words reads, writes; // per element, the cycle of the last one; kNever
  bool isKept = false; // the kernel has it, and asks for nothing

  uint64_t elements() const { return reads.size(); }
  /// Somewhere near a border of 4 KiB, which no burst may cross.
  void load(const Words &values, Chance &chance);
  Words values() const;
  /// Elements whose cycle is there.
  static uint64_t count(const Words &cycles);
  std::string progress() const;
};

std::unique_ptr<ArrayModel> makeSharedArray(Region &region, Chance &chance);
std::unique_ptr<TokenModel> makeSharedTokens(Region &region, bool isInput, Chance &chance);

} // namespace spindle::hls
