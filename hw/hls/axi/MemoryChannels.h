// The memory interface of a kernel: arrays and streams that share AXI4 masters.
//
// Three levels: a reader or a writer for each argument, which makes words and bursts of its
// elements; an arbiter for each channel, which grants them bursts in turn; the channels, among
// which the arguments are divided. A reader asks for a burst when it has room for it, a writer when
// it holds it: so nothing that is under way in a channel waits for a kernel, and none of them for
// another one (docs/rationale/axi.md).
#pragma once

#include "hw/hls/axi/AxiExterns.h"
#include "hw/hls/axi/AxiWrapper.h"
#include "hw/hls/lower/rtl/Wires.h"

#include "llvm/Support/MathExtras.h"

namespace spindle::hls {

inline constexpr unsigned kChannelBits = 64; // of a word

/// Bits of a number of elements.
inline unsigned bitsToCount(uint64_t elements) { return llvm::Log2_64(elements) + 1; }

/// Whether an argument is in memory behind channels.
bool isInChannels(const KernelArgument &argument, const AxiOptions &options);

class MemoryChannels {
public:
  /// `clear` is a pulse before each run. The channels are those of `axiChannels`.
  MemoryChannels(Wires &wires, AxiExterns &externs, rtl::CircuitModuleOp module,
                 std::vector<AxiChannel> channels, const AxiOptions &options, mlir::Value clear);

  /// The signals of all channels, with their names before them.
  static std::vector<BusSignal> signals(const std::vector<AxiChannel> &channels);

  /// What is moved: an argument's elements, from or to `base`; `start` is a pulse.
  struct Move {
    std::string name; // arg<i>
    unsigned bits;    // of an element on the way: whole bytes
    mlir::Value base; // 64 bits
    mlir::Value count;
    mlir::Value start;
  };
  struct Source {
    mlir::Value valid, data, busy;
  };
  Source read(const Move &move, mlir::Value ready);
  struct Sink {
    mlir::Value ready, busy;
  };
  Sink write(const Move &move, mlir::Value valid, mlir::Value data);

  /// After all moves: joins those of each channel.
  void build();

  /// In this run a bus answered with an error.
  mlir::Value error() const { return failed; }
  const AxiExterns::Values &outputs() const { return driven; }

private:
  /// What a reader or a writer has to do with its channel.
  struct Client {
    mlir::Value asks, address, length, word, strobes;
    rtl::WireOp granted, moves, answered; // moves: a word comes, or is taken
  };
  struct Half {
    std::vector<Client> clients;
    rtl::WireOp word; // that comes
  };
  AxiExterns::Values addMover(const Move &move, const char *module, const Client &client,
                              const AxiExterns::Ports &more, AxiExterns::Values inputs,
                              int64_t room);
  void addHalf(Half &half, const std::string &name, const char *module,
               const std::vector<BusSignal> &bus, const char *parameter);
  mlir::Type bits(unsigned width) { return wires.builder.getIntegerType(width); }
  size_t channelOf(const std::string &argument) const;

  Wires &wires;
  AxiExterns &externs;
  rtl::CircuitModuleOp module;
  std::vector<AxiChannel> channels;
  const AxiOptions &options;
  mlir::Value clear, failed;
  std::vector<Half> reads, writes; // by channel
  AxiExterns::Values driven;
};

} // namespace spindle::hls
