#include "hw/cosim/harness/axi/BeatEnd.h"

namespace spindle::hls {

BeatEnd::BeatEnd(const BeatPins &beatPins, Chance &common)
    : pins(beatPins), chance(common), held(pins.name + "_out") {}

void BeatEnd::load(const Words &all) {
  tokens = pins.isInput ? all : Words();
  cycles.clear();
}

void BeatEnd::reset() {
  load({});
  isValid = false;
  held.reset();
  (pins.isInput ? pins.valid : pins.ready).set(0);
}

void BeatEnd::drive() {
  if (!pins.isInput)
    return pins.ready.set(chance.goes());
  size_t next = cycles.size();
  if (!isValid && next < tokens.size() && chance.goes()) {
    isValid = true;
    shown = tokens[next] & pins.mask;
    for (unsigned byte = 0; byte < pins.bytes; ++byte) // nobody may look there
      if (!(bytesOf(next) >> byte & 1))
        shown |= (chance.next() & 255) << 8 * byte;
  }
  pins.valid.set(isValid);
  pins.data.set(isValid ? shown : chance.next() & beatMask());
  if (pins.last.data)
    pins.last.set(isValid ? isLast(next) : chance.next() & 1);
  if (pins.keep.data)
    pins.keep.set(isValid ? bytesOf(next) : chance.next() & ((1u << pins.bytes) - 1));
}

void BeatEnd::see(uint64_t now, const Complain &complain) {
  if (pins.isInput) {
    if (isValid && pins.ready.get()) {
      cycles.push_back(now);
      isValid = false;
    }
    return;
  }
  bool valid = pins.valid.get(), ready = pins.ready.get();
  uint64_t data = pins.data.get(), last = pins.last.data ? pins.last.get() : 0;
  uint64_t keep = pins.keep.data ? pins.keep.get() : 0;
  held.see(valid, ready, {data, last, keep}, complain);
  if (!valid || !ready)
    return;
  std::string beat = pins.name + "_out, beat " + std::to_string(tokens.size()) + ": ";
  if (pins.last.data && last != isLast(tokens.size()))
    complain(beat + "tlast is " + std::to_string(last) + " in packets of " +
             std::to_string(pins.packet) + " beats");
  if (pins.keep.data && keep != bytesOf(tokens.size()))
    complain(beat + "tkeep is " + std::to_string(keep) + ", expected " +
             std::to_string(bytesOf(tokens.size())));
  if (data & ~pins.mask)
    complain(beat + "tdata has bits above those of a token");
  tokens.push_back(data);
  cycles.push_back(now);
}

void BeatEnd::finish(const Complain &complain) const {
  if (!pins.isInput && pins.valid.get())
    complain(pins.name + "_out has a token left when the run is done");
  if (!pins.isInput && pins.packet > 0 && tokens.size() % pins.packet != 0)
    complain("is done within a packet; " + progress());
}

std::string BeatEnd::progress() const {
  return pins.name + ": " + std::to_string(cycles.size()) + " tokens " +
         (pins.isInput ? "of " + std::to_string(tokens.size()) + " went in" : "came out");
}

} // namespace spindle::hls
