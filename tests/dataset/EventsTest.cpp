// Event recordings: records of five bytes, lists of events, steps.
#include "core/support/formats/Npz.h"
#include "lib/dataset/Dataset.h"
#include "tests/dataset/Loaded.h"
#include "tests/support/TemporaryFolder.h"

#include "gmock/gmock.h"

using namespace spindle;
using testing::ElementsAre;

namespace {

DatasetOptions eventOptions(const std::string &list, std::vector<int64_t> shape, int64_t steps) {
  DatasetOptions options;
  options.format = DatasetFormat::Events;
  options.test.list = list;
  options.test.place = "f.yaml:2:3";
  options.shape = std::move(shape);
  options.steps = steps;
  return options;
}

std::string record(uint32_t x, uint32_t y, uint32_t polarity, uint32_t timeUs) {
  return {static_cast<char>(x), static_cast<char>(y),
          static_cast<char>(polarity << 7 | timeUs >> 16), static_cast<char>(timeUs >> 8),
          static_cast<char>(timeUs)};
}

std::vector<std::pair<uint32_t, uint32_t>> eventsOf(const Samples &samples, size_t index) {
  std::vector<std::pair<uint32_t, uint32_t>> pairs;
  for (InputEvent event : samples.events->sample(index))
    pairs.push_back({event.step, event.element});
  return pairs;
}

} // namespace

TEST(Events, FiveByteRecordsFallIntoSteps) {
  TemporaryFolder folder;
  folder.write("1.bs2", record(3, 1, 1, 2999) + record(0, 2, 0, 70000) + record(3, 1, 1, 2000) +
                            record(1, 0, 0, 0));
  folder.write("two.bin", "");
  std::string list = folder.write("list.txt", "#sample #class\n1\t5\n\ntwo.bin 0 # silent\n");
  DatasetOptions options = eventOptions(list, {2, 3, 4}, 10);
  Samples samples = loaded(options);
  EXPECT_THAT(samples.shape, ElementsAre(2, 3, 4));
  EXPECT_THAT(samples.labels, ElementsAre(5, 0));
  EXPECT_EQ(samples.events->steps, 10);
  using Pair = std::pair<uint32_t, uint32_t>;
  EXPECT_THAT(eventsOf(samples, 0), ElementsAre(Pair(0, 1), Pair(2, 19), Pair(2, 19)));
  EXPECT_THAT(eventsOf(samples, 1), ElementsAre());
  options.lateEvents = LateEvents::LastStep;
  options.binary = true;
  EXPECT_THAT(eventsOf(loaded(options), 0), ElementsAre(Pair(0, 1), Pair(2, 19), Pair(9, 8)));
  options.binMs = 0.5;
  options.steps = 200;
  EXPECT_THAT(eventsOf(loaded(options), 0),
              ElementsAre(Pair(0, 1), Pair(4, 19), Pair(5, 19), Pair(140, 8)));
  options.test.limit = 1;
  EXPECT_EQ(loaded(options).count(), 1u);
}

TEST(Events, ListsHoldCoordinatesOrAddresses) {
  TemporaryFolder folder;
  folder.write("a.csv", "t_us,x,y,polarity\n0, 3, 1, 1\n1500,0,2,-1\n");
  folder.write("b.txt", "# recorded on the bench\n 2100 23\n 100 0 # first\n");
  DatasetOptions options =
      eventOptions(folder.write("list.csv", "a.csv,1\nb.txt,2\n"), {2, 3, 4}, 4);
  Samples samples = loaded(options);
  using Pair = std::pair<uint32_t, uint32_t>;
  EXPECT_THAT(eventsOf(samples, 0), ElementsAre(Pair(0, 19), Pair(1, 8)));
  EXPECT_THAT(eventsOf(samples, 1), ElementsAre(Pair(0, 0), Pair(2, 23)));
  llvm::cantFail(writeDatasetNpz(folder / "a.npz", samples));
  std::vector<NpzMember> written = llvm::cantFail(readNpz(folder / "a.npz"));
  EXPECT_THAT(findMember(written, "element")->integers(), ElementsAre(19, 8, 0, 23));
  EXPECT_THAT(findMember(written, "step")->integers(), ElementsAre(0, 1, 0, 2));
  EXPECT_THAT(findMember(written, "offsets")->integers(), ElementsAre(0, 2, 4));
}

TEST(Events, WrongRecordingsAreNamed) {
  TemporaryFolder folder;
  std::string list = folder / "list.txt";
  auto error = [&](const std::string &entries, const std::string &file, const std::string &bytes,
                   std::vector<int64_t> shape = {2, 3, 4}) {
    folder.write("list.txt", entries);
    folder.write(file, bytes);
    return loadError(eventOptions(list, std::move(shape), 10));
  };
  EXPECT_EQ(error("# none\n", "a", ""), list + ": error: lists no recordings");
  EXPECT_EQ(error("a.csv\n", "a", ""), list + ":1: error: 'a.csv' is no recording and class index");
  EXPECT_EQ(error("a.dat 1\n", "a.dat", ""),
            list + ": error: names '" + folder / "a.dat" +
                "', expected recordings that end in .bs2 or .bin (five bytes per event), .csv or "
                ".txt (a line per event)");
  EXPECT_EQ(error("a 1\n", "a.bs2", "123456"),
            folder / "a.bs2" + ": error: holds 6 bytes, expected five per event");
  EXPECT_EQ(error("a 1\n", "a.bs2", record(4, 0, 0, 0)),
            folder / "a.bs2" + " event 0: error: x 4, y 0, polarity 0 is outside of the shape (2, "
                               "3, 4): channels, rows, columns");
  EXPECT_EQ(error("a.csv 1\n", "a.csv", "1,2\n\n5,24\n"),
            folder / "a.csv" + ":3: error: address 24 is outside of the shape (2, 3, 4)");
  EXPECT_EQ(error("a.csv 1\n", "a.csv", "1,2,3\n"),
            folder / "a.csv" + ":1: error: '1,2,3' is no event, expected t_us,x,y,polarity or "
                               "t_us,address in integers");
  EXPECT_EQ(error("a.csv 1\n", "a.csv", "1,0,0,1\n", {24}),
            folder / "a.csv" +
                ":1: error: events have coordinates, but the shape is (24), expected "
                "channels, rows, columns");
}

TEST(Events, ArchivesMustHoldWhatTheListNames) {
  TemporaryFolder folder;
  folder.write("set/list.txt", "7 3\n");
  auto pack = [&] {
    std::string command = "tar -C '" + folder / "." + "' -czf '" + folder / "a.tar.gz" + "' set";
    return std::system(command.c_str());
  };
  ASSERT_EQ(pack(), 0);
  DatasetOptions options = eventOptions("list.txt", {2, 3, 4}, 4);
  options.test.archive = folder / "a.tar.gz";
  std::string archive = options.test.archive;
  EXPECT_EQ(loadError(options),
            archive + ":set/list.txt: error: names 'set/7.bs2', which is not in the archive");
  folder.write("set/7.bs2", record(1, 0, 0, 0));
  ASSERT_EQ(pack(), 0);
  EXPECT_THAT(loaded(options).labels, ElementsAre(3));
  options.test.list = "train.txt";
  EXPECT_EQ(loadError(options),
            archive + ": error: holds 0 files 'train.txt', expected one; name it by list");
}

TEST(Events, NmnistIsReadFromItsArchive) {
  std::string archive = "datasets/nmnist/NMNISTsmall_1000train_100test.tar.gz";
  llvm::Expected<std::string> found = PathResolver().find(archive, "");
  if (!found) {
    llvm::consumeError(found.takeError());
    GTEST_SKIP() << "N-MNIST is absent; set SPINDLE_DATA";
  }
  DatasetOptions options = eventOptions("test100.txt", {2, 34, 34}, 300);
  options.test.archive = archive;
  options.lateEvents = LateEvents::LastStep;
  Samples samples = loaded(options);
  ASSERT_EQ(samples.count(), 100u);
  // Counted with NumPy on the unpacked files.
  EXPECT_EQ(samples.events->sample(0).size(), 3330u);
  EXPECT_EQ(samples.events->events.size(), 385596u);
  EXPECT_THAT(std::vector<uint32_t>(samples.labels.begin(), samples.labels.begin() + 4),
              ElementsAre(7, 2, 1, 0));
  EXPECT_EQ(samples.events->sample(0).front().step, 5u);
}
