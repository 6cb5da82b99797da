#include "tests/synthesis/independence/RandomIndependent.h"

#include "core/support/CounterRandom.h"

#include "fmt/format.h"

namespace spindle::hls {

namespace {

constexpr const char *kOwn = "memref<32xf32>", *kTable = "memref<16xf32>", *kBins = "memref<4xf32>";

class IndependentWriter {
public:
  explicit IndependentWriter(uint64_t seed) : random(seed, /*substream=*/0x696e6470) {}

  std::string write() {
    isNamed = below(2) == 0;
    isLocal = !isNamed && below(3) == 0;
    isAffine = below(2) == 0;
    line("%zero = arith.constant 0 : index");
    line("%one = arith.constant 1 : index");
    for (int n : {1, 2, 3, 15, 16})
      line(fmt::format("%c{} = arith.constant {} : i32", n, n));
    line(fmt::format("%trips = arith.constant {} : index", 1 + below(16)));
    line(fmt::format("%turns = arith.constant {} : index", below(4)));
    if (isLocal) {
      line(fmt::format("%own = memref.alloc() : {}", kOwn));
      copy("%given", "%own");
    }
    unsigned around = below(3);
    if (below(3) == 0)
      nest("", 0);
    nest("", around);
    if (isLocal)
      copy("%own", "%given");
    return fmt::format("func.func @kernel(%{}: {}, %table: {}, %bins: {}) {{\n{}  return\n}}\n",
                       isLocal ? "given" : "own", kOwn, kTable, kBins, text);
  }

private:
  unsigned below(uint32_t n) { return unsigned(random.below(n)); }
  void line(const std::string &content) { text += std::string(2 * indent, ' ') + content + "\n"; }
  std::string fresh() { return fmt::format("%v{}", next++); }
  std::string let(const std::string &operation) {
    std::string name = fresh();
    line(name + " = " + operation);
    return name;
  }
  std::string word(const std::string &op, const std::string &a, const std::string &b) {
    return let(fmt::format("arith.{} {}, {} : i32", op, a, b));
  }
  std::string number(const std::string &op, const std::string &a, const std::string &b) {
    return let(fmt::format("arith.{} {}, {} : f32", op, a, b));
  }
  std::string asWord(const std::string &index) {
    return let(fmt::format("arith.index_cast {} : index to i32", index));
  }
  std::string asIndex(const std::string &value) {
    return let(fmt::format("arith.index_cast {} : i32 to index", value));
  }
  std::string load(const std::string &array, const std::string &at, const char *type) {
    return let(fmt::format("memref.load {}[{}] : {}", array, at, type));
  }
  void store(const std::string &value, const std::string &array, const std::string &at,
             const char *type) {
    line(fmt::format("memref.store {}, {}[{}] : {}", value, array, at, type));
  }
  void open(const std::string &counter, const std::string &end) {
    line(fmt::format("scf.for {} = %zero to {} step %one {{", counter, end));
    ++indent;
  }
  void close(const std::string &attribute = "") {
    --indent;
    line("}" + attribute);
  }
  void copy(const char *from, const char *to) {
    line("affine.for %n = 0 to 32 {");
    line(fmt::format("  %x = affine.load {}[%n] : {}", from, kOwn));
    line(fmt::format("  affine.store %x, {}[%n] : {}", to, kOwn));
    line("}");
  }

  /// Loops around the one that is independent, with statements beside it.
  void nest(const std::string &outer, unsigned around) {
    if (around == 0)
      return independent(outer);
    std::string counter = fresh();
    open(counter, "%turns");
    if (below(3) == 0)
      update(counter, "%own", kOwn);
    nest(counter, around - 1);
    if (below(4) == 0)
      update(counter, "%own", kOwn);
    close();
  }

  /// A word that any iteration may touch.
  void update(const std::string &counter, const char *array, const char *type) {
    std::string at = asIndex(word("andi", asWord(counter), "%c3"));
    std::string sum = number("addf", load(array, at, type), load("%table", at, kTable));
    store(sum, array, at, type);
  }

  /// One of the 16 words that only this iteration touches, another one in every run.
  std::string permuted(const std::string &counter, const std::string &outer) {
    std::string value = asWord(counter), turn = outer.empty() ? "%c1" : asWord(outer);
    for (unsigned step = 1 + below(3); step > 0; --step)
      switch (below(4)) {
      case 0:
        value = word("muli", value, word("ori", word("shli", turn, "%c1"), "%c1"));
        break;
      case 1:
        value = word("xori", value, turn);
        break;
      case 2:
        value = word("addi", value, turn);
        break;
      default: // the low two bits to the top
        value = word("andi", value, "%c15");
        value = word("ori", word("shrui", value, "%c2"), word("shli", value, "%c2"));
      }
    return word("andi", value, "%c15");
  }

  void independent(const std::string &outer) {
    std::string counter = fresh();
    if (isAffine) {
      line(fmt::format("affine.for {} = 0 to {} {{", counter, 1 + below(16)));
      ++indent;
    } else {
      open(counter, "%trips");
    }
    std::string mine = permuted(counter, outer);
    std::string lower = asIndex(mine), upper = asIndex(word("ori", mine, "%c16"));
    bool isDeep = below(3) == 0;
    std::string inner = isDeep ? fresh() : counter;
    if (isDeep)
      open(inner, "%turns");
    std::string a = load("%own", lower, kOwn), b = load("%own", upper, kOwn);
    std::string t = load("%table", asIndex(word("andi", asWord(inner), "%c15")), kTable);
    std::string x = number(below(2) ? "addf" : "mulf", a, t), y = number("subf", b, x);
    store(x, "%own", below(2) ? lower : upper, kOwn);
    if (below(2))
      y = number("addf", load("%own", lower, kOwn), y);
    store(y, "%own", below(2) ? lower : upper, kOwn);
    if (isNamed && below(2)) // in order: nothing is said of it
      update(below(2) ? counter : inner, "%bins", kBins);
    if (isDeep)
      close();
    close(isNamed ? " {hls.independent = #hls.independent<[0]>}"
                  : " {hls.independent = #hls.independent}");
  }

  CounterRandom random;
  std::string text;
  bool isNamed = false, isLocal = false, isAffine = false;
  unsigned next = 0, indent = 1;
};

} // namespace

std::string randomIndependent(uint64_t seed) { return IndependentWriter(seed).write(); }

} // namespace spindle::hls
