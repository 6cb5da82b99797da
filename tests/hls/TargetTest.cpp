#include "hw/hls/UnitVariants.h"

#include "gmock/gmock.h"

#include <fstream>
#include <iterator>

using namespace spindle;
using namespace spindle::hls;
using ::testing::EndsWith;
using ::testing::HasSubstr;

namespace {

constexpr const char *kHead =
    "format: spindle-target\nversion: 1\nname: t\nclock: {period_ns: 5}\n";

llvm::Expected<Target> parse(const std::string &text) {
  std::string path = ::testing::TempDir() + "target.yaml";
  std::ofstream(path) << text;
  return readTarget(path);
}

std::string targetError(const std::string &text) {
  llvm::Expected<Target> target = parse(text);
  return target ? "no error" : toText(target.takeError());
}

TEST(Target, TheDeliveredOneHasUnitsForSumsAndProducts) {
  llvm::Expected<Target> target = readTarget("configs/targets/zynq-7020-100mhz.yaml");
  ASSERT_TRUE(bool(target)) << toText(target.takeError());
  EXPECT_EQ(target->clockPeriodNs, 10);
  EXPECT_EQ(target->memory.ports, 2u);
  const FunctionalUnit *adder = target->unitFor("subf", "f64");
  ASSERT_TRUE(adder);
  EXPECT_EQ(adder->module, "spindle_addf");
  EXPECT_EQ(adder->parameters.at("FRACTION"), 52);
  EXPECT_EQ(adder->name, "addf_f64");
  ASSERT_TRUE(target->unitFor("mulf", "f16"));
  EXPECT_EQ(target->unitFor("mulf", "f16")->parameters.at("FRACTION"), 10);
  EXPECT_EQ(target->unitFor("divf", "bf16")->parameters.at("FRACTION"), 7);
  EXPECT_EQ(target->unitFor("mulf", "f80"), nullptr);
  // 190 LUTs of the part for each 18 Kibit, of which half is taken.
  EXPECT_EQ(target->memory.blockLuts, 95u);
}

// A level of LUTs more for every four times as many words, and never more than a cycle.
TEST(Target, LutRamIsSlowerTheMoreWordsItHas) {
  llvm::Expected<Target> target =
      parse(std::string(kHead) + "memory: {block_luts: 7}\n"
                                 "logic:\n  multiplexer: {ns: 1}\n  select: {ns: 0.5}\n"
                                 "units: []\n");
  ASSERT_TRUE(bool(target)) << toText(target.takeError());
  EXPECT_EQ(target->memory.blockLuts, 7u);
  for (auto [words, ns] : {std::pair(1, 1.5), std::pair(64, 1.5), std::pair(65, 2.0),
                           std::pair(256, 2.0), std::pair(257, 2.5), std::pair(1 << 30, 5.0)})
    EXPECT_EQ(target->lutRamDelayNs(words), ns) << words;
}

TEST(Target, ANameStandsForADeliveredOne) {
  llvm::Expected<Target> named = readTarget(kDefaultTarget);
  ASSERT_TRUE(bool(named)) << toText(named.takeError());
  EXPECT_EQ(*named, llvm::cantFail(readTarget("configs/targets/zynq-7020-100mhz.yaml")));
  llvm::Expected<Target> unknown = readTarget("zynq");
  ASSERT_FALSE(bool(unknown));
  EXPECT_THAT(toText(unknown.takeError()),
              EndsWith("there is no target 'zynq', expected ice40-hx8k-25mhz, zu7ev-150mhz, "
                       "zynq-7020-100mhz or a file such as zynq.yaml"));
}

TEST(Target, TheDeliveredOneHasUnitsForWhatTakesManyCycles) {
  llvm::Expected<Target> target = readTarget("configs/targets/zynq-7020-100mhz.yaml");
  ASSERT_TRUE(bool(target)) << toText(target.takeError());
  for (const char *type : {"f32", "f64"})
    for (const char *operation : {"divf", "sqrt", "exp", "powf"})
      EXPECT_TRUE(target->unitFor(operation, type)) << operation << ' ' << type;
  for (const char *type : {"i8", "i16", "i32", "i64"})
    for (const char *operation : {"muli", "divsi", "divui", "remsi", "remui"})
      EXPECT_TRUE(target->unitFor(operation, type)) << operation << ' ' << type;
}

TEST(Target, TheExampleOfTheDocumentationIsValid) {
  std::ifstream file("docs/formats/target.md");
  std::string page{std::istreambuf_iterator<char>(file), {}};
  size_t begin = page.find("```yaml\n") + 8;
  llvm::Expected<Target> target = parse(page.substr(begin, page.find("```", begin) - begin));
  ASSERT_TRUE(bool(target)) << toText(target.takeError());
  EXPECT_EQ(target->memory, BlockMemory()); // the page states the defaults
  ASSERT_EQ(target->units.size(), 1u);
  llvm::Expected<Target> delivered = readTarget(kDefaultTarget);
  ASSERT_TRUE(bool(delivered)) << toText(delivered.takeError());
  EXPECT_EQ(target->units[0], *delivered->unitFor("addf", "f64"));
}

TEST(Target, DelayGrowsWithTheWidth) {
  llvm::Expected<Target> target =
      parse(std::string(kHead) + "logic: {addi: {ns: 1, ns_per_bit: 0.5}}\nunits: []\n");
  ASSERT_TRUE(bool(target)) << toText(target.takeError());
  EXPECT_DOUBLE_EQ(target->logicDelayNs("addi", 8), 5);
  EXPECT_DOUBLE_EQ(target->logicDelayNs("never heard of", 8), 0);
}

/// The first that looks at enough bits, in either order of the factors.
TEST(Target, NarrowFactorsHaveNarrowUnits) {
  llvm::Expected<Target> target = parse(
      std::string(kHead) +
      "units: [{operations: muli, type: i32, operand_bits: [9, 12], module: m, latency: 1},\n"
      "        {operations: muli, type: i32, operand_bits: [18, 25], module: m, latency: 1},\n"
      "        {operations: muli, type: i32, module: m, latency: 2}]\n");
  ASSERT_TRUE(bool(target)) << toText(target.takeError());
  auto nameFor = [&](std::vector<int64_t> bits) {
    return target->unitFor("muli", "i32", bits)->name;
  };
  EXPECT_EQ(nameFor({}), "muli_i32");
  EXPECT_EQ(nameFor({9, 12}), "muli_i32_9x12");
  EXPECT_EQ(nameFor({12, 9}), "muli_i32_9x12");
  EXPECT_EQ(nameFor({10, 10}), "muli_i32_18x25");
  EXPECT_EQ(nameFor({25, 18}), "muli_i32_18x25");
  EXPECT_EQ(nameFor({19, 19}), "muli_i32");
  EXPECT_TRUE(target->units[0].fits({9, 12}));
  EXPECT_FALSE(target->units[0].fits({12, 9}));
  EXPECT_TRUE(target->units[2].fits({}));
}

constexpr const char *kVariants =
    "units: [{operations: divf, type: f64, variant: slow, module: m, latency: 9, interval: 8},\n"
    "        {operations: divf, type: f64, variant: fast, module: m, latency: 9},\n"
    "        {operations: sqrt, type: f64, module: n, latency: 9}]\n";

TEST(Target, TheFirstVariantIsTakenUnlessAnotherIsChosen) {
  Target target = llvm::cantFail(parse(std::string(kHead) + kVariants));
  EXPECT_EQ(target.unitFor("divf", "f64")->interval, 8u);
  EXPECT_EQ(variantsOf("divf_f64", target).size(), 2u);
  UnitVariants chosen = llvm::cantFail(parseUnitVariants("fdiv=fast", target, ""));
  EXPECT_EQ(chosen, (UnitVariants{{"divf_f64", "fast"}}));
  Target fast = withVariants(target, chosen);
  EXPECT_EQ(fast.unitFor("divf", "f64")->interval, 1u);
  EXPECT_EQ(fast.unitFor("sqrt", "f64")->module, "n");
  EXPECT_EQ(fast.units.size(), target.units.size());
}

TEST(Target, VariantsThatAreNotThereAreRefused) {
  Target target = llvm::cantFail(parse(std::string(kHead) + kVariants));
  auto variantError = [&](const char *text) {
    return toText(parseUnitVariants(text, target, "--variants").takeError());
  };
  EXPECT_EQ(variantError("fdiv"),
            "--variants: error: 'fdiv', expected a unit and a variant, e.g. fdiv=pipelined");
  EXPECT_EQ(variantError("fmul=fast"), "--variants: error: target 't' has no unit 'fmul'");
  EXPECT_EQ(variantError("fsqrt=fast"),
            "--variants: error: target 't' has one 'fsqrt' only, no variants");
  EXPECT_EQ(variantError("divf_f64=faster"),
            "--variants: error: target 't' has no variant 'faster' of "
            "'divf_f64', expected slow or fast");
}

/// Every part has what its units are for: no unit is larger than the part.
TEST(Target, UnitsOfTheDeliveredOnesFitTheirParts) {
  for (const char *name : {"zynq-7020-100mhz", "zu7ev-150mhz", "ice40-hx8k-25mhz"}) {
    Target target = llvm::cantFail(readTarget(name));
    EXPECT_EQ(target.name, name);
    ASSERT_TRUE(target.capacity) << name;
    for (const FunctionalUnit &unit : target.units) {
      EXPECT_LE(double(unit.area.lut), target.capacity->lut) << name << ' ' << unit.name;
      EXPECT_LE(double(unit.area.dsp), target.capacity->dsp) << name << ' ' << unit.name;
    }
  }
}

TEST(Target, RefusesWithPlace) {
  auto withBits = [](const std::string &operation, const std::string &bits) {
    return targetError(std::string(kHead) + "units: [{operations: " + operation +
                       ", type: i32, module: m, latency: 1, operand_bits: " + bits + "}]\n");
  };
  const std::string expected = ", expected two numbers from 1 to the bits of the type of a muli, "
                               "or three of a multiply_pair";
  EXPECT_THAT(
      withBits("muli", "[18, 33]"),
      EndsWith("target.yaml: error: operand_bits [18, 33] of unit muli_i32_18x33" + expected));
  EXPECT_THAT(withBits("muli", "[0, 3]"), EndsWith(expected));
  EXPECT_THAT(withBits("muli", "18"), EndsWith(expected));
  EXPECT_THAT(withBits("divsi", "[8, 8]"), EndsWith(expected));
  EXPECT_THAT(withBits("multiply_pair", "[8, 8]"), EndsWith(expected));
  EXPECT_THAT(withBits("multiply_pair", "[8, 8, 33]"), EndsWith(expected));
  EXPECT_THAT(
      targetError("format: spindle-chip\nversion: 1\nname: t\nclock: {period_ns: 5}\nunits: []\n"),
      EndsWith("target.yaml:1:9: error: format is 'spindle-chip', expected 'spindle-target'"));
  EXPECT_THAT(
      targetError(
          "format: spindle-target\nversion: 7\nname: t\nclock: {period_ns: 5}\nunits: []\n"),
      EndsWith("target.yaml:2:10: error: version is 7, expected 1"));
  EXPECT_THAT(
      targetError(std::string(kHead) + "units: [{operations: [addf], type: f64, latency: 3}]\n"),
      HasSubstr("'module'"));
  EXPECT_THAT(targetError(std::string(kHead) +
                          "units: [{operations: [addf], type: f64, module: m, latncy: 3}]\n"),
              HasSubstr("latncy"));
  EXPECT_THAT(targetError(std::string(kHead) +
                          "units: [{operations: [], type: f64, module: m, latency: 3}]\n"),
              EndsWith("target.yaml: error: a unit of module m has no operations"));
  EXPECT_THAT(
      targetError(std::string(kHead) +
                  "units: [{operations: addf, type: f64, module: m, latency: 3},\n"
                  "        {operations: [subf, addf], type: f64, module: n, latency: 3}]\n"),
      EndsWith("target.yaml: error: two units for addf of f64, expected one, or a `variant` "
               "of each"));
  const std::string slow = std::string(kHead) +
                           "units: [{operations: divf, type: f64, variant: slow, module: m, "
                           "latency: 3},\n        {operations: ";
  EXPECT_THAT(targetError(slow + "divf, type: f64, variant: slow, module: n, latency: 3}]\n"),
              EndsWith("target.yaml: error: two units for divf of f64 are 'slow', expected "
                       "variants of other names"));
  EXPECT_THAT(
      targetError(slow + "[divf, sqrt], type: f64, variant: fast, module: n, latency: 3}]\n"),
      EndsWith("target.yaml: error: two units for divf of f64 have the operations divf and "
               "divf, sqrt, expected the same of all variants"));
  EXPECT_THAT(
      targetError(std::string(kHead) + "units: [{operations: addf, type: f64, module: m, "
                                       "latency: 3, delay_out_ns: 6}]\n"),
      EndsWith("target.yaml: error: unit addf_f64 needs 6 ns, more than the clock period of 5 ns"));
}

} // namespace
