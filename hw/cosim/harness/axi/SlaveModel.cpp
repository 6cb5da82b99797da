// An AXI4 slave: a memory that holds one array, bursts in order, late answers.
#include "hw/cosim/harness/axi/ArrayModel.h"

#include <deque>

namespace spindle::hls {

namespace {

struct Burst {
  uint64_t address = 0, beats = 0;
};

struct Beat {
  uint64_t data = 0, strobes = 0;
  bool isLast = false;
  uint64_t cycle = 0;
};

class SlaveModel : public ArrayModel {
public:
  SlaveModel(const ArrayPins &arrayPins, uint64_t ownRegion, Chance &common)
      : pins(arrayPins), region(ownRegion), chance(common), bus(pins.bytes < 4 ? 4 : pins.bytes),
        ar(pins.name + "_ar"), aw(pins.name + "_aw"), w(pins.name + "_w") {}

  /// Somewhere near a border of 4 KiB, which no burst may cross.
  void load(const Words &elements) override {
    base = (region << 36) + 4096 * (1 + chance.next() % 1000) -
           pins.bytes * (chance.next() % (256 / pins.bytes));
    bytes.assign(elements.size() * pins.bytes, 0);
    for (size_t i = 0; i < bytes.size(); ++i)
      bytes[i] = uint8_t(elements[i / pins.bytes] >> 8 * (i % pins.bytes));
    written.assign(elements.size(), kNever);
    readBeats = writtenBeats = 0;
    isKept = false;
  }

  void keep() override { isKept = true; }

  void reset() override {
    for (Held *held : {&ar, &aw, &w})
      held->reset();
    reads.clear();
    writes.clear();
    beats.clear();
    answers = 0;
    isReadValid = isAnswerValid = false;
    pins.read.rvalid.set(0);
    if (pins.isWritten)
      pins.write.bvalid.set(0);
  }

  void drive() override {
    pins.read.arready.set(chance.goes());
    if (!isReadValid && !reads.empty() && chance.goes()) {
      isReadValid = true;
      offered = dataAt(reads.front().address);
    }
    pins.read.rvalid.set(isReadValid);
    pins.read.rdata.set((isReadValid ? offered : chance.next()) & busMask());
    pins.read.rlast.set(isReadValid && reads.front().beats == 1);
    pins.read.rresp.set(0);
    if (!pins.isWritten)
      return;
    pins.write.awready.set(chance.goes());
    pins.write.wready.set(chance.goes());
    isAnswerValid = isAnswerValid || (answers > 0 && chance.goes());
    pins.write.bvalid.set(isAnswerValid);
    pins.write.bresp.set(0);
  }

  void see(uint64_t now, const Complain &complain) override {
    seeReads(complain);
    if (pins.isWritten)
      seeWrites(now, complain);
  }

  void finish(const Complain &complain) override {
    if (!reads.empty() || !writes.empty() || !beats.empty() || answers > 0)
      complain("is done with bursts under way; " + progress());
  }

  Words contents() const override {
    Words words(bytes.size() / pins.bytes, 0);
    for (size_t i = 0; i < bytes.size(); ++i)
      words[i / pins.bytes] |= uint64_t(bytes[i]) << 8 * (i % pins.bytes);
    for (uint64_t &word : words)
      word &= pins.mask;
    return words;
  }
  const Words &lastWrites() const override { return written; }
  uint64_t address() const override { return base; }

  std::string progress() const override {
    return pins.name + ": " + std::to_string(readBeats) + " elements read, " +
           std::to_string(writtenBeats) + " written of " + std::to_string(pins.elements);
  }

private:
  uint64_t busMask() const { return bus == 8 ? ~uint64_t(0) : (uint64_t(1) << 8 * bus) - 1; }
  bool isInside(uint64_t address) const { return address >= base && address < base + bytes.size(); }

  /// Garbage in the lanes that were not asked for.
  uint64_t dataAt(uint64_t address) {
    uint64_t data = chance.next();
    for (unsigned i = 0; i < pins.bytes; ++i) {
      unsigned lane = 8 * ((address + i) % bus);
      data = (data & ~(uint64_t(255) << lane)) | uint64_t(bytes[address + i - base]) << lane;
    }
    return data;
  }

  /// A burst that the kernel may ask for, inside the array.
  bool isRight(uint64_t address, uint64_t length, uint64_t size, uint64_t kind, const char *channel,
               const Complain &complain) const {
    uint64_t end = address + (length + 1) * pins.bytes;
    const char *fault = kind != 1                                  ? "is not incrementing"
                        : uint64_t(1) << size != pins.bytes        ? "has beats of another size"
                        : address % pins.bytes != 0                ? "is not aligned"
                        : address / 4096 != (end - 1) / 4096       ? "crosses 4 KiB"
                        : !isInside(address) || !isInside(end - 1) ? "leaves the array"
                                                                   : nullptr;
    if (fault)
      complain(pins.name + "_" + channel + ": a burst of " + std::to_string(length + 1) +
               " beats at offset " + std::to_string(int64_t(address - base)) + " " + fault);
    return !fault;
  }

  void seeReads(const Complain &complain) {
    const ReadPins &read = pins.read;
    uint64_t address = read.araddr.get(), length = read.arlen.get();
    ar.see(read.arvalid.get(), read.arready.get(),
           {address, length, read.arsize.get(), read.arburst.get()}, complain);
    if (isReadValid && read.rready.get()) {
      isReadValid = false;
      ++readBeats;
      reads.front().address += pins.bytes;
      if (--reads.front().beats == 0)
        reads.pop_front();
    }
    if (read.arvalid.get() && isKept)
      complain(pins.name + "_ar asks for elements that were to be kept");
    if (read.arvalid.get() && read.arready.get() &&
        isRight(address, length, read.arsize.get(), read.arburst.get(), "ar", complain))
      reads.push_back({address, length + 1});
  }

  void seeWrites(uint64_t now, const Complain &complain) {
    const WritePins &write = pins.write;
    uint64_t address = write.awaddr.get(), length = write.awlen.get();
    aw.see(write.awvalid.get(), write.awready.get(),
           {address, length, write.awsize.get(), write.awburst.get()}, complain);
    w.see(write.wvalid.get(), write.wready.get(),
          {write.wdata.get(), write.wstrb.get(), write.wlast.get()}, complain);
    if (isAnswerValid && write.bready.get()) {
      isAnswerValid = false;
      --answers;
    }
    if (write.awvalid.get() && write.awready.get() &&
        isRight(address, length, write.awsize.get(), write.awburst.get(), "aw", complain))
      writes.push_back({address, length + 1});
    if (write.wvalid.get() && write.wready.get())
      beats.push_back({write.wdata.get(), write.wstrb.get(), write.wlast.get() != 0, now});
    while (!writes.empty() && !beats.empty())
      store(complain);
  }

  void store(const Complain &complain) {
    Burst &burst = writes.front();
    Beat beat = beats.front();
    beats.pop_front();
    if (beat.isLast != (burst.beats == 1))
      complain(pins.name + "_w has wlast " + std::to_string(beat.isLast) + ", " +
               std::to_string(burst.beats) + " beats before the end of its burst");
    unsigned first = burst.address % bus;
    uint64_t lanes = ((uint64_t(1) << pins.bytes) - 1) << first;
    if (beat.strobes != lanes)
      complain(pins.name + "_w has the strobes " + std::to_string(beat.strobes) + ", expected " +
               std::to_string(lanes));
    for (unsigned i = 0; i < pins.bytes; ++i)
      bytes[burst.address + i - base] = uint8_t(beat.data >> 8 * (first + i));
    written[(burst.address - base) / pins.bytes] = beat.cycle;
    ++writtenBeats;
    burst.address += pins.bytes;
    if (--burst.beats == 0) {
      writes.pop_front();
      ++answers;
    }
  }

  const ArrayPins &pins;
  uint64_t region;
  Chance &chance;
  unsigned bus; // bytes
  Held ar, aw, w;
  uint64_t base = 0, offered = 0;
  std::vector<uint8_t> bytes;
  Words written;
  std::deque<Burst> reads, writes;
  std::deque<Beat> beats;
  uint64_t answers = 0, readBeats = 0, writtenBeats = 0;
  bool isReadValid = false, isAnswerValid = false, isKept = false;
};

} // namespace

std::unique_ptr<ArrayModel> makeMemory(const ArrayPins &pins, uint64_t region, Chance &chance) {
  return std::make_unique<SlaveModel>(pins, region, chance);
}

} // namespace spindle::hls
