#include "core/support/formats/JsonValues.h"

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

// Inputs that the JSON library answers with an exception, or copies with a stack as deep.
TEST(Json, WhatNoReaderCanUseIsNamedWithItsPlace) {
  TemporaryFolder folder;
  std::string path = folder / "g.json";
  auto readError = [&](const std::string &text) {
    folder.write("g.json", text);
    return toText(readJson(path).takeError());
  };
  std::string tooLarge = "is too large, expected at most 1.8e308";
  EXPECT_EQ(readError("{\"a\": 1,\n \"b\": [1e999]}"),
            path + ":2:8: error: the number 1e999 " + tooLarge);
  EXPECT_EQ(readError("-1.5e+400"), path + ":1:1: error: the number -1.5e+400 " + tooLarge);
  EXPECT_EQ(readError("[" + std::string(400, '9') + "]"),
            path + ":1:2: error: the number " + std::string(80, '9') + "… " + tooLarge);
  std::string notUtf8 = "not UTF-8, which JSON is written in; save the file as UTF-8";
  EXPECT_EQ(readError("{\"a\":\n\"gr\xfc\xdf\"}"), path + ":2:4: error: " + notUtf8);
  EXPECT_EQ(readError("\"\xc3\""), path + ":1:2: error: " + notUtf8);         // cut off
  EXPECT_EQ(readError("\"\xed\xa0\x80\""), path + ":1:2: error: " + notUtf8); // half a pair
  EXPECT_EQ(readError("\"\xc0\xaf\""), path + ":1:2: error: " + notUtf8);     // too long
  EXPECT_EQ(readError("[\"[[[[\", " + std::string(63, '[') + std::string(63, ']') + "]"), "");
  for (const char *open : {"[", "{\"a\":"})
    for (size_t levels : {65u, 100000u}) {
      std::string text;
      for (size_t i = 0; i < levels; ++i)
        text += open;
      EXPECT_EQ(readError(text), path + ":1:" + std::to_string(64 * std::string(open).size() + 1) +
                                     ": error: lists and objects are nested deeper than 64 levels");
    }
}

TEST(Json, ObjectsHaveFewEnoughMembersToFindThemOneByOne) {
  TemporaryFolder folder;
  std::string path = folder / "g.json", members = "\"k\": {}";
  for (int member = 1; member < 20000; ++member)
    members += ", \"k" + std::to_string(member) + "\": 1";
  folder.write("g.json", "[{" + members + "},\n{" + members + "}]");
  EXPECT_EQ(llvm::cantFail(readJson(path))[1].size(), 20000u);
  folder.write("g.json", "[{" + members + "},\n{\":\": 1," + members + "}]");
  EXPECT_EQ(toText(readJson(path).takeError()),
            path + ":2:" + std::to_string(members.size() + 6) +
                ": error: an object of more than 20000 members");
}

TEST(Json, TextThatIsNotUtf8IsWrittenWithReplacements) {
  TemporaryFolder folder;
  Json json = jsonHeader({"g", 1});
  json["file"] = "gr\xfc\xdf/größe";
  ASSERT_FALSE(static_cast<bool>(writeJson(folder / "g.json", json)));
  EXPECT_EQ(llvm::cantFail(readJson(folder / "g.json"))["file"], "gr��/größe");
  EXPECT_EQ(jsonText(Json("\xff")), "\"�\"");
}

TEST(Json, ValuesThatAreNotWhatTheyShouldBeAreNamed) {
  Json json = Json::parse(R"({"actors": [{"name": "a", "time": 3, "rates": [1, 2]},
                                          {"name": 7, "time": 1.5, "rates": {}}],
                              "flag": 0, "big": 1e30, "below": -1, "wide": 18446744073709551615})");
  auto errorOf = [&](auto read) {
    auto result = parseJson<int>("g.json", json, [&](const Json &root) -> llvm::Expected<int> {
      read(root);
      return 0;
    });
    std::string text = result ? "no error" : toText(result.takeError());
    std::string start = "g.json: error: not a valid file of this format: ";
    return text.rfind(start, 0) == 0 ? text.substr(start.size()) : text;
  };
  auto second = [](const Json &root) -> const Json & { return entryAt(root.at("actors"), 1); };
  EXPECT_EQ(errorOf([&](const Json &j) { textAt(second(j), "name"); }),
            "actors[1].name is 7, expected a text");
  EXPECT_EQ(errorOf([&](const Json &j) { unsignedAt<uint32_t>(second(j), "time"); }),
            "actors[1].time is 1.5, expected a whole number from 0 to 4294967295");
  EXPECT_EQ(errorOf([&](const Json &j) { listAt(second(j), "rates"); }),
            "actors[1].rates is an object, expected a list");
  EXPECT_EQ(errorOf([&](const Json &j) { numberAt(second(j), "size"); }),
            "actors[1] has no member 'size'");
  EXPECT_EQ(errorOf([&](const Json &j) { memberAt(j, "size"); }), "the file has no member 'size'");
  EXPECT_EQ(errorOf([&](const Json &j) { memberAt(j.at("actors"), "name"); }),
            "actors is a list, expected an object with 'name'");
  EXPECT_EQ(errorOf([&](const Json &j) { entryAt(j.at("actors"), 2); }),
            "actors has 2 entries, expected at least 3");
  EXPECT_EQ(errorOf([&](const Json &j) { flagValue(j.at("flag")); }),
            "flag is 0, expected true or false");
  EXPECT_EQ(errorOf([&](const Json &j) { objectValue(j.at("actors")); }),
            "actors is a list, expected an object");
  EXPECT_EQ(errorOf([&](const Json &j) { unsignedAt<uint64_t>(j, "big"); }),
            "big is 1e+30, expected a whole number from 0 to 18446744073709551615");
  EXPECT_EQ(errorOf([&](const Json &j) { unsignedAt<uint64_t>(j, "below"); }),
            "below is -1, expected a whole number from 0 to 18446744073709551615");
  std::string range = "expected a whole number from -9223372036854775808 to 9223372036854775807";
  EXPECT_EQ(errorOf([&](const Json &j) { signedValue(j.at("wide")); }),
            "wide is 18446744073709551615, " + range);
  EXPECT_EQ(errorOf([&](const Json &j) { signedValue(j.at("big")); }), "big is 1e+30, " + range);
  EXPECT_EQ(errorOf([&](const Json &j) {
              EXPECT_EQ(signedValue(j.at("below")), -1);
              EXPECT_EQ(unsignedAt<uint64_t>(j, "wide"), UINT64_MAX);
              EXPECT_EQ(unsignedValue<uint8_t>(Json(3)), 3); // never parsed, stored as signed
              EXPECT_EQ(numberAt(j, "below"), -1);
            }),
            "no error");
  // A value that is no part of what was parsed, and an exception of the library.
  EXPECT_EQ(errorOf([&](const Json &) { textValue(Json(1)); }), "a value is 1, expected a text");
  EXPECT_EQ(errorOf([&](const Json &j) { j.at("nothing"); }), "key 'nothing' not found");
}
