#include "tests/synthesis/integers/RandomIntegers.h"

#include "core/support/CounterRandom.h"

#include "fmt/format.h"

#include <vector>

namespace spindle::hls {

namespace {

struct Scalar {
  std::string name;
  unsigned bits; // 0: index
};

std::string typeText(unsigned bits) { return bits ? fmt::format("i{}", bits) : "index"; }

class IntegerWriter {
public:
  explicit IntegerWriter(uint64_t seed) : random(seed, /*substream=*/0x696e74) {}

  std::string write(unsigned parts) {
    line("%one = arith.constant 1 : index");
    for (unsigned n = 0; n < parts; ++n)
      writePart(n);
    std::string returned = fmt::format("return {} : {}", result.name, typeText(result.bits));
    line(returned);
    return fmt::format("func.func @kernel({}) -> {} {{\n{}}}\n", arguments, typeText(result.bits),
                       text);
  }

private:
  using Scope = std::vector<Scalar>;
  struct Array {
    std::string name;
    unsigned bits;
  };

  void writePart(unsigned part) {
    Scope scope;
    arrays.clear();
    for (unsigned n = 0; n < 2; ++n) {
      static constexpr unsigned sizes[] = {8, 16, 32, 64, 1, 8, 16, 32, 5, 24, 0};
      arrays.push_back({fmt::format("%m{}_{}", part, n), sizes[below(11)]});
      argument(fmt::format("{}: {}", arrays.back().name, arrayType(arrays.back())));
      scope.push_back({fmt::format("%s{}_{}", part, n), anyBits()});
      argument(fmt::format("{}: {}", scope.back().name, typeText(scope.back().bits)));
    }
    for (unsigned statement = 2 + below(3); statement > 0; --statement)
      below(2) ? loop(scope, 1 + below(2)) : compute(scope);
    result = scope.back();
  }

  unsigned below(uint32_t n) { return unsigned(random.below(n)); }
  unsigned anyBits() {
    static constexpr unsigned sizes[] = {1,  2,  3,  5,  7,  8,  8,  9,  16, 17,
                                         24, 31, 32, 32, 33, 48, 63, 64, 64, 0};
    return sizes[below(20)];
  }
  void argument(const std::string &one) { arguments += (arguments.empty() ? "" : ", ") + one; }
  void line(const std::string &content) { text += std::string(2 * indent, ' ') + content + "\n"; }
  std::string fresh() { return fmt::format("%v{}", next++); }
  Scalar let(unsigned bits, const std::string &operation) {
    Scalar made{fresh(), bits};
    line(made.name + " = " + operation);
    return made;
  }
  Scalar op(const char *name, const Scalar &a, const Scalar &b) {
    return let(a.bits, fmt::format("{} {}, {} : {}", name, a.name, b.name, typeText(a.bits)));
  }
  static std::string arrayType(const Array &array) {
    return fmt::format("memref<8x{}>", typeText(array.bits));
  }
  const Scalar &any(const Scope &scope) { return scope[below(uint32_t(scope.size()))]; }

  /// Small numbers, powers of two and neighbours, and any.
  Scalar constant(unsigned bits) {
    unsigned width = bits ? bits : 64;
    uint64_t value = below(20);
    if (below(3) > 0) {
      uint64_t power = uint64_t(1) << below(width), high = random(), low = random();
      value = value < 6 ? power + value % 3 - 1 : high << 32 | low;
    }
    auto number = int64_t(value << (64 - width)) >> (64 - width);
    if (below(2))
      number >>= below(width); // of any length
    return let(bits, width == 1 ? fmt::format("arith.constant {}", number ? "true" : "false")
                                : fmt::format("arith.constant {} : {}", number, typeText(bits)));
  }

  Scalar cast(const Scalar &value, unsigned bits) {
    if (value.bits == bits)
      return value;
    const char *name = !value.bits || !bits ? (below(2) ? "arith.index_cast" : "arith.index_castui")
                       : bits < value.bits  ? "arith.trunci"
                       : below(2)           ? "arith.extsi"
                                            : "arith.extui";
    return let(bits, fmt::format("{} {} : {} to {}", name, value.name, typeText(value.bits),
                                 typeText(bits)));
  }
  Scalar anyOf(const Scope &scope, unsigned bits) { return cast(any(scope), bits); }

  Scalar condition(const Scope &scope) {
    static const char *const predicates[] = {"eq",  "ne",  "slt", "sle", "sgt",
                                             "sge", "ult", "ule", "ugt", "uge"};
    Scalar a = any(scope), b = below(3) ? anyOf(scope, a.bits) : constant(a.bits);
    return let(1, fmt::format("arith.cmpi {}, {}, {} : {}", predicates[below(10)], a.name, b.name,
                              typeText(a.bits)));
  }

  void compute(Scope &scope) {
    for (unsigned count = 1 + below(4); count > 0; --count)
      scope.push_back(computed(scope));
  }

  Scalar computed(const Scope &scope) {
    static const char *const sums[] = {"arith.addi",  "arith.subi",  "arith.muli",  "arith.andi",
                                       "arith.ori",   "arith.xori",  "arith.minsi", "arith.maxsi",
                                       "arith.minui", "arith.maxui", "arith.shli",  "arith.shrui",
                                       "arith.shrsi"};
    static const char *const quotients[] = {"arith.divsi", "arith.divui", "arith.remsi",
                                            "arith.remui"};
    static const char *const counts[] = {"math.ctpop", "math.ctlz", "math.cttz", "math.absi"};
    Scalar a = any(scope);
    switch (below(17)) {
    case 0: { // a narrow product in a wide type, as of quantised numbers
      Scalar x = cast(cast(a, 1 + below(12)), 32), y = cast(anyOf(scope, 1 + below(12)), 32);
      return op("arith.muli", x, y);
    }
    case 1:
      return op("arith.muli", a, constant(a.bits));
    case 2:
      return op("arith.andi", a, constant(a.bits));
    case 3: {
      Scalar by = a.bits == 1
                      ? a
                      : let(a.bits, fmt::format("arith.constant {} : {}",
                                                below(a.bits ? a.bits : 64), typeText(a.bits)));
      return a.bits == 1 ? a : op(sums[10 + below(3)], a, by);
    }
    case 4: {
      Scalar by = anyOf(scope, a.bits);
      return op(quotients[below(4)], a, by);
    }
    case 5:
      return let(a.bits, fmt::format("{} {} : {}", counts[below(4)], a.name, typeText(a.bits)));
    case 6: {
      Scalar which = condition(scope), b = anyOf(scope, a.bits);
      return let(a.bits, fmt::format("arith.select {}, {}, {} : {}", which.name, a.name, b.name,
                                     typeText(a.bits)));
    }
    case 7:
      return condition(scope);
    case 8:
      return cast(a, anyBits());
    case 9:
      return loaded(scope, "");
    case 10:
      return branch(scope);
    case 11: { // a sum that is cut
      Scalar x = cast(a, 32), y = anyOf(scope, 32), sum = op(sums[below(6)], x, y);
      return cast(sum, 1 + below(20));
    }
    case 12: { // both halves of a product, a sum and its carry
      static const char *const names[] = {"arith.mului_extended", "arith.mulsi_extended",
                                          "arith.addui_extended"};
      unsigned which = below(3);
      Scalar x = a.bits ? a : cast(a, 64), y = anyOf(scope, x.bits);
      std::string first = fresh(), second = fresh(), type = typeText(x.bits);
      line(fmt::format("{}, {} = {} {}, {} : {}{}", first, second, names[which], x.name, y.name,
                       type, which == 2 ? ", i1" : ""));
      if (below(4) == 0)
        return {first, x.bits};
      return {second, which == 2 ? 1 : x.bits};
    }
    default: {
      Scalar b = anyOf(scope, a.bits);
      return op(sums[below(13)], a, b);
    }
    }
  }

  /// At the counter, at a number, or where data say.
  std::string subscript(const Scope &scope, const std::string &counter, bool &isAffine) {
    isAffine = below(3) > 0;
    if (isAffine)
      return counter.empty() || below(4) == 0 ? std::to_string(below(8)) : counter;
    Scalar wide = anyOf(scope, 32);
    Scalar seven = let(32, "arith.constant 7 : i32");
    return cast(op("arith.andi", wide, seven), 0).name;
  }
  Scalar loaded(const Scope &scope, const std::string &counter) {
    const Array &array = arrays[below(2)];
    bool isAffine;
    std::string at = subscript(scope, counter, isAffine);
    return let(array.bits, fmt::format("{}.load {}[{}] : {}", isAffine ? "affine" : "memref",
                                       array.name, at, arrayType(array)));
  }
  void store(const Scope &scope, const std::string &counter) {
    const Array &array = arrays[below(2)];
    Scalar value = anyOf(scope, array.bits);
    bool isAffine;
    std::string at = subscript(scope, counter, isAffine);
    line(fmt::format("{}.store {}, {}[{}] : {}", isAffine ? "affine" : "memref", value.name,
                     array.name, at, arrayType(array)));
  }

  Scalar branch(const Scope &scope) {
    Scalar which = condition(scope);
    Scalar made{fresh(), anyBits()};
    line(fmt::format("{} = scf.if {} -> ({}) {{", made.name, which.name, typeText(made.bits)));
    for (bool isThen : {true, false}) {
      if (!isThen)
        line("} else {");
      ++indent;
      Scope inside = scope;
      if (below(2)) {
        Scalar a = any(inside), b = anyOf(inside, a.bits);
        inside.push_back(op("arith.xori", a, b));
      }
      Scalar value = anyOf(inside, made.bits);
      line(fmt::format("scf.yield {} : {}", value.name, typeText(made.bits)));
      --indent;
    }
    line("}");
    return made;
  }

  /// Sums over few iterations stay small, others wrap around.
  void loop(Scope &scope, unsigned depth) {
    static constexpr unsigned counts[] = {0, 1, 2, 3, 5, 8};
    std::string counter = fresh();
    unsigned trips = counts[below(6)];
    bool carries = below(2);
    Scalar start = carries ? (below(2) ? constant(anyBits()) : any(scope)) : Scalar{"", 8};
    Scalar carried{fresh(), start.bits}, sum{fresh(), start.bits};
    std::string head = fmt::format("affine.for {} = 0 to {}", counter, trips);
    if (carries)
      head = fmt::format("{} = {} iter_args({} = {}) -> ({})", sum.name, head, carried.name,
                         start.name, typeText(start.bits));
    line(head + " {");
    ++indent;
    Scope inside = scope;
    if (carries)
      inside.push_back(carried);
    inside.push_back(let(32, fmt::format("arith.index_cast {} : index to i32", counter)));
    inside.push_back(loaded(inside, counter));
    compute(inside);
    if (depth > 1 && !carries)
      loop(inside, depth - 1);
    if (below(3))
      store(inside, counter);
    if (carries) {
      Scalar term = anyOf(inside, start.bits);
      if (below(2) && start.bits > 8) // a sum of small terms
        term = cast(cast(term, 1 + below(8)), start.bits);
      Scalar after = below(4) ? op(below(4) ? "arith.addi" : "arith.subi", carried, term) : term;
      line(fmt::format("affine.yield {} : {}", after.name, typeText(start.bits)));
    }
    --indent;
    line("}");
    if (carries)
      scope.push_back(sum);
  }

  CounterRandom random;
  std::string text, arguments;
  std::vector<Array> arrays;
  Scalar result{"%one", 0};
  unsigned next = 0, indent = 1;
};

} // namespace

std::string randomIntegers(uint64_t seed, unsigned parts) {
  return IntegerWriter(seed).write(parts);
}

} // namespace spindle::hls
