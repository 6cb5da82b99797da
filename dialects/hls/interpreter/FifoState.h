// A stream of a kernel while it runs.
#pragma once

#include "dialects/hls/interpreter/Interpreter.h"

#include <algorithm>
#include <deque>
#include <vector>

namespace spindle::hls {

/// Tokens of this cycle come and go at its end. A port takes and gives a token in every cycle, as
/// long as there is one and there is room.
class FifoState {
public:
  explicit FifoState(FifoOp fifo)
      : name(fifo.getSymName().str()), depth(static_cast<size_t>(fifo.getDepth())),
        isPort(fifo.getArgument().has_value()) {
    held.depth = depth;
    fifo->getParentOfType<KernelOp>().walk([&](PopOp pop) { isInput |= fifoOf(pop) == fifo; });
  }

  /// The tokens that come in through the port, each not before its cycle; where no cycles are
  /// given, as many as fit are there already.
  void supply(std::vector<uint64_t> tokens, std::vector<uint64_t> fromCycles = {}) {
    waiting.assign(tokens.begin(), tokens.end());
    from.assign(fromCycles.begin(), fromCycles.end());
    while (words.size() < depth && comesBy(0))
      receive(0);
  }
  /// The cycle from which on the next token is there; 0 where it is there, or none is left.
  uint64_t nextCycle() const { return waiting.empty() || from.empty() ? 0 : from.front(); }
  /// Those that have gone out through the port.
  const std::vector<uint64_t> &delivered() const { return gone; }
  /// When tokens came in or went out through it.
  const std::vector<uint64_t> &moments() const { return cycles; }
  bool isDelivering() const { return isPort && !isInput && hasToken(); }
  const FifoUse &use() const { return held; }

  /// Whether the kernel takes tokens off it.
  bool isRead() const { return isInput; }
  bool hasToken() const { return !words.empty(); }
  bool hasRoom() const { return words.size() < depth; }
  uint64_t head() const { return words.front(); }
  void pop() { isTaken = true; }
  void push(uint64_t token) { coming.push_back(token); }

  void commit(uint64_t cycle) {
    bool comes = isPort && isInput && hasRoom() && comesBy(cycle);
    if (isPort && !isInput && hasToken()) {
      gone.push_back(head());
      cycles.push_back(cycle);
      isTaken = true;
    }
    if (isTaken)
      words.pop_front();
    isTaken = false;
    words.insert(words.end(), coming.begin(), coming.end());
    coming.clear();
    if (comes)
      receive(cycle);
    held.most = std::max<uint64_t>(held.most, words.size());
    held.sum += words.size();
  }

  std::string name;

private:
  bool comesBy(uint64_t cycle) const {
    return !waiting.empty() && (from.empty() || from.front() <= cycle);
  }
  void receive(uint64_t cycle) {
    cycles.push_back(cycle);
    words.push_back(waiting.front());
    waiting.pop_front();
    if (!from.empty())
      from.pop_front();
  }

  size_t depth;
  bool isPort, isInput = false, isTaken = false;
  std::deque<uint64_t> words, waiting, from;
  std::vector<uint64_t> coming, gone, cycles;
  FifoUse held;
};

} // namespace spindle::hls
