// The two kinds of neurons as code. Where the definition (Neuron.cpp) sorts events, the code
// searches the earliest head of all trains.
#include "lib/emulation/neuron-level/Neuron.h"
#include "lib/emulation/neuron-level/NeuronCode.h"
#include "lib/emulation/neuron-level/NeuronRuntime.h"

#include <cstddef>

using namespace mlir;

namespace spindle::neuron_level {

namespace {

class NeuronEmitter {
public:
  NeuronEmitter(OpBuilder &builder, func::FuncOp function, const NeuronForm &neuronForm)
      : c(builder, function), form(neuronForm) {}
  void emit();

private:
  using Code = NeuronCode::Code;
  void fire(Code time);
  void advance(Code end);
  Code cross(Code end, Code from);
  Code earliest();
  void addSpikesAt(Code time, Code lost);
  void continuous();
  void clocked();
  Code inputUpTo(Code end);

  NeuronCode c;
  const NeuronForm &form;
  Code trains, times, next, ends, weights, bias; // of the frame
  Code maxSpikes, decay, threshold, rest, reset, refractory, until, stepLength, rate, resistance;
  Code target;           // of the decay
  Code v, held, now, go; // variables
};

void NeuronEmitter::emit() {
  trains = c.member(offsetof(NeuronFrame, trains), c.i64);
  times = c.member(offsetof(NeuronFrame, times), c.pointer);
  next = c.member(offsetof(NeuronFrame, next), c.pointer);
  ends = c.member(offsetof(NeuronFrame, ends), c.pointer);
  weights = c.member(offsetof(NeuronFrame, weights), c.pointer);
  bias = c.member(offsetof(NeuronFrame, bias), c.f32);
  maxSpikes = c.member(offsetof(NeuronFrame, maxSpikes), c.i64);
  decay = c.member(offsetof(NeuronFrame, decay), c.f32);
  threshold = c.member(offsetof(NeuronFrame, threshold), c.f32);
  rest = c.member(offsetof(NeuronFrame, rest), c.f32);
  reset = c.member(offsetof(NeuronFrame, reset), c.f32);
  refractory = c.member(offsetof(NeuronFrame, refractory), c.f32);
  until = c.member(offsetof(NeuronFrame, until), c.f32);
  stepLength = c.member(offsetof(NeuronFrame, step), c.f32);
  rate = c.member(offsetof(NeuronFrame, rate), c.f32);
  resistance = c.member(offsetof(NeuronFrame, resistance), c.f32);
  v = c.variable(c.member(offsetof(NeuronFrame, initial), c.f32));
  held = c.variable(c.number(-1));
  now = c.variable(c.number(0));
  go = c.variable(c.truth(true));
  if (form.clocked)
    clocked();
  else
    continuous();
}

void NeuronEmitter::fire(Code time) {
  Code spikes = c.variable(c.integer(0));
  auto another = [&] {
    Code above = c.compare(Comparison::OGE, c.read(v), threshold);
    Code allowed = c.less(c.read(spikes, c.i64), maxSpikes);
    return c.both(c.both(above, allowed), c.read(go, c.i1));
  };
  c.loop(another, [&] {
    c.write(go, c.emit(time));
    c.write(v, form.resetBySubtraction ? c.subtract(c.read(v), threshold) : reset);
    c.write(spikes, c.next(c.read(spikes, c.i64)));
  });
  if (form.isRefractory)
    c.when(c.less(c.integer(0), c.read(spikes, c.i64)),
           [&] { c.write(held, c.add(time, refractory)); });
}

//===-- continuous time ---------------------------------------------------===//

/// From time `from` decays to `end`, or crosses the threshold before. True when it has decayed.
NeuronEmitter::Code NeuronEmitter::cross(Code end, Code from) {
  Code crossing = c.variable(c.number(kNever));
  if (form.leaks) {
    Code below = c.compare(Comparison::OLT, c.read(v), threshold);
    c.when(c.both(below, c.compare(Comparison::OGT, target, threshold)), [&] {
      Code ratio = c.divide(c.subtract(c.read(v), target), c.subtract(threshold, target));
      c.write(crossing, c.add(from, c.divide(c.logarithm(ratio), decay)));
    });
  }
  Code crosses = c.compare(Comparison::OLE, c.read(crossing), end);
  c.when(
      crosses,
      [&] {
        c.write(now, c.read(crossing));
        c.write(v, threshold);
        fire(c.read(crossing));
      },
      [&] {
        Code exponent = c.negate(c.multiply(decay, c.subtract(end, from)));
        Code distance = c.multiply(c.subtract(c.read(v), target), c.exponential(exponent));
        c.write(v, c.add(target, distance));
        c.write(now, end);
      });
  return c.opposite(crosses);
}

void NeuronEmitter::advance(Code end) {
  // Done when the end is reached, or when the membrane is held beyond it.
  Code done = c.variable(c.truth(false));
  auto more = [&] { return c.both(c.opposite(c.read(done, c.i1)), c.read(go, c.i1)); };
  c.loop(more, [&] {
    Code waits = c.compare(Comparison::OLT, c.read(now), c.read(held));
    c.when(
        c.both(waits, c.compare(Comparison::OLE, end, c.read(held))),
        [&] { c.write(done, c.truth(true)); },
        [&] { c.write(done, cross(end, c.select(waits, c.read(held), c.read(now)))); });
  });
}

/// The earliest spike that is still to be read; infinite when there is none.
NeuronEmitter::Code NeuronEmitter::earliest() {
  Code best = c.variable(c.number(kNever));
  c.count(trains, [&](Code i) {
    Code head = c.element(next, i, c.i64);
    c.when(c.less(head, c.element(ends, i, c.i64)), [&] {
      Code time = c.element(times, head, c.f32);
      Code earlier = c.compare(Comparison::OLT, time, c.read(best));
      c.write(best, c.select(earlier, time, c.read(best)));
    });
  });
  return c.read(best);
}

void NeuronEmitter::addSpikesAt(Code time, Code lost) {
  c.count(trains, [&](Code i) {
    Code open = c.variable(c.truth(true));
    c.loop([&] { return c.read(open, c.i1); },
           [&] {
             Code head = c.element(next, i, c.i64);
             c.write(open, c.truth(false));
             c.when(c.less(head, c.element(ends, i, c.i64)), [&] {
               Code same = c.compare(Comparison::OEQ, c.element(times, head, c.f32), time);
               c.when(same, [&] {
                 c.write(open, c.truth(true));
                 c.setElement(next, i, c.next(head));
                 Code after = c.add(c.read(v), c.element(weights, i, c.f32));
                 c.write(v, c.select(lost, c.read(v), after));
               });
             });
           });
  });
}

void NeuronEmitter::continuous() {
  target = c.add(rest, form.hasBias ? bias : c.number(0));
  Code more = c.variable(c.truth(true));
  c.loop([&] { return c.both(c.read(more, c.i1), c.read(go, c.i1)); },
         [&] {
           Code time = earliest();
           Code inside = form.hasUntil ? c.compare(Comparison::OLE, time, until)
                                       : c.compare(Comparison::OLT, time, c.number(kNever));
           c.write(more, inside);
           c.when(inside, [&] {
             advance(time);
             Code lost = c.compare(Comparison::OLE, time, c.read(held));
             addSpikesAt(time, lost);
             c.when(c.opposite(lost), [&] { fire(time); });
           });
         });
  if (form.hasUntil)
    advance(until);
}

//===-- steps -------------------------------------------------------------===//

/// Reads what has come up to the end of a step and gives its current.
NeuronEmitter::Code NeuronEmitter::inputUpTo(Code end) {
  Code current = c.variable(c.number(0));
  c.count(trains, [&](Code i) {
    Code first = c.element(next, i, c.i64), head = c.variable(first);
    Code last = c.element(ends, i, c.i64), open = c.variable(c.truth(true));
    c.loop([&] { return c.read(open, c.i1); },
           [&] {
             Code at = c.read(head, c.i64);
             c.write(open, c.truth(false));
             c.when(c.less(at, last), [&] {
               Code inside = c.compare(Comparison::OLE, c.element(times, at, c.f32), end);
               c.write(open, inside);
               c.write(head, c.select(inside, c.next(at), at));
             });
           });
    Code after = c.read(head, c.i64);
    c.when(c.less(first, after), [&] {
      c.setElement(next, i, after);
      Code spikes = c.toFloat(c.difference(after, first));
      Code weight = c.element(weights, i, c.f32);
      c.write(current, c.add(c.read(current), c.multiply(weight, spikes)));
    });
  });
  return c.read(current);
}

void NeuronEmitter::clocked() {
  Code steps = c.member(offsetof(NeuronFrame, steps), c.i64), step = c.variable(c.integer(0));
  auto more = [&] { return c.both(c.less(c.read(step, c.i64), steps), c.read(go, c.i1)); };
  c.loop(more, [&] {
    Code following = c.next(c.read(step, c.i64));
    c.write(step, following);
    Code end = c.multiply(c.toFloat(following), stepLength);
    Code current = inputUpTo(end);
    if (form.hasBias)
      current = c.add(current, bias);
    Code drive = c.multiply(resistance, current);
    c.when(c.opposite(c.compare(Comparison::OLE, end, c.read(held))), [&] {
      if (form.leaks) {
        Code leak = c.subtract(rest, c.read(v));
        drive = c.multiply(c.add(leak, drive), rate);
      }
      c.write(v, c.add(c.read(v), drive));
      fire(end);
    });
  });
}

} // namespace

NeuronForm formOf(const snn::SingleNeuron &parameters, bool hasBias) {
  return {parameters.step.has_value(), parameters.decay > 0,         parameters.resetBySubtraction,
          parameters.refractory > 0,   parameters.until.has_value(), hasBias};
}

void emitNeuron(OpBuilder &builder, func::FuncOp function, const NeuronForm &form) {
  NeuronEmitter(builder, function, form).emit();
}

} // namespace spindle::neuron_level
