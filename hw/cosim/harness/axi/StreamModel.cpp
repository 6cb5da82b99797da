// AXI4-Stream: all elements go in, those of a written array come out, the last one marked.
#include "hw/cosim/harness/axi/ArrayModel.h"

namespace spindle::hls {

namespace {

class StreamModel : public ArrayModel {
public:
  StreamModel(const ArrayPins &arrayPins, Chance &common)
      : pins(arrayPins), chance(common), out(pins.name + "_out") {}

  void load(const Words &elements) override {
    given = elements;
    came.clear();
    taken = 0;
    written.assign(elements.size(), kNever);
  }

  void keep() override { taken = given.size(); }

  void reset() override {
    given.clear();
    isValid = false;
    out.reset();
    pins.in.valid.set(0);
    if (pins.isWritten)
      pins.out.ready.set(0);
  }

  void drive() override {
    isValid = isValid || (taken < given.size() && chance.goes());
    pins.in.valid.set(isValid);
    pins.in.data.set((isValid ? given[taken] : chance.next()) & pins.mask);
    if (pins.isWritten)
      pins.out.ready.set(chance.goes());
  }

  void see(uint64_t now, const Complain &complain) override {
    if (isValid && pins.in.ready.get()) {
      ++taken;
      isValid = false;
    }
    if (!pins.isWritten)
      return;
    bool valid = pins.out.valid.get(), ready = pins.out.ready.get(), last = pins.out.last.get();
    uint64_t data = pins.out.data.get();
    out.see(valid, ready, {data, last}, complain);
    if (!valid || !ready)
      return;
    if (came.size() >= written.size())
      return complain(pins.name + "_out sends more than " + std::to_string(pins.elements) +
                      " elements");
    written[came.size()] = now;
    came.push_back(data);
    if (last != (came.size() == pins.elements))
      complain(pins.name + "_out has tlast " + std::to_string(last) + " at element " +
               std::to_string(came.size() - 1) + " of " + std::to_string(pins.elements));
  }

  void finish(const Complain &complain) override {
    if (taken < pins.elements || (pins.isWritten && came.size() < pins.elements))
      complain("is done too early; " + progress());
  }

  Words contents() const override {
    Words words = pins.isWritten ? came : given;
    words.resize(pins.elements);
    return words;
  }
  const Words &lastWrites() const override { return written; }

  std::string progress() const override {
    std::string text = pins.name + ": " + std::to_string(taken) + " of " +
                       std::to_string(pins.elements) + " elements went in";
    return pins.isWritten ? text + ", " + std::to_string(came.size()) + " came out" : text;
  }

private:
  const ArrayPins &pins;
  Chance &chance;
  Held out;
  Words given, came, written;
  size_t taken = 0;
  bool isValid = false;
};

} // namespace

std::unique_ptr<ArrayModel> makeStreams(const ArrayPins &pins, Chance &chance) {
  return std::make_unique<StreamModel>(pins, chance);
}

} // namespace spindle::hls
