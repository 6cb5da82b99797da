#include "hw/cosim/harness/axi/ChannelModel.h"

namespace spindle::hls {

static constexpr uint64_t kWord = 8; // bytes

ChannelModel::ChannelModel(const ChannelPins &channelPins, std::vector<Region *> toRead,
                           std::vector<Region *> toWrite, uint64_t cycles, Chance &common)
    : pins(channelPins), readable(std::move(toRead)), writable(std::move(toWrite)), latency(cycles),
      chance(common), ar(pins.name + "_ar"), aw(pins.name + "_aw"), w(pins.name + "_w") {}

void ChannelModel::reset() {
  for (Held *held : {&ar, &aw, &w})
    held->reset();
  reads.clear();
  writes.clear();
  beats.clear();
  answers.clear();
  isReadValid = isAnswerValid = false;
  if (!readable.empty())
    pins.read.rvalid.set(0);
  if (!writable.empty())
    pins.write.bvalid.set(0);
}

void ChannelModel::drive(uint64_t now) {
  if (!readable.empty()) {
    pins.read.arready.set(chance.goes());
    if (!isReadValid && !reads.empty() && reads.front().due <= now && chance.goes()) {
      isReadValid = true;
      offered = dataAt(reads.front());
    }
    pins.read.rvalid.set(isReadValid);
    pins.read.rdata.set(isReadValid ? offered : chance.next());
    pins.read.rlast.set(isReadValid ? reads.front().beats == 1 : chance.next() & 1);
    pins.read.rresp.set(0);
  }
  if (writable.empty())
    return;
  pins.write.awready.set(chance.goes());
  pins.write.wready.set(chance.goes());
  isAnswerValid = isAnswerValid || (!answers.empty() && answers.front() <= now && chance.goes());
  pins.write.bvalid.set(isAnswerValid);
  pins.write.bresp.set(0);
}

void ChannelModel::see(uint64_t now, const Complain &complain) {
  if (!readable.empty())
    seeReads(now, complain);
  if (!writable.empty())
    seeWrites(now, complain);
}

void ChannelModel::finish(const Complain &complain) const {
  if (!reads.empty() || !writes.empty() || !beats.empty() || !answers.empty())
    complain(pins.name + " is done with bursts under way");
}

Region *ChannelModel::regionOf(const std::vector<Region *> &regions, uint64_t address) const {
  for (Region *region : regions)
    if (address >= region->base && address < region->base + region->contents.size())
      return region;
  return nullptr;
}

/// A burst that the kernel may ask for: inside one argument, but for the rest of its last word.
bool ChannelModel::check(Burst &burst, uint64_t size, uint64_t kind,
                         const std::vector<Region *> &regions, const char *channel,
                         const Complain &complain) const {
  uint64_t last = burst.address + (burst.beats - 1) * kWord;
  burst.region = regionOf(regions, burst.address);
  const char *fault = kind != 1                                 ? "is not incrementing"
                      : uint64_t(1) << size != kWord            ? "has beats of another size"
                      : burst.address % kWord != 0              ? "is not aligned"
                      : burst.address / 4096 != last / 4096     ? "crosses 4 KiB"
                      : !burst.region                           ? "is of no argument"
                      : regionOf(regions, last) != burst.region ? "leaves its argument"
                                                                : nullptr;
  if (fault)
    complain(pins.name + "_" + channel + ": a burst of " + std::to_string(burst.beats) +
             " words at " + (burst.region ? burst.region->name + " + " : std::string()) +
             std::to_string(burst.address - (burst.region ? burst.region->base : 0)) + " " + fault);
  return !fault;
}

/// Garbage behind the last element.
uint64_t ChannelModel::dataAt(const Burst &burst) {
  uint64_t data = chance.next();
  for (uint64_t i = 0; i < kWord; ++i) {
    uint64_t offset = burst.address + i - burst.region->base;
    if (offset < burst.region->contents.size())
      data = (data & ~(uint64_t(255) << 8 * i)) | uint64_t(burst.region->contents[offset]) << 8 * i;
  }
  return data;
}

/// Bytes of a burst's next word that are of its argument.
uint64_t ChannelModel::lanesOf(const Burst &burst) const {
  uint64_t end = burst.region->base + burst.region->contents.size();
  if (burst.address < burst.region->base || burst.address >= end)
    return 0; // the argument is another one by now
  uint64_t left = end - burst.address;
  return left >= kWord ? 255 : (uint64_t(1) << left) - 1;
}

void ChannelModel::mark(const Burst &burst, uint64_t lanes, Words &cycles, uint64_t now) {
  for (uint64_t i = 0; i < kWord; i += burst.region->bytes)
    if (lanes >> i & 1)
      cycles[(burst.address + i - burst.region->base) / burst.region->bytes] = now;
}

void ChannelModel::seeReads(uint64_t now, const Complain &complain) {
  const ReadPins &read = pins.read;
  Burst asked{nullptr, read.araddr.get(), read.arlen.get() + 1, now + latency};
  bool valid = read.arvalid.get(), ready = read.arready.get();
  ar.see(valid, ready, {asked.address, asked.beats, read.arsize.get(), read.arburst.get()},
         complain);
  if (isReadValid && read.rready.get()) {
    isReadValid = false;
    Burst &burst = reads.front();
    mark(burst, lanesOf(burst), burst.region->reads, now);
    burst.address += kWord;
    if (--burst.beats == 0)
      reads.pop_front();
  }
  if (!valid || !ready ||
      !check(asked, read.arsize.get(), read.arburst.get(), readable, "ar", complain))
    return;
  if (asked.region->isKept)
    complain(asked.region->name + " is read, but its elements were to be kept");
  reads.push_back(asked);
}

void ChannelModel::seeWrites(uint64_t now, const Complain &complain) {
  const WritePins &write = pins.write;
  Burst asked{nullptr, write.awaddr.get(), write.awlen.get() + 1, 0};
  bool valid = write.awvalid.get(), ready = write.awready.get();
  aw.see(valid, ready, {asked.address, asked.beats, write.awsize.get(), write.awburst.get()},
         complain);
  w.see(write.wvalid.get(), write.wready.get(),
        {write.wdata.get(), write.wstrb.get(), write.wlast.get()}, complain);
  if (isAnswerValid && write.bready.get()) {
    isAnswerValid = false;
    answers.pop_front();
  }
  if (valid && ready &&
      check(asked, write.awsize.get(), write.awburst.get(), writable, "aw", complain))
    writes.push_back(asked);
  if (write.wvalid.get() && write.wready.get())
    beats.push_back({write.wdata.get(), write.wstrb.get(), write.wlast.get() != 0, now});
  while (!writes.empty() && !beats.empty())
    store(complain);
}

void ChannelModel::store(const Complain &complain) {
  Burst &burst = writes.front();
  Beat beat = beats.front();
  beats.pop_front();
  if (beat.isLast != (burst.beats == 1))
    complain(pins.name + "_w has wlast " + std::to_string(beat.isLast) + ", " +
             std::to_string(burst.beats) + " words before the end of its burst");
  uint64_t lanes = lanesOf(burst);
  if (beat.strobes != lanes)
    complain(pins.name + "_w has the strobes " + std::to_string(beat.strobes) + ", expected " +
             std::to_string(lanes) + " in " + burst.region->name);
  for (uint64_t i = 0; i < kWord; ++i)
    if (lanes >> i & 1)
      burst.region->contents[burst.address + i - burst.region->base] = uint8_t(beat.data >> 8 * i);
  mark(burst, lanes, burst.region->writes, beat.cycle);
  burst.address += kWord;
  if (--burst.beats == 0) {
    writes.pop_front();
    answers.push_back(beat.cycle + latency);
  }
}

} // namespace spindle::hls
