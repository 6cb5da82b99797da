// Every unit passes Verilator's lint and is read by Yosys at the parameters it is used with.
#include "tests/rtl/Command.h"

#include "gtest/gtest.h"

#include <map>
#include <string>
#include <vector>

namespace spindle::rtl {
namespace {

struct Unit {
  std::string module;
  std::vector<std::map<std::string, int>> parameters;
};

using Parameters = std::map<std::string, int>;

/// Each of `parameters` with each latency.
std::vector<Parameters> times(const std::vector<Parameters> &parameters,
                              const std::vector<int> &latencies) {
  std::vector<Parameters> all;
  for (const Parameters &each : parameters)
    for (int latency : latencies) {
      all.push_back(each);
      all.back()["LATENCY"] = latency;
    }
  return all;
}

/// Each of `parameters` at the latency, as a pipeline and with the interval of the one stage that
/// goes round.
std::vector<Parameters> iterative(const std::vector<Parameters> &parameters, int latency,
                                  int interval) {
  std::vector<Parameters> all;
  for (Parameters each : parameters)
    for (int i : {1, interval}) {
      each["LATENCY"] = latency;
      each["INTERVAL"] = i;
      all.push_back(each);
    }
  return all;
}

std::vector<Unit> lintedUnits() {
  const std::vector<Parameters> formats{{{"EXPONENT", 8}, {"FRACTION", 23}},
                                        {{"EXPONENT", 11}, {"FRACTION", 52}}};
  std::vector<Parameters> integers;
  for (const Parameters &format : formats)
    for (int width : {1, 8, 16, 32, 33, 64}) {
      integers.push_back(format);
      integers.back()["INTEGER"] = width;
    }
  return {{"addf", times(formats, {1, 2, 3, 4, 5, 6, 7, 8})},
          {"mulf", times(formats, {1, 2, 3, 4, 5, 6, 7})},
          {"fmaf", times(formats, {1, 2, 3, 4, 5, 6, 7, 8})},
          {"cmpf", times(formats, {1, 2, 3})},
          {"minmaxf", times(formats, {1, 2, 3})},
          {"sitofp", times(integers, {1, 6})},
          {"uitofp", times(integers, {3})},
          {"fptosi", times(integers, {1, 4})},
          {"fptoui", times(integers, {2})},
          {"extf", times({{}}, {1, 2, 3, 4})},
          {"truncf", times({{}}, {1, 2, 3, 4})},
          {"muli", times({{{"WIDTH", 8}},
                          {{"WIDTH", 32}},
                          {{"WIDTH", 64}},
                          {{"WIDTH", 64}, {"A", 33}, {"B", 33}},
                          {{"WIDTH", 32}, {"A", 18}, {"B", 25}}},
                         {1, 2, 3, 4, 5})},
          {"muli_pair", times({{{"WIDTH", 16}},
                               {{"WIDTH", 16}, {"A", 11}},
                               {{"WIDTH", 8}, {"A", 8}, {"B", 8}, {"C", 8}},
                               {{"WIDTH", 32}, {"A", 12}, {"B", 6}, {"C", 18}, {"SHIFT", 12}}},
                              {1, 2, 3})},
          {"divi",
           iterative(
               {{{"WIDTH", 8}}, {{"WIDTH", 64}, {"SIGNED", 0}, {"REMAINDER", 1}}, {{"WIDTH", 32}}},
               18, 16)},
          {"divf", iterative(formats, 12, 9)},
          {"sqrt", iterative(formats, 15, 13)},
          {"exp", iterative(formats, 18, 10)},
          {"powf", iterative(formats, 42, 11)},
          {"log", iterative(formats, 21, 11)},
          {"fifo",
           {{{"WIDTH", 1}, {"DEPTH", 2}},
            {{"WIDTH", 8}, {"DEPTH", 5}, {"MARGIN", 3}},
            {{"WIDTH", 64}, {"DEPTH", 33}, {"MARGIN", 2}}}},
          {"network_interface",
           {{},
            {{"INPUTS", 784}, {"IN_WORDS", 13}, {"IN_BITS", 61}, {"NEURONS", 128}, {"TARGETS", 3}},
            {{"INPUTS", 128},
             {"FIRST_INPUT", 784},
             {"IN_WORDS", 3},
             {"IN_BITS", 43},
             {"NEURONS", 10},
             {"FIRST", 912},
             {"TARGETS", 16}}}}};
}

class UnitSource : public testing::TestWithParam<Unit> {};

TEST_P(UnitSource, PassesLint) {
  for (const Parameters &parameters : GetParam().parameters) {
    std::string command = "verilator --lint-only -Wall -y hw/rtl -y hw/rtl/conversion -y "
                          "hw/rtl/division -y hw/rtl/elementary "
                          "--top-module spindle_" +
                          GetParam().module;
    for (const auto &[name, value] : parameters)
      command += " -G" + name + "=" + std::to_string(value);
    const Outcome outcome =
        run(command + " $(find hw/rtl -name spindle_" + GetParam().module + ".sv)");
    EXPECT_EQ(outcome.status, 0) << command;
    EXPECT_EQ(outcome.output, "") << command;
  }
}

TEST_P(UnitSource, IsReadByYosys) {
  if (run("yosys -V").status != 0)
    GTEST_SKIP() << "yosys cannot be run: install the package yosys";
  const std::string top = "spindle_" + GetParam().module;
  const Parameters &parameters = GetParam().parameters.back();
  std::string command = "yosys -q -p 'read_verilog -sv hw/rtl/*.sv "
                        "hw/rtl/conversion/*.sv hw/rtl/division/*.sv hw/rtl/elementary/*.sv "
                        "hw/rtl/tile/*.sv; chparam";
  for (const auto &[name, value] : parameters)
    command += " -set " + name + " " + std::to_string(value);
  command += " " + top + "; hierarchy -check -top " + top + "; proc; check -assert'";
  const Outcome outcome = run(command);
  EXPECT_EQ(outcome.status, 0) << command << '\n' << outcome.output;
}

INSTANTIATE_TEST_SUITE_P(Rtl, UnitSource, testing::ValuesIn(lintedUnits()),
                         [](const auto &instance) { return instance.param.module; });

} // namespace
} // namespace spindle::rtl
