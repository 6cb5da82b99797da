#include "core/chip/Chip.h"

#include "tests/support/TemporaryFolder.h"

#include "gmock/gmock.h"

using namespace spindle;
using ::testing::HasSubstr;

namespace {

class DeviceSection : public ::testing::Test {
protected:
  TemporaryFolder folder;

  llvm::Expected<Chip> read(const std::string &device) {
    return readChip(folder.write("chip.yaml", R"(format: spindle-chip
version: 1
name: small
mesh: {columns: 4, rows: 2}
clock_mhz: {value: 250, source: "a"}
latency:
  row_read_cycles: {value: 7, source: "b"}
  neuron_update_cycles: {value: 2, source: "c"}
  step_barrier_cycles: {value: 9, source: "d"}
crossbar:
  rows: 64
  columns: 32
  device: {)" + device + "}\n"));
  }
  /// What is said of a device with a source and these keys: one line, without the folder's name.
  std::string errorOf(const std::string &keys) {
    llvm::Expected<Chip> chip = read("source: \"a\", " + keys);
    if (chip)
      return "accepted";
    std::string text = toText(chip.takeError());
    EXPECT_EQ(text.find('\n'), std::string::npos);
    EXPECT_THAT(text, HasSubstr("chip.yaml:13:"));
    return text.substr(text.find("error: ") + 7);
  }
};

TEST_F(DeviceSection, IsReadWhole) {
  llvm::Expected<Chip> chip =
      read("source: \"a 2020\", levels: 16, on_off_ratio: 50, programming_noise: 0.1, read_noise: "
           "0.02, stuck_on: 0.01, stuck_off: 0.03, drift: {exponent: 0.05, deviation: 0.01, "
           "seconds: 3600, reference_seconds: 20}, wires: {segment_ohm: 2, on_ohm: 5e4}, adc: "
           "{bits: 6, range: 4}, seed: 9");
  ASSERT_TRUE(bool(chip)) << toText(chip.takeError());
  EXPECT_EQ(chip->crossbar.device, (Device{.source = "a 2020",
                                           .levels = 16,
                                           .offConductance = 0.02,
                                           .programmingNoise = 0.1,
                                           .readNoise = 0.02,
                                           .stuckOn = 0.01,
                                           .stuckOff = 0.03,
                                           .drift = {0.05, 0.01, 3600, 20},
                                           .wires = {2, 5e4},
                                           .converter = {6, 4},
                                           .seed = 9}));
}

TEST_F(DeviceSection, AbsentFiguresDisturbNothing) {
  llvm::Expected<Chip> chip = read("source: \"a\"");
  ASSERT_TRUE(bool(chip)) << toText(chip.takeError());
  EXPECT_EQ(chip->crossbar.device, Device{.source = "a"});
}

TEST_F(DeviceSection, NeedsASource) {
  EXPECT_THAT(toText(read("levels: 4").takeError()),
              HasSubstr("error: key 'source' is missing in crossbar.device"));
  EXPECT_THAT(toText(read("source: \"\"").takeError()),
              HasSubstr("source is empty: name the publication, or say 'assumption: ...'"));
}

TEST_F(DeviceSection, FiguresOutsideTheirRangeAreRefused) {
  for (auto [keys, error] : {
           std::pair("colour: 1", "drift, wires, adc"),
           std::pair("levels: 1", "levels is 1, expected 2 to 65536"),
           std::pair("levels: 65537", "levels is 65537, expected 2 to 65536"),
           std::pair("on_off_ratio: 1", "on_off_ratio is 1, expected 1.01 to"),
           std::pair("programming_noise: -0.1", "programming_noise is -0.1, expected 0 to 2"),
           std::pair("programming_noise: 2.5", "programming_noise is 2.5, expected 0 to 2"),
           std::pair("read_noise: 3", "read_noise is 3, expected 0 to 2"),
           std::pair("stuck_on: 1.5", "stuck_on is 1.5, expected 0 to 1"),
           std::pair("stuck_off: -1", "stuck_off is -1, expected 0 to 1"),
           std::pair("stuck_on: 0.75, stuck_off: 0.5",
                     "stuck_on and stuck_off are 1.25 together, more than all cells; lower one of "
                     "them"),
           std::pair("drift: {exponent: 2, seconds: 5}", "exponent is 2, expected 0 to 1"),
           std::pair("drift: {exponent: 0.1, deviation: -1, seconds: 5}",
                     "deviation is -1, expected 0 to 1"),
           std::pair("drift: {exponent: 0.1, seconds: 0}", "seconds is 0, expected"),
           std::pair("drift: {exponent: 0.1, seconds: 5, reference_seconds: 0}",
                     "reference_seconds is 0, expected"),
           std::pair("drift: {exponent: 0.1, seconds: 5, reference_seconds: 20}",
                     "seconds is 5, before reference_seconds, 20, from which on cells drift; set "
                     "at least that"),
           std::pair("drift: {seconds: 5}", "key 'exponent' is missing in crossbar.device.drift"),
           std::pair("wires: {segment_ohm: -1, on_ohm: 10}", "segment_ohm is -1, expected 0 to"),
           std::pair("wires: {segment_ohm: 1, on_ohm: 0}", "on_ohm is 0, expected 1 to"),
           std::pair("wires: {segment_ohm: 20, on_ohm: 10}",
                     "segment_ohm is 20, more than a cell that is on, 10; set at most that"),
           std::pair("wires: {on_ohm: 10}",
                     "key 'segment_ohm' is missing in crossbar.device.wires"),
           std::pair("adc: {bits: 1, range: 4}", "bits is 1, expected 2 to 40"),
           std::pair("adc: {bits: 41, range: 4}", "bits is 41, expected 2 to 40"),
           std::pair("adc: {bits: 8, range: 0}", "range is 0, expected"),
           std::pair("adc: {bits: 8}", "key 'range' is missing in crossbar.device.adc"),
           std::pair("seed: -1", "seed is -1, expected 0 to"),
           std::pair("level: 4", "unknown key 'level' in crossbar.device"),
       })
    EXPECT_THAT(errorOf(keys), HasSubstr(error)) << keys;
}

TEST_F(DeviceSection, WhatIsNoNumberIsRefused) {
  for (const char *figure : {"on_off_ratio", "programming_noise", "read_noise", "stuck_on",
                             "stuck_off", "levels", "seed"})
    for (const char *wrong : {".nan", ".inf", "much", "[1]"})
      EXPECT_NE(errorOf(std::string(figure) + ": " + wrong), "accepted") << figure << wrong;
  for (const char *section :
       {"drift: {exponent: .nan, seconds: 5}",
        "drift: {exponent: 0.1, deviation: .nan, seconds: 5}",
        "drift: {exponent: 0.1, seconds: .nan}", "wires: {segment_ohm: .nan, on_ohm: 10}",
        "wires: {segment_ohm: 1, on_ohm: .nan}", "adc: {bits: 8, range: .nan}", "adc: 8"})
    EXPECT_NE(errorOf(section), "accepted") << section;
  EXPECT_THAT(errorOf("read_noise: .nan"), HasSubstr("read_noise is '.nan', expected"));
}

} // namespace
