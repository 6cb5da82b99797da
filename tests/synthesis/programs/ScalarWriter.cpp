#include "tests/synthesis/programs/ScalarWriter.h"

#include <bit>

namespace spindle::hls {

bool isFloatType(const std::string &type) { return type[0] == 'f' || type[0] == 'b'; }

unsigned bitsOfType(const std::string &type) {
  if (type == "index")
    return 64;
  return unsigned(std::stoi(type.substr(type[0] == 'b' ? 2 : 1)));
}

static const char *const kIntegers[] = {"i1",  "i2",  "i3",  "i5",  "i7",  "i8",    "i8",
                                        "i9",  "i16", "i17", "i24", "i31", "i32",   "i32",
                                        "i33", "i48", "i63", "i64", "i64", "index", "index"};
static const char *const kFloats[] = {"f16", "f16", "bf16", "bf16", "f32", "f64"};

/// A program has some of the types, so that its values meet.
ScalarWriter::ScalarWriter(uint64_t seed, NumberKind numbers) : ProgramText(seed) {
  for (unsigned count = 2 + below(4); count > 0; --count) {
    bool isFloat = numbers == NumberKind::Floats || (numbers == NumberKind::Any && chance(2));
    palette.emplace_back(isFloat ? oneOf(kFloats) : oneOf(kIntegers));
  }
}

std::string ScalarWriter::anyIntegerType() { return oneOf(kIntegers); }

Named ScalarWriter::number(int64_t value, const std::string &type) {
  if (type == "i1")
    return let(type, fmt::format("arith.constant {}", value & 1 ? "true" : "false"));
  return let(type, fmt::format("arith.constant {} : {}", value, type));
}

/// Small numbers, powers of two and neighbours, and any; of floats of any magnitude.
Named ScalarWriter::constant(const std::string &type) {
  static const char *const floats[] = {"0.0", "-0.0", "1.0",     "-1.0",    "0.5",   "3.0",
                                       "0.1", "-7.3", "1.0e+04", "6.0e-05", "1.0e-7"};
  if (isFloatType(type))
    return let(type, fmt::format("arith.constant {} : {}", oneOf(floats), type));
  unsigned width = bitsOfType(type);
  uint64_t value = below(20);
  if (below(3) > 0)
    value = value < 6 ? (uint64_t(1) << below(width)) + value % 3 - 1 : word();
  auto whole = int64_t(value << (64 - width)) >> (64 - width);
  if (chance(2))
    whole >>= below(width); // of any length
  return number(whole, type);
}

Named ScalarWriter::cast(const Named &value, const std::string &type) {
  if (value.type == type)
    return value;
  unsigned from = bitsOfType(value.type), to = bitsOfType(type);
  bool wasFloat = isFloatType(value.type), isFloat = isFloatType(type);
  auto by = [&](const char *name) {
    return let(type, fmt::format("arith.{} {} : {} to {}", name, value.name, value.type, type));
  };
  if (wasFloat && isFloat) // f16 and bf16 by way of f32
    return from == to ? cast(cast(value, "f32"), type) : by(from < to ? "extf" : "truncf");
  if (wasFloat != isFloat) {
    if (value.type == "index" || type == "index")
      return cast(cast(value, chance(2) ? "i32" : "i64"), type);
    return by(isFloat ? (chance(2) ? "sitofp" : "uitofp") : (chance(2) ? "fptosi" : "fptoui"));
  }
  if (value.type == "index" || type == "index")
    return by(chance(2) ? "index_cast" : "index_castui");
  return by(to < from ? "trunci" : chance(2) ? "extsi" : "extui");
}

Named ScalarWriter::anyOf(const Scope &scope, const std::string &type) {
  return chance(8) ? constant(type) : cast(any(scope), type);
}

Named ScalarWriter::condition(const Scope &scope) {
  static const char *const whole[] = {"eq",  "ne",  "slt", "sle", "sgt",
                                      "sge", "ult", "ule", "ugt", "uge"};
  static const char *const real[] = {"oeq", "ogt", "oge", "olt", "ole", "one", "ord",
                                     "ueq", "ugt", "uge", "ult", "ule", "une", "uno"};
  Named a = any(scope), b = anyOf(scope, a.type);
  bool isFloat = isFloatType(a.type);
  return let("i1", fmt::format("arith.{} {}, {}, {} : {}", isFloat ? "cmpf" : "cmpi",
                               isFloat ? oneOf(real) : oneOf(whole), a.name, b.name, a.type));
}

Named ScalarWriter::operation(const std::string &name, const Named &a, const Named &b) {
  return let(a.type, fmt::format("{} {}, {} : {}", name, a.name, b.name, a.type));
}

Named ScalarWriter::indexBelow(const Scope &scope, int64_t count) {
  Named value = any(scope);
  bool isPower = std::has_single_bit(uint64_t(count));
  if (isPower && chance(2)) {
    Named wide = cast(value, chance(2) ? "i32" : "i64");
    return cast(operation("arith.andi", wide, number(count - 1, wide.type)), "index");
  }
  Named index = cast(value, "index"), last = number(count - 1, "index");
  switch (below(3)) {
  case 0:
    return operation("arith.remui", index, number(count, "index"));
  case 1:
    return operation("arith.minui", index, last);
  default:
    return operation("arith.maxsi", operation("arith.minsi", index, last), number(0, "index"));
  }
}

Named ScalarWriter::integerOperation(const Scope &scope, const Named &a) {
  static const char *const sums[] = {"addi",  "subi",  "muli",  "andi", "ori",   "xori", "minsi",
                                     "maxsi", "minui", "maxui", "shli", "shrui", "shrsi"};
  static const char *const quotients[] = {"divsi",      "divui",     "remsi",    "remui",
                                          "floordivsi", "ceildivsi", "ceildivui"};
  static const char *const counts[] = {"ctpop", "ctlz", "cttz", "absi"};
  const std::string &type = a.type;
  auto arith = [&](const char *name, const Named &b) {
    return operation(std::string("arith.") + name, a, b);
  };
  switch (below(11)) {
  case 0: { // a narrow product in a wide type, as of quantised numbers
    auto narrow = [&] { return fmt::format("i{}", 1 + below(12)); };
    Named x = cast(cast(a, narrow()), "i32"), y = cast(anyOf(scope, narrow()), "i32");
    return operation("arith.muli", x, y);
  }
  case 1:
    return arith("muli", constant(type));
  case 2:
    return arith(chance(2) ? "andi" : "ori", constant(type));
  case 3:
    if (type == "i1")
      return a;
    return arith(sums[10 + below(3)], number(int64_t(below(bitsOfType(type))), type));
  case 4:
    return arith(oneOf(quotients), anyOf(scope, type));
  case 5:
    return let(type, fmt::format("math.{} {} : {}", oneOf(counts), a.name, type));
  case 6: { // a sum that is cut
    Named x = cast(a, "i32"), y = anyOf(scope, "i32");
    return cast(operation(std::string("arith.") + sums[below(6)], x, y),
                fmt::format("i{}", 1 + below(20)));
  }
  case 7: { // both halves of a product, a sum and its carry
    static const char *const names[] = {"mului_extended", "mulsi_extended", "addui_extended"};
    unsigned which = below(3);
    Named x = type == "index" ? cast(a, "i64") : a, y = anyOf(scope, x.type);
    std::string first = fresh(), second = fresh();
    line(fmt::format("{}, {} = arith.{} {}, {} : {}{}", first, second, names[which], x.name, y.name,
                     x.type, which == 2 ? ", i1" : ""));
    if (chance(4))
      return {first, x.type};
    return {second, which == 2 ? "i1" : x.type};
  }
  default:
    return arith(oneOf(sums), anyOf(scope, type));
  }
}

Named ScalarWriter::floatOperation(const Scope &scope, const Named &a) {
  static const char *const pairs[] = {"addf", "subf",     "mulf",     "addf",    "subf",   "mulf",
                                      "divf", "maximumf", "minimumf", "maxnumf", "minnumf"};
  static const char *const alone[] = {"arith.negf", "math.absf",      "math.sqrt",  "math.tanh",
                                      "math.erf",   "math.log",       "math.exp",   "math.rsqrt",
                                      "math.ceil",  "math.roundeven", "math.floor", "math.trunc",
                                      "math.exp2",  "math.log2",      "math.round"};
  static const char *const circular[] = {"math.sin", "math.cos"};
  const std::string &type = a.type;
  switch (below(10)) {
  case 0: {
    const char *function = chance(8) ? oneOf(circular) : oneOf(alone);
    return let(type, fmt::format("{} {} : {}", function, a.name, type));
  }
  case 1: { // halfway and beyond: a term that is small, or as large as the product
    Named b = anyOf(scope, type), c = anyOf(scope, type);
    return let(type, fmt::format("math.fma {}, {}, {} : {}", a.name, b.name, c.name, type));
  }
  case 2: { // the bits, changed; NaNs are one in hardware, many in programs: the exponent is kept
            // from being all ones
    std::string bits = fmt::format("i{}", bitsOfType(type));
    Named word = let(bits, fmt::format("arith.bitcast {} : {} to {}", a.name, type, bits));
    Named low = operation("arith.andi", word, number(0x0fff, bits));
    return let(type, fmt::format("arith.bitcast {} : {} to {}", low.name, bits, type));
  }
  case 3: // the sign of a NaN is another one in hardware than in programs
    return operation("math.copysign", a, constant(type));
  case 4: {
    std::string to = anyIntegerType();
    return cast(cast(a, to), chance(2) ? type : anyType());
  }
  default: {
    std::string name = std::string("arith.") + oneOf(pairs);
    return operation(name, a, anyOf(scope, type));
  }
  }
}

Named ScalarWriter::computed(const Scope &scope) {
  Named a = any(scope);
  switch (below(8)) {
  case 0:
    return condition(scope);
  case 1: {
    Named which = condition(scope), b = anyOf(scope, a.type);
    return let(a.type,
               fmt::format("arith.select {}, {}, {} : {}", which.name, a.name, b.name, a.type));
  }
  case 2:
    return cast(a, anyType());
  default:
    return isFloatType(a.type) ? floatOperation(scope, a) : integerOperation(scope, a);
  }
}

/// Sums, also of small terms, products, extremes; or another value takes its place.
Named ScalarWriter::accumulated(const Named &before, const Scope &scope) {
  static const char *const whole[] = {"addi", "addi", "addi", "subi", "muli", "maxsi", "xori"};
  static const char *const real[] = {"addf", "addf", "addf", "subf", "mulf", "maximumf"};
  Named term = anyOf(scope, before.type);
  if (chance(4))
    return term;
  if (isFloatType(before.type))
    return operation(std::string("arith.") + oneOf(real), before, term);
  if (chance(2) && bitsOfType(before.type) > 8 && before.type != "index")
    term = cast(cast(term, fmt::format("i{}", 1 + below(8))), before.type);
  return operation(std::string("arith.") + oneOf(whole), before, term);
}

} // namespace spindle::hls
