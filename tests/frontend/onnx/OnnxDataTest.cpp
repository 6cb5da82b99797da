// Weights of ONNX in files beside the model: read as if they were in it, and from nowhere else.
#include "lib/frontend/ModelFiles.h"
#include "tests/frontend/Imported.h"

#include "gmock/gmock.h"

namespace spindle {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

using Entries = std::vector<std::pair<std::string, std::string>>;

void moveOut(onnx::TensorProto &tensor, const Entries &entries) {
  tensor.clear_raw_data();
  tensor.clear_float_data();
  tensor.set_data_location(onnx::TensorProto::EXTERNAL);
  for (const auto &[key, value] : entries) {
    onnx::StringStringEntryProto &entry = *tensor.add_external_data();
    entry.set_key(key);
    entry.set_value(value);
  }
}

std::string bytesOf(const std::vector<float> &values) {
  return {reinterpret_cast<const char *>(values.data()), values.size() * sizeof(float)};
}

/// y = W x + b with W of 3×4 and b of 3.
struct Perceptron {
  Perceptron() {
    onnx::NodeProto &node = file.node("Gemm", {"x", "w", "b"}, "y");
    set(node, "transB", int64_t(1));
    file.floats("w", {3, 4}, w, true);
    file.floats("b", {3}, b, true);
    file.output("y");
  }
  onnx::TensorProto &tensor(int k) { return *file.model.mutable_graph()->mutable_initializer(k); }

  Imported import() const {
    ModelOptions options;
    options.path = folder.write("x.onnx", file.bytes());
    Imported result = spindle::import(options);
    for (size_t at; (at = result.error.find(folder.path())) != std::string::npos;)
      result.error.replace(at, folder.path().size(), "M");
    return result;
  }
  /// The error where W has these entries and w.data its 48 bytes.
  std::string error(const Entries &entries) {
    folder.write("w.data", bytesOf(w));
    tensor(0).clear_external_data();
    moveOut(tensor(0), entries);
    return import().error;
  }

  std::vector<float> w = randomFloats(12, 1), b = randomFloats(3, 2);
  OnnxFile file{{1, 4}, 18};
  TemporaryFolder folder;
};

TEST(OnnxData, IsReadAsIfItWereInTheModel) {
  Perceptron model;
  std::string whole = textOf(model.import());
  ASSERT_NE(whole, "");
  // One file, with room between the tensors, as exporters align them.
  model.folder.write("x.onnx.data", bytesOf(model.w) + std::string(16, '\xff') + bytesOf(model.b));
  moveOut(model.tensor(0), {{"location", "x.onnx.data"}, {"offset", "0"}, {"length", "48"}});
  moveOut(model.tensor(1), {{"location", "x.onnx.data"}, {"offset", "64"}, {"length", "12"}});
  EXPECT_EQ(textOf(model.import()), whole);
  // A file each, one in a folder of its own, without offset and length.
  model.folder.write("weights/w", bytesOf(model.w));
  model.folder.write("b", bytesOf(model.b));
  for (auto [k, location] : {std::pair(0, "./weights/w"), std::pair(1, "b")}) {
    model.tensor(k).clear_external_data();
    moveOut(model.tensor(k), {{"location", location}});
  }
  EXPECT_EQ(textOf(model.import()), whole);
  // A link that stays in the folder.
  std::filesystem::remove(model.folder / "b");
  model.folder.write("weights/b", bytesOf(model.b));
  std::filesystem::create_symlink("weights/b", model.folder / "b");
  EXPECT_EQ(textOf(model.import()), whole);
}

TEST(OnnxData, OfAnAttributeToo) {
  OnnxFile file({1, 3}, 18);
  onnx::NodeProto &node = file.node("Constant", {}, "c");
  onnx::TensorProto &tensor = *attribute(node, "value", onnx::AttributeProto::TENSOR).mutable_t();
  tensor.set_data_type(onnx::TensorProto::FLOAT);
  tensor.add_dims(3);
  moveOut(tensor, {{"location", "c.bin"}});
  file.node("Mul", {"x", "c"}, "y");
  file.output("y");
  TemporaryFolder folder;
  folder.write("c.bin", bytesOf({2, 3, 4}));
  ModelOptions options;
  options.path = folder.write("x.onnx", file.bytes());
  Imported model = import(options);
  ASSERT_EQ(model.error, "");
  expectNear(model({1, 10, 100}), {2, 30, 400});
}

/// "abc", whose digest FIPS 180 gives, as three bytes.
TEST(OnnxData, ChecksumIsCompared) {
  OnnxFile file({1, 3}, 18);
  onnx::TensorProto &tensor = file.initializer("c", {3}, onnx::TensorProto::UINT8);
  moveOut(tensor,
          {{"location", "c.bin"}, {"checksum", "A9993E364706816ABA3E25717850C26C9CD0D89D"}});
  set(file.node("Cast", {"c"}, "f"), "to", int64_t(onnx::TensorProto::FLOAT));
  file.node("Mul", {"x", "f"}, "y");
  file.output("y");
  TemporaryFolder folder;
  folder.write("c.bin", "abc");
  ModelOptions options;
  options.path = folder.write("x.onnx", file.bytes());
  Imported model = import(options);
  ASSERT_EQ(model.error, "");
  expectNear(model({1, 1, 1}), {97, 98, 99});
  folder.write("c.bin", "abd");
  EXPECT_EQ(import(options).error,
            folder / "c.bin" +
                ": error: has SHA-1 cb4cc28df0fdbe0ecf9d9662e294b118092a5735, expected "
                "A9993E364706816ABA3E25717850C26C9CD0D89D as the model says; fetch both files "
                "again");
}

TEST(OnnxData, StaysInTheFolderOfTheModel) {
  Perceptron model;
  TemporaryFolder elsewhere;
  std::string other = elsewhere.write("w.data", bytesOf(model.w));
  std::filesystem::create_symlink(other, model.folder / "link.data");
  std::filesystem::create_directory_symlink(elsewhere.path(), model.folder / "link");
  std::filesystem::create_directory(model.folder / "inner");
  const std::string place = "M/x.onnx: tensor 'w': error: location '",
                    expected = ", expected a file in the folder of the model";
  struct Case {
    std::string location, found;
  };
  for (const Case &each :
       std::vector<Case>{{other, "is absolute"},
                         {"/etc/passwd", "is absolute"},
                         {"/dev/zero", "is absolute"},
                         {"../w.data", "leads out of the folder of the model"},
                         {"inner/../../w.data", "leads out of the folder of the model"},
                         {"inner/../w.data", "leads out of the folder of the model"},
                         {"..", "leads out of the folder of the model"},
                         {"link.data", "is a link out of the folder of the model"},
                         {"link/w.data", "is a link out of the folder of the model"},
                         {"inner", "is no regular file"},
                         {".", "is no regular file"}})
    EXPECT_EQ(model.error({{"location", each.location}}),
              place + each.location + "' " + each.found + expected);
  ASSERT_EQ(mkfifo((model.folder / "pipe").c_str(), 0600), 0); // reading it would never end
  EXPECT_EQ(model.error({{"location", "pipe"}}), place + "pipe' is no regular file" + expected);
}

TEST(OnnxData, SaysWhatIsWrong) {
  Perceptron model;
  const std::string place = "M/x.onnx: tensor 'w': error: ";
  struct Case {
    Entries entries;
    std::string message;
  };
  const std::pair<std::string, std::string> at{"location", "w.data"};
  for (const Case &each : std::vector<Case>{
           {{}, "location is empty or no name of a file"},
           {{{"location", std::string("w.data\0", 7)}}, "location is empty or no name of a file"},
           {{{"location", "gone"}},
            "is stored in 'M/gone', which cannot be found: No such file or directory; keep the "
            "file beside the model"},
           {{at, {"offset", "-1"}}, "offset is '-1', expected a number of bytes"},
           {{at, {"length", "1e2"}}, "length is '1e2', expected a number of bytes"},
           {{at, {"length", "99999999999999999999"}},
            "length is '99999999999999999999', expected a number of bytes"},
           {{at, {"offset", "1"}, {"length", "48"}},
            "takes 48 bytes from 1 on, but 'M/w.data' holds 48; it is cut short, or of another "
            "model"},
           {{at, {"offset", "18446744073709551615"}, {"length", "48"}},
            "takes 48 bytes from 18446744073709551615 on, but 'M/w.data' holds 48; it is cut "
            "short, or of another model"},
           {{at, {"length", "44"}}, "takes 44 bytes of 'M/w.data', expected 48 for its shape 3x4"},
           {{at, {"offset", "4"}}, "takes 44 bytes of 'M/w.data', expected 48 for its shape 3x4"},
           {{at, at}, "key 'location' of data in another file is there twice"},
           {{at, {"basepath", "/"}},
            "unknown key 'basepath' of data in another file, expected location, offset, length, "
            "checksum"}})
    EXPECT_EQ(model.error(each.entries), place + each.message);
}

/// A small file must not become large by being read again and again.
TEST(OnnxData, TensorsDoNotOverlap) {
  Perceptron model;
  moveOut(model.tensor(1), {{"location", "w.data"}, {"offset", "4"}, {"length", "12"}});
  EXPECT_EQ(model.error({{"location", "w.data"}, {"length", "48"}}),
            "M/x.onnx: tensor 'b': error: the tensors in 'M/w.data' take 60 bytes and more, but "
            "it holds 48: they overlap");
}

TEST(OnnxData, DamageNeverGoesUnnoticedOrCrashes) {
  CounterRandom random(5);
  for (int round = 0; round < 300; ++round) {
    Perceptron model;
    std::string data = bytesOf(model.w) + bytesOf(model.b);
    moveOut(model.tensor(0), {{"location", "w.data"}, {"offset", "0"}, {"length", "48"}});
    moveOut(model.tensor(1), {{"location", "w.data"}, {"offset", "48"}, {"length", "12"}});
    auto any = [&](size_t count) { return size_t(random.uniform() * double(count)); };
    onnx::TensorProto &tensor = model.tensor(int(any(2)));
    std::string &value = *tensor.mutable_external_data(int(any(3)))->mutable_value();
    bool isShorter = any(3) == 0;
    if (isShorter)
      data.resize(any(data.size()));
    else if (any(2))
      value.insert(value.begin() + std::ptrdiff_t(any(value.size() + 1)), char(any(256)));
    else
      value[any(value.size())] = char(any(256));
    model.folder.write("w.data", data);
    Imported result = model.import();
    EXPECT_TRUE(!isShorter || !result.error.empty());
    EXPECT_EQ(result.error.find('\n'), std::string::npos) << result.error;
  }
}

TEST(OnnxData, IsListed) {
  Perceptron model;
  model.folder.write("a", bytesOf(model.b));
  model.folder.write("w/z", bytesOf(model.w));
  moveOut(model.tensor(0), {{"location", "w/z"}});
  moveOut(model.tensor(1), {{"location", "a"}});
  ModelOptions options;
  options.path = model.folder.write("x.onnx", model.file.bytes());
  llvm::Expected<std::vector<std::string>> files = modelFiles(options);
  ASSERT_TRUE(bool(files)) << toText(files.takeError());
  EXPECT_THAT(*files, ElementsAre(options.path, model.folder / "a", model.folder / "w/z"));
  std::filesystem::remove(model.folder / "a");
  EXPECT_THAT(toText(checkModelHeader(options)),
              HasSubstr("x.onnx: tensor 'b': error: is stored in '"));
}

} // namespace
} // namespace spindle
