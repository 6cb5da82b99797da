#include "tests/hls/loops/RandomRows.h"

#include "core/support/CounterRandom.h"

#include "fmt/format.h"

#include <vector>

namespace spindle::hls {

namespace {

class RowWriter {
public:
  RowWriter(uint64_t seed, bool isPlain) : random(seed), plain(isPlain) {}

  std::string write();

private:
  bool chance(unsigned in) { return random.below(in) == 0; }
  void line(const std::string &content) { text += "    " + content + "\n"; }
  std::string let(const std::string &content) {
    std::string name = fmt::format("%v{}", next++);
    line(name + " = " + content);
    return name;
  }
  std::string any(const std::vector<std::string> &values) {
    return values[random.below(uint32_t(values.size()))];
  }
  std::string read(const std::string &array, const std::string &at) {
    return let(fmt::format("affine.load %{}[{}] : memref<11xi32>", array, at));
  }
  std::string bound();
  void behind(const std::string &value);
  void inside(const std::vector<std::string> &sums);

  CounterRandom random;
  bool plain;
  std::string text;
  unsigned next = 0;
  std::vector<std::string> known{"%zero", "%seven"}; // i32 in the loop over the rows
};

/// From 0 to 15, as an index.
std::string RowWriter::bound() {
  switch (random.below(6)) {
  case 0:
    return "%i";
  case 1:
    return chance(2) ? "%i0" : "%i9";
  case 2: { // a row that another one names
    std::string row = let(fmt::format("arith.andi {}, %seven : i32", read("p", "%i")));
    std::string at = let(fmt::format("arith.index_cast {} : i32 to index", row));
    std::string number = let(fmt::format("memref.load %q[{}] : memref<11xi32>", at));
    known.push_back(let(fmt::format("arith.andi {}, %mask : i32", number)));
    break;
  }
  default:
    std::string number = read(chance(2) ? "p" : "q", chance(2) ? "%i" : "%i + 1");
    known.push_back(let(fmt::format("arith.andi {}, %mask : i32", number)));
  }
  return let(fmt::format("arith.index_cast {} : i32 to index", known.back()));
}

void RowWriter::behind(const std::string &value) {
  switch (random.below(3)) {
  case 0:
    return line(fmt::format("affine.store {}, %y[%i] : memref<11xi32>", value));
  case 1: {
    std::string sum = let(fmt::format("arith.addi {}, {} : i32", value, any(known)));
    return line(fmt::format("affine.store {}, %z[%i * 2] : memref<22xi32>", sum));
  }
  default:
    std::string twice = let("affine.apply affine_map<(d0) -> (d0 * 2 + 1)>(%i)");
    line(fmt::format("affine.store {}, %z[{}] : memref<22xi32>", value, twice));
  }
}

/// The body of a row: what it yields comes from elements, the row's values and the sums.
void RowWriter::inside(const std::vector<std::string> &sums) {
  std::string at = let("arith.andi %j, %i15 : index");
  std::string element = let(fmt::format("memref.load %x[{}] : memref<16xi32>", at));
  std::string number = let("arith.index_cast %j : index to i32");
  std::vector<std::string> values = known;
  values.insert(values.end(), {element, number});
  if (chance(3))
    line(fmt::format("memref.store {}, %w[{}] : memref<16xi32>", any(values), at));
  std::string yields;
  for (const std::string &sum : sums) {
    std::string more = let(fmt::format("arith.addi {}, {} : i32", element, any(values)));
    yields += (yields.empty() ? "" : ", ") +
              let(fmt::format("arith.addi {}, {} : i32", chance(4) ? any(sums) : sum, more));
  }
  if (!sums.empty())
    line(fmt::format("scf.yield {} : {}", yields, sums.size() == 1 ? "i32" : "i32, i32"));
}

std::string RowWriter::write() {
  std::string from = bound(), to = bound();
  if (chance(2))
    known.push_back(let(fmt::format("arith.muli {}, {} : i32", read("p", "%i"), any(known))));
  if (chance(2))
    known.push_back(let("arith.index_cast %i : index to i32"));
  std::string step = plain || !chance(3) ? "%i1" : "%i3";
  std::string order = plain || !chance(3) ? "" : "unsigned ";
  bool isInMemory = chance(4);
  unsigned count = isInMemory ? 0 : random.below(3);
  std::vector<std::string> sums, results;
  std::string carried;
  for (unsigned n = 0; n < count; ++n) {
    sums.push_back(fmt::format("%s{}", n));
    results.push_back(fmt::format("%r#{}", n));
    carried += fmt::format("{}{} = {}", n ? ", " : "", sums.back(), any(known));
  }
  if (isInMemory && chance(2))
    line(fmt::format("affine.store {}, %u[%i] : memref<11xi32>", any(known)));
  std::string head = fmt::format("scf.for {}%j = {} to {} step {}", order, from, to, step);
  if (count)
    head = fmt::format("%r:{} = {} iter_args({}) -> ({})", count, head, carried,
                       count == 1 ? "i32" : "i32, i32");
  line(head + " {");
  inside(sums);
  if (isInMemory) {
    std::string sum = read("u", "%i"), element = let("arith.index_cast %j : index to i32");
    std::string more = let(fmt::format("arith.addi {}, {} : i32", sum, element));
    line(fmt::format("affine.store {}, %u[%i] : memref<11xi32>", more));
  }
  line("}");
  for (const std::string &result : results)
    behind(result);
  if (chance(2))
    behind(any(known));
  return R"(func.func @kernel(%p: memref<11xi32>, %q: memref<11xi32>, %x: memref<16xi32>,
                  %y: memref<11xi32>, %z: memref<22xi32>, %w: memref<16xi32>, %u: memref<11xi32>) {
  %i0 = arith.constant 0 : index
  %i1 = arith.constant 1 : index
  %i3 = arith.constant 3 : index
  %i9 = arith.constant 9 : index
  %i15 = arith.constant 15 : index
  %zero = arith.constant 0 : i32
  %seven = arith.constant 7 : i32
  %mask = arith.constant 15 : i32
  affine.for %i = 0 to 10 {
)" + text +
         "  }\n  return\n}\n";
}

} // namespace

std::string randomRows(uint64_t seed, bool isPlain) { return RowWriter(seed, isPlain).write(); }

} // namespace spindle::hls
