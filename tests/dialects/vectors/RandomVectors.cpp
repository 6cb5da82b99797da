#include "tests/dialects/vectors/RandomVectors.h"

#include "core/support/CounterRandom.h"

#include "fmt/format.h"
#include "fmt/ranges.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <vector>

namespace spindle::vectors {

namespace {

using Shape = std::vector<int64_t>;

struct Vector {
  std::string name, type;
  Shape shape;
  double most = 8; // the greatest magnitude of its elements, of floats

  int64_t count() const {
    return std::accumulate(shape.begin(), shape.end(), int64_t(1), std::multiplies<>());
  }
  bool isFloat() const { return type[0] == 'f'; }
  std::string text() const { return typeOf(shape, type); }
  static std::string typeOf(const Shape &shape, const std::string &type) {
    return fmt::format("vector<{}{}{}>", fmt::join(shape, "x"), shape.empty() ? "" : "x", type);
  }
};

class Generator {
public:
  explicit Generator(uint64_t seed) : random(seed) {}

  std::string run() {
    body = "  %zero = arith.constant 0 : index\n";
    for (int64_t n = 0; n < 8; ++n)
      line("%c{} = arith.constant {} : index", n, n);
    for (const char *type : kArrayTypes)
      line("%none_{} = arith.constant {} : {}", type, type[0] == 'f' ? "5.0" : "5", type);
    for (int n = 0; n < 4; ++n)
      read();
    for (int n = 0; n < 14; ++n)
      step();
    for (size_t n = vectors.size() > 12 ? vectors.size() - 12 : 0; n < vectors.size(); ++n)
      store(vectors[n]);
    std::vector<std::string> arguments;
    for (const char *type : kArrayTypes) {
      arguments.push_back(fmt::format("%in_{0}: memref<8x8x{0}>", type));
      arguments.push_back(fmt::format("%out_{0}: memref<{1}x{0}>", type, kOutputs));
    }
    return fmt::format("func.func @f({}, %n: index) {{\n{}  return\n}}\n",
                       fmt::join(arguments, ", "), body);
  }

private:
  template <typename... Values> void line(fmt::format_string<Values...> text, Values &&...values) {
    body += "  " + fmt::format(text, std::forward<Values>(values)...) + "\n";
  }
  uint32_t below(size_t bound) { return random.below(uint32_t(bound)); }
  template <typename List> auto pick(const List &list) { return list[below(std::size(list))]; }
  std::string fresh() { return fmt::format("%v{}", ++names); }

  const Vector &add(std::string name, std::string type, Shape shape, double most) {
    vectors.push_back({std::move(name), std::move(type), std::move(shape), most});
    return vectors.back();
  }
  /// An earlier vector, moderate in size.
  Vector any() { return vectors[below(vectors.size())]; }
  Vector like(const Vector &other) {
    std::vector<Vector> found;
    for (const Vector &each : vectors)
      if (each.type == other.type && each.shape == other.shape)
        found.push_back(each);
    return pick(found);
  }
  static bool isExact(const std::string &type, double most) {
    return type[0] != 'f' || most < (type == "f32" ? 0x1p22 : 0x1p50);
  }

  /// Bits to test, one for each element.
  std::string maskOf(const Shape &shape) {
    std::string name = fresh();
    std::vector<std::string> extents;
    std::vector<int64_t> numbers;
    bool isConstant = below(2) == 0;
    for (int64_t extent : shape) {
      numbers.push_back(below(size_t(extent) + 1));
      extents.push_back(below(2) ? "%n" : fmt::format("%c{}", below(8)));
    }
    if (hasZero(numbers))
      std::fill(numbers.begin(), numbers.end(), 0);
    if (isConstant)
      line("{} = vector.constant_mask [{}] : {}", name, fmt::join(numbers, ", "),
           Vector::typeOf(shape, "i1"));
    else
      line("{} = vector.create_mask {} : {}", name, fmt::join(extents, ", "),
           Vector::typeOf(shape, "i1"));
    return name;
  }
  /// A constant mask with an extent of zero has no others.
  static bool hasZero(const std::vector<int64_t> &numbers) {
    return std::find(numbers.begin(), numbers.end(), 0) != numbers.end();
  }

  void read() {
    std::string type = pick(kArrayTypes), name = fresh(), array = "%in_" + type;
    std::string memref = fmt::format("memref<8x8x{}>", type);
    int64_t rows = 1 + below(4), columns = 1 + below(4);
    std::string row = fmt::format("%c{}", below(8)), column = below(3) ? "%zero" : "%n";
    Shape shape{rows, columns};
    switch (below(6)) {
    case 0: // inside
      line("{} = vector.load {}[%c{}, %c{}] : {}, {}", name, array, below(5), below(5), memref,
           Vector::typeOf({columns}, type));
      add(name, type, {columns}, 8);
      return;
    case 1: { // may leave the array
      bool turns = below(2);
      line("{} = vector.transfer_read {}[{}, {}], %none_{} {{permutation_map = affine_map<(i, j) "
           "-> ({})>}} : {}, {}",
           name, array, row, column, type, turns ? "j, i" : "i, j", memref,
           Vector::typeOf(shape, type));
      add(name, type, shape, 8);
      return;
    }
    case 2: { // one row for all
      line("{} = vector.transfer_read {}[{}, {}], %none_{} {{in_bounds = [true, false], "
           "permutation_map = affine_map<(i, j) -> (0, j)>}} : {}, {}",
           name, array, row, column, type, memref, Vector::typeOf(shape, type));
      add(name, type, shape, 8);
      return;
    }
    case 3: {
      std::string mask = maskOf({columns}), other = constant(type, {columns});
      line("{} = vector.maskedload {}[%c{}, %c{}], {}, {} : {}, {}, {} into {}", name, array,
           below(5), below(5), mask, other, memref, Vector::typeOf({columns}, "i1"),
           Vector::typeOf({columns}, type), Vector::typeOf({columns}, type));
      add(name, type, {columns}, 8);
      return;
    }
    case 4: {
      std::string mask = maskOf({columns}), other = constant(type, {columns}),
                  where = constant("i32", {columns});
      line("{} = vector.gather {}[%c{}, %c{}] [{}], {}, {} : {}, {}, {}, {} into {}", name, array,
           1 + below(6), 4, where, mask, other, memref, Vector::typeOf({columns}, "i32"),
           Vector::typeOf({columns}, "i1"), Vector::typeOf({columns}, type),
           Vector::typeOf({columns}, type));
      add(name, type, {columns}, 8);
      return;
    }
    default: {
      std::string mask = maskOf({columns}), other = constant(type, {columns});
      line("{} = vector.expandload {}[%c{}, %c{}], {}, {} : {}, {}, {} into {}", name, array,
           below(5), below(5), mask, other, memref, Vector::typeOf({columns}, "i1"),
           Vector::typeOf({columns}, type), Vector::typeOf({columns}, type));
      add(name, type, {columns}, 8);
    }
    }
  }

  /// From −4 to 3.
  std::string constant(const std::string &type, const Shape &shape) {
    std::string name = fresh(), numbers;
    int64_t count = Vector{"", type, shape}.count();
    for (int64_t n = 0; n < count; ++n)
      numbers +=
          fmt::format("{}{}{}", n ? ", " : "", int(below(8)) - 4, type[0] == 'f' ? ".0" : "");
    std::string flat = Vector::typeOf({count}, type);
    line("{} = arith.constant dense<[{}]> : {}", name, numbers, flat);
    if (shape.size() == 1)
      return name;
    std::string shaped = fresh();
    line("{} = vector.shape_cast {} : {} to {}", shaped, name, flat, Vector::typeOf(shape, type));
    return shaped;
  }

  void step() {
    switch (below(16)) {
    case 0:
    case 1:
      return arithmetic();
    case 2:
      return select();
    case 3:
      return broadcast();
    case 4:
      return reshape();
    case 5:
      return transpose();
    case 6:
      return extractAndInsert();
    case 7:
      return slices();
    case 8:
      return shuffle();
    case 9:
      return reduce();
    case 10:
      return reduceAxes();
    case 11:
      return contract();
    case 12:
      return outer();
    case 13:
      return scan();
    case 14:
      return castBits();
    default:
      return read();
    }
  }

  void arithmetic() {
    Vector a = any(), b = like(a);
    std::string name = fresh();
    if (!a.isFloat()) {
      static const char *const operations[] = {"addi", "subi",  "muli",  "andi",  "ori",
                                               "xori", "minsi", "maxui", "maxsi", "minui"};
      line("{} = arith.{} {}, {} : {}", name, pick(operations), a.name, b.name, a.text());
      add(name, a.type, a.shape, 0);
      return;
    }
    static const char *const operations[] = {"addf", "subf", "mulf", "minimumf", "maxnumf"};
    std::string operation = pick(operations);
    double most = operation == "mulf" ? a.most * b.most : a.most + b.most;
    if (!isExact(a.type, most + a.most))
      return;
    if (operation == "mulf" && below(2)) {
      line("{} = vector.fma {}, {}, {} : {}", name, a.name, b.name, a.name, a.text());
      most += a.most;
    } else {
      line("{} = arith.{} {}, {} : {}", name, operation, a.name, b.name, a.text());
    }
    add(name, a.type, a.shape, most);
  }

  void select() {
    Vector a = any(), b = like(a);
    std::string mask = below(2) ? maskOf(a.shape) : fresh(), name = fresh();
    if (body.find(mask + " = ") == std::string::npos)
      line("{} = arith.{} {}, {}, {} : {}", mask, a.isFloat() ? "cmpf" : "cmpi",
           a.isFloat() ? "olt" : "slt", a.name, b.name, a.text());
    line("{} = arith.select {}, {}, {} : {}, {}", name, mask, a.name, b.name,
         Vector::typeOf(a.shape, "i1"), a.text());
    add(name, a.type, a.shape, std::max(a.most, b.most));
  }

  void broadcast() {
    Vector a = any();
    if (a.shape.size() > 2 || a.count() > 24)
      return;
    Shape shape{1 + below(3)};
    shape.insert(shape.end(), a.shape.begin(), a.shape.end());
    for (size_t axis = 1; axis < shape.size(); ++axis)
      if (shape[axis] == 1)
        shape[axis] = 1 + below(3);
    std::string name = fresh();
    line("{} = vector.broadcast {} : {} to {}", name, a.name, a.text(),
         Vector::typeOf(shape, a.type));
    add(name, a.type, shape, a.most);
  }

  void reshape() {
    Vector a = any();
    int64_t factor = 2 + below(2);
    Shape shape{a.count()};
    if (a.count() % factor == 0)
      shape = {a.count() / factor, factor};
    if (shape == a.shape)
      return;
    std::string name = fresh();
    line("{} = vector.shape_cast {} : {} to {}", name, a.name, a.text(),
         Vector::typeOf(shape, a.type));
    add(name, a.type, shape, a.most);
  }

  void transpose() {
    Vector a = any();
    if (a.shape.size() < 2)
      return;
    std::vector<int64_t> order(a.shape.size());
    std::iota(order.begin(), order.end(), 0);
    for (size_t n = order.size(); n-- > 1;)
      std::swap(order[n], order[below(n + 1)]);
    Shape shape;
    for (int64_t axis : order)
      shape.push_back(a.shape[size_t(axis)]);
    std::string name = fresh();
    line("{} = vector.transpose {}, [{}] : {} to {}", name, a.name, fmt::join(order, ", "),
         a.text(), Vector::typeOf(shape, a.type));
    add(name, a.type, shape, a.most);
  }

  /// A row or an element goes from one place to another.
  void extractAndInsert() {
    Vector a = any();
    Shape rest(a.shape.begin() + 1, a.shape.end());
    std::string part = fresh(), name = fresh();
    std::string type = rest.empty() ? a.type : Vector::typeOf(rest, a.type);
    // A position that is data only where upstream compiles it, and always inside.
    bool isData = a.shape.size() == 1 && a.shape[0] >= 8 && below(2);
    std::string from = isData ? "%n" : std::to_string(below(size_t(a.shape[0])));
    std::string to = isData ? "%n" : std::to_string(below(size_t(a.shape[0])));
    line("{} = vector.extract {}[{}] : {} from {}", part, a.name, from, type, a.text());
    line("{} = vector.insert {}, {}[{}] : {} into {}", name, part, a.name, to, type, a.text());
    add(name, a.type, a.shape, a.most);
    if (!rest.empty())
      add(part, a.type, rest, a.most);
  }

  void slices() {
    Vector a = any();
    Shape offsets, sizes, strides(a.shape.size(), 1);
    for (int64_t extent : a.shape) {
      sizes.push_back(1 + below(size_t(extent)));
      offsets.push_back(below(size_t(extent - sizes.back()) + 1));
    }
    std::string part = fresh(), name = fresh();
    std::string type = Vector::typeOf(sizes, a.type);
    line("{} = vector.extract_strided_slice {} {{offsets = [{}], sizes = [{}], strides = [{}]}} : "
         "{} to {}",
         part, a.name, fmt::join(offsets, ", "), fmt::join(sizes, ", "), fmt::join(strides, ", "),
         a.text(), type);
    add(part, a.type, sizes, a.most);
    Shape to;
    for (size_t axis = 0; axis < sizes.size(); ++axis)
      to.push_back(below(size_t(a.shape[axis] - sizes[axis]) + 1));
    line("{} = vector.insert_strided_slice {}, {} {{offsets = [{}], strides = [{}]}} : {} into {}",
         name, part, a.name, fmt::join(to, ", "), fmt::join(strides, ", "), type, a.text());
    add(name, a.type, a.shape, a.most);
  }

  void shuffle() {
    Vector a = any();
    if (a.shape.size() != 1)
      return;
    Vector b = like(a);
    std::string name = fresh();
    int64_t count = 1 + below(6);
    if (below(3) == 0 && a.count() <= 16) {
      line("{} = vector.interleave {}, {} : {} -> {}", name, a.name, b.name, a.text(),
           Vector::typeOf({2 * a.count()}, a.type));
      add(name, a.type, {2 * a.count()}, std::max(a.most, b.most));
      if (below(2)) {
        std::string even = fresh(), odd = fresh();
        line("{}, {} = vector.deinterleave {} : {} -> {}", even, odd, name, vectors.back().text(),
             a.text());
        add(odd, a.type, a.shape, std::max(a.most, b.most));
      }
      return;
    }
    Shape from;
    for (int64_t n = 0; n < count; ++n)
      from.push_back(below(size_t(a.count() + b.count())));
    line("{} = vector.shuffle {}, {} [{}] : {}, {}", name, a.name, b.name, fmt::join(from, ", "),
         a.text(), b.text());
    add(name, a.type, {count}, std::max(a.most, b.most));
  }

  /// One that all sums are exact with.
  std::string kindOf(const Vector &a, double most) {
    static const char *const integers[] = {"add",   "mul",   "and",   "or",   "xor",
                                           "minsi", "maxsi", "minui", "maxui"};
    static const char *const floats[] = {"add", "minimumf", "maximumf", "minnumf", "maxnumf"};
    if (!a.isFloat())
      return pick(integers);
    return isExact(a.type, most) ? pick(floats) : "maximumf";
  }

  void reduce() {
    Vector a = any();
    if (a.shape.size() != 1)
      return;
    double most = a.most * double(a.count() + 1);
    std::string kind = kindOf(a, most), sum = fresh(), name = fresh();
    if (below(3) == 0) {
      // Upstream starts masked extremes of floats with the least magnitude, not the least number.
      kind = a.isFloat() ? "add" : kind;
      if (!isExact(a.type, most))
        return;
      std::string mask = maskOf(a.shape), start = fresh();
      line("{} = vector.extract {}[0] : {} from {}", start, a.name, a.type, a.text());
      line("{} = vector.mask {} {{ vector.reduction <{}>, {}, {} : {} into {} }} : {} -> {}", sum,
           mask, kind, a.name, start, a.text(), a.type, Vector::typeOf(a.shape, "i1"), a.type);
    } else {
      line("{} = vector.reduction <{}>, {} : {} into {}", sum, kind, a.name, a.text(), a.type);
    }
    line("{} = vector.broadcast {} : {} to {}", name, sum, a.type, Vector::typeOf({3}, a.type));
    add(name, a.type, {3}, most);
  }

  void reduceAxes() {
    Vector a = any();
    if (a.shape.size() != 2)
      return;
    size_t axis = below(2);
    Shape rest{a.shape[1 - axis]};
    double most = a.most * double(a.shape[axis]) + 4;
    std::string name = fresh(), start = constant(a.type, rest);
    line("{} = vector.multi_reduction <{}>, {}, {} [{}] : {} to {}", name, kindOf(a, most), a.name,
         start, axis, a.text(), Vector::typeOf(rest, a.type));
    add(name, a.type, rest, most);
  }

  /// A product of matrices.
  void contract() {
    Vector a = any();
    if (a.shape.size() != 2)
      return;
    int64_t columns = 1 + below(3);
    double most = a.most * 4 * double(a.shape[1]) + 4;
    if (!isExact(a.type, most))
      return;
    std::string b = constant(a.type, {a.shape[1], columns}),
                c = constant(a.type, {a.shape[0], columns}), name = fresh();
    line("{} = vector.contract {{indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, "
         "j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>], iterator_types = [\"parallel\", "
         "\"parallel\", \"reduction\"], kind = #vector.kind<add>}} {}, {}, {} : {}, {} into {}",
         name, a.name, b, c, a.text(), Vector::typeOf({a.shape[1], columns}, a.type),
         Vector::typeOf({a.shape[0], columns}, a.type));
    add(name, a.type, {a.shape[0], columns}, most);
  }

  void outer() {
    Vector a = any();
    if (a.shape.size() != 1 || a.count() > 8 || !isExact(a.type, a.most * 4))
      return;
    int64_t columns = 1 + below(4);
    std::string b = constant(a.type, {columns}), name = fresh();
    line("{} = vector.outerproduct {}, {} : {}, {}", name, a.name, b, a.text(),
         Vector::typeOf({columns}, a.type));
    add(name, a.type, {a.count(), columns}, a.most * 4);
  }

  void scan() {
    Vector a = any();
    if (a.shape.size() != 2)
      return;
    size_t axis = below(2);
    Shape rest{a.shape[1 - axis]};
    double most = a.most * double(a.shape[axis] + 1) + 4;
    if (!isExact(a.type, most))
      return;
    std::string name = fresh(), start = constant(a.type, rest);
    line("{0}, {0}_last = vector.scan <add>, {1}, {2} {{inclusive = {3}, reduction_dim = {4} : "
         "i64}} : {5}, {6}",
         name, a.name, start, below(2) ? "true" : "false", axis, a.text(),
         Vector::typeOf(rest, a.type));
    add(name, a.type, a.shape, most);
    add(name + "_last", a.type, rest, most);
  }

  void castBits() {
    Vector a = any();
    if (a.isFloat() || a.shape.empty())
      return;
    int64_t bits = std::stoi(a.type.substr(1)), last = a.shape.back();
    Shape shape = a.shape;
    for (int64_t to : {8, 16, 32, 64})
      if (to != bits && last * bits % to == 0 && below(2)) {
        shape.back() = last * bits / to;
        std::string name = fresh(), type = fmt::format("i{}", to);
        line("{} = vector.bitcast {} : {} to {}", name, a.name, a.text(),
             Vector::typeOf(shape, type));
        add(name, type, shape, 0);
        return;
      }
  }

  void store(const Vector &a) {
    std::string flat = a.name, array = "%out_" + a.type;
    std::string memref = fmt::format("memref<{}x{}>", kOutputs, a.type),
                type = Vector::typeOf({a.count()}, a.type);
    if (a.shape.size() != 1) {
      flat = fresh();
      line("{} = vector.shape_cast {} : {} to {}", flat, a.name, a.text(), type);
    }
    std::string at = fresh();
    int64_t &next = stored[a.type];
    bool isLast = next + 2 * a.count() > kOutputs;
    line("{} = arith.constant {} : index", at, isLast ? 0 : next);
    next += a.count();
    switch (below(5)) {
    case 0:
      return line("vector.store {}, {}[{}] : {}, {}", flat, array, at, memref, type);
    case 1:
      return line("vector.maskedstore {}[{}], {}, {} : {}, {}, {}", array, at, maskOf({a.count()}),
                  flat, memref, Vector::typeOf({a.count()}, "i1"), type);
    case 2:
      return line("vector.compressstore {}[{}], {}, {} : {}, {}, {}", array, at,
                  maskOf({a.count()}), flat, memref, Vector::typeOf({a.count()}, "i1"), type);
    case 3: {
      std::string mask = maskOf({a.count()}), where = fresh();
      line("{} = vector.step : {}", where, Vector::typeOf({a.count()}, "index"));
      return line("vector.scatter {}[{}] [{}], {}, {} : {}, {}, {}, {}", array, at, where, mask,
                  flat, memref, Vector::typeOf({a.count()}, "index"),
                  Vector::typeOf({a.count()}, "i1"), type);
    }
    default: {
      std::string mask = maskOf({a.count()});
      return line("vector.transfer_write {}, {}[{}], {} : {}, {}", flat, array, at, mask, type,
                  memref);
    }
    }
  }

  CounterRandom random;
  std::string body;
  std::vector<Vector> vectors;
  std::map<std::string, int64_t> stored; // elements, by type
  unsigned names = 0;
};

} // namespace

std::string randomVectorProgram(uint64_t seed) { return Generator(seed).run(); }

} // namespace spindle::vectors
