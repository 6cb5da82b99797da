#include "lib/support/Json.h"

#include "tests/support/TemporaryFolder.h"

using namespace spindle;

TEST(Json, ReadsItsOwnFormatAndVersion) {
  TemporaryFolder folder;
  Json json = jsonHeader({"sdf-graph", 1});
  json["actors"] = 3;
  ASSERT_FALSE(static_cast<bool>(writeJson(folder / "g.json", json)));
  EXPECT_EQ(folder.read("g.json"),
            "{\n \"format\": \"sdf-graph\",\n \"version\": 1,\n \"actors\": 3\n}\n");
  EXPECT_EQ(llvm::cantFail(readJson(folder / "g.json", {"sdf-graph", 1})), json);
}

TEST(Json, OtherFormatsAndVersionsAreRefused) {
  TemporaryFolder folder;
  std::string path = folder / "g.json";
  auto readError = [&](const std::string &text) {
    folder.write("g.json", text);
    return toText(readJson(path, {"sdf-graph", 1}).takeError());
  };
  EXPECT_EQ(readError(R"({"format": "mapping", "version": 1})"),
            path + ": error: not a sdf-graph file");
  EXPECT_EQ(readError("[1, 2]"), path + ": error: not a sdf-graph file");
  EXPECT_EQ(readError(R"({"format": "sdf-graph", "version": 7})"),
            path +
                ": error: version 7 of sdf-graph, expected version 1; run the stage that writes it "
                "again");
}

TEST(Json, SyntaxErrorsHaveLineAndColumn) {
  TemporaryFolder folder;
  auto readError = [&](const std::string &text) {
    return toText(readJson(folder.write("g.json", text)).takeError());
  };
  std::string what = ": error: not valid JSON; the file is damaged or was cut off, write it again";
  EXPECT_EQ(readError("{\"a\": 1,\n \"b\": ]}"), folder / "g.json" + ":2:7" + what);
  EXPECT_EQ(readError("{]"), folder / "g.json" + ":1:2" + what);
  EXPECT_EQ(readError("{\"a\": 1,\n").find(folder / "g.json" + ":"), 0u);
}

TEST(Json, ExceptionsOfParsersBecomeErrors) {
  Json json = {{"actors", "many"}};
  auto typeError =
      parseJson<int>("g.json", json, [](const Json &j) { return j.at("actors").get<int>(); });
  ASSERT_FALSE(static_cast<bool>(typeError));
  EXPECT_EQ(toText(typeError.takeError()).find("g.json: error: not a valid file of this format: "),
            0u);
  auto good =
      parseJson<std::string>("g.json", json, [](const Json &j) -> llvm::Expected<std::string> {
        return j.at("actors").get<std::string>();
      });
  EXPECT_EQ(llvm::cantFail(std::move(good)), "many");
}
