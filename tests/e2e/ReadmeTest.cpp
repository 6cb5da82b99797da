// What README.md shows of its first command is what the tool prints.
#include "tests/e2e/Tool.h"

#include <gmock/gmock.h>

#include <regex>

namespace spindle::test {
namespace {

/// The first block of README.md after `words`, without its fences.
std::string blockAfter(const std::string &words) {
  std::string page = readText("README.md");
  size_t begin = page.find("```", page.find(words));
  begin = page.find('\n', begin) + 1;
  return page.substr(begin, page.find("```", begin) - begin);
}

/// Times, speeds and memory are those of a machine.
std::string withoutTimes(const std::string &output) {
  std::string text = std::regex_replace(output, std::regex(R"(  \([0-9.]+ s\))"), "");
  text = std::regex_replace(
      text, std::regex(R"([^ ]+ samples/s, [^ ]+ synaptic events/s; peak memory [0-9]+ MiB)"),
      "speed");
  return std::regex_replace(text, std::regex(R"([^ \n]*(digits-mlp/report\.))"), "$1");
}

/// Every member of `part` is in `whole`, with the same value.
void expectPart(const nlohmann::json &part, const nlohmann::json &whole, const std::string &way) {
  for (const auto &[key, value] : part.items()) {
    ASSERT_TRUE(whole.contains(key)) << way << key;
    if (value.is_object())
      expectPart(value, whole[key], way + key + ".");
    else
      EXPECT_EQ(value, whole[key]) << way << key;
  }
}

/// By the program that the launcher builds for it, which has no circuits.
TEST(Readme, ShowsWhatTheFirstCommandPrints) {
  ScratchFolder scratch;
  std::string folder = scratch / "out/digits-mlp";
  ToolResult result = runShell(std::string("'") + SPINDLE_FLOW_TOOL +
                               "' run configs/flows/digits-mlp.yaml --out '" + folder + "'");
  ASSERT_EQ(result.exitCode, 0) << result.errors;
  EXPECT_EQ(withoutTimes(result.output), withoutTimes(blockAfter("It prints")));
  expectPart(nlohmann::json::parse(blockAfter("`report.json`, shortened")),
             readJsonFile(folder + "/report.json"), "");
}

/// What asks for circuits is refused there.
TEST(Readme, FlowsWithCircuitsNeedTheWholeTool) {
  ScratchFolder scratch;
  ToolResult result =
      runShell(std::string("'") + SPINDLE_FLOW_TOOL +
               "' run configs/flows/hw-digits-event.yaml --until convert --set dataset.limit=20 "
               "--set emulation.encoding=direct --set fixed_point.integers=all --set "
               "hardware.as=auto --out '" +
               scratch.path + "'");
  EXPECT_EQ(result.exitCode, 1);
  EXPECT_THAT(result.errors,
              ::testing::HasSubstr("error: spindle-flow makes no circuits (hardware.as: auto "
                                   "measures them), expected the program spindle"));
}

} // namespace
} // namespace spindle::test
