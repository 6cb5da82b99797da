// The wires from one module to the next, and the registers that drive them.
#pragma once

#include "sim/chip/Cycles.h"
#include "sim/chip/pins/FlitWord.h"

#include <deque>

namespace spindle::pins {

/// A flit goes one way, a credit for a place in a buffer the other way. All are read one cycle
/// after they are driven.
struct Link {
  sc_core::sc_signal<bool> valid;
  sc_core::sc_signal<FlitWord> flit;
  sc_core::sc_signal<bool> credit;
  sc_core::sc_signal<uint8_t> creditChannel;
};

/// The sending end of a link.
struct OutputPins {
  sc_core::sc_out<bool> valid;
  sc_core::sc_out<FlitWord> flit;
  sc_core::sc_in<bool> credit;
  sc_core::sc_in<uint8_t> creditChannel;

  void bind(Link &link) {
    valid(link.valid);
    flit(link.flit);
    credit(link.credit);
    creditChannel(link.creditChannel);
  }
};

/// The receiving end.
struct InputPins {
  sc_core::sc_in<bool> valid;
  sc_core::sc_in<FlitWord> flit;
  sc_core::sc_out<bool> credit;
  sc_core::sc_out<uint8_t> creditChannel;

  void bind(Link &link) {
    valid(link.valid);
    flit(link.flit);
    credit(link.credit);
    creditChannel(link.creditChannel);
  }
};

/// A chain of registers before a pair of wires, valid and value: what is put in to be read in a
/// cycle is driven in the one before. At most one value is read in each cycle, in order.
template <typename Value> class Registers {
public:
  void put(Value value, uint64_t readCycle) { chain.push_back({value, readCycle}); }
  /// Drives the wires in `cycle`.
  void drive(uint64_t cycle, sc_core::sc_out<bool> &valid, sc_core::sc_out<Value> &value) {
    bool isDue = !chain.empty() && chain.front().readCycle == cycle + 1;
    if (isDue) {
      value.write(chain.front().value);
      chain.pop_front();
    }
    if (isDue || isDriven)
      valid.write(isDue);
    isDriven = isDue;
  }
  /// Nothing is in the chain, nor on the wires.
  bool isEmpty() const { return chain.empty() && !isDriven; }

private:
  struct Register {
    Value value;
    uint64_t readCycle;
  };
  std::deque<Register> chain;
  bool isDriven = false;
};

} // namespace spindle::pins
