#include "hw/cosim/harness/axi/Region.h"

#include <algorithm>

namespace spindle::hls {

void Region::load(const Words &values, Chance &chance) {
  base = (number << 36) + 4096 * (1 + chance.next() % 1000) - 8 * (chance.next() % 32);
  contents.assign(values.size() * bytes, 0);
  for (size_t i = 0; i < contents.size(); ++i)
    contents[i] = uint8_t(values[i / bytes] >> 8 * (i % bytes));
  reads.assign(values.size(), kNever);
  writes.assign(values.size(), kNever);
  isKept = false;
}

Words Region::values() const {
  Words words(contents.size() / bytes, 0);
  for (size_t i = 0; i < contents.size(); ++i)
    words[i / bytes] |= uint64_t(contents[i]) << 8 * (i % bytes);
  for (uint64_t &word : words)
    word &= mask;
  return words;
}

uint64_t Region::count(const Words &cycles) {
  return cycles.size() - static_cast<uint64_t>(std::count(cycles.begin(), cycles.end(), kNever));
}

std::string Region::progress() const {
  return name + ": " + std::to_string(count(reads)) + " elements read, " +
         std::to_string(count(writes)) + " written of " + std::to_string(elements());
}

namespace {

/// The channels move what is in it.
class SharedArray : public ArrayModel {
public:
  SharedArray(Region &ofArray, Chance &common) : region(ofArray), chance(common) {}

  void load(const Words &elements) override { region.load(elements, chance); }
  void keep() override { region.isKept = true; }
  void reset() override {}
  void drive() override {}
  void see(uint64_t, const Complain &) override {}
  void finish(const Complain &) override {}
  Words contents() const override { return region.values(); }
  const Words &lastWrites() const override { return region.writes; }
  uint64_t address() const override { return region.base; }
  std::string progress() const override { return region.progress(); }

private:
  Region &region;
  Chance &chance;
};

class SharedTokens : public TokenModel {
public:
  SharedTokens(Region &ofStream, bool isRead, Chance &common)
      : region(ofStream), isInput(isRead), chance(common) {}

  void load(const Words &tokens) override { region.load(tokens, chance); }
  void reset() override {}
  void drive() override {}
  void see(uint64_t, const Complain &) override {}
  void finish(const Complain &complain) const override {
    if (!isInput && Region::count(region.writes) != region.elements())
      complain("is done before all tokens are in memory; " + region.progress());
  }
  /// Those that were written without a gap; what is missing shows as a wrong number.
  Words moved() const override {
    Words all = region.values();
    if (!isInput) {
      auto end = std::find(region.writes.begin(), region.writes.end(), kNever);
      all.resize(static_cast<size_t>(end - region.writes.begin()));
    }
    return all;
  }
  uint64_t left() const override {
    return isInput ? region.elements() - Region::count(region.reads) : 0;
  }
  Words moments() const override {
    Words cycles = isInput ? region.reads : region.writes;
    cycles.erase(std::remove(cycles.begin(), cycles.end(), kNever), cycles.end());
    return cycles;
  }
  uint64_t address() const override { return region.base; }
  std::string progress() const override { return region.progress(); }

private:
  Region &region;
  bool isInput;
  Chance &chance;
};

} // namespace

std::unique_ptr<ArrayModel> makeSharedArray(Region &region, Chance &chance) {
  return std::make_unique<SharedArray>(region, chance);
}

std::unique_ptr<TokenModel> makeSharedTokens(Region &region, bool isInput, Chance &chance) {
  return std::make_unique<SharedTokens>(region, isInput, chance);
}

} // namespace spindle::hls
