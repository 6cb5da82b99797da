// Which input of a router sends to which output in a cycle.
#pragma once

#include "core/chip/Chip.h"
#include "core/chip/routing/Ports.h"
#include "sim/model/router/Arbiter.h"

#include <array>

namespace spindle {

/// What the virtual channels of a router ask of its switch in one cycle. Of an input's channels
/// that ask for the same output one is put forward: firm requests before speculative ones, then in
/// turn.
struct SwitchRequests {
  /// Outputs asked for by each input, and the channel put forward.
  std::array<uint8_t, kPorts> firm{}, speculative{};
  std::array<std::array<uint8_t, kPorts>, kPorts> channel;
  /// Outputs that want a copy of the same flit of that channel.
  std::array<std::array<uint8_t, kPorts>, kPorts> copies;
  uint8_t inputs = 0; // with requests

  /// `turn` is the channel of `input` that comes first now.
  void add(uint32_t input, uint32_t wanted, uint32_t output, bool isSpeculative, uint32_t turn,
           uint32_t channels) {
    uint8_t bit = static_cast<uint8_t>(1u << output);
    bool isFirm = firm[input] & bit;
    if (isFirm || speculative[input] & bit) {
      auto distance = [&](uint32_t c) { return c >= turn ? c - turn : c + channels - turn; };
      bool isFirst = isFirm == !isSpeculative ? distance(wanted) < distance(channel[input][output])
                                              : !isSpeculative;
      if (!isFirst)
        return;
    }
    channel[input][output] = static_cast<uint8_t>(wanted);
    copies[input][output] = bit;
    (isSpeculative ? speculative : firm)[input] |= bit;
    if (!isSpeculative)
      speculative[input] &= static_cast<uint8_t>(~bit);
    inputs |= static_cast<uint8_t>(1u << input);
  }
  /// The outputs want the same flit of this channel.
  void shareFlit(uint32_t input, uint8_t outputs) {
    for (uint32_t left = outputs; left != 0; left &= left - 1)
      copies[input][std::countr_zero(left)] = outputs;
  }
  /// The outputs that may be granted together with one that is put forward.
  uint8_t copiesOf(uint32_t input, uint32_t chosen) const {
    uint8_t outputs = copies[input][chosen];
    if (outputs == 1u << chosen)
      return outputs;
    outputs &= firm[input] | speculative[input];
    for (uint32_t left = outputs; left != 0; left &= left - 1)
      if (auto output = std::countr_zero(left); channel[input][output] != channel[input][chosen])
        outputs &= static_cast<uint8_t>(~(1u << output));
    return outputs;
  }
  void clear() {
    for (; inputs != 0; inputs &= static_cast<uint8_t>(inputs - 1)) {
      auto input = static_cast<uint32_t>(std::countr_zero(inputs));
      firm[input] = speculative[input] = 0;
    }
  }
};

/// The arbiters of one router's switch. Every output is granted to one input at most, and every
/// input one output, or several that take copies of the same flit.
class SwitchAllocator {
public:
  /// Calls granted(input, output) for each pair; somebody asks.
  template <typename Granted>
  void allocate(SwitchAllocation kind, const SwitchRequests &requests, Granted granted) {
    if ((requests.inputs & (requests.inputs - 1)) ==
        0) // one, without a call for a population count
      serveOnly(static_cast<uint32_t>(std::countr_zero(requests.inputs)), kind, requests, granted);
    else if (kind == SwitchAllocation::Islip)
      iterateOnce(requests, granted);
    else
      inputsFirst(requests, granted);
  }

  /// What `allocate` comes to where a single flit asks for one output.
  void serve(uint32_t input, uint32_t output) {
    inputArbiters[input].served(output, kPorts);
    outputArbiters[output].served(input, kPorts);
  }

private:
  /// What both kinds come to where one input has requests, as in most cycles.
  template <typename Granted>
  void serveOnly(uint32_t input, SwitchAllocation kind, const SwitchRequests &requests,
                 Granted granted) {
    uint8_t wanted = requests.firm[input];
    if (wanted == 0 || kind == SwitchAllocation::Islip)
      wanted |= requests.speculative[input];
    for (uint32_t left = requests.copiesOf(input, inputArbiters[input].choose(wanted)); left != 0;
         left &= left - 1)
      grant(input, static_cast<uint32_t>(std::countr_zero(left)), granted);
  }

  /// Every input asks for one output, then every output takes one input (Dally & Towles, Principles
  /// and Practices of Interconnection Networks, 2004, section 19.3). Firm requests come first in
  /// both choices.
  template <typename Granted> void inputsFirst(const SwitchRequests &requests, Granted granted) {
    std::array<uint8_t, kPorts> firm{}, speculative{};
    uint32_t outputs = 0;
    for (uint32_t left = requests.inputs; left != 0; left &= left - 1) {
      auto input = static_cast<uint32_t>(std::countr_zero(left));
      bool hasFirm = requests.firm[input] != 0;
      uint32_t chosen =
          inputArbiters[input].choose(hasFirm ? requests.firm[input] : requests.speculative[input]);
      for (uint32_t copies = requests.copiesOf(input, chosen); copies != 0; copies &= copies - 1) {
        auto output = static_cast<uint32_t>(std::countr_zero(copies));
        bool isFirm = requests.firm[input] >> output & 1;
        (isFirm ? firm : speculative)[output] |= static_cast<uint8_t>(1u << input);
        outputs |= 1u << output;
      }
    }
    for (; outputs != 0; outputs &= outputs - 1) {
      auto output = static_cast<uint32_t>(std::countr_zero(outputs));
      uint32_t input =
          outputArbiters[output].choose(firm[output] != 0 ? firm[output] : speculative[output]);
      grant(input, output, granted);
    }
  }

  /// iSLIP with one iteration (McKeown, IEEE/ACM Transactions on Networking 7(2), 1999): every
  /// output offers itself to one input, then every input takes one output.
  template <typename Granted> void iterateOnce(const SwitchRequests &requests, Granted granted) {
    std::array<uint8_t, kPorts> asking{}, offered{};
    uint32_t outputs = 0, inputs = 0;
    for (uint32_t left = requests.inputs; left != 0; left &= left - 1) {
      auto input = static_cast<uint32_t>(std::countr_zero(left));
      uint32_t wanted = requests.firm[input] | requests.speculative[input];
      outputs |= wanted;
      for (; wanted != 0; wanted &= wanted - 1)
        asking[std::countr_zero(wanted)] |= static_cast<uint8_t>(1u << input);
    }
    for (; outputs != 0; outputs &= outputs - 1) {
      auto output = static_cast<uint32_t>(std::countr_zero(outputs));
      uint32_t input = outputArbiters[output].choose(asking[output]);
      offered[input] |= static_cast<uint8_t>(1u << output);
      inputs |= 1u << input;
    }
    for (; inputs != 0; inputs &= inputs - 1) {
      auto input = static_cast<uint32_t>(std::countr_zero(inputs));
      uint32_t chosen = inputArbiters[input].choose(offered[input]);
      for (uint32_t taken = requests.copiesOf(input, chosen) & offered[input]; taken != 0;
           taken &= taken - 1)
        grant(input, static_cast<uint32_t>(std::countr_zero(taken)), granted);
    }
  }

  template <typename Granted> void grant(uint32_t input, uint32_t output, Granted granted) {
    serve(input, output);
    granted(input, output);
  }

  std::array<Arbiter, kPorts> inputArbiters, outputArbiters;
};

} // namespace spindle
