#include "lib/emulation/layers/BlockBooks.h"

namespace spindle {

using layers::EventList;
using layers::PopulationBuffers;
using layers::Signal;

BlockBooks::BlockBooks(const EmulationTask &given, const layers::Plan &planned,
                       const layers::Block &read)
    : task(given), plan(planned), block(read) {}

/// Calls `use(element, value)` for the events of a row.
template <typename Use>
void BlockBooks::forEvents(const EventList &list, size_t slot, size_t step, Use use) const {
  auto found = *reinterpret_cast<const int64_t *>(block.floats(list.ends, slot, step));
  const float *values = list.values ? block.floats(*list.values, slot, step) : nullptr;
  const char *entries = reinterpret_cast<const char *>(block.floats(list.entries, slot, step));
  auto walk = [&](auto *entry) {
    for (int64_t k = 0; k < found; ++k)
      use(size_t(entry[k]), values ? values[k] : 1.0f);
  };
  if (list.narrow)
    walk(reinterpret_cast<const uint16_t *>(entries));
  else
    walk(reinterpret_cast<const uint32_t *>(entries));
}

void BlockBooks::read(size_t first, size_t count, size_t firstStep, size_t steps, Tally &tally) {
  firstSample = first;
  listed = 0;
  ends.clear();
  for (size_t slot = 0; slot < count; ++slot) {
    bool isRecorded = first + slot < task.recorded.size();
    for (size_t step = 0; step < steps; ++step) {
      auto time = static_cast<uint32_t>(firstStep + step);
      readAnswer(first + slot, slot, step, time, tally);
      countEvents(slot, step, tally);
      if (isRecorded)
        listSpikes(slot, step, time);
    }
    if (isRecorded)
      ends.push_back(listed);
  }
}

void BlockBooks::readAnswer(size_t sample, size_t slot, size_t step, uint32_t time,
                            Tally &tally) const {
  tally.answer(time, task.samples.labels[sample],
               classOf(block.floats(plan.output, slot, step), task.network.outputs()));
}

void BlockBooks::countEvents(size_t slot, size_t step, Tally &tally) const {
  for (size_t p = 0; p < plan.populations.size(); ++p) {
    const std::optional<EventList> &list = plan.populations[p].events;
    uint64_t *counts = tally.counts.data() + task.network.populations[p].first;
    if (list && list->values)
      forEvents(*list, slot, step,
                [&](size_t n, float count) { counts[n] += static_cast<uint64_t>(count); });
    else if (list)
      forEvents(*list, slot, step, [&](size_t n, float) { ++counts[n]; });
  }
}

Spike *BlockBooks::roomFor(size_t more) {
  if (spikes.size() < listed + more)
    spikes.resize(2 * (listed + more));
  return spikes.data() + listed;
}

void BlockBooks::listSpikes(size_t slot, size_t step, uint32_t time) {
  for (size_t p = 0; p < plan.populations.size(); ++p) {
    const Population &population = task.network.populations[p];
    const PopulationBuffers &booked = plan.populations[p];
    auto list = [&](size_t n, float count) {
      Spike *to = roomFor(static_cast<size_t>(count));
      for (float left = count; left > 0; left -= 1, ++listed)
        *to++ = {time, population.first + static_cast<uint32_t>(n)};
    };
    if (booked.events)
      forEvents(*booked.events, slot, step, list);
    else if (booked.rows && booked.rows->binary)
      listOnes(*booked.rows, block.floats(booked.rows->buffer, slot, step), population, time);
    else if (booked.rows)
      for (uint32_t n = 0; n < population.size; ++n)
        list(n, block.floats(booked.rows->buffer, slot, step)[n]);
  }
}

/// Nobody foresees which neurons spike: each is written down, and over those that do not the next.
void BlockBooks::listOnes(const Signal &rows, const float *row, const Population &population,
                          uint32_t time) {
  Spike *to = roomFor(population.size);
  size_t found = 0;
  auto list = [&](auto isSpike) {
    for (uint32_t n = 0; n < population.size; ++n) {
      to[found] = {time, population.first + n};
      found += isSpike(rows.layout.at(n));
    }
  };
  auto bits = reinterpret_cast<const uint8_t *>(row);
  if (rows.areBits)
    list([&](size_t place) { return size_t(bits[place / 8] >> place % 8 & 1); });
  else
    list([&](size_t place) { return size_t(row[place] > 0); });
  listed += found;
}

void BlockBooks::record() {
  for (size_t slot = 0, from = 0; slot < ends.size(); from = ends[slot++]) {
    std::vector<Spike> &to = task.recorded[firstSample + slot];
    to.insert(to.end(), spikes.begin() + std::ptrdiff_t(from),
              spikes.begin() + std::ptrdiff_t(ends[slot]));
  }
}

void BlockBooks::addCounts(size_t count, Tally &tally) const {
  for (size_t p = 0; p < plan.populations.size(); ++p) {
    const Population &population = task.network.populations[p];
    const PopulationBuffers &booked = plan.populations[p];
    for (size_t slot = 0; booked.rows && slot < count; ++slot) {
      uint64_t *to = tally.counts.data() + population.first;
      auto add = [&](const auto *counts) {
        for (uint32_t n = 0; n < population.size; ++n)
          to[n] += static_cast<uint64_t>(counts[booked.layout.at(n)]);
      };
      if (booked.countsOfBits) {
        add(reinterpret_cast<const uint8_t *>(block.floats(booked.countsOfBits->bytes, slot)));
        add(reinterpret_cast<const uint32_t *>(block.floats(booked.countsOfBits->earlier, slot)));
      } else {
        add(block.floats(booked.counts, slot));
      }
    }
  }
}

} // namespace spindle
