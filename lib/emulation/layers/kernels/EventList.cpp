// From rows to lists of the elements that are not zero, sixteen at a time: compare, compress,
// count.
#include "lib/emulation/layers/PlanBuilder.h"

#include <algorithm>
#include <numeric>

namespace spindle::layers {

std::vector<uint32_t> naturalNumbers(size_t count) {
  std::vector<uint32_t> numbers(count);
  std::iota(numbers.begin(), numbers.end(), 0);
  return numbers;
}

EventList makeEventList(PlanBuilder &b, Unit unit, size_t elements, size_t planes, size_t greatest,
                        bool binary) {
  size_t capacity = roundUp(elements + kVector, 64 / sizeof(uint16_t));
  bool isNarrow = greatest <= UINT16_MAX;
  EventList list{b.addBuffer(unit, capacity * (isNarrow ? 2 : 4)),
                 b.addBuffer(unit, planes * sizeof(int64_t)), capacity, isNarrow, std::nullopt};
  if (!binary)
    list.values = b.addBuffer(unit, capacity * sizeof(float));
  return list;
}

EventList addEventList(PlanBuilder &b, const Signal &signal, size_t planes,
                       const std::vector<uint32_t> &table) {
  if (std::optional<EventList> known = b.findList(signal.buffer, planes, table))
    return *known;
  auto plane = int64_t(signal.elements / planes);
  Unit unit = b.unitOf(signal.buffer);
  EventList list = makeEventList(b, unit, signal.elements, planes,
                                 *std::max_element(table.begin(), table.end()), signal.binary);
  StageKernel k(b, unit == Unit::Slot ? Work::Slots : Work::Rows);
  RowArray rows = k.floatRows(signal.buffer);
  Array entries = k.array(b.addParameter(table), k.integer(32));
  EventRows lists = k.eventRows(list);
  k.forRows([&](Number r) {
    Array row = rows[r];
    Events events = lists[r];
    k.reduce(int64_t(planes), k.number(0), [&](Number p, Number begin) {
      Array elements = row + p * plane;
      Number end = k.reduce({plane, lanes::kLanes}, begin, [&](Number i, Number n) {
        Number values = (elements + i).vector(), some = values != 0;
        if (plane % lanes::kLanes != 0)
          some = some & lanesBefore(k.number(plane) - i);
        Number found = (entries + i).vector().compressed(some);
        (events.entries + n).store(found.resized(bitsOfEntry(list)));
        if (events.values)
          (*events.values + n).store(values.compressed(some));
        return n + some.ones();
      });
      (events.ends + p).store(end);
      return end;
    });
  });
  b.addStage(std::move(k));
  b.keepList(signal.buffer, planes, table, list);
  return list;
}

} // namespace spindle::layers
