#include "tests/hls/loops/RandomKernels.h"

#include "core/support/CounterRandom.h"

#include "llvm/Support/FormatVariadic.h"

#include <algorithm>
#include <vector>

namespace spindle::hls {

namespace {

/// An induction variable in scope with the values it can take, and the loops around it.
struct Variable {
  std::string name;
  int64_t lowest, highest;
};

struct Array {
  std::string name;
  std::vector<int64_t> extents; // grows with the accesses
  bool readable = true;
};

/// An affine expression of the variables in scope with its range.
struct Index {
  std::string text;
  int64_t lowest, highest;
};

/// Writes a kernel statement by statement. Extents of arrays are known at the end only, so that
/// types are written as marks `@A@` first.
class Writer {
public:
  Writer(uint64_t seed, const RandomKernelOptions &o) : random(seed), options(o) {}

  std::string write() {
    static const char *types[] = {"f64", "f32", "i32"};
    type = types[random.below(3)];
    if (!options.type.empty())
      type = options.type;
    unsigned count = 2 + random.below(3);
    for (unsigned n = 0; n < count; ++n)
      arrays.push_back({"A" + std::to_string(n), std::vector<int64_t>(1 + random.below(2), 1)});
    line(type == "i32" ? "%half = arith.constant 3 : i32" : "%half = arith.constant 0.5 : " + type);
    if (options.locals && random.below(3) == 0)
      local();
    unsigned nests = 1 + random.below(options.nests);
    for (unsigned n = 0; n < nests; ++n)
      loop(1 + random.below(options.depth));
    return assemble(count);
  }

private:
  void line(const std::string &text) {
    body += std::string(2 * (scope.size() + guardDepth) + 2, ' ') + text + "\n";
  }
  std::string fresh() { return "%v" + std::to_string(values++); }
  bool chance(unsigned in) { return random.below(in) == 0; }

  std::string assemble(unsigned argumentCount) {
    std::string text = "func.func @kernel(%s: " + type;
    for (unsigned n = 0; n < argumentCount; ++n)
      text += ", %" + arrays[n].name + ": @" + arrays[n].name + "@";
    text += ") {\n" + body + "  return\n}\n";
    for (const Array &array : arrays) {
      std::string shape = "memref<";
      for (int64_t extent : array.extents)
        shape += std::to_string(extent) + "x";
      shape += type + ">";
      std::string mark = "@" + array.name + "@";
      for (size_t at = text.find(mark); at != std::string::npos; at = text.find(mark, at))
        text.replace(at, mark.size(), shape);
    }
    return text;
  }

  /// A local array of the extents it has in the end is filled first, so that nothing undefined is
  /// read: its accesses stay inside the filled part.
  void local() {
    int64_t extent = 4 + random.below(12);
    Array array{"L", {extent}};
    line("%L = memref.alloc() : @L@");
    std::string iv = "%f";
    line(llvm::formatv("affine.for {0} = 0 to {1} {{", iv, extent));
    scope.push_back({iv, 0, extent - 1});
    Index source{iv, 0, extent - 1};
    std::string value = load(arrays[0], {source});
    line("affine.store " + value + ", %L[" + iv + "] : @L@");
    scope.pop_back();
    line("}");
    localExtent = extent;
    arrays.push_back(array);
  }

  /// a·i + b·j + c with c such that nothing is negative.
  Index index() {
    static const int64_t factors[] = {1, 1, 1, 1, -1, 2};
    int64_t lowest = 0, highest = 0;
    std::string text;
    unsigned terms = scope.empty() ? 0 : random.below(std::min<size_t>(scope.size(), 2) + 1);
    if (!scope.empty() && terms == 0 && !chance(4))
      terms = 1;
    size_t first = scope.empty() ? 0 : random.below(uint32_t(scope.size()));
    for (unsigned n = 0; n < terms; ++n) {
      const Variable &v = scope[(first + n) % scope.size()];
      int64_t factor = factors[random.below(6)];
      text += (text.empty() ? "" : " + ") + v.name + " * " + std::to_string(factor);
      lowest += std::min(factor * v.lowest, factor * v.highest);
      highest += std::max(factor * v.lowest, factor * v.highest);
    }
    int64_t offset = -lowest + (options.stencils ? random.below(3) : 0);
    text += (text.empty() ? "" : " + ") + std::to_string(offset);
    return {text, lowest + offset, highest + offset};
  }

  std::string access(Array &array, std::vector<Index> indices) {
    std::string text = "%" + array.name + "[";
    for (size_t d = 0; d < array.extents.size(); ++d) {
      Index at = d < indices.size() ? indices[d] : index();
      if (array.name == "L" && at.highest >= localExtent)
        at = {"0", 0, 0};
      array.extents[d] = std::max(array.extents[d], at.highest + 1);
      text += (d ? ", " : "") + at.text;
    }
    return text + "] : @" + array.name + "@";
  }

  std::string load(Array &array, std::vector<Index> indices = {}) {
    std::string name = fresh();
    line(name + " = affine.load " + access(array, std::move(indices)));
    return name;
  }

  Array &anyArray() { return arrays[random.below(uint32_t(arrays.size()))]; }

  std::string leaf() {
    if (!known.empty() && chance(4))
      return known[random.below(uint32_t(known.size()))];
    if (chance(8))
      return "%s";
    return load(anyArray());
  }

  /// Kept tame: sums are halved, so that few kernels run into infinities.
  std::string expression(unsigned depth) {
    if (depth == 0 || chance(3))
      return leaf();
    std::string a = expression(depth - 1), b = expression(depth - 1);
    std::string suffix = type == "i32" ? "i" : "f", name = fresh();
    switch (random.below(6)) {
    case 0:
      line(name + " = arith.sub" + suffix + " " + a + ", " + b + " : " + type);
      break;
    case 1:
    case 2:
      line(name + " = arith.mul" + suffix + " " + a + ", " + b + " : " + type);
      break;
    case 3: {
      std::string condition = fresh();
      line(condition + (type == "i32" ? " = arith.cmpi slt, " : " = arith.cmpf olt, ") + a + ", " +
           b + " : " + type);
      line(name + " = arith.select " + condition + ", " + b + ", " + a + " : " + type);
      break;
    }
    case 4: {
      line(name + " = arith.mul" + suffix + " " + a + ", %half : " + type);
      break;
    }
    default:
      line(name + " = arith.add" + suffix + " " + a + ", " + b + " : " + type);
    }
    return name;
  }

  void store() {
    std::string value = expression(2);
    Array &array = anyArray();
    line("affine.store " + value + ", " + access(array, {}));
  }

  /// `affine.if` and a condition on the variables in sight.
  std::string affineIf() {
    Index condition = index();
    int64_t threshold =
        condition.lowest + random.below(uint32_t(condition.highest - condition.lowest + 2));
    std::string set = conditionText(condition.text);
    const char *relation = chance(4) ? " == 0)" : " >= 0)";
    return "affine.if affine_set<(" + set.substr(0, set.find('|')) + ") : (" +
           set.substr(set.find('|') + 1) + " - " + std::to_string(threshold) + relation + ">(" +
           operandText() + ")";
  }

  /// A value that a condition on counters or on data yields; its branches may store.
  void chosen() {
    std::string name = fresh(), head, dialect = "affine";
    if (!scope.empty() && chance(2)) {
      head = affineIf();
    } else {
      dialect = "scf";
      std::string a = leaf(), b = leaf(), condition = fresh();
      line(condition + (type == "i32" ? " = arith.cmpi slt, " : " = arith.cmpf olt, ") + a + ", " +
           b + " : " + type);
      head = "scf.if " + condition;
    }
    line(name + " = " + head + " -> (" + type + ") {");
    for (bool isThen : {true, false}) {
      if (!isThen)
        line("} else {");
      block([&] {
        if (chance(4))
          store();
        std::string value = expression(1);
        line(dialect + ".yield " + value + " : " + type);
      });
    }
    line("}");
    known.push_back(name);
  }

  void guarded() {
    line(affineIf() + " {");
    block([&] { store(); });
    if (chance(3)) {
      line("} else {");
      block([&] { store(); });
    }
    line("}");
  }

  template <typename Body> void block(Body &&writeBody) {
    size_t visible = known.size();
    ++guardDepth;
    writeBody();
    --guardDepth;
    known.resize(visible);
  }

  /// Operands become d0, d1, … of the set; returns "d0, d1|expression".
  std::string conditionText(std::string text) {
    std::string dims;
    for (size_t n = 0; n < scope.size(); ++n) {
      std::string dim = "d" + std::to_string(n);
      dims += (n ? ", " : "") + dim;
      for (size_t at = text.find(scope[n].name + " "); at != std::string::npos;
           at = text.find(scope[n].name + " ", at))
        text.replace(at, scope[n].name.size(), dim);
    }
    return dims + "|" + text;
  }
  std::string operandText() {
    std::string text;
    for (size_t n = 0; n < scope.size(); ++n)
      text += (n ? ", " : "") + scope[n].name;
    return text;
  }

  void statements() {
    unsigned count = 1 + random.below(options.statements);
    for (unsigned n = 0; n < count; ++n) {
      if (options.choices && guardDepth == 0 && chance(6))
        chosen();
      if (options.guards && !scope.empty() && chance(4))
        guarded();
      else
        store();
    }
  }

  /// Bounds as text; the variable's range goes to `v`.
  std::string bounds(Variable &v, unsigned depth) {
    if (options.triangular && !scope.empty() && chance(3)) {
      const Variable &outer = scope[random.below(uint32_t(scope.size()))];
      int64_t more = random.below(3);
      int64_t limit = outer.highest + 1 + random.below(3);
      switch (random.below(3)) {
      case 0: // 0 to outer + more
        v.lowest = 0;
        v.highest = outer.highest + more - 1;
        return llvm::formatv("0 to affine_map<(d0) -> (d0 + {0})>({1})", more, outer.name);
      case 1: // outer + more to limit
        v.lowest = outer.lowest + more;
        v.highest = limit - 1;
        return llvm::formatv("affine_map<(d0) -> (d0 + {0})>({1}) to {2}", more, outer.name, limit);
      default: // 0 to min(outer + more, limit)
        v.lowest = 0;
        v.highest = std::min(outer.highest + more, limit) - 1;
        return llvm::formatv("0 to min affine_map<(d0) -> (d0 + {0}, {1})>({2})", more, limit,
                             outer.name);
      }
    }
    static const int64_t few[] = {0, 1, 2, 3, 4, 5, 7, 8};
    int64_t trip = few[random.below(8)];
    if (depth + scope.size() == 1 || (depth == 1 && chance(4)))
      trip += random.below(24);
    v.lowest = random.below(3);
    v.highest = v.lowest + trip - 1;
    return llvm::formatv("{0} to {1}", v.lowest, v.lowest + trip);
  }

  void loop(unsigned depth) {
    Variable v{"%i" + std::to_string(loops++), 0, 0};
    std::string range = bounds(v, depth);
    v.highest = std::max(v.highest, v.lowest); // an empty loop still has accesses
    bool reduces = depth == 1 && options.carried && chance(3);
    size_t visible = known.size();
    std::string head = "affine.for " + v.name + " = " + range, sum;
    std::string accumulator = fresh();
    if (reduces) {
      std::string start = chance(2) ? "%s" : load(anyArray());
      sum = fresh();
      head =
          sum + " = " + head + " iter_args(" + accumulator + " = " + start + ") -> (" + type + ")";
    }
    line(head + " {");
    scope.push_back(v);
    if (reduces) {
      if (chance(3))
        statements();
      std::string term = expression(2), next = fresh();
      bool isInteger = type == "i32";
      line(next + (isInteger ? " = arith.addi " : " = arith.addf ") + accumulator + ", " + term +
           " : " + type);
      line("affine.yield " + next + " : " + type);
    } else {
      inside(depth);
    }
    scope.pop_back();
    known.resize(visible);
    line("}");
    if (reduces) {
      line("affine.store " + sum + ", " + access(anyArray(), {}));
      known.push_back(sum);
    }
  }

  void inside(unsigned depth) {
    if (depth == 1)
      return statements();
    if (options.imperfect && chance(3)) {
      if (options.choices && chance(3))
        chosen();
      else
        known.push_back(expression(1));
      if (chance(2))
        statements();
    }
    loop(depth - 1);
    if (options.imperfect && chance(4))
      loop(1 + random.below(depth - 1));
    if (options.imperfect && chance(3))
      statements();
  }

  CounterRandom random;
  RandomKernelOptions options;
  std::string type, body;
  std::vector<Array> arrays;
  std::vector<Variable> scope;
  std::vector<std::string> known; // scalars in sight
  unsigned values = 0, loops = 0, guardDepth = 0;
  int64_t localExtent = 0;
};

} // namespace

std::string randomKernel(uint64_t seed, const RandomKernelOptions &options) {
  return Writer(seed, options).write();
}

} // namespace spindle::hls
