#include "hw/cosim/harness/plain/StreamEnd.h"

namespace spindle::hls {

void StreamEnd::load(const Words &all) {
  tokens = all;
  cycles.clear();
  next = 0;
  isShown = false;
  pending.reset();
}

void StreamEnd::drive(bool stalls) {
  if (!pins.isInput)
    return pins.ready.set(!stalls);
  isShown = next < tokens.size() && (isShown || !stalls);
  pins.valid.set(isShown);
  pins.data.set(isShown ? tokens[next] : pins.mask & 0x5a5a5a5a5a5a5a5a);
}

std::optional<std::string> StreamEnd::sample(uint64_t now) {
  if (pins.isInput) {
    bool isTaken = isShown && pins.ready.get();
    next += isTaken;
    if (isTaken)
      cycles.push_back(now);
    isShown = isShown && !isTaken;
    return std::nullopt;
  }
  bool isValid = pins.valid.get();
  uint64_t token = pins.data.get();
  if (pending && (!isValid || token != *pending))
    return pins.name + ": token " + std::to_string(tokens.size()) + " changes before it is taken";
  pending.reset();
  if (isValid && pins.ready.get()) {
    tokens.push_back(token);
    cycles.push_back(now);
  } else if (isValid) {
    pending = token;
  }
  return std::nullopt;
}

} // namespace spindle::hls
