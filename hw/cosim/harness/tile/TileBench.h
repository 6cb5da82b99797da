// Drives the circuit of a tile through its network interface: packets in given cycles, and what
// comes of them.
#pragma once

#include "hw/cosim/harness/Exchange.h"
#include "hw/cosim/harness/Pins.h"

namespace spindle::hls {

struct TilePins {
  Pin clock, reset, start, samples, idle;
  Pin inValid, inReady, inNeuron, stray, step, done;
  Pin tableWrite, tableEntry, tableData;
  Pin outValid, outReady, outNeuron, outTile, spike, spikeNeuron;
  Pin wordMoved, spikesMoved;
  std::function<void()> evaluate;
  std::function<void(uint64_t)> trace; // writes the moment to the waveform; none without one
};

/// What the streams of a run hold. Cycles count from the one in which the circuit is started.
struct TileStreams {
  enum In : size_t {
    Table,       // entries, in order
    Packets,     // their neurons …
    Arrivals,    // … the cycles in which they are there, ascending, …
    PacketSteps, // … and the step they are of: they are offered when the one before it is ended
    Steps,  // cycles in which a step is ended, or later: when its packets are taken, and the one
            // before it is through
    Settle, // one word: the cycles in which a packet may still come behind the last step
    InCount
  };
  enum Out : size_t {
    Begins,     // of each step, the cycle of `step`
    Ends,       // … and of `done`
    Spikes,     // neurons, …
    SpikeSteps, // … and the step they are of
    Sent,       // neurons of packets …
    SentTiles,  // … where they go …
    SentCycles, // … when …
    SentSteps,  // … and the step they are of
    Words,      // cycles in which a word went to the circuit
    Answers,    // … and one of spikes came back
    Taken,      // of each packet, the cycle in which it was taken
    OutCount
  };
};

/// One run: fills the table, starts the circuit for `scalars[0]` samples, then sends packets and
/// ends steps. Every packet is offered from its cycle on, one after the other; every packet of the
/// circuit is taken at once, but in `stallPercent` of the cycles. A step that does not end within
/// `mostCycles` is a violation, and so is a packet of a neuron that does not drive the layer.
Response runBench(const TilePins &pins, const Stimulus &stimulus);

} // namespace spindle::hls
