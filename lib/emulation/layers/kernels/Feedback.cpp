// Spikes that come back: lists of events in a ring, a list for each step.
#include "lib/emulation/layers/PlanBuilder.h"

namespace spindle::layers {

/// Copies a list of events from a row to the ring or back.
static void addCopy(PlanBuilder &b, const EventRing &ring, const EventList &row, bool reads) {
  StageKernel k(b, Work::Steps);
  Events past = k.events(ring.events), now = k.events(row);
  Number slot = k.time() % ring.steps, first = slot * row.capacity;
  past.entries = past.entries + first;
  past.ends = past.ends + slot;
  if (past.values)
    past.values = *past.values + first;
  const Events &from = reads ? past : now, &to = reads ? now : past;
  Number count = from.end();
  to.ends.store(count);
  to.entries.copy(from.entries, count);
  if (row.values)
    to.values->copy(*from.values, count);
  b.addStage(std::move(k));
}

EventRing addEventRing(PlanBuilder &b, size_t elements, bool binary, int64_t steps) {
  EventList list = makeEventList(b, Unit::Row, elements, 1, elements - 1, binary);
  EventRing ring{list, elements, steps};
  auto addSlots = [&](size_t buffer) {
    return b.addBuffer(Unit::Slot, size_t(steps) * b.bytesOf(buffer));
  };
  ring.events.entries = addSlots(list.entries);
  ring.events.ends = b.addBuffer(Unit::Slot, size_t(steps) * sizeof(int64_t));
  if (list.values)
    ring.events.values = addSlots(*list.values);
  b.plan.cleared.push_back(ring.events.ends);
  b.plan.mostSteps = std::min(b.plan.mostSteps, size_t(steps));
  return ring;
}

Signal addPast(PlanBuilder &b, const EventRing &ring, bool asRows) {
  bool binary = !ring.events.values;
  EventList row = makeEventList(b, Unit::Row, ring.elements, 1, ring.elements - 1, binary);
  addCopy(b, ring, row, true);
  return addListedSignal(b, row, ring.elements, asRows);
}

Signal addListedSignal(PlanBuilder &b, const EventList &row, size_t elements, bool asRows) {
  bool binary = !row.values;
  Signal output = asRows ? b.addSignal(Unit::Row, elements, binary)
                         : Signal{b.addBuffer(Unit::Row, 1), elements, {elements, {}}, binary};
  b.keepList(output.buffer, 1, naturalNumbers(elements), row);
  if (!asRows)
    return output;
  StageKernel k(b, Work::Rows);
  EventRows lists = k.eventRows(row);
  RowArray rows = k.floatRows(output.buffer);
  Number one(k, k.f32(), 1.0);
  k.forRows([&](Number r) {
    Events events = lists[r];
    Array out = rows[r];
    out.clear(int64_t(elements));
    k.loop(events.end(), [&](Number e) {
      (out + events.entry(e)).store(events.values ? (*events.values)[e] : one);
    });
  });
  b.addStage(std::move(k));
  return output;
}

Signal addGather(PlanBuilder &b, const Signal &part, uint32_t first, size_t elements, bool asRows) {
  EventList own = addEventList(b, part, 1, naturalNumbers(part.elements));
  EventList all = makeEventList(b, Unit::Row, elements, 1, elements - 1, part.binary);
  if (b.plan.stages.back().work != Work::Gather)
    b.plan.stages.push_back({Work::Gather, "", "", {}});
  b.plan.stages.back().gathers.push_back({own, all, first});
  return addListedSignal(b, all, elements, asRows);
}

void addReturn(PlanBuilder &b, const EventRing &ring, const Signal &spikes) {
  addCopy(b, ring, addEventList(b, spikes, 1, naturalNumbers(spikes.elements)), false);
}

} // namespace spindle::layers
