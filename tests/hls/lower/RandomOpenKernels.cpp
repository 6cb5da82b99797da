#include "tests/hls/lower/RandomOpenKernels.h"

#include "fmt/format.h"

#include <random>
#include <vector>

namespace spindle::hls {

namespace {

class OpenKernelWriter {
public:
  explicit OpenKernelWriter(uint64_t seed) : random(seed * 7919 + 1) {}

  std::string write(unsigned depth);

private:
  using Scope = std::vector<std::string>; // i32 values

  unsigned below(unsigned n) { return unsigned(random() % n); }
  std::string fresh() { return fmt::format("%v{}", next++); }
  void line(const std::string &content) { text += std::string(2 * indent, ' ') + content + "\n"; }
  std::string let(const std::string &content) {
    std::string name = fresh();
    line(name + " = " + content);
    return name;
  }
  const std::string &any(const Scope &scope) { return scope[below(unsigned(scope.size()))]; }
  const char *array() { return below(2) ? "%a" : "%b"; }

  std::string masked(const std::string &value, int mask) {
    return let(fmt::format("arith.andi {}, %c{} : i32", value, mask));
  }
  /// Any of 64 bits.
  std::string whole(const Scope &scope);
  /// From 0 to `mask`, which is one less than a power of two.
  std::string index(const std::string &value, int mask);
  std::string compare(const Scope &scope) {
    static const char *const predicates[] = {"slt", "sge", "eq", "ne", "ult"};
    return let(
        fmt::format("arith.cmpi {}, {}, {} : i32", predicates[below(5)], any(scope), any(scope)));
  }
  void block(Scope &scope, unsigned depth);
  void compute(Scope &scope);
  void load(Scope &scope);
  void store(Scope &scope);
  void branch(Scope &scope, unsigned depth);
  void counted(Scope &scope, unsigned depth);
  void storeWhole(Scope &scope);
  void affine(Scope &scope, unsigned depth);
  void triangle(Scope &scope);
  void testsFirst(Scope &scope, unsigned depth);
  void testsLast(Scope &scope, unsigned depth);

  std::mt19937_64 random;
  std::string text;
  unsigned next = 0, indent = 1;
};

std::string OpenKernelWriter::whole(const Scope &scope) {
  std::string number = any(scope), index;
  switch (below(3)) {
  case 0:
    index = let(fmt::format("arith.index_cast {} : i32 to index", number));
    break;
  case 1:
    index = let(fmt::format("arith.index_castui {} : i32 to index", number));
    break;
  default:
    std::string wide = let(fmt::format("arith.extsi {} : i32 to i64", number));
    wide = let(fmt::format("arith.shli {}, %far{} : i64", wide, below(2)));
    index = let(fmt::format("arith.index_cast {} : i64 to index", wide));
  }
  static const char *const operations[] = {"shrui", "shrsi", "shli", "minui", "maxui",
                                           "minsi", "maxsi", "addi", "subi"};
  for (unsigned more = below(3); more > 0; --more) {
    unsigned operation = below(9);
    std::string other = operation < 3 && below(2) ? this->index(any(scope), 31)
                        : operation < 3           ? fmt::format("%by{}", below(3))
                        : below(2)
                            ? let(fmt::format("arith.index_castui {} : i32 to index", any(scope)))
                            : fmt::format("%i{}", below(4));
    index = let(fmt::format("arith.{} {}, {} : index", operations[operation], index, other));
  }
  return index;
}

std::string OpenKernelWriter::index(const std::string &value, int mask) {
  int bits = mask == 31 ? 5 : mask == 15 ? 4 : mask == 7 ? 3 : 2;
  switch (below(4)) {
  case 0: {
    std::string natural = let(fmt::format("arith.index_castui {} : i32 to index", value));
    return let(fmt::format("arith.shrui {}, %drop{} : index", natural, bits));
  }
  case 1: {
    std::string any = whole({value, "%c7"});
    return let(fmt::format("arith.minui {}, %i{} : index", any, mask));
  }
  default:
    return let(fmt::format("arith.index_cast {} : i32 to index", masked(value, mask)));
  }
}

/// A number of 64 bits that has been an index, and a comparison of two.
void OpenKernelWriter::storeWhole(Scope &scope) {
  std::string first = whole(scope), second = whole(scope);
  std::string number = let(fmt::format("arith.index_cast {} : index to i64", first));
  std::string at = index(any(scope), 15);
  line(fmt::format("memref.store {}, %w[{}] : memref<16xi64>", number, at));
  static const char *const predicates[] = {"slt", "ult", "sge", "eq"};
  std::string is =
      let(fmt::format("arith.cmpi {}, {}, {} : index", predicates[below(4)], first, second));
  scope.push_back(let(fmt::format("arith.select {}, {}, {} : i32", is, any(scope), any(scope))));
}

/// Bounds are quotients of a number that only the run knows.
void OpenKernelWriter::affine(Scope &scope, unsigned depth) {
  static const char *const ends[] = {
      "affine_map<()[s0] -> (s0 floordiv 3)>()[%n]", "affine_map<()[s0] -> (s0 ceildiv 5)>()[%n]",
      "affine_map<()[s0] -> ((s0 - 9) floordiv 7)>()[%n]", "%n step 5", "%n step 3"};
  std::string result = fresh(), counter = fresh(), carried = fresh();
  line(fmt::format("{} = affine.for {} = {} to {} iter_args({} = {}) -> (i32) {{", result, counter,
                   below(2), ends[below(5)], carried, any(scope)));
  ++indent;
  Scope inside = scope;
  inside.push_back(carried);
  inside.push_back(let(fmt::format("arith.index_cast {} : index to i32", counter)));
  block(inside, depth);
  line(fmt::format("affine.yield {} : i32", inside.back()));
  --indent;
  line("}");
  scope.push_back(result);
}

/// A nest that carries a value through rows the first of which is empty, or the last.
void OpenKernelWriter::triangle(Scope &scope) {
  static const char *const rows[] = {"0 to affine_map<(d0) -> (d0)>({})",
                                     "affine_map<(d0) -> (3 - d0)>({}) to 3",
                                     "affine_map<(d0) -> (d0)>({}) to 2"};
  std::string result = fresh(), i = fresh(), j = fresh(), outer = fresh(), inner = fresh();
  line(fmt::format("{} = affine.for {} = 0 to 4 iter_args({} = {}) -> (i32) {{", result, i, outer,
                   any(scope)));
  ++indent;
  std::string row = fresh();
  line(fmt::format("{} = affine.for {} = {} iter_args({} = {}) -> (i32) {{", row, j,
                   fmt::format(fmt::runtime(rows[below(3)]), i), inner, outer));
  ++indent;
  Scope inside = scope;
  inside.push_back(inner);
  inside.push_back(let(fmt::format("arith.index_cast {} : index to i32", j)));
  block(inside, 0);
  inside.push_back(let(fmt::format("arith.addi {}, {} : i32", inner, inside.back())));
  line(fmt::format("affine.yield {} : i32", inside.back()));
  --indent;
  line("}");
  line(fmt::format("affine.yield {} : i32", row));
  --indent;
  line("}");
  scope.push_back(result);
}

void OpenKernelWriter::compute(Scope &scope) {
  static const char *const operations[] = {"addi", "subi", "xori", "andi", "maxsi", "muli"};
  scope.push_back(
      let(fmt::format("arith.{} {}, {} : i32", operations[below(6)], any(scope), any(scope))));
}

void OpenKernelWriter::load(Scope &scope) {
  std::string at = index(any(scope), 15);
  scope.push_back(let(fmt::format("memref.load {}[{}] : memref<16xi32>", array(), at)));
}

void OpenKernelWriter::store(Scope &scope) {
  std::string at = index(any(scope), 15);
  line(fmt::format("memref.store {}, {}[{}] : memref<16xi32>", any(scope), array(), at));
}

void OpenKernelWriter::branch(Scope &scope, unsigned depth) {
  std::string condition = compare(scope);
  bool hasResult = below(2), hasElse = hasResult || below(2);
  std::string result = hasResult ? fresh() : "";
  line(hasResult ? fmt::format("{} = scf.if {} -> i32 {{", result, condition)
                 : fmt::format("scf.if {} {{", condition));
  for (bool isThen : {true, false}) {
    if (!isThen && !hasElse)
      continue;
    if (!isThen)
      line("} else {");
    ++indent;
    Scope inside = scope;
    block(inside, depth);
    if (hasResult)
      line(fmt::format("scf.yield {} : i32", inside.back()));
    --indent;
  }
  line("}");
  if (hasResult)
    scope.push_back(result);
}

void OpenKernelWriter::counted(Scope &scope, unsigned depth) {
  bool isUnsigned = below(4) == 0, isNarrow = below(4) == 0;
  auto bound = [&](int mask) { // an unsigned loop from a large number is empty
    std::string number = masked(any(scope), mask);
    if (isUnsigned && mask == 3)
      number = let(fmt::format("arith.subi {}, %c1 : i32", number));
    return isNarrow ? number : let(fmt::format("arith.index_cast {} : i32 to index", number));
  };
  std::string stem = isNarrow ? "%c" : "%i";
  std::string from = below(2) ? bound(3) : stem + "0";
  std::string to = below(3) == 0 ? stem + "3" : isUnsigned || below(2) ? bound(7) : "";
  if (to.empty())
    to = isNarrow ? masked(any(scope), 7) : index(any(scope), 7);
  static const char *const steps[] = {"1", "1", "2", "5"};
  std::string step = stem + steps[below(4)];
  std::string result = fresh(), counter = fresh(), carried = fresh();
  line(fmt::format("{} = scf.for {}{} = {} to {} step {} iter_args({} = {}) -> (i32){} {{", result,
                   isUnsigned ? "unsigned " : "", counter, from, to, step, carried, any(scope),
                   isNarrow ? " : i32" : ""));
  ++indent;
  Scope inside = scope;
  inside.push_back(carried);
  inside.push_back(isNarrow ? counter
                            : let(fmt::format("arith.index_cast {} : index to i32", counter)));
  block(inside, depth);
  line(fmt::format("scf.yield {} : i32", inside.back()));
  --indent;
  line("}");
  scope.push_back(result);
}

/// Counts down, and may end before.
void OpenKernelWriter::testsFirst(Scope &scope, unsigned depth) {
  std::string start = masked(any(scope), 7), result = fresh(), n = fresh(), carried = fresh();
  line(fmt::format("{}:2 = scf.while ({} = {}, {} = {}) : (i32, i32) -> (i32, i32) {{", result, n,
                   start, carried, any(scope)));
  ++indent;
  Scope inside = scope;
  inside.push_back(carried);
  if (below(3) == 0)
    block(inside, 0);
  std::string goesOn = let(fmt::format("arith.cmpi sgt, {}, %c0 : i32", n));
  if (below(2))
    goesOn = let(fmt::format("arith.andi {}, {} : i1", goesOn, compare(inside)));
  line(fmt::format("scf.condition({}) {}, {} : i32, i32", goesOn, n, inside.back()));
  --indent;
  line("} do {");
  std::string m = fresh(), passed = fresh();
  line(fmt::format("^bb0({}: i32, {}: i32):", m, passed));
  ++indent;
  inside = scope;
  inside.push_back(passed);
  inside.push_back(m);
  block(inside, depth);
  std::string less = let(fmt::format("arith.subi {}, %c1 : i32", m));
  line(fmt::format("scf.yield {}, {} : i32, i32", less, inside.back()));
  --indent;
  line("}");
  scope.push_back(result + "#1");
}

/// The body comes before the condition.
void OpenKernelWriter::testsLast(Scope &scope, unsigned depth) {
  std::string start = masked(any(scope), 3), result = fresh(), n = fresh(), carried = fresh();
  line(fmt::format("{}:2 = scf.while ({} = {}, {} = {}) : (i32, i32) -> (i32, i32) {{", result, n,
                   start, carried, any(scope)));
  ++indent;
  Scope inside = scope;
  inside.push_back(carried);
  inside.push_back(n);
  block(inside, depth);
  std::string less = let(fmt::format("arith.subi {}, %c1 : i32", n));
  std::string goesOn = let(fmt::format("arith.cmpi sgt, {}, %c0 : i32", less));
  line(fmt::format("scf.condition({}) {}, {} : i32, i32", goesOn, less, inside.back()));
  --indent;
  std::string m = fresh(), passed = fresh();
  line("} do {");
  line(fmt::format("^bb0({}: i32, {}: i32):", m, passed));
  line(fmt::format("  scf.yield {}, {} : i32, i32", m, passed));
  line("}");
  scope.push_back(result + "#1");
}

void OpenKernelWriter::block(Scope &scope, unsigned depth) {
  for (unsigned statement = 1 + below(3); statement > 0; --statement)
    switch (below(depth > 0 ? 10 : 4)) {
    case 0:
      compute(scope);
      break;
    case 1:
      load(scope);
      break;
    case 2:
      store(scope);
      break;
    case 3:
      storeWhole(scope);
      break;
    case 4:
      branch(scope, depth - 1);
      break;
    case 5:
      counted(scope, depth - 1);
      break;
    case 6:
      testsFirst(scope, depth - 1);
      break;
    case 7:
      testsLast(scope, depth - 1);
      break;
    case 8:
      affine(scope, depth - 1);
      break;
    case 9:
      triangle(scope);
      break;
    }
}

std::string OpenKernelWriter::write(unsigned depth) {
  for (int number : {0, 1, 2, 3, 5, 7, 15, 31})
    line(fmt::format("%c{0} = arith.constant {0} : i32\n  %i{0} = arith.constant {0} : index",
                     number));
  for (int bits : {2, 3, 4, 5})
    line(fmt::format("%drop{} = arith.constant {} : index", bits, 32 - bits));
  line("%far0 = arith.constant 29 : i64\n  %far1 = arith.constant 45 : i64");
  line("%by0 = arith.constant 4 : index\n  %by1 = arith.constant 33 : index");
  line("%by2 = arith.constant 60 : index");
  line("%few = arith.andi %s, %c15 : i32\n  %n = arith.index_cast %few : i32 to index");
  Scope scope{"%s", "%c1", "%c7"};
  for (unsigned piece = 0; piece < 3; ++piece)
    block(scope, depth);
  line(fmt::format("return {} : i32", scope.back()));
  return "func.func @kernel(%a: memref<16xi32>, %b: memref<16xi32>, %s: i32, %w: memref<16xi64>) "
         "-> i32 {\n" +
         text + "}\n";
}

} // namespace

std::string randomOpenKernel(uint64_t seed, unsigned depth) {
  return OpenKernelWriter(seed).write(depth);
}

} // namespace spindle::hls
