#include "core/support/formats/JsonMapping.h"

#include "tests/support/TemporaryFolder.h"

using namespace spindle;

namespace garden { // a description is found by the namespace of its noun

enum class Soil { Sand, Loam };

struct Bed {
  std::string plant;
  uint32_t rows = 0, neighbour = 0; // its own number: none
  Soil soil = Soil::Sand;
  int64_t height = 0;
  std::optional<uint64_t> yield;
  std::optional<double> acidity;
  std::vector<int64_t> shape;
  bool operator==(const Bed &) const = default;
};

struct Garden {
  double area = 0;
  bool isFenced = false;
  std::string keeper = "nobody";
  std::vector<Bed> beds;
  std::map<std::string, uint8_t> tools;
  Json notes = Json::object();
  std::vector<std::vector<uint64_t>> visits;
  std::pair<uint32_t, std::string> gate;
  std::vector<uint64_t> harvests;
  bool operator==(const Garden &) const = default;
};

static constexpr const char *kSoils[] = {"sand", "loam"};

static void describe(auto &file, MaybeConst<Bed> auto &bed) {
  file.field("plant", bed.plant);
  file.field("rows", bed.rows);
  file.field("neighbour", orNull(bed.neighbour, 7));
  file.field("soil", wordOf(bed.soil, kSoils, "sand or loam"));
  file.fieldUnless("height", bed.height, 3);
  file.field("yield", bed.yield);
  file.optional("acidity", bed.acidity);
  file.field("shape", within<uint16_t>(bed.shape));
  file.require("shape", bed.shape.size() < 3, "at most two extents");
  file.derivedText("label", [&] { return bed.rows == 0 ? "" : bed.plant + " bed"; });
}

static void describe(auto &file, MaybeConst<std::pair<uint32_t, std::string>> auto &gate) {
  file.entries(gate.first, gate.second);
}

static void describe(auto &file, MaybeConst<Garden> auto &garden) {
  file.constant("kind", "kitchen");
  file.group("size", [&](auto &size) { size.field("area", garden.area); });
  file.field("fenced", garden.isFenced);
  file.fieldOr("keeper", garden.keeper, "somebody");
  file.field("beds", garden.beds);
  file.derived("bed_count", [&] { return garden.beds.size(); });
  file.field("tools", garden.tools);
  file.field("notes", garden.notes);
  file.field("visits", garden.visits);
  file.group("gate", [&](auto &gate) { describe(gate, garden.gate); });
  file.list("harvests", garden.harvests,
            [](auto &entry, auto &harvest) { entry.field("kilograms", harvest); });
}

} // namespace garden

namespace {

constexpr FileFormat kGardenFormat = {"garden", 1};

class JsonMapping : public ::testing::Test {
protected:
  TemporaryFolder folder;
  std::string path = folder / "garden.json";
  garden::Garden garden{12.5,
                        true,
                        "Ada",
                        {{"bean", 4, 1, garden::Soil::Loam, -2, 9, 6.5, {2, 3}},
                         {"leek", 0, 7, garden::Soil::Sand, 3, std::nullopt, std::nullopt, {}}},
                        {{"hoe", 2}, {"rake", 1}},
                        {{"free", {"as", 1}}},
                        {{1, 2}, {}},
                        {80, "oak"},
                        {5}};

  Json written() {
    llvm::cantFail(writeDescribed(path, kGardenFormat, garden));
    return llvm::cantFail(readJson(path));
  }
  llvm::Expected<garden::Garden> read() {
    return readDescribed<garden::Garden>(path, kGardenFormat);
  }
  /// The error behind the name of the file, with one value changed.
  std::string errorAfter(const std::string &pointer, const Json &value) {
    Json json = written();
    json[Json::json_pointer(pointer)] = value;
    return errorOf(json);
  }
  std::string errorWithout(const std::string &parent, const std::string &key) {
    Json json = written();
    json[Json::json_pointer(parent)].erase(key);
    return errorOf(json);
  }
  std::string errorOf(const Json &json) {
    llvm::cantFail(writeJson(path, json));
    llvm::Expected<garden::Garden> back = read();
    std::string text = back ? "no error" : toText(back.takeError());
    std::string start = path + ": error: not a valid file of this format: ";
    return text.rfind(start, 0) == 0 ? text.substr(start.size()) : text;
  }
};

TEST_F(JsonMapping, WhatIsWrittenIsReadBack) {
  written();
  EXPECT_EQ(llvm::cantFail(read()), garden);
}

TEST_F(JsonMapping, TheTextIsThatOfTheDescription) {
  garden.beds.pop_back();
  EXPECT_EQ(jsonText(written()),
            R"({"format":"garden","version":1,"kind":"kitchen","size":{"area":12.5},"fenced":true,)"
            R"("keeper":"Ada","beds":[{"plant":"bean","rows":4,"neighbour":1,"soil":"loam",)"
            R"("height":-2,"yield":9,"acidity":6.5,"shape":[2,3],"label":"bean bed"}],)"
            R"("bed_count":1,"tools":{"hoe":2,"rake":1},"notes":{"free":["as",1]},)"
            R"("visits":[[1,2],[]],"gate":[80,"oak"],"harvests":[{"kilograms":5}]})");
}

TEST_F(JsonMapping, UsualAndMissingValuesAreLeftOut) {
  EXPECT_EQ(jsonText(written()["beds"][1]),
            R"({"plant":"leek","rows":0,"neighbour":null,"soil":"sand","yield":null,"shape":[]})");
}

TEST_F(JsonMapping, EmptyListsAndObjectsStayWhatTheyAre) {
  garden.beds.clear();
  garden.tools.clear();
  Json json = written();
  EXPECT_EQ(json["beds"], Json::array());
  EXPECT_EQ(json["tools"], Json::object());
  EXPECT_EQ(llvm::cantFail(read()), garden);
}

TEST_F(JsonMapping, OlderFilesMayLackMembers) {
  Json json = written();
  json.erase("keeper");
  json["beds"][0].erase("height");
  json["beds"][0].erase("acidity");
  llvm::cantFail(writeJson(path, json));
  llvm::Expected<garden::Garden> back = read();
  ASSERT_TRUE(bool(back)) << toText(back.takeError());
  EXPECT_EQ(back->keeper, "somebody");
  EXPECT_EQ(back->beds[0].height, 3);
  EXPECT_EQ(back->beds[0].acidity, std::nullopt);
}

TEST_F(JsonMapping, UnknownAndDerivedMembersAreNotRead) {
  EXPECT_EQ(errorAfter("/weather", "fine"), "no error");
  EXPECT_EQ(errorAfter("/bed_count", -1), "no error");
}

TEST_F(JsonMapping, ErrorsSayTheWayToTheValue) {
  EXPECT_EQ(errorAfter("/beds/1/rows", -1),
            "beds[1].rows is -1, expected a whole number from 0 to 4294967295");
  EXPECT_EQ(errorAfter("/tools/rake", 256),
            "tools.rake is 256, expected a whole number from 0 to 255");
  EXPECT_EQ(errorAfter("/visits/0/1", 0.5),
            "visits[0][1] is 0.5, expected a whole number from 0 to 18446744073709551615");
  EXPECT_EQ(errorAfter("/beds/0/shape/0", 65536),
            "beds[0].shape[0] is 65536, expected a whole number from 0 to 65535");
  EXPECT_EQ(errorAfter("/beds/0/shape", Json{1, 2, 3}),
            "beds[0].shape is a list, expected at most two extents");
  EXPECT_EQ(errorAfter("/beds/0/neighbour", "bean"),
            "beds[0].neighbour is 'bean', expected a whole number from 0 to 4294967295");
  EXPECT_EQ(errorAfter("/beds/0/height", 1.5),
            "beds[0].height is 1.5, expected a whole number from -9223372036854775808 to "
            "9223372036854775807");
  EXPECT_EQ(errorAfter("/beds/0/soil", "clay"), "beds[0].soil is 'clay', expected sand or loam");
  EXPECT_EQ(errorAfter("/beds/0/acidity", nullptr),
            "beds[0].acidity is null, expected a number"); // NaN is written so
  EXPECT_EQ(errorAfter("/size/area", true), "size.area is true, expected a number");
  EXPECT_EQ(errorAfter("/size", 3), "size is 3, expected an object with 'area'");
  EXPECT_EQ(errorAfter("/kind", "flower"), "kind is 'flower', expected kitchen");
  EXPECT_EQ(errorAfter("/fenced", 1), "fenced is 1, expected true or false");
  EXPECT_EQ(errorAfter("/notes", Json::array()), "notes is a list, expected an object");
  EXPECT_EQ(errorAfter("/tools", 0), "tools is 0, expected an object");
  EXPECT_EQ(errorAfter("/beds", Json::object()), "beds is an object, expected a list");
  EXPECT_EQ(errorAfter("/gate", Json{1}), "gate has 1 entries, expected at least 2");
  EXPECT_EQ(errorAfter("/gate", {80, "oak", "ash"}), "gate has 3 entries, expected 2");
  EXPECT_EQ(errorAfter("/gate/1", 1), "gate[1] is 1, expected a text");
  EXPECT_EQ(errorAfter("/harvests/0", 5), "harvests[0] is 5, expected an object with 'kilograms'");
}

TEST_F(JsonMapping, MissingMembersAreNamed) {
  EXPECT_EQ(errorWithout("/beds/1", "plant"), "beds[1] has no member 'plant'");
  EXPECT_EQ(errorWithout("", "visits"), "the file has no member 'visits'");
}

TEST_F(JsonMapping, OtherFormatsAreRefused) {
  EXPECT_EQ(errorAfter("/version", 2),
            path + ": error: version 2 of garden, expected version 1; run the stage that writes it "
                   "again");
}

} // namespace
