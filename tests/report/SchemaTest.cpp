#include "lib/report/Report.h"
#include "tests/report/JsonSchema.h"
#include "tests/report/SampleRun.h"

#include "gmock/gmock.h"

#include <filesystem>

using namespace spindle;
using ::testing::Contains;
using ::testing::IsEmpty;

namespace {

constexpr const char *schemaPath = "docs/report.schema.json";

Json reportOf(const StageFiles &files, const std::string &folder) {
  std::filesystem::remove_all(folder);
  llvm::cantFail(writeStageFiles(folder, files));
  Json report = llvm::cantFail(buildReport(folder));
  std::filesystem::remove_all(folder);
  return report;
}

Json sampleReport() {
  static const Json report = reportOf(makeSampleRun(), ::testing::TempDir() + "schema-run");
  return report;
}

TEST(ReportSchema, AcceptsAWholeReport) {
  EXPECT_THAT(schemaProblems(llvm::cantFail(readJson(schemaPath)), sampleReport()), IsEmpty());
}

TEST(ReportSchema, AcceptsPartsOfARun) {
  Json schema = llvm::cantFail(readJson(schemaPath));
  StageFiles whole = makeSampleRun();
  for (int stages = 1; stages < 16; ++stages) {
    StageFiles files = whole;
    auto dropFrom = [&, stage = 0](auto &file) mutable {
      if (++stage > stages)
        file.reset();
    };
    dropFrom(files.ann), dropFrom(files.conversion), dropFrom(files.emulation);
    dropFrom(files.spikes), dropFrom(files.statistics), dropFrom(files.diagnosis),
        dropFrom(files.graph), dropFrom(files.clusters);
    dropFrom(files.sdfGraph), dropFrom(files.sdfAnalysis), dropFrom(files.mapping);
    dropFrom(files.loads), dropFrom(files.chip), dropFrom(files.lapse);
    dropFrom(files.assessment);
    dropFrom(files.hardware);
    if (!files.ann || !files.hardware)
      files.int8Ann.reset();
    Json report = reportOf(files, ::testing::TempDir() + "schema-parts");
    EXPECT_THAT(schemaProblems(schema, report), IsEmpty()) << stages;
  }
}

// Every section and every member of it is required or optional by name: nothing may slip through.
TEST(ReportSchema, RefusesWhatIsWrong) {
  Json schema = llvm::cantFail(readJson(schemaPath));
  auto problems = [&](const char *pointer, const Json &value) {
    Json report = sampleReport();
    report[Json::json_pointer(pointer)] = value;
    return schemaProblems(schema, report);
  };
  EXPECT_THAT(problems("/ann/accuracy", 1.5), Contains("/ann/accuracy: is above 1"));
  EXPECT_THAT(problems("/ann/accuracy", "0.99"), Contains("/ann/accuracy: is not of type number"));
  EXPECT_THAT(problems("/snn/neurons", 1.5), Contains("/snn/neurons: is not of type integer"));
  EXPECT_THAT(problems("/version", 2), Contains("/version: is not 1"));
  EXPECT_THAT(problems("/chip/cycles", 17), Contains("/chip/cycles: is not of type object"));
  EXPECT_THAT(problems("/chip/cycles/unit", ""), Contains("/chip/cycles/unit: is shorter than 1"));
  EXPECT_THAT(problems("/snn/surprise", 1), Contains("/snn: has the unknown member surprise"));
  EXPECT_THAT(problems("/chip/energy_pj/by_part/synapse/unit", "nJ"),
              Contains("/chip/energy_pj/by_part/synapse/unit: is not \"pJ\""));
  Json report = sampleReport();
  report["mapping"].erase("spike_hops");
  EXPECT_THAT(schemaProblems(schema, report), Contains("/mapping: lacks \"spike_hops\""));
}

// The schema says what we mean to others too.
TEST(ReportSchema, PythonJsonschemaAgrees) {
  if (std::system("/usr/bin/python3 -c 'import jsonschema' 2>/dev/null") != 0)
    GTEST_SKIP() << "python3-jsonschema is not installed";
  std::string path = ::testing::TempDir() + "schema-report.json";
  auto validate = [&](const Json &report) {
    llvm::cantFail(writeJson(path, report));
    std::string script =
        std::string("import json, jsonschema\n") + "schema = json.load(open(\"" + schemaPath +
        "\"))\n" + "jsonschema.Draft202012Validator.check_schema(schema)\n" +
        "jsonschema.Draft202012Validator(schema).validate(json.load(open(\"" + path + "\")))";
    return std::system(("/usr/bin/python3 -c '" + script + "' 2>/dev/null").c_str());
  };
  EXPECT_EQ(validate(sampleReport()), 0);
  Json wrong = sampleReport();
  wrong["snn"]["spike_rate"] = -0.5;
  EXPECT_NE(validate(wrong), 0);
  std::filesystem::remove(path);
}

} // namespace
