#include "tests/synthesis/floats/RandomFloats.h"

#include "core/support/CounterRandom.h"

#include "fmt/format.h"

#include <vector>

namespace spindle::hls {

namespace {

struct Float {
  std::string name, type;
};

unsigned bitsOf(const std::string &type) { return type == "f64" ? 64 : type == "f32" ? 32 : 16; }

class FloatWriter {
public:
  explicit FloatWriter(uint64_t seed) : random(seed, /*substream=*/0x666c74) {}

  std::string write(unsigned parts) {
    Scope last;
    for (unsigned n = 0; n < parts; ++n)
      last = writePart(n);
    const Float &result = last.back();
    line(fmt::format("return {} : {}", result.name, result.type));
    return fmt::format("func.func @kernel({}) -> {} {{\n{}}}\n", arguments, result.type, text);
  }

private:
  using Scope = std::vector<Float>;

  Scope writePart(unsigned part) {
    Scope scope;
    arrays.clear();
    for (unsigned n = 0; n < 2; ++n) {
      arrays.push_back({fmt::format("%m{}_{}", part, n), anyType()});
      argument(fmt::format("{}: {}", arrays.back().name, arrayType(arrays.back())));
      scope.push_back({fmt::format("%s{}_{}", part, n), anyType()});
      argument(fmt::format("{}: {}", scope.back().name, scope.back().type));
    }
    for (unsigned statement = 2 + below(2); statement > 0; --statement)
      below(3) ? loop(scope, 1 + below(2)) : compute(scope);
    return scope;
  }

  unsigned below(uint32_t n) { return unsigned(random.below(n)); }
  std::string anyType() {
    static const char *const types[] = {"f16", "f16", "bf16", "bf16", "f32", "f64"};
    return types[below(6)];
  }
  std::string anyInteger() {
    static const char *const types[] = {"i1", "i5", "i8", "i16", "i20", "i32", "i48", "i64"};
    return types[below(8)];
  }
  void argument(const std::string &one) { arguments += (arguments.empty() ? "" : ", ") + one; }
  void line(const std::string &content) { text += std::string(2 * indent, ' ') + content + "\n"; }
  std::string fresh() { return fmt::format("%v{}", next++); }
  std::string let(const std::string &operation) {
    std::string name = fresh();
    line(name + " = " + operation);
    return name;
  }
  static std::string arrayType(const Float &array) {
    return fmt::format("memref<8x{}>", array.type);
  }
  const Float &any(const Scope &scope) { return scope[below(uint32_t(scope.size()))]; }

  /// Of any magnitude that the format has, zeros and infinities too.
  Float constant(const std::string &type) {
    static const char *const values[] = {"0.0", "-0.0", "1.0",     "-1.0",    "0.5",   "3.0",
                                         "0.1", "-7.3", "1.0e+04", "6.0e-05", "1.0e-7"};
    return {let(fmt::format("arith.constant {} : {}", values[below(11)], type)), type};
  }

  Float cast(const Float &value, const std::string &type) {
    if (value.type == type)
      return value;
    unsigned from = bitsOf(value.type), to = bitsOf(type);
    if (from == to) // f16 and bf16, by way of f32
      return cast(cast(value, "f32"), type);
    return {let(fmt::format("arith.{} {} : {} to {}", from < to ? "extf" : "truncf", value.name,
                            value.type, type)),
            type};
  }
  Float anyOf(const Scope &scope, const std::string &type) {
    return below(5) == 0 ? constant(type) : cast(any(scope), type);
  }

  std::string condition(const Scope &scope) {
    static const char *const predicates[] = {"oeq", "ogt", "oge", "olt", "ole", "one", "ord",
                                             "ueq", "ugt", "uge", "ult", "ule", "une", "uno"};
    Float a = any(scope), b = anyOf(scope, a.type);
    return let(
        fmt::format("arith.cmpf {}, {}, {} : {}", predicates[below(14)], a.name, b.name, a.type));
  }

  void compute(Scope &scope) {
    for (unsigned count = 1 + below(4); count > 0; --count)
      scope.push_back(computed(scope));
  }

  Float computed(const Scope &scope) {
    static const char *const pairs[] = {"arith.addf",    "arith.subf",     "arith.mulf",
                                        "arith.addf",    "arith.subf",     "arith.mulf",
                                        "arith.divf",    "arith.maximumf", "arith.minimumf",
                                        "arith.maxnumf", "arith.minnumf",  "math.copysign"};
    static const char *const alone[] = {"arith.negf", "math.absf", "math.sqrt",
                                        "math.tanh",  "math.erf",  "math.log",
                                        "math.floor", "math.ceil", "math.trunc"};
    Float a = any(scope);
    switch (below(13)) {
    case 6: { // halfway and beyond: a term that is small, or as large as the product
      Float b = cast(any(scope), a.type), c = anyOf(scope, a.type);
      return {let(fmt::format("math.fma {}, {}, {} : {}", a.name, b.name, c.name, a.type)), a.type};
    }
    case 0: {
      std::string name = alone[below(9)];
      return {let(fmt::format("{} {} : {}", name, a.name, a.type)), a.type};
    }
    case 1:
      return cast(a, anyType());
    case 2: { // to an integer and back
      std::string type = anyInteger(), to = anyType();
      const char *sign = below(2) ? "s" : "u";
      std::string whole =
          let(fmt::format("arith.fpto{}i {} : {} to {}", sign, a.name, a.type, type));
      return {
          let(fmt::format("arith.{}itofp {} : {} to {}", below(2) ? "s" : "u", whole, type, to)),
          to};
    }
    case 3: {
      std::string which = condition(scope);
      Float b = anyOf(scope, a.type);
      return {let(fmt::format("arith.select {}, {}, {} : {}", which, a.name, b.name, a.type)),
              a.type};
    }
    case 4:
      return loaded("");
    case 5: { // the bits, changed
      std::string bits = fmt::format("i{}", bitsOf(a.type));
      std::string word = let(fmt::format("arith.bitcast {} : {} to {}", a.name, a.type, bits));
      // NaNs are one in hardware, many in programs: the exponent is kept from being all ones.
      std::string mask = let(fmt::format("arith.constant {} : {}", 0x0fff, bits));
      std::string low = let(fmt::format("arith.andi {}, {} : {}", word, mask, bits));
      return {let(fmt::format("arith.bitcast {} : {} to {}", low, bits, a.type)), a.type};
    }
    default: {
      std::string name = pairs[below(12)];
      // The sign of a NaN is another one in hardware than in programs.
      Float b = name == "math.copysign" ? constant(a.type) : anyOf(scope, a.type);
      return {let(fmt::format("{} {}, {} : {}", name, a.name, b.name, a.type)), a.type};
    }
    }
  }

  Float loaded(const std::string &counter) {
    const Float &array = arrays[below(2)];
    std::string at = counter.empty() || below(4) == 0 ? std::to_string(below(8)) : counter;
    return {let(fmt::format("affine.load {}[{}] : {}", array.name, at, arrayType(array))),
            array.type};
  }
  void store(const Scope &scope, const std::string &counter) {
    const Float &array = arrays[below(2)];
    Float value = anyOf(scope, array.type);
    std::string at = below(4) == 0 ? std::to_string(below(8)) : counter;
    line(fmt::format("affine.store {}, {}[{}] : {}", value.name, array.name, at, arrayType(array)));
  }

  void loop(Scope &scope, unsigned depth) {
    static constexpr unsigned ends[] = {0, 1, 2, 3, 5, 8};
    std::string counter = fresh();
    bool carries = below(2);
    Float start = carries ? any(scope) : Float{"", "f32"};
    Float carried{fresh(), start.type}, sum{fresh(), start.type};
    std::string head =
        fmt::format("affine.for {} = 0 to {} step {}", counter, ends[below(6)], 1 + below(3));
    if (carries)
      head = fmt::format("{} = {} iter_args({} = {}) -> ({})", sum.name, head, carried.name,
                         start.name, start.type);
    line(head + " {");
    ++indent;
    Scope inside = scope;
    if (carries)
      inside.push_back(carried);
    inside.push_back(loaded(counter));
    compute(inside);
    if (depth > 1 && !carries)
      loop(inside, depth - 1);
    if (below(4))
      store(inside, counter);
    if (carries) {
      Float term = anyOf(inside, start.type);
      std::string after = let(fmt::format("arith.{} {}, {} : {}", below(3) ? "addf" : "mulf",
                                          carried.name, term.name, start.type));
      line(fmt::format("affine.yield {} : {}", after, start.type));
    }
    --indent;
    line("}");
    if (carries)
      scope.push_back(sum);
  }

  CounterRandom random;
  std::string text, arguments;
  std::vector<Float> arrays;
  unsigned next = 0, indent = 1;
};

} // namespace

std::string randomFloats(uint64_t seed, unsigned parts) { return FloatWriter(seed).write(parts); }

} // namespace spindle::hls
