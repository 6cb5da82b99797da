#include "tests/system/RandomSystems.h"

#include "core/support/CounterRandom.h"

#include "fmt/format.h"

#include <vector>

namespace spindle::hls {

namespace {

struct Array {
  std::string name;
  bool isByInput = false, isLocal = false;
  bool isWritten = true; // has contents that are known
  bool isGiven = false;  // is never written

  std::string type() const { return isByInput ? "memref<5x4x4xi32>" : "memref<4x4xi32>"; }
  std::string at(const std::string &i, const std::string &j) const {
    return fmt::format("{}[{}{}, {}] : {}", name, isByInput ? "%n, " : "", i, j, type());
  }
};

class Writer {
public:
  Writer(uint64_t seed, bool loopOverInputs, bool withStreams)
      : random(seed), hasInputs(loopOverInputs), hasStreams(withStreams) {
    for (unsigned n = 0; n < 4; ++n)
      arrays.push_back({fmt::format("%a{}", n), hasInputs && n != 1, false, true});
    for (unsigned n = 0; n < 4; ++n)
      arrays.push_back({fmt::format("%t{}", n), false, true, false});
    if (!hasStreams)
      return;
    arrays[0].isGiven = arrays[2].isGiven = true;
    arrays[3].isWritten = false;
  }

  std::string write() {
    if (hasInputs && random.below(3) == 0)
      keepSums();
    unsigned nests = 4 + random.below(6);
    for (unsigned n = 0; n < nests; ++n)
      addNest();
    if (hasStreams)
      addResult();
    std::string text = "func.func @kernel(";
    for (unsigned n = 0; n < 4; ++n)
      text += fmt::format("{}: {}, ", arrays[n].name, arrays[n].type());
    text += "%s: i32) {\n  %zero = arith.constant 0 : i32\n  %three = arith.constant 3 : i32\n";
    for (unsigned n = 4; n < 8; ++n)
      text += fmt::format("  {} = memref.alloc() : {}\n", arrays[n].name, arrays[n].type());
    return text + (hasInputs ? "affine.for %n = 0 to 5 {\n" + body + "}\n" : body) +
           "  return\n}\n";
  }

private:
  Array &any() { return arrays[random.below(uint32_t(arrays.size()))]; }
  const Array &known() {
    while (true)
      if (Array &array = any(); array.isWritten)
        return array;
  }
  Array &target() {
    while (true)
      if (Array &array = any(); !array.isGiven)
        return array;
  }
  std::string fresh() { return fmt::format("%v{}", values++); }
  std::string load(const Array &array, const std::string &i, const std::string &j) {
    std::string value = fresh();
    body += fmt::format("{} = affine.load {}\n", value, array.at(i, j));
    return value;
  }
  void store(const std::string &value, const Array &array, const std::string &i,
             const std::string &j) {
    body += fmt::format("affine.store {}, {}\n", value, array.at(i, j));
  }
  std::string compute(const char *operation, const std::string &a, const std::string &b) {
    std::string value = fresh();
    body += fmt::format("{} = arith.{} {}, {} : i32\n", value, operation, a, b);
    return value;
  }
  /// An operation on two elements.
  struct Place {
    const Array &array;
    const char *i, *j;
  };
  std::string both(const char *operation, Place a, Place b) {
    std::string x = load(a.array, a.i, a.j), y = load(b.array, b.i, b.j);
    return compute(operation, x, y);
  }
  void loop(const std::string &variable, unsigned end) {
    body += fmt::format("affine.for {} = 0 to {} {{\n", variable, end);
  }
  void close(unsigned count) {
    for (unsigned n = 0; n < count; ++n)
      body += "}\n";
  }
  void fill(const Array &array) {
    loop("%i", 4);
    loop("%j", 4);
    store("%zero", array, "%i", "%j");
    close(2);
  }

  /// A local array that the first input clears, and every input adds to.
  void keepSums() {
    Array &sums = arrays[7];
    body += "affine.if affine_set<(d0) : (-d0 >= 0)>(%n) {\n";
    fill(sums);
    body += "}\n";
    sums.isWritten = true;
    update(sums, known());
  }

  void addTo(const Array &to, const std::string &value) {
    std::string sum = compute("addi", load(to, "%i", "%j"), value);
    store(sum, to, "%i", "%j");
  }

  void update(Array &to, const Array &from) {
    loop("%i", 4);
    loop("%j", 4);
    std::string sum = both("addi", {to, "%i", "%j"}, {from, "%j", "%i"});
    store(sum, to, "%i", "%j");
    close(2);
  }

  /// What comes in goes into what goes out, which may have been written and read before.
  void addResult() {
    loop("%i", 4);
    loop("%j", 4);
    std::string x = both("addi", {arrays[0], "%i", "%j"}, {known(), "%j", "%i"});
    store(x, arrays[3], "%j", "%i");
    close(2);
  }

  void addNest() {
    Array &to = target();
    const Array &a = known();
    const Array &b = known();
    switch (random.below(hasStreams ? 10 : 8)) {
    case 0: // element by element
      loop("%i", 4);
      loop("%j", 4);
      store(both("subi", {a, "%i", "%j"}, {b, "%j", "%i"}), to, "%i", "%j");
      close(2);
      break;
    case 1: // a sum of a cross product, its start in the nest
    case 2: // or in one before it
      if (random.below(2)) {
        fill(to);
        if (to.isLocal) { // another nest in between, if there is one that may be
          to.isWritten = true;
          update(arrays[hasStreams ? 1 : 0], arrays[2]);
        }
        loop("%i", 4);
        loop("%j", 4);
      } else {
        loop("%i", 4);
        loop("%j", 4);
        store("%zero", to, "%i", "%j");
      }
      loop("%k", 4);
      addTo(to, both("xori", {a, "%i", "%k"}, {b, "%k", "%j"}));
      close(3);
      break;
    case 3: // prefix sums in each row
      if (!to.isWritten)
        fill(to);
      loop("%i", 4);
      loop("%j", 3);
      store(both("addi", {to, "%i", "%j"}, {a, "%i", "%j"}), to, "%i", "%j + 1");
      close(2);
      break;
    case 4: // a part
      if (!to.isWritten)
        fill(to);
      loop("%i", 2);
      loop("%j", 4);
      store(compute("addi", load(a, "%i", "%j"), "%s"), to, "%i + 1", "%j");
      close(2);
      break;
    case 5: { // a value for all elements
      std::string sum = fresh();
      body += fmt::format("{} = affine.for %i = 0 to 4 iter_args(%sum = %zero) -> i32 {{\n", sum);
      std::string next = compute("addi", "%sum", load(a, "%i", "3 - %i"));
      body += fmt::format("affine.yield {} : i32\n}}\n", next);
      loop("%i", 4);
      loop("%j", 4);
      store(compute("xori", load(b, "%i", "%j"), sum), to, "%i", "%j");
      close(2);
      break;
    }
    case 6: { // a condition
      loop("%i", 4);
      loop("%j", 4);
      std::string x = load(a, "%i", "%j"), isLess = fresh(), chosen = fresh();
      body += fmt::format("{} = arith.cmpi slt, {}, %three : i32\n", isLess, x);
      body += fmt::format("{} = arith.select {}, {}, %s : i32\n", chosen, isLess, x);
      store(chosen, to, "%j", "%i");
      close(2);
      break;
    }
    case 8: // every other row, then the rest
      for (const char *row : {"2 * %i", "2 * %i + 1"}) {
        loop("%i", 2);
        loop("%j", 4);
        store(compute("addi", load(a, "%j", row), "%s"), to, row, "%j");
        close(2);
      }
      break;
    case 9: { // a place that an element says
      loop("%i", 4);
      loop("%j", 4);
      std::string row = fresh(), value = fresh();
      body += fmt::format("{} = arith.index_cast {} : i32 to index\n", row,
                          compute("andi", load(a, "%i", "%j"), "%three"));
      body += fmt::format("{} = memref.load {}\n", value, b.at(row, "%j"));
      store(value, to, "%j", "%i");
      close(2);
      break;
    }
    default:
      if (!to.isWritten)
        fill(to);
      update(to, a);
    }
    to.isWritten = true;
  }

  CounterRandom random;
  bool hasInputs, hasStreams;
  std::vector<Array> arrays;
  std::string body;
  unsigned values = 0;
};

} // namespace

std::string randomSystem(uint64_t seed, bool hasInputs) {
  return Writer(seed, hasInputs, false).write();
}

std::string randomStreams(uint64_t seed) { return Writer(seed, true, true).write(); }

} // namespace spindle::hls
