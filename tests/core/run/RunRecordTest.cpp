#include "core/run/RunRecord.h"

#include "tests/support/TemporaryFolder.h"

#include <gmock/gmock.h>

namespace spindle {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class RunRecords : public ::testing::Test {
protected:
  /// A stage as it stands now: inputs and outputs have the bytes that the folder holds.
  StageRecord stage(const std::string &name, const std::vector<std::string> &inputs,
                    const std::vector<std::string> &outputs) {
    FolderHashes hashes(folder.path());
    StageRecord made{name, {}, {}};
    for (const std::string &input : inputs)
      made.origin.inputs[input] = llvm::cantFail(hashes.of(input));
    for (const std::string &output : outputs)
      made.outputs[output] = llvm::cantFail(hashes.of(output));
    return made;
  }
  std::vector<std::string> outdated() {
    FolderHashes hashes(folder.path());
    return llvm::cantFail(outdatedStages(record, hashes));
  }
  void SetUp() override {
    for (const char *name : {"a", "b", "c", "d"})
      folder.write(name, name);
    record.stages = {stage("first", {}, {"a"}), stage("second", {"a"}, {"b"}),
                     stage("third", {"b"}, {"c"}), stage("other", {"a"}, {"d"})};
  }
  TemporaryFolder folder;
  RunRecord record;
};

TEST_F(RunRecords, NothingIsOutdatedAtFirst) { EXPECT_THAT(outdated(), IsEmpty()); }

TEST_F(RunRecords, WhatHangsOnAnotherFileIsOutdated) {
  folder.write("a", "new");
  record.put(stage("first", {}, {"a"}));
  EXPECT_THAT(outdated(), ElementsAre("second", "third", "other"));
  folder.write("b", "new too");
  record.put(stage("second", {"a"}, {"b"}));
  EXPECT_THAT(outdated(), ElementsAre("third", "other"));
}

TEST_F(RunRecords, TheSameBytesAgainAreNoOtherFile) {
  folder.write("a", "new");
  folder.write("a", "a");
  EXPECT_THAT(outdated(), IsEmpty());
}

TEST_F(RunRecords, AFileOfOnesOwnCountsAsUpToDate) {
  folder.write("b", "mine");
  EXPECT_THAT(outdated(), ElementsAre("third")) << "it was made of another b";
  record.put(stage("third", {"b"}, {"c"}));
  EXPECT_THAT(outdated(), IsEmpty());
}

TEST_F(RunRecords, AMissingFileIsAnotherFile) {
  std::filesystem::remove(folder / "a");
  EXPECT_THAT(outdated(), ElementsAre("second", "third", "other"));
}

TEST_F(RunRecords, TimesAreNoResults) {
  auto hash = [&](const std::string &text) {
    folder.write("x.json", text);
    return llvm::cantFail(FolderHashes(folder.path()).of("x.json"));
  };
  std::string whole = hash(R"({"a": 1, "timing": {"seconds": 2}})");
  EXPECT_EQ(hash(R"({"a": 1, "timing": {"seconds": 3}})"), whole);
  EXPECT_NE(hash(R"({"a": 2, "timing": {"seconds": 2}})"), whole);
  EXPECT_NE(hash(R"({"timing)"), hash(R"({"timing": )")); // damaged
}

TEST_F(RunRecords, ComeBackFromTheFile) {
  record.program = "0.3 (abc)";
  record.flow = "flow \xc3\xa4.yaml";
  record.settings = {{"emulation", {{"steps", "4"}}}};
  record.overrides = {"emulation.steps=4", "emulation={steps: 4}"};
  record.seeds = {{"emulation", 1}};
  record.threads = 3;
  record.ranks = 2;
  record.failure = {"map", "chip.yaml: error: too small"};
  record.stages[0].origin.program = "0.2 (def)";
  record.stages[0].origin.settings = {{"model", {{"path", "x"}}}};
  record.stages[0].origin.sources["/data/x"] = "12";
  std::string path = folder / "run.json";
  llvm::cantFail(writeRunRecord(path, record));
  RunRecord back = llvm::cantFail(readRunRecord(path));
  ASSERT_EQ(back.stages.size(), record.stages.size());
  for (size_t i = 0; i < back.stages.size(); ++i) {
    EXPECT_EQ(back.stages[i].name, record.stages[i].name);
    EXPECT_TRUE(back.stages[i].origin == record.stages[i].origin);
    EXPECT_EQ(back.stages[i].outputs, record.stages[i].outputs);
  }
  EXPECT_EQ(back.overrides, record.overrides);
  EXPECT_EQ(back.failure->error, record.failure->error);
  llvm::cantFail(writeRunRecord(folder / "again.json", back));
  EXPECT_EQ(folder.read("again.json"), folder.read("run.json"));
}

TEST_F(RunRecords, OfTheDocumentationIsOne) {
  std::ifstream page("docs/formats/run.md");
  std::string text{std::istreambuf_iterator<char>(page), {}};
  size_t start = text.find("```json\n") + 8;
  folder.write("run.json", text.substr(start, text.find("```", start) - start));
  RunRecord read = llvm::cantFail(readRunRecord(folder / "run.json"));
  EXPECT_EQ(read.stages.at(0).outputs.count("10-ann.mlir"), 1u);
  EXPECT_EQ(read.failure->stage, "partition");
}

TEST_F(RunRecords, AFolderWithoutOneHasAnEmptyRecord) {
  EXPECT_TRUE(llvm::cantFail(readRunRecord(folder / "run.json")).stages.empty());
}

TEST_F(RunRecords, OfStrangersNameNoOtherFolder) {
  std::string path = folder / "run.json";
  for (const char *name : {"../x", "/etc/passwd", "..", "", "a/b", "90-hardware/../../x",
                           "90-hardware//x", "90-hardware/"}) {
    record.stages[1].outputs = {{name, "0"}};
    llvm::cantFail(writeRunRecord(path, record));
    EXPECT_THAT(toText(readRunRecord(path).takeError()),
                HasSubstr("run.json: error: stage second names the file '" + std::string(name) +
                          "', expected a file of this folder; remove run.json, and every stage is "
                          "run again"));
  }
}

TEST_F(RunRecords, ACircuitHasAFolderOfItsOwn) {
  record.stages[1].outputs = {{"90-hardware/hardware.json", "0"}, {"90-hardware/units/a.sv", "1"}};
  llvm::cantFail(writeRunRecord(folder / "run.json", record));
  RunRecord read = llvm::cantFail(readRunRecord(folder / "run.json"));
  EXPECT_EQ(read.stages[1].outputs, record.stages[1].outputs);
}

TEST_F(RunRecords, DamageIsAnError) {
  std::string path = folder / "run.json";
  llvm::cantFail(writeRunRecord(path, record));
  const std::string whole = folder.read("run.json");
  for (size_t length = 0; length + 2 < whole.size(); length += 7) {
    folder.write("run.json", whole.substr(0, length));
    EXPECT_THAT(toText(readRunRecord(path).takeError()), HasSubstr("run.json")) << length;
  }
}

TEST_F(RunRecords, ValuesOfOtherTypesAreNamed) {
  std::string path = folder / "run.json";
  record.failure = {"map", "too small"};
  llvm::cantFail(writeRunRecord(path, record));
  const Json whole = Json::parse(folder.read("run.json"));
  for (const char *member :
       {"/program", "/flow", "/settings", "/seeds", "/threads", "/ranks", "/failed",
        "/failed/stage", "/stages", "/stages/0/stage", "/stages/0/program", "/stages/0/settings",
        "/stages/0/sources", "/stages/1/inputs", "/stages/1/outputs"}) {
    for (const Json &other : {Json(-1), Json(1.5), Json(true), Json(nullptr)}) {
      Json damaged = whole;
      damaged[Json::json_pointer(member)] = other;
      folder.write("run.json", damaged.dump());
      EXPECT_THAT(toText(readRunRecord(path).takeError()), HasSubstr("expected a")) << member;
    }
    Json damaged = whole;
    std::string parent = std::string(member).substr(0, std::string(member).rfind('/'));
    std::string key = std::string(member).substr(parent.size() + 1);
    damaged[Json::json_pointer(parent)].erase(key);
    folder.write("run.json", damaged.dump());
    if (key == "failed")
      EXPECT_FALSE(llvm::cantFail(readRunRecord(path)).failure);
    else
      EXPECT_THAT(toText(readRunRecord(path).takeError()), HasSubstr(key)) << member;
  }
}

TEST(Differences, AreNamedWithBothValues) {
  Json before = {{"emulation", {{"steps", "64"}, {"seed", "1"}}}, {"chip", "a.yaml"}};
  Json now = {{"emulation", {{"steps", "4"}, {"seed", "1"}, {"encoding", "poisson"}}}};
  EXPECT_THAT(differences(before, now), ElementsAre("chip (a.yaml, now not given)",
                                                    "emulation.encoding (not given, now poisson)",
                                                    "emulation.steps (64, now 4)"));
  EXPECT_THAT(differences(now, now), IsEmpty());
}

} // namespace
} // namespace spindle
