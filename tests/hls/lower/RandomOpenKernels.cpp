#include "tests/hls/lower/RandomOpenKernels.h"

#include "fmt/format.h"

#include <random>
#include <vector>

namespace spindle::hls {

namespace {

class Writer {
public:
  explicit Writer(uint64_t seed) : random(seed * 7919 + 1) {}

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
  std::string index(const std::string &value, int mask) {
    return let(fmt::format("arith.index_cast {} : i32 to index", masked(value, mask)));
  }
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
  void testsFirst(Scope &scope, unsigned depth);
  void testsLast(Scope &scope, unsigned depth);

  std::mt19937_64 random;
  std::string text;
  unsigned next = 0, indent = 1;
};

void Writer::compute(Scope &scope) {
  static const char *const operations[] = {"addi", "subi", "xori", "andi", "maxsi", "muli"};
  scope.push_back(
      let(fmt::format("arith.{} {}, {} : i32", operations[below(6)], any(scope), any(scope))));
}

void Writer::load(Scope &scope) {
  std::string at = index(any(scope), 15);
  scope.push_back(let(fmt::format("memref.load {}[{}] : memref<16xi32>", array(), at)));
}

void Writer::store(Scope &scope) {
  std::string at = index(any(scope), 15);
  line(fmt::format("memref.store {}, {}[{}] : memref<16xi32>", any(scope), array(), at));
}

void Writer::branch(Scope &scope, unsigned depth) {
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

void Writer::counted(Scope &scope, unsigned depth) {
  std::string from = below(2) ? index(any(scope), 3) : "%i0";
  std::string to = below(3) ? index(any(scope), 7) : "%i3", step = below(3) ? "%i1" : "%i2";
  std::string result = fresh(), counter = fresh(), carried = fresh();
  line(fmt::format("{} = scf.for {} = {} to {} step {} iter_args({} = {}) -> (i32) {{", result,
                   counter, from, to, step, carried, any(scope)));
  ++indent;
  Scope inside = scope;
  inside.push_back(carried);
  inside.push_back(let(fmt::format("arith.index_cast {} : index to i32", counter)));
  block(inside, depth);
  line(fmt::format("scf.yield {} : i32", inside.back()));
  --indent;
  line("}");
  scope.push_back(result);
}

/// Counts down, and may end before.
void Writer::testsFirst(Scope &scope, unsigned depth) {
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
void Writer::testsLast(Scope &scope, unsigned depth) {
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

void Writer::block(Scope &scope, unsigned depth) {
  for (unsigned statement = 1 + below(3); statement > 0; --statement)
    switch (below(depth > 0 ? 7 : 3)) {
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
      branch(scope, depth - 1);
      break;
    case 4:
      counted(scope, depth - 1);
      break;
    case 5:
      testsFirst(scope, depth - 1);
      break;
    case 6:
      testsLast(scope, depth - 1);
      break;
    }
}

std::string Writer::write(unsigned depth) {
  line("%i0 = arith.constant 0 : index\n  %i1 = arith.constant 1 : index");
  line("%i2 = arith.constant 2 : index\n  %i3 = arith.constant 3 : index");
  for (int number : {0, 1, 3, 7, 15})
    line(fmt::format("%c{} = arith.constant {} : i32", number, number));
  Scope scope{"%s", "%c1", "%c7"};
  for (unsigned piece = 0; piece < 3; ++piece)
    block(scope, depth);
  line(fmt::format("return {} : i32", scope.back()));
  return "func.func @kernel(%a: memref<16xi32>, %b: memref<16xi32>, %s: i32) -> i32 {\n" + text +
         "}\n";
}

} // namespace

std::string randomOpenKernel(uint64_t seed, unsigned depth) { return Writer(seed).write(depth); }

} // namespace spindle::hls
