// A flit as the bits on a link.
#pragma once

#include "sim/model/router/Packet.h"

namespace spindle::pins {

/// From the top: head, tail, 4 bits of virtual channel, 26 of target tile, 32 of packet number.
using FlitWord = uint64_t;

struct FlitFields {
  bool head, tail;
  uint32_t channel;
  TileId target;
  PacketId packet;
};

inline FlitWord pack(const FlitFields &flit) {
  return uint64_t(flit.head) << 63 | uint64_t(flit.tail) << 62 | uint64_t(flit.channel) << 58 |
         uint64_t(flit.target) << 32 | flit.packet;
}

inline FlitFields unpack(FlitWord word) {
  return {bool(word >> 63), bool(word >> 62 & 1), static_cast<uint32_t>(word >> 58 & 15),
          static_cast<TileId>(word >> 32 & ((1u << 26) - 1)), static_cast<PacketId>(word)};
}

inline FlitWord withChannel(FlitWord word, uint32_t channel) {
  return (word & ~(uint64_t(15) << 58)) | uint64_t(channel) << 58;
}

} // namespace spindle::pins
