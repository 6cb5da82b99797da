// A stream of a kernel while it runs.
#pragma once

#include "dialects/hls/Hls.h"

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
    fifo->getParentOfType<KernelOp>().walk([&](PopOp pop) { isInput |= fifoOf(pop) == fifo; });
  }

  /// The tokens that come in through the port; as many as fit are there already.
  void supply(std::vector<uint64_t> tokens) {
    waiting.assign(tokens.begin(), tokens.end());
    while (words.size() < depth && !waiting.empty())
      receive();
  }
  /// Those that have gone out through the port, with those on their way.
  std::vector<uint64_t> delivered() const {
    std::vector<uint64_t> all = gone;
    all.insert(all.end(), words.begin(), words.end());
    return all;
  }

  /// Whether the kernel takes tokens off it.
  bool isRead() const { return isInput; }
  bool hasToken() const { return !words.empty(); }
  bool hasRoom() const { return words.size() < depth; }
  uint64_t head() const { return words.front(); }
  void pop() { isTaken = true; }
  void push(uint64_t token) { coming.push_back(token); }

  void commit() {
    bool comes = isPort && isInput && hasRoom() && !waiting.empty();
    if (isPort && !isInput && hasToken()) {
      gone.push_back(head());
      isTaken = true;
    }
    if (isTaken)
      words.pop_front();
    isTaken = false;
    words.insert(words.end(), coming.begin(), coming.end());
    coming.clear();
    if (comes)
      receive();
  }

  std::string name;

private:
  void receive() {
    words.push_back(waiting.front());
    waiting.pop_front();
  }

  size_t depth;
  bool isPort, isInput = false, isTaken = false;
  std::deque<uint64_t> words, waiting;
  std::vector<uint64_t> coming, gone;
};

} // namespace spindle::hls
