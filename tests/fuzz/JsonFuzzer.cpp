// Every reader of a JSON file of ours on the same file: its header says whose it is.
#include "core/chip/ChipStats.h"
#include "core/chip/Clustering.h"
#include "core/chip/Mapping.h"
#include "core/chip/Prediction.h"
#include "core/chip/assessment/Assessment.h"
#include "core/chip/lapse/TimeLapse.h"
#include "core/chip/loads/MultiplexedRun.h"
#include "core/chip/sdf/SdfAnalysis.h"
#include "core/kernel/BusInterface.h"
#include "core/kernel/CosimResult.h"
#include "core/kernel/KernelArea.h"
#include "core/kernel/KernelInterface.h"
#include "core/kernel/KernelSchedule.h"
#include "core/kernel/TaskGraph.h"
#include "core/network/Diagnosis.h"
#include "core/network/Evaluation.h"
#include "core/network/HardwareNetwork.h"
#include "core/network/SpikeStatistics.h"
#include "core/run/Exploration.h"
#include "core/run/RunRecord.h"
#include "hw/hls/schedule/problem/ProblemFile.h"
#include "tests/fuzz/FuzzTarget.h"
#include "tests/fuzz/FuzzedFile.h"

namespace spindle {

/// What is read can be written and read again, and is the same.
template <typename Noun>
static void readTwice(const std::string &path, llvm::Expected<Noun> (*read)(const std::string &),
                      llvm::Error (*write)(const std::string &, const Noun &)) {
  llvm::Expected<Noun> first = read(path);
  if (!first)
    return llvm::consumeError(first.takeError());
  llvm::cantFail(write(path, *first));
  if (!(llvm::cantFail(read(path)) == *first))
    __builtin_trap();
}

template <typename Noun>
static void readOnce(const std::string &path, llvm::Expected<Noun> (*read)(const std::string &)) {
  llvm::consumeError(read(path).takeError());
}

/// Where the elements of its arrays lie.
static void placeElements(const std::string &path) {
  llvm::Expected<hls::KernelInterface> kernel = hls::readKernelInterface(path);
  if (!kernel)
    return llvm::consumeError(kernel.takeError());
  for (const hls::KernelArgument &argument : kernel->arguments)
    if (argument.isMemory())
      for (uint64_t element : {uint64_t(0), argument.elements() - 1})
        if (argument.place(element).address >= argument.bankWords())
          __builtin_trap();
}

void fuzzJson(const uint8_t *data, size_t size) {
  FuzzedFile file(data, size, ".json");
  const std::string &path = file.path();
  readTwice<Clustering>(path, readClustering, [](const std::string &to, const Clustering &noun) {
    return writeClustering(to, noun);
  });
  readTwice(path, readMapping, writeMapping);
  readTwice<SdfGraph>(path, readSdfGraph, [](const std::string &to, const SdfGraph &noun) {
    return writeSdfGraph(to, noun);
  });
  readTwice(path, hls::readTaskGraph, hls::writeTaskGraph);
  readOnce(path, readRunRecord);
  readOnce(path, readExploredPoint);
  readOnce(path, readExploration);
  readOnce(path, readSdfAnalysis);
  readOnce(path, readChipStats);
  readOnce(path, readTimeLapse);
  readOnce(path, readPrediction);
  readOnce(path, readMultiplexedRun);
  readOnce(path, readDiagnosis);
  readOnce(path, readAssessment);
  readOnce(path, readHardwareNetwork);
  readOnce(path, readAnnEvaluation);
  readOnce(path, readConversionSummary);
  readOnce(path, readEmulationSummary);
  readOnce(path, readSpikeStatistics);
  readOnce(path, hls::readProblem);
  readOnce(path, hls::readBusInterface);
  readOnce(path, hls::readCosimResult);
  readOnce(path, hls::readKernelArea);
  readOnce(path, hls::readKernelSchedule);
  placeElements(path);
}

} // namespace spindle
