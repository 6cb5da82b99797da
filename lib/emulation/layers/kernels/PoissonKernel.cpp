// Poisson encoding of the activations that are not zero: Philox4x32-10 of
// core/support/CounterRandom.h, sixteen elements at a time, of which the low words of i64 count.
#include "lib/emulation/layers/PlanBuilder.h"

namespace spindle::layers {

/// Four random words of 32 bits for each counter, in the low words.
static Numbers philox(StageKernel &k, Numbers counter, Number key) {
  constexpr int64_t kRounds = 10, kFactor0 = 0xD2511F53, kFactor1 = 0xCD9E8D57, kWeyl0 = 0x9E3779B9,
                    kWeyl1 = 0xBB67AE85, kLow = 0xffffffff;
  counter.append({key, key >> 32});
  return k.reduce(kRounds, counter, [&](Number, Numbers x) {
    Number product0 = (x[0] & kLow) * kFactor0, product1 = (x[2] & kLow) * kFactor1;
    Number next0 = (product1 >> 32) ^ x[1] ^ x[4], next2 = (product0 >> 32) ^ x[3] ^ x[5];
    return Numbers{next0, product1, next2, product0, x[4] + kWeyl0, x[5] + kWeyl1};
  });
}

Signal addPoisson(PlanBuilder &b, snn::EncodeOp op, const Signal &input) {
  EventList active = addEventList(b, input, 1, naturalNumbers(input.elements));
  Signal output = b.addSignal(Unit::Row, input.elements, true);
  size_t drawn = b.addBuffer(Unit::Thread, active.capacity * sizeof(uint32_t));
  size_t words = b.addBuffer(Unit::Slot, 4 * active.capacity * sizeof(uint32_t));
  auto capacity = int64_t(active.capacity);
  StageKernel k(b, Work::Steps);
  Events list = k.events(active);
  Array kept = k.array(words, k.integer(32)), found = k.array(drawn, k.integer(32)),
        out = k.floats(output.buffer);
  k.loop({int64_t(roundUp(input.elements, kVector)), lanes::kLanes},
         [&](Number i) { (out + i).storeAligned(k.vectorOf(0)); });

  Number count = list.end(), turn = k.time() % 4;
  Number four = (k.time() >> 2).spread(lanes::kLanes), samples = k.sample().spread(lanes::kLanes);
  k.loop({select(turn == 0, count, k.number(0)), lanes::kLanes}, [&](Number e) { // for four steps
    Number neurons = (list.entries + e).vector().resized(64) + firstNeuronOf(op);
    Numbers random = philox(k, {neurons, four, samples, samples >> 32}, k.seed());
    for (int64_t word = 0; word < 4; ++word)
      (kept + word * capacity + e).store(random[size_t(word)].resized(32));
  });

  Array now = kept + turn * capacity;
  double maximum = op.getMaximum().convertToDouble();
  Number spikes = k.reduce({count, lanes::kLanes}, k.number(0), [&](Number e, Number n) {
    Number uniform = ((now + e).vector() >> 8).toFloat() * 0x1p-24;
    Number probability = (*list.values + e).vector() / maximum;
    Number fires = (uniform < probability) & lanesBefore(count - e);
    (found + n).store((list.entries + e).vector().resized(32).compressed(fires));
    return n + fires.ones();
  });
  k.loop(spikes, [&](Number n) { (out + found[n].resized(64)).store(Number(k, k.f32(), 1.0)); });
  b.addStage(std::move(k));
  return output;
}

} // namespace spindle::layers
