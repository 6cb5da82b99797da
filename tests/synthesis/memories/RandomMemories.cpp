#include "tests/synthesis/memories/RandomMemories.h"

#include "core/support/CounterRandom.h"

#include "fmt/format.h"

namespace spindle::hls {

namespace {

class MemoryWriter {
public:
  explicit MemoryWriter(uint64_t seed) : random(seed, /*substream=*/0x6d656d) {
    static const char *types[] = {"i32", "i16", "f32", "i8", "i64", "f64"};
    type = types[below(6)];
    isFloat = type[0] == 'f';
    rows = 1 + below(5);
    columns = 1 + below(9);
    words = 1 + below(12);
    outer = 1 + below(6);
    inner = 1 + below(8);
  }

  std::string write() {
    std::string row = fmt::format("memref<{}x{}>", words, type);
    std::string matrix = fmt::format("memref<{}x{}x{}>", rows, columns, type);
    std::string in = fmt::format("memref<{}x{}>", outer + inner + 2, type);
    std::string out = fmt::format("memref<{}x{}x{}>", outer, inner, type);
    std::string text =
        fmt::format("memref.global \"private\" constant @matrix : {0} = dense<{1}>\n"
                    "memref.global \"private\" constant @row : {2} = dense<{3}>\n"
                    "func.func @kernel(%x: {4}, %data: memref<{5}xi32>, %y: {6}) {{\n"
                    "  %m = memref.get_global @matrix : {0}\n  %r = memref.get_global @row : {2}\n"
                    "  %l = memref.alloc() : {2}\n",
                    matrix, matrixText(), row, rowText(), in, outer, out);
    text += fill(row, in);
    text += fmt::format("  affine.for %i = 0 to {} {{\n", outer);
    text += fmt::format("    affine.for %j = 0 to {} {{\n", inner);
    std::string sum = load("%y", "%i, %j", out);
    for (unsigned term = 2 + below(4); term > 0; --term)
      sum = combine(sum, operand(matrix, row, in));
    text += body + fmt::format("      affine.store {}, %y[%i, %j] : {}\n", sum, out);
    if (below(2) == 0)
      text +=
          fmt::format("      affine.store {}, %l[({}) mod {}] : {}\n", sum, index(), words, row);
    return text + "    }\n  }\n  return\n}\n";
  }

private:
  unsigned below(uint32_t n) { return unsigned(random.below(n)); }
  std::string number() {
    return isFloat ? fmt::format("{}.{}", int(below(9)) - 4, below(2) * 5)
                   : fmt::format("{}", int(below(200)) - 100);
  }
  std::string rowText() {
    std::string text = "[";
    for (unsigned n = 0; n < words; ++n)
      text += (n ? ", " : "") + number();
    return text + "]";
  }
  std::string matrixText() {
    if (below(6) == 0)
      return number(); // all alike
    std::string text = "[";
    for (unsigned n = 0; n < rows; ++n) {
      text += n ? ", [" : "[";
      for (unsigned k = 0; k < columns; ++k)
        text += (k ? ", " : "") + number();
      text += "]";
    }
    return text + "]";
  }
  std::string fill(const std::string &row, const std::string &in) {
    return fmt::format("  affine.for %i = 0 to {} {{\n    %v = affine.load %x[%i mod {}] : {}\n"
                       "    affine.store %v, %l[%i] : {}\n  }}\n",
                       words, outer + inner + 2, in, row);
  }
  /// An affine form of the counters that is not negative.
  std::string index() {
    return fmt::format("%i * {} + %j * {} + {}", below(4), below(4), below(5));
  }
  std::string value(const std::string &operation) {
    std::string name = fmt::format("%v{}", values++);
    body += fmt::format("      {} = {}\n", name, operation);
    return name;
  }
  std::string load(const std::string &array, const std::string &subscripts, const std::string &of) {
    return value(fmt::format("affine.load {}[{}] : {}", array, subscripts, of));
  }
  std::string combine(const std::string &a, const std::string &b) {
    static const char *whole[] = {"addi", "muli", "subi", "maxsi", "xori"};
    static const char *real[] = {"addf", "mulf", "subf"};
    return value(fmt::format("arith.{} {}, {} : {}", isFloat ? real[below(3)] : whole[below(5)], a,
                             b, type));
  }
  /// A subscript below `extent` that the caller's data decides.
  std::string fromData(unsigned extent) {
    std::string word = load("%data", "%i", fmt::format("memref<{}xi32>", outer));
    unsigned mask = 1;
    while (2 * mask <= extent)
      mask *= 2;
    std::string limit = value(fmt::format("arith.constant {} : i32", mask - 1));
    std::string rest = value(fmt::format("arith.andi {}, {} : i32", word, limit));
    return value(fmt::format("arith.index_cast {} : i32 to index", rest));
  }
  std::string operand(const std::string &matrix, const std::string &row, const std::string &in) {
    switch (below(7)) {
    case 0:
      return load("%m", fmt::format("({}) mod {}, ({}) mod {}", index(), rows, index(), columns),
                  matrix);
    case 1:
      return load("%m", fmt::format("{}, {}", below(rows), below(columns)), matrix);
    case 2:
      return load("%r", fmt::format("({}) mod {}", index(), words), row);
    case 3: {
      std::string at = fromData(words);
      return value(fmt::format("memref.load %r[{}] : {}", at, row));
    }
    case 4:
      return load("%l", fmt::format("({}) mod {}", index(), words), row);
    case 5:
      return load("%x", fmt::format("%i + %j + {}", below(3)), in);
    default:
      return load("%x", fmt::format("%i + {}", below(3)), in);
    }
  }

  CounterRandom random;
  std::string type, body;
  bool isFloat = false;
  unsigned rows = 1, columns = 1, words = 1, outer = 1, inner = 1, values = 0;
};

} // namespace

std::string randomMemories(uint64_t seed) { return MemoryWriter(seed).write(); }

} // namespace spindle::hls
