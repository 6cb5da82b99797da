#include "tests/bench/hls/HlsSets.h"

#include "fmt/format.h"

#include <map>

namespace spindle::bench {

namespace {

/// Options of a kernel in which as many multipliers as adders may be used.
std::vector<std::string> withUnits(unsigned count, unsigned unroll = 1,
                                   const std::string &without = "") {
  std::vector<std::string> options = {"--resources", fmt::format("fadd={0},fmul={0}", count)};
  if (unroll > 1)
    options.insert(options.end(), {"--unroll", fmt::format("{}", unroll)});
  if (!without.empty())
    options.insert(options.end(), {"--without", without});
  return options;
}

/// Curzel 2022, f64, mini, 100 MHz: the better of Vitis HLS and MLIR + Bambu, both pipelined;
/// multipliers of the latter.
struct Pipelined {
  const char *kernel;
  uint64_t cycles;
  unsigned multipliers;
  unsigned wideUnroll;     // that makes the fewest cycles of eight units of a kind, found by search
  const char *wideWithout; // steps that make these slower
};
constexpr Pipelined kPipelined[] = {
    {"2mm", 76482, 2, 6, ""},      {"3mm", 117428, 1, 8, ""},    {"atax", 13915, 3, 7, "skew"},
    {"bicg", 8749, 6, 7, "skew"},  {"doitgen", 69222, 1, 6, ""}, {"gemm", 83002, 2, 7, "fuse"},
    {"gemver", 25836, 7, 4, ""},   {"mvt", 16722, 1, 4, ""},     {"syr2k", 70910, 9, 2, "fuse"},
    {"syrk", 57490, 3, 7, "fuse"}, {"trmm", 37392, 1, 8, ""},
};
constexpr unsigned kWideUnits = 8;

/// Curzel 2023: kernels in f32, all dimensions of one size: the best of all front ends, and the
/// options with few cycles found here with at most 128 multipliers, in the order of the program and
/// reassociated.
struct Unrolling {
  const char *factors;
  bool fuses = true;
};
struct Unrolled {
  const char *kernel;
  unsigned size;
  uint64_t cycles;
  Unrolling inOrder, reassociated;
};
constexpr Unrolled kUnrolled[] = {
    {"2mm", 2, 25, {"2,2,2"}, {"2,2,2"}},
    {"3mm", 2, 22, {"2,2,2"}, {"2,2,2"}},
    {"atax", 2, 21, {"2,2"}, {"2,2"}},
    {"bicg", 2, 22, {"2,2"}, {"2,2"}},
    {"doitgen", 2, 14, {"2,2,2,2"}, {"2,2,2,2"}},
    {"gemm", 2, 15, {"2,2,2"}, {"2,2,2"}},
    {"gemver", 2, 36, {"2,2"}, {"2,2"}},
    {"mvt", 2, 12, {"2,2"}, {"2,2"}},
    {"syr2k", 2, 19, {"2,2,2"}, {"2,2,2"}},
    {"2mm", 4, 43, {"4,4,4"}, {"4,4,4"}},
    {"3mm", 4, 40, {"4,4,4"}, {"4,4,4"}},
    {"atax", 4, 30, {"4,4"}, {"4,4"}},
    {"bicg", 4, 31, {"4,4"}, {"4,4"}},
    {"doitgen", 4, 26, {"4,4,4"}, {"4,4,4"}},
    {"gemm", 4, 27, {"4,4,4"}, {"4,4,4"}},
    {"gemver", 4, 49, {"4,4"}, {"4,4"}},
    {"mvt", 4, 21, {"4,4"}, {"4,4"}},
    {"syr2k", 4, 150, {"4,4,4"}, {"4,4,4"}},
    {"2mm", 8, 98, {"8,8,8"}, {"8,8,8"}},
    {"3mm", 8, 103, {"8,8,8"}, {"8,8,8"}},
    {"atax", 8, 60, {"8,8"}, {"8,8"}},
    {"bicg", 8, 49, {"8,8"}, {"8,8"}},
    {"doitgen", 8, 94, {"8,8"}, {"8,8"}},
    {"gemm", 8, 56, {"8,8"}, {"8,8"}},
    {"gemver", 8, 75, {"8,8"}, {"8,8"}},
    {"mvt", 8, 45, {"8,8"}, {"8,8"}},
    {"syr2k", 8, 500, {"8,8"}, {"8,8"}},
    {"2mm", 16, 410, {"16,4"}, {"16,16"}},
    {"3mm", 16, 797, {"16"}, {"16"}},
    {"atax", 16, 157, {"16"}, {"16,4"}},
    {"bicg", 16, 64, {"16,16"}, {"16,16"}},
    {"doitgen", 16, 1367, {"16,4"}, {"16,4"}},
    {"gemm", 16, 259, {"16,4"}, {"16,4"}},
    {"gemver", 16, 255, {"16"}, {"16"}},
    {"mvt", 16, 120, {"16"}, {"16"}},
    {"syr2k", 16, 1785, {"16"}, {"16"}},
};

struct Cycles {
  const char *kernel;
  uint64_t cycles;
};
/// Vivado HLS as measured for Calyx (Nigam and others 2021), 8×8, 7 ns.
constexpr Cycles kVivado[] = {
    {"2mm", 3718},   {"3mm", 5043},    {"atax", 715},    {"bicg", 218},  {"doitgen", 14545},
    {"gemm", 2684},  {"gemver", 1105}, {"gesummv", 532}, {"mvt", 597},   {"symm", 2033},
    {"syr2k", 3712}, {"syrk", 2631},   {"trisolv", 377}, {"trmm", 1553},
};
/// Stream-HLS, medium, f32, 2,560 DSP blocks; a multiplier takes two. Factors that divide the trip
/// counts. The kernels of vectors need sums in another order than the written one.
struct Streamed {
  const char *kernel;
  uint64_t cycles;
  const char *unroll;
  const char *without; // so that two nests over one matrix get the same lanes of it
  bool isReassociated; // chains of some hundred sums are longer than the published cycles
};
constexpr Streamed kStreams[] = {
    {"2mm", 36352, "10,45", "", false},
    {"3mm", 49092, "10,30", "", false},
    {"atax", 2180, "10,30", "interchange,fuse", true},
    {"bicg", 1112, "39,10", "interchange,fuse", true},
    {"gemm", 24051, "22,20", "", false},
    {"gesummv", 673, "10,25", "", true},
    {"mvt", 667, "20,20", "", true},
};

constexpr const char *kPolybench[] = {
    "2mm",
    "3mm",
    "adi",
    "atax",
    "bicg",
    "cholesky",
    "correlation",
    "covariance",
    "deriche",
    "doitgen",
    "durbin",
    "fdtd-2d",
    "floyd-warshall",
    "gemm",
    "gemver",
    "gesummv",
    "gramschmidt",
    "heat-3d",
    "jacobi-1d",
    "jacobi-2d",
    "lu",
    "ludcmp",
    "mvt",
    "nussinov",
    "seidel-2d",
    "symm",
    "syr2k",
    "syrk",
    "trisolv",
    "trmm",
};

HlsSet pipelinedSet() {
  HlsSet set{
      "curzel2022", "better of Vitis HLS and MLIR + Bambu, pipelined, Curzel 2022", true, {}};
  for (const Pipelined &row : kPipelined)
    set.entries.push_back(
        {row.kernel, row.kernel, "mini-f64", withUnits(row.multipliers), row.cycles});
  return set;
}

HlsSet wideSet() {
  HlsSet set{"curzel2022-wide", "as curzel2022, eight units of each kind here", true, {}};
  for (const Pipelined &row : kPipelined)
    set.entries.push_back({row.kernel, row.kernel, "mini-f64",
                           withUnits(kWideUnits, row.wideUnroll, row.wideWithout), row.cycles});
  return set;
}

HlsSet unrolledSet() {
  HlsSet set{
      "curzel2023", "gemm: MLIR + Bambu; f32: best of all front ends, Curzel 2023", true, {}};
  set.entries = {{"gemm-pipelined", "gemm", "mini-f64", withUnits(2), 82362},
                 {"gemm-permuted", "gemm", "mini-f64", withUnits(2), 81182},
                 {"gemm-unrolled", "gemm", "mini-f64", withUnits(8, 7, "fuse"), 17642}};
  for (const Unrolled &row : kUnrolled)
    for (bool isReassociated : {false, true}) {
      const Unrolling &loops = isReassociated ? row.reassociated : row.inOrder;
      std::vector<std::string> options = {"--unroll", loops.factors};
      if (!loops.fuses)
        options.insert(options.end(), {"--without", "fuse"});
      set.entries.push_back(
          {fmt::format("{}-{}{}", row.kernel, row.size, isReassociated ? "-reassociated" : ""),
           row.kernel, fmt::format("{}-f32", row.size), options, row.cycles, isReassociated});
    }
  return set;
}

HlsSet calyxSet() {
  HlsSet set{"calyx", "Vivado HLS, 8x8, 7 ns, in the publication of Calyx", true, {}};
  for (const Cycles &row : kVivado)
    set.entries.push_back({row.kernel, row.kernel, "8x8-i32", {}, row.cycles});
  return set;
}

HlsSet streamSet() {
  HlsSet set{"stream-hls", "Stream-HLS, medium, f32, 2,560 DSP blocks", false, {}};
  for (const Streamed &row : kStreams) {
    std::vector<std::string> options = {"--unroll", row.unroll};
    if (*row.without)
      options.insert(options.end(), {"--without", row.without});
    set.entries.push_back(
        {row.kernel, row.kernel, "medium-f32", options, row.cycles, row.isReassociated});
  }
  return set;
}

HlsSet polybenchSet() {
  HlsSet set{"polybench", "", true, {}};
  for (const char *kernel : kPolybench)
    set.entries.push_back({kernel, kernel, "mini-f64", {}, 0});
  return set;
}

} // namespace

const std::vector<HlsSet> &hlsSets() {
  static const std::vector<HlsSet> sets = {pipelinedSet(), wideSet(),      unrolledSet(),
                                           calyxSet(),     polybenchSet(), streamSet()};
  return sets;
}

std::string HlsEntry::inputs() const {
  // Roots and quotients of uniform numbers are soon NaN, which would agree with every NaN.
  static const std::map<std::string, std::string> kinds = {
      {"cholesky", "spd"},    {"correlation", "spd"}, {"deriche", "positive"}, {"durbin", "spd"},
      {"gramschmidt", "spd"}, {"lu", "spd"},          {"ludcmp", "spd"},       {"trisolv", "spd"}};
  if (isReassociated) // sums that are exact in any order
    return "integers";
  auto kind = kinds.find(kernel);
  return kind == kinds.end() ? "uniform" : kind->second;
}

std::string HlsEntry::optionText() const {
  std::string text;
  for (size_t i = 0; i + 1 < options.size(); i += 2)
    text += fmt::format("{}{} {}", i ? " " : "", options[i].substr(2), options[i + 1]);
  if (isReassociated)
    text += " reassociate";
  return text;
}

} // namespace spindle::bench
