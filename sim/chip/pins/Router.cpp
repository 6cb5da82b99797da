#include "sim/chip/pins/Router.h"

#include <algorithm>

namespace spindle::pins {

Router::Router(sc_core::sc_module_name name, TileId at, const spindle::Router &router,
               const RoutingFunction &function)
    : sc_module(name), tile(at), timing(router), route(function), allocation(router.allocator),
      channels(router.virtualChannels), capacity(router.bufferFlits), inputs(kPorts * channels),
      outputs(kPorts * channels, {capacity, true, 0, {}}), routing{timing.stages.routing},
      channelStage{timing.stages.channelAllocation}, switchStage{timing.stages.switchAllocation},
      traversal{timing.stages.switchTraversal}, askers(kPorts * channels) {
  SC_HAS_PROCESS(Router);
  SC_METHOD(tick);
  sensitive << clock.pos();
  dont_initialize();
}

bool Router::Stage::begins(uint64_t inCycle) {
  auto now = static_cast<int64_t>(inCycle);
  bool isBusy = now > start && now < start + cycles;
  if (!isBusy)
    start = now;
  return !isBusy;
}

/// The cycle in which what comes in `inCycle` is taken up.
uint64_t Router::Stage::join(uint64_t inCycle) {
  auto comes = static_cast<int64_t>(inCycle);
  if (comes > start)
    start = std::max(comes, start + static_cast<int64_t>(cycles));
  return static_cast<uint64_t>(start);
}

bool Router::isQuiet() const {
  for (const Input &input : inputs)
    if (!input.flits.empty())
      return false;
  for (const Output &output : outputs)
    if (output.credits != capacity)
      return false;
  for (uint32_t port = 0; port < kPorts; ++port)
    if (!flits[port].isEmpty() || !freed[port].isEmpty())
      return false;
  return true;
}

void Router::tick() {
  cycle = cycleNow();
  takeInputs();
  for (uint32_t input = 0; input < inputs.size(); ++input)
    if (!inputs[input].flits.empty())
      ask(input);
  allocateChannels();
  if (requests.inputs != 0)
    allocateSwitch();
  stalled = 0;
  drive();
}

void Router::takeInputs() {
  for (uint32_t port = 0; port < kPorts; ++port) {
    if (in[port].valid.read()) {
      FlitWord flit = in[port].flit.read();
      inputs[number(port, unpack(flit).channel)].flits.push_back({flit, cycle});
    }
    if (out[port].credit.read())
      ++outputs[number(port, out[port].creditChannel.read())].credits;
  }
}

/// What the packet at the front of a buffer needs next.
void Router::ask(uint32_t number) {
  Input &input = inputs[number];
  if (input.state == Input::kIdle && input.readyCycle <= cycle) {
    input.routes =
        route(tile, unpack(input.flits.front().flit).target, number / channels, number % channels);
    input.state = Input::kWaiting;
    if (routing.cycles > 0)
      input.readyCycle = routing.join(cycle) + routing.cycles;
  }
  if (input.readyCycle > cycle)
    return;
  if (input.state == Input::kWaiting)
    askForChannel(number);
  else if (switchStage.begins(cycle) && linkFreeCycle[input.output] <= cycle &&
           outputs[this->number(input.output, input.ahead)].credits > 0)
    request(number, input.output, /*isSpeculative=*/false);
}

void Router::request(uint32_t input, uint32_t output, bool isSpeculative) {
  uint32_t port = input / channels;
  requests.add(port, input % channels, output, isSpeculative, turns[port], channels);
}

/// Of the free channels with the highest priority one is asked for, in turn.
void Router::askForChannel(uint32_t input) {
  if (!channelStage.begins(cycle))
    return;
  uint64_t wanted = 0;
  uint32_t priority = 0;
  for (const RouteOption &option : inputs[input].routes) {
    uint64_t free = 0;
    bool hasCredit = false;
    for (uint32_t channel = option.first; channel <= option.last; ++channel) {
      const Output &output = outputs[number(option.port, channel)];
      if (!output.isFree || output.freeCycle > cycle)
        continue;
      free |= uint64_t(1) << number(option.port, channel);
      hasCredit |= output.credits > 0;
    }
    if (timing.stages.speculative) {
      if (hasCredit && linkFreeCycle[option.port] <= cycle)
        request(input, option.port, /*isSpeculative=*/true);
      else
        stalled |= uint64_t(1) << input;
    }
    if (free == 0 || (wanted != 0 && option.priority < priority))
      continue;
    wanted = option.priority > priority ? free : wanted | free;
    priority = option.priority;
  }
  if (wanted != 0)
    askers[inputs[input].choice.choose(wanted)] |= uint64_t(1) << input;
}

void Router::allocateChannels() {
  const uint32_t places = kPorts * channels;
  for (uint32_t output = 0; output < places; ++output) {
    if (askers[output] == 0)
      continue;
    uint32_t winner = outputs[output].admission.pick(askers[output], places);
    askers[output] = 0;
    Input &input = inputs[winner];
    input.choice.served(output, places);
    input.state = Input::kActive;
    input.output = output / channels;
    input.ahead = output % channels;
    input.readyCycle = cycle + channelStage.cycles;
    outputs[output].isFree = false;
  }
}

/// A speculative request counts where its channel was allocated, too, and has a place.
void Router::allocateSwitch() {
  allocator.allocate(allocation, requests, [&](uint32_t port, uint32_t output) {
    uint32_t channel = requests.channel[port][output];
    uint32_t winner = number(port, channel);
    if (stalled >> winner & 1)
      return;
    turns[port] = (channel + 1) % channels;
    const Input &input = inputs[winner];
    if (requests.speculative[port] >> output & 1)
      if (input.state != Input::kActive || input.output != output ||
          outputs[number(output, input.ahead)].credits == 0)
        return;
    forward(winner);
  });
  requests.clear();
}

/// The flit at the front of a buffer passes the switch; its place goes back as a credit.
void Router::forward(uint32_t number) {
  Input &input = inputs[number];
  uint32_t port = number / channels;
  auto [flit, came] = input.flits.front();
  use.flitCycles += cycle - came;
  use.leastCycles += unpack(flit).head ? timing.allocation() : 0;
  input.flits.pop_front();
  freed[port].put(static_cast<uint8_t>(number % channels),
                  cycle + (port == kLocal ? timing.recredit : timing.link.credit));
  Output &output = outputs[this->number(input.output, input.ahead)];
  --output.credits;
  flits[input.output].put(withChannel(flit, input.ahead), arrivalCycle(input.output));
  ++sentFlits[input.output];
  linkFreeCycle[input.output] = cycle + timing.interval;
  movedCycle = cycle;
  input.readyCycle = cycle + switchStage.cycles;
  if (!unpack(flit).tail)
    return;
  input.state = Input::kIdle;
  output.isFree = true;
  output.freeCycle = cycle + switchStage.cycles;
}

/// When a flit that is granted the switch now is behind the link of `output`.
uint64_t Router::arrivalCycle(uint32_t output) {
  uint64_t usual = cycle + (output == kLocal ? timing.eject : timing.link.forward);
  if (traversal.cycles <= 1)
    return usual;
  uint64_t enters = cycle + switchStage.cycles;
  uint64_t leaves = traversal.join(enters) + traversal.cycles - 1;
  sentCycle[output] = std::max(leaves, sentCycle[output] + timing.interval);
  return usual + (sentCycle[output] - (enters + traversal.cycles - 1));
}

void Router::drive() {
  for (uint32_t port = 0; port < kPorts; ++port) {
    flits[port].drive(cycle, out[port].valid, out[port].flit);
    freed[port].drive(cycle, in[port].credit, in[port].creditChannel);
  }
}

} // namespace spindle::pins
