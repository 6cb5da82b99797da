#include "core/network/SpikeTrace.h"

#include "core/support/CounterRandom.h"
#include "core/support/files/File.h"
#include "core/support/formats/Hdf5.h"

#include "gmock/gmock.h"

#include <filesystem>

using namespace spindle;
using ::testing::HasSubstr;

namespace {

std::string temporary(const std::string &name) { return ::testing::TempDir() + name; }

/// Two populations, three steps, two samples of three recorded.
SpikeTrace smallTrace() {
  SpikeTrace trace;
  trace.populations = {{"in/put", PopulationKind::Input, {2}, 0, 2},
                       {"dense1", PopulationKind::Neuron, {3, 1}, 2, 3}};
  trace.steps = 3;
  trace.stepMs = 0.1; // not exact in binary
  trace.recorded = {{{0, 1}, {0, 4}, {2, 0}}, {{1, 4}}};
  trace.samples = 3;
  trace.counts = {1, 2, 0, 0, 3};
  return trace;
}

SpikeTrace randomTrace(uint64_t seed) {
  CounterRandom random(seed);
  SpikeTrace trace;
  for (uint32_t i = 0, count = 1 + random.below(4); i < count; ++i) {
    std::vector<int64_t> shape{1 + random.below(4), 1 + random.below(5)};
    trace.populations.push_back({"layer" + std::to_string(i),
                                 i == 0 ? PopulationKind::Input : PopulationKind::Neuron, shape,
                                 neuronCount(trace.populations), uint32_t(shape[0] * shape[1])});
  }
  uint32_t neurons = neuronCount(trace.populations);
  trace.steps = 1 + random.below(50);
  trace.stepMs = 0.001 + random.uniform();
  trace.samples = random.below(5);
  trace.counts.assign(neurons, 0);
  double rate = random.uniform();
  for (uint64_t sample = 0; sample < trace.samples; ++sample) {
    if (sample < 3)
      trace.recorded.emplace_back();
    for (uint32_t step = 0; step < trace.steps; ++step)
      for (NeuronId neuron = 0; neuron < neurons; ++neuron)
        if (random.uniform() < rate) {
          ++trace.counts[neuron];
          if (sample < 3)
            trace.recorded.back().push_back({step, neuron});
        }
  }
  return trace;
}

TEST(SpikeTrace, RandomTracesRoundTrip) {
  std::string path = temporary("trace-random.h5");
  for (uint64_t seed = 0; seed < 40; ++seed) {
    SpikeTrace trace = randomTrace(seed);
    ASSERT_FALSE(verify(trace)) << seed;
    ASSERT_FALSE(writeSpikeTrace(path, trace)) << seed;
    llvm::Expected<SpikeTrace> back = readSpikeTrace(path);
    ASSERT_TRUE(bool(back)) << seed << " " << toText(back.takeError());
    ASSERT_EQ(*back, trace) << seed;
  }
  std::filesystem::remove(path);
}

// Read by the data sets' names alone: what a SONATA tool sees.
TEST(SpikeTrace, FollowsTheSonataSpikesLayout) {
  std::string path = temporary("trace-sonata.h5");
  ASSERT_FALSE(writeSpikeTrace(path, smallTrace()));
  Hdf5Reader file = llvm::cantFail(Hdf5Reader::open(path));
  int64_t magic = 0;
  ASSERT_FALSE(file.attribute("/", "magic", magic));
  EXPECT_EQ(magic, 0x0A7A);
  std::string units;
  ASSERT_FALSE(file.attribute("spikes/dense1/timestamps", "units", units));
  EXPECT_EQ(units, "ms");
  std::vector<double> timestamps;
  std::vector<uint64_t> nodes, offsets;
  ASSERT_FALSE(file.read("spikes/dense1/timestamps", timestamps));
  ASSERT_FALSE(file.read("spikes/dense1/node_ids", nodes));
  ASSERT_FALSE(file.read("spikes/dense1/sample_offsets", offsets));
  EXPECT_EQ(timestamps, (std::vector<double>{0.1, 0.2})); // a step's spikes come at its end
  EXPECT_EQ(nodes, (std::vector<uint64_t>{2, 2}));        // numbered within the population
  EXPECT_EQ(offsets, (std::vector<uint64_t>{0, 1, 2}));
  EXPECT_TRUE(file.has("spikes/in%2Fput/node_ids"));
  std::vector<double> rates;
  ASSERT_FALSE(file.read("spikes/dense1/rates", rates));
  ASSERT_FALSE(file.attribute("spikes/dense1/rates", "units", units));
  EXPECT_EQ(units, "Hz");
  ASSERT_EQ(rates.size(), 3u);
  EXPECT_EQ(rates[0], 0);
  EXPECT_DOUBLE_EQ(rates[2], 3 / 0.0009); // three spikes in 3 samples of 3 steps of 0.1 ms
  std::filesystem::remove(path);
}

// libsonata comes with an HDF5 library that cannot unpack.
TEST(SpikeTrace, LongOnesAreNotPacked) {
  std::string path = temporary("trace-long.h5");
  SpikeTrace trace;
  trace.populations = {{"all", PopulationKind::Neuron, {200}, 0, 200}};
  trace.steps = 100;
  trace.samples = 1;
  trace.recorded.resize(1);
  for (uint32_t step = 0; step < 100; ++step)
    for (NeuronId neuron = 0; neuron < 200; ++neuron)
      trace.recorded[0].push_back({step, neuron});
  trace.counts.assign(200, 100);
  ASSERT_FALSE(writeSpikeTrace(path, trace));
  EXPECT_GE(std::filesystem::file_size(path), 16u * 20'000);
  EXPECT_EQ(llvm::cantFail(readSpikeTrace(path)), trace);
  std::filesystem::remove(path);
}

// The same through another HDF5 binding, with the attributes and types that SONATA asks for.
TEST(SpikeTrace, H5pyReadsIt) {
  if (std::system("/usr/bin/python3 -c 'import h5py' 2>/dev/null") != 0)
    GTEST_SKIP() << "python3-h5py is not installed";
  std::string path = temporary("trace-h5py.h5");
  ASSERT_FALSE(writeSpikeTrace(path, smallTrace()));
  std::string script = "import h5py; f = h5py.File(\"" + path + R"(", "r")
assert f.attrs["magic"] == 0x0A7A and list(f.attrs["version"]) == [0, 1]
assert list(f["spikes"]) == ["dense1", "in%2Fput"]
g = f["spikes/dense1"]
assert g["timestamps"].dtype == "float64" and g["timestamps"].attrs["units"].decode() == "ms"
assert g["node_ids"].dtype == "uint64" and list(g["node_ids"]) == [2, 2]
assert [s.decode() for s in f["populations/name"]] == ["in/put", "dense1"])";
  EXPECT_EQ(std::system(("/usr/bin/python3 -c '" + script + "'").c_str()), 0);
  std::filesystem::remove(path);
}

TEST(SpikeTrace, TwoWritesGiveTheSameBytes) {
  std::string first = temporary("trace-a.h5"), second = temporary("trace-b.h5");
  ASSERT_FALSE(writeSpikeTrace(first, randomTrace(7)));
  ASSERT_FALSE(writeSpikeTrace(second, randomTrace(7)));
  EXPECT_EQ(llvm::cantFail(readFile(first)), llvm::cantFail(readFile(second)));
  std::filesystem::remove(first);
  std::filesystem::remove(second);
}

TEST(SpikeTrace, VerifyNamesWhatIsWrong) {
  auto broken = [](auto change) {
    SpikeTrace trace = smallTrace();
    change(trace);
    return toText(verify(trace));
  };
  EXPECT_EQ(
      broken([](SpikeTrace &t) { t.counts[4] = 1; }),
      "spike trace: error: neuron 4 has the count 1, expected 2 (recorded) to 9 (every step)");
  EXPECT_THAT(broken([](SpikeTrace &t) { t.counts[4] = 10; }), HasSubstr("has the count 10"));
  EXPECT_THAT(broken([](SpikeTrace &t) { t.counts.pop_back(); }),
              HasSubstr("4 spike counts for 5 neurons"));
  EXPECT_THAT(broken([](SpikeTrace &t) { t.recorded[0][0].neuron = 5; }),
              HasSubstr("sample 0: spike of neuron 5 in step 0, but there are 5 neurons and 3 "
                        "steps"));
  EXPECT_THAT(broken([](SpikeTrace &t) { t.steps = 0; }), HasSubstr("5 neurons and 0 steps"));
  EXPECT_THAT(broken([](SpikeTrace &t) { t.recorded[1][0].step = 3; }),
              HasSubstr("sample 1: spike of neuron 4 in step 3"));
  EXPECT_THAT(broken([](SpikeTrace &t) { std::swap(t.recorded[0][1], t.recorded[0][2]); }),
              HasSubstr("sample 0: spikes of step 0 are not in ascending order"));
  EXPECT_THAT(broken([](SpikeTrace &t) { t.recorded[0][1] = t.recorded[0][0]; }),
              HasSubstr("sample 0: neuron 1 spikes more than 1 times in step 0"));
  EXPECT_THAT(broken([](SpikeTrace &t) { t.maxSpikes = 0; }),
              HasSubstr("at most 0 spikes of a neuron in a step, expected at least 1"));
  EXPECT_THAT(broken([](SpikeTrace &t) { t.samples = 1; }),
              HasSubstr("2 recorded of 1 samples, at most 4294967295"));
  EXPECT_THAT(broken([](SpikeTrace &t) { t.stepMs = 0; }),
              HasSubstr("a step lasts 0 ms, expected more than zero"));
  EXPECT_THAT(broken([](SpikeTrace &t) { t.populations[1].first = 3; }),
              HasSubstr("starts at neuron 3, expected 2"));
  EXPECT_THAT(broken([](SpikeTrace &t) {
                t.populations.clear();
                t.counts.clear();
              }),
              HasSubstr("recorded samples without a population"));
}

TEST(SpikeTrace, ANeuronMaySpikeSeveralTimesInAStepWhereTheTraceSaysSo) {
  std::string path = temporary("trace-several.h5");
  SpikeTrace trace = smallTrace();
  trace.maxSpikes = 2;
  trace.recorded[0] = {{0, 1}, {0, 1}, {0, 4}, {2, 0}};
  EXPECT_FALSE(verify(trace));
  ASSERT_FALSE(writeSpikeTrace(path, trace));
  EXPECT_EQ(llvm::cantFail(readSpikeTrace(path)), trace);
  trace.recorded[0].insert(trace.recorded[0].begin(), {0, 1});
  EXPECT_THAT(toText(verify(trace)),
              HasSubstr("sample 0: neuron 1 spikes more than 2 times in step 0"));
  std::filesystem::remove(path);
}

TEST(SpikeTrace, AWrongTraceIsNotWritten) {
  std::string path = temporary("trace-wrong.h5");
  SpikeTrace trace = smallTrace();
  trace.counts[4] = 0;
  llvm::Error error = writeSpikeTrace(path, trace);
  EXPECT_EQ(kindOf(error), ErrorKind::Check);
  llvm::consumeError(std::move(error));
  EXPECT_FALSE(std::filesystem::exists(path));
}

TEST(SpikeTrace, TruncatedFilesAreRefused) {
  std::string path = temporary("trace-truncated.h5");
  ASSERT_FALSE(writeSpikeTrace(path, smallTrace()));
  std::string bytes = llvm::cantFail(readFile(path));
  for (size_t part : {2, 4, 10}) {
    ASSERT_FALSE(writeFile(path, bytes.substr(0, bytes.size() - bytes.size() / part)));
    llvm::Expected<SpikeTrace> trace = readSpikeTrace(path);
    ASSERT_FALSE(bool(trace));
    EXPECT_THAT(toText(trace.takeError()), HasSubstr(path + ": error: "));
  }
  ASSERT_FALSE(writeFile(path, ""));
  EXPECT_EQ(toText(readSpikeTrace(path).takeError()), path + ": error: not an HDF5 file");
  std::filesystem::remove(path);
}

/// A file of the right layout with one thing wrong.
struct Layout {
  std::string format = "spindle-spikes";
  int64_t version = 2, steps = 4, samples = 2, maxSpikes = 1;
  std::vector<double> timestamps{1, 4};
  std::vector<uint64_t> nodes{0, 1}, offsets{0, 1, 2}, counts{1, 1};
  bool withCounts = true;

  std::string read() const {
    std::string path = temporary("trace-layout.h5");
    {
      Hdf5Writer file = llvm::cantFail(Hdf5Writer::create(path));
      if (!format.empty())
        llvm::cantFail(file.attribute("/", "format", format));
      llvm::cantFail(file.attribute("/", "format_version", version));
      llvm::cantFail(file.attribute("/", "steps", steps));
      llvm::cantFail(file.attribute("/", "max_spikes", maxSpikes));
      llvm::cantFail(file.attribute("/", "step_ms", 1.0));
      llvm::cantFail(file.attribute("/", "samples", samples));
      llvm::cantFail(file.write("populations/name", std::vector<std::string>{"p"}));
      llvm::cantFail(file.write("populations/kind", std::vector<uint8_t>{1}));
      llvm::cantFail(file.write("populations/dimensions", std::vector<uint32_t>{1}));
      llvm::cantFail(file.write("populations/shape", std::vector<uint64_t>{2}));
      llvm::cantFail(file.write("spikes/p/timestamps", timestamps));
      llvm::cantFail(file.write("spikes/p/node_ids", nodes));
      llvm::cantFail(file.write("spikes/p/sample_offsets", offsets));
      if (withCounts)
        llvm::cantFail(file.write("spikes/p/counts", counts));
      llvm::cantFail(file.close());
    }
    llvm::Expected<SpikeTrace> trace = readSpikeTrace(path);
    std::filesystem::remove(path);
    if (trace)
      return "";
    std::string text = toText(trace.takeError());
    EXPECT_EQ(text.substr(0, path.size() + 9), path + ": error: ");
    return text.substr(path.size() + 9);
  }
};

TEST(SpikeTrace, FilesThatDoNotFitTogetherAreRefused) {
  auto with = [](auto change) {
    Layout layout;
    change(layout);
    return layout.read();
  };
  EXPECT_EQ(Layout().read(), "");
  EXPECT_EQ(with([](Layout &l) { l.format = ""; }), "not a spindle-spikes file");
  EXPECT_EQ(with([](Layout &l) { l.format = "other"; }), "not a spindle-spikes file");
  EXPECT_EQ(with([](Layout &l) { l.version = 1; }),
            "version 1 of spindle-spikes, expected version 2; run the stage that writes it again");
  EXPECT_EQ(with([](Layout &l) { l.steps = -1; }),
            "-1 steps of 2 samples, expected 0 to 4294967295 of both");
  EXPECT_EQ(with([](Layout &l) { l.maxSpikes = 0; }),
            "0 spikes of a neuron in a step at most, expected 1 to 4294967295");
  EXPECT_EQ(with([](Layout &l) { l.withCounts = false; }), "data set 'spikes/p/counts' is absent");
  EXPECT_EQ(with([](Layout &l) { l.counts = {1}; }),
            "spikes/p has 2 timestamps, 2 node ids and 1 counts for 2 neurons, which do not belong "
            "together");
  EXPECT_EQ(with([](Layout &l) { l.offsets = {0, 2, 1}; }),
            "spikes/p/sample_offsets must ascend from 0 to 2 in 3 entries");
  EXPECT_EQ(with([](Layout &l) { l.offsets = {}; }),
            "spikes/p/sample_offsets must ascend from 0 to 2 in 1 entries");
  EXPECT_EQ(
      with([](Layout &l) { l.timestamps[0] = 1.5; }),
      "spikes/p has a spike of node 0 at 1.5 ms, expected a node below 2 at the end of one of "
      "4 steps of 1 ms");
  EXPECT_THAT(with([](Layout &l) { l.timestamps[1] = 5; }), HasSubstr("a spike of node 1 at 5 ms"));
  EXPECT_THAT(with([](Layout &l) { l.timestamps[1] = 0; }), HasSubstr("a spike of node 1 at 0 ms"));
  EXPECT_THAT(with([](Layout &l) { l.nodes[1] = 2; }), HasSubstr("a spike of node 2 at 4 ms"));
  EXPECT_THAT(with([](Layout &l) { l.counts[0] = 0; }), HasSubstr("neuron 0 has the count 0"));
  EXPECT_THAT(with([](Layout &l) { l.samples = 1; }), HasSubstr("2 recorded of 1 samples"));
}

} // namespace
