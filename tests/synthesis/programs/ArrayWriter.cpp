#include "tests/synthesis/programs/ArrayWriter.h"

#include "fmt/ranges.h"

#include <algorithm>

namespace spindle::hls {

static std::string indexIn(std::vector<std::string> &names, const std::string &name,
                           const char *letter) {
  auto found = std::find(names.begin(), names.end(), name);
  size_t position = size_t(found - names.begin());
  if (found == names.end())
    names.push_back(name);
  return fmt::format("{}{}", letter, position);
}

std::string Operands::of(const std::string &name, bool isSymbol) {
  if (isInline)
    return isSymbol ? fmt::format("symbol({})", name) : name;
  return isSymbol ? indexIn(symbols, name, "s") : indexIn(dims, name, "d");
}

std::string Operands::heading() const {
  std::vector<std::string> d, s;
  for (size_t n = 0; n < dims.size(); ++n)
    d.push_back(fmt::format("d{}", n));
  for (size_t n = 0; n < symbols.size(); ++n)
    s.push_back(fmt::format("s{}", n));
  return fmt::format("({})[{}]", fmt::join(d, ", "), fmt::join(s, ", "));
}

std::string Operands::given() const {
  return fmt::format("({})[{}]", fmt::join(dims, ", "), fmt::join(symbols, ", "));
}

std::string arrayType(const std::string &element, const std::vector<int64_t> &shape) {
  std::string type = "memref<";
  for (int64_t extent : shape)
    type += fmt::format("{}x", extent);
  return type + element + ">";
}

std::vector<int64_t> ArrayWriter::anyShape() {
  static constexpr unsigned ranks[] = {0, 1, 1, 1, 1, 2, 2, 2, 3};
  std::vector<int64_t> shape(oneOf(ranks));
  for (int64_t &extent : shape)
    extent = shape.size() == 1 ? between(1, 12) : between(1, 5);
  return shape;
}

Array ArrayWriter::anyArray(const std::string &name, const std::string &element) {
  std::vector<int64_t> shape = anyShape();
  return {name, element, arrayType(element, shape), shape};
}

std::string ArrayWriter::elements(const std::string &element, const std::vector<int64_t> &shape,
                                  size_t dim) {
  if (dim == shape.size()) {
    if (isFloatType(element))
      return fmt::format("{}.{}", between(-9, 9), 25 * below(4));
    if (element == "i1")
      return below(2) ? "true" : "false";
    unsigned bits = std::min(bitsOfType(element), 7u);
    return fmt::format("{}", between(-(1 << (bits - 1)), (1 << (bits - 1)) - 1));
  }
  std::string list;
  for (int64_t n = 0; n < shape[dim]; ++n)
    list += (n ? ", " : "") + elements(element, shape, dim + 1);
  return "[" + list + "]";
}

Array ArrayWriter::constantArray() {
  std::string symbol = fmt::format("@c{}", constants++);
  Array array = anyArray(fresh(), anyType());
  array.isConstant = true;
  globals += fmt::format("memref.global \"private\" constant {} : {} = dense<{}>\n", symbol,
                         array.type, elements(array.element, array.shape, 0));
  line(fmt::format("{} = memref.get_global {} : {}", array.name, symbol, array.type));
  return array;
}

Array ArrayWriter::localArray(Place &place) {
  Array array = anyArray(fresh(), anyType());
  const char *kind = chance(2) ? "alloc" : "alloca";
  line(fmt::format("{} = memref.{}() : {}", array.name, kind, array.type));
  std::string subscripts;
  Place inside = place;
  for (int64_t extent : array.shape) {
    std::string counter = fresh();
    open(fmt::format("affine.for {} = 0 to {}", counter, extent));
    subscripts += (subscripts.empty() ? "" : ", ") + counter;
    inside.scope.push_back({counter, "index"});
  }
  Named value = anyOf(inside.scope, array.element);
  line(fmt::format("affine.store {}, {}[{}] : {}", value.name, array.name, subscripts, array.type));
  for (size_t n = 0; n < array.shape.size(); ++n)
    close();
  return array;
}

Form ArrayWriter::moved(Form form, int64_t by) {
  if (by == 0)
    return form;
  return {fmt::format("({} {} {})", form.text, by < 0 ? "-" : "+", by < 0 ? -by : by),
          form.least + by, form.most + by};
}

static int64_t floorOf(int64_t a, int64_t by) { return a >= 0 ? a / by : -((-a + by - 1) / by); }

/// A number; a counter or two with factors; quotients and remainders of these.
Form ArrayWriter::affineForm(const Place &place, Operands &operands) {
  std::vector<std::pair<Counter, bool>> known; // and whether it is a symbol
  for (const Counter &counter : place.counters)
    if (counter.isAffine)
      known.emplace_back(counter, false);
  for (const Counter &symbol : place.symbols)
    known.emplace_back(symbol, true);
  int64_t number = between(-2, 4);
  if (known.empty() || chance(8))
    return {fmt::format("{}", number), number, number};
  Form form{"", 0, 0};
  for (unsigned terms = 1 + below(2); terms > 0; --terms) {
    // The innermost loops more often.
    size_t from = known.size() > 2 && below(3) ? known.size() - 2 : 0;
    auto [counter, isSymbol] = known[from + below(unsigned(known.size() - from))];
    int64_t factor = chance(2) ? 1 : between(-2, 3);
    factor = factor ? factor : 1;
    std::string name = operands.of(counter.name, isSymbol);
    std::string term = factor == 1 ? name : fmt::format("{} * {}", name, factor);
    form.text = form.text.empty() ? term : fmt::format("({} + {})", form.text, term);
    int64_t a = factor * counter.least, b = factor * counter.most;
    form.least += std::min(a, b);
    form.most += std::max(a, b);
  }
  form.text = "(" + form.text + ")";
  if (chance(3))
    form = moved(form, number);
  int64_t by = between(2, 4);
  switch (below(10)) {
  case 0:
    return {fmt::format("({} floordiv {})", form.text, by), floorOf(form.least, by),
            floorOf(form.most, by)};
  case 1:
    return {fmt::format("({} ceildiv {})", form.text, by), floorOf(form.least + by - 1, by),
            floorOf(form.most + by - 1, by)};
  case 2:
    return {fmt::format("({} mod {})", form.text, by), 0, by - 1};
  default:
    return form;
  }
}

Named ArrayWriter::applied(const Place &place) {
  Operands operands;
  Form form = affineForm(place, operands);
  if (chance(3)) {
    Form other = affineForm(place, operands);
    return let("index",
               fmt::format("affine.{} affine_map<{} -> ({}, {})>{}", chance(2) ? "min" : "max",
                           operands.heading(), form.text, other.text, operands.given()));
  }
  return let("index", fmt::format("affine.apply affine_map<{} -> ({})>{}", operands.heading(),
                                  form.text, operands.given()));
}

/// Moved into the range where it fits, else taken modulo the extent.
std::string ArrayWriter::affineSubscript(const Place &place, int64_t extent) {
  Operands operands(true);
  Form form = affineForm(place, operands);
  if (form.most - form.least >= extent)
    return fmt::format("({}) mod {}", form.text, extent);
  if (form.least >= 0 && form.most < extent)
    return form.text;
  int64_t room = extent - 1 - (form.most - form.least);
  return moved(form, between(0, room) - form.least).text;
}

ArrayWriter::Subscript ArrayWriter::subscript(const Place &place, const Array &array) {
  bool isAffine = below(4) > 0;
  std::string all;
  for (int64_t extent : array.shape) {
    std::string one;
    if (isAffine) {
      one = affineSubscript(place, extent);
    } else {
      const Counter *fits = nullptr;
      for (const Counter &counter : place.counters)
        if (counter.least >= 0 && counter.most < extent && chance(2))
          fits = &counter;
      one = fits ? fits->name : indexBelow(place.scope, extent).name;
    }
    all += (all.empty() ? "" : ", ") + one;
  }
  return {all, isAffine};
}

Named ArrayWriter::loaded(Place &place) {
  const Array &array = oneOf(place.arrays);
  Subscript at = subscript(place, array);
  return let(array.element, fmt::format("{}.load {}[{}] : {}", at.isAffine ? "affine" : "memref",
                                        array.name, at.text, array.type));
}

void ArrayWriter::store(Place &place) {
  Array array = oneOf(place.arrays);
  if (array.isConstant)
    return;
  Named value = anyOf(place.scope, array.element);
  Subscript at = subscript(place, array);
  line(fmt::format("{}.store {}, {}[{}] : {}", at.isAffine ? "affine" : "memref", value.name,
                   array.name, at.text, array.type));
}

static std::vector<int64_t> stridesOf(const std::vector<int64_t> &shape) {
  std::vector<int64_t> strides(shape.size(), 1);
  for (size_t dim = shape.size(); dim-- > 1;)
    strides[dim - 1] = strides[dim] * shape[dim];
  return strides;
}

static Array strided(Array view, const std::vector<int64_t> &strides, const std::string &offset) {
  view.isView = true;
  view.type = arrayType(view.element, view.shape);
  view.type.pop_back();
  view.type += fmt::format(", strided<[{}]{}>>", fmt::join(strides, ", "),
                           offset == "0" ? "" : ", offset: " + offset);
  return view;
}

/// A box with steps; or a row, whose number may be a counter.
Array ArrayWriter::subview(const Place &place, const Array &array) {
  std::vector<int64_t> base = stridesOf(array.shape), strides, offsets, sizes, steps;
  Array view{fresh(), array.element, "", {}, array.isConstant};
  if (array.shape.size() > 1 && chance(2)) {
    std::string row = std::to_string(between(0, array.shape[0] - 1)), offset;
    offset = std::to_string(std::stoll(row) * base[0]);
    for (const Counter &counter : place.counters)
      if (counter.least >= 0 && counter.most < array.shape[0]) {
        row = counter.name;
        offset = "?";
      }
    view.shape.assign(array.shape.begin() + 1, array.shape.end());
    strides.assign(base.begin() + 1, base.end());
    view = strided(view, strides, offset);
    std::string zeros, ones;
    for (size_t n = 1; n < array.shape.size(); ++n) {
      zeros += ", 0";
      ones += ", 1";
    }
    line(fmt::format("{} = memref.subview {}[{}{}] [1, {}] [1{}] : {} to {}", view.name, array.name,
                     row, zeros, fmt::join(view.shape, ", "), ones, array.type, view.type));
    return view;
  }
  int64_t offset = 0;
  for (size_t dim = 0; dim < array.shape.size(); ++dim) {
    int64_t extent = array.shape[dim], from = between(0, extent - 1), step = between(1, 2);
    int64_t most = (extent - 1 - from) / step + 1;
    offsets.push_back(from);
    steps.push_back(step);
    view.shape.push_back(between(1, most));
    strides.push_back(base[dim] * step);
    offset += from * base[dim];
  }
  view = strided(view, strides, std::to_string(offset));
  line(fmt::format("{} = memref.subview {}[{}] [{}] [{}] : {} to {}", view.name, array.name,
                   fmt::join(offsets, ", "), fmt::join(view.shape, ", "), fmt::join(steps, ", "),
                   array.type, view.type));
  return view;
}

/// One dimension of all words, or two of one.
Array ArrayWriter::reshaped(const Array &array) {
  Array view{fresh(), array.element, "", {}, array.isConstant};
  if (array.shape.size() > 1) {
    int64_t words = 1;
    std::string group;
    for (size_t dim = 0; dim < array.shape.size(); ++dim) {
      words *= array.shape[dim];
      group += fmt::format("{}{}", dim ? ", " : "", dim);
    }
    view.shape = {words};
    view.type = arrayType(view.element, view.shape);
    line(fmt::format("{} = memref.collapse_shape {} [[{}]] : {} into {}", view.name, array.name,
                     group, array.type, view.type));
    return view;
  }
  int64_t outer = 1;
  for (int64_t factor : {2, 3})
    if (array.shape[0] % factor == 0)
      outer = factor;
  view.shape = {outer, array.shape[0] / outer};
  view.type = arrayType(view.element, view.shape);
  line(fmt::format("{} = memref.expand_shape {} [[0, 1]] output_shape [{}, {}] : {} into {}",
                   view.name, array.name, view.shape[0], view.shape[1], array.type, view.type));
  return view;
}

Array ArrayWriter::view(const Place &place, const Array &array) {
  if (array.shape.empty() || array.isView)
    return array;
  switch (below(4)) {
  case 0:
    return reshaped(array);
  case 1: { // the outermost extent is forgotten
    Array open = array;
    open.name = fresh();
    open.type.replace(open.type.find('<') + 1, std::to_string(array.shape[0]).size(), "?");
    open.isView = true;
    line(fmt::format("{} = memref.cast {} : {} to {}", open.name, array.name, array.type,
                     open.type));
    return open;
  }
  case 2:
    if (array.shape.size() == 2) {
      std::vector<int64_t> strides{1, array.shape[1]};
      Array turned{fresh(), array.element, "", {array.shape[1], array.shape[0]}, array.isConstant};
      turned = strided(turned, strides, "0");
      line(fmt::format("{} = memref.transpose {} (i, j) -> (j, i) : {} to {}", turned.name,
                       array.name, array.type, turned.type));
      return turned;
    }
    [[fallthrough]];
  default:
    return subview(place, array);
  }
}

} // namespace spindle::hls
