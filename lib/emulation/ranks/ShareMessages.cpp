#include "lib/emulation/ranks/ShareMessages.h"

#include "mlir/Bytecode/BytecodeWriter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Parser/Parser.h"

namespace spindle {

// A struct that gets another member does not compile here until it is passed, too.

template <typename Archive> static void pass(Archive &archive, EmulationOptions &options) {
  auto &[steps, durationMs, stepMs, trials, seed, threads, recordSamples, recordMembranes, divide,
         engine, encoding] = options;
  archive(steps, durationMs, stepMs, trials, seed, threads, recordSamples, recordMembranes, divide,
          engine, encoding);
}

template <typename Archive> static void pass(Archive &archive, EventSamples &events) {
  auto &[steps, offsets, list] = events;
  archive(steps, offsets, list);
}

template <typename Archive> static void pass(Archive &archive, Samples &samples) {
  auto &[shape, values, labels, events, labelled, reader, place] = samples;
  archive(shape, values, labels, events, labelled, place); // what is sent has been read
}

template <typename Archive> static void pass(Archive &archive, Tally &tally) {
  auto &[correctByStep, confusion, counts] = tally;
  archive(correctByStep, confusion, counts);
}

template <typename Archive> static void pass(Archive &archive, Population &population) {
  auto &[name, kind, shape, first, size] = population;
  archive(name, kind, shape, first, size);
}

template <typename Archive> static void pass(Archive &archive, MembraneRecording &recording) {
  auto &[population, values] = recording;
  archive(population, values);
}

template <typename Archive> static void pass(Archive &archive, MembraneTrace &trace) {
  auto &[samples, steps, stepMs, recordings] = trace;
  archive(samples, steps, stepMs, recordings);
}

template <typename Archive> static void pass(Archive &archive, Share &share) {
  auto &[tally, recorded, membranes, engine, threads, compileSeconds, seconds, refusal, synapses,
         events] = share;
  archive(tally, recorded, membranes, engine, threads, compileSeconds, seconds, refusal, synapses,
          events);
}

namespace ranks {

/// An error as a value.
struct Failure {
  ErrorKind kind = ErrorKind::Check;
  std::string place, message;
};

template <typename Archive> static void pass(Archive &archive, Failure &failure) {
  auto &[kind, place, message] = failure;
  archive(kind, place, message);
}

static Failure failureOf(llvm::Error error) {
  Failure failure;
  llvm::handleAllErrors(
      std::move(error),
      [&](const SpindleError &ours) {
        failure = {ours.kind, ours.place, ours.message};
      },
      [&](const llvm::ErrorInfoBase &other) { failure.message = other.message(); });
  return failure;
}

static llvm::Error errorOf(const Failure &failure) {
  return failure.kind == ErrorKind::Input ? inputError(failure.place, failure.message)
                                          : checkError(failure.place, failure.message);
}

template <typename Archive> static void pass(Archive &archive, Job &job) {
  auto &[kind, options, range, samples] = job;
  archive(kind, options, range, samples);
}

Bytes packJob(Job job) {
  Writer writer;
  writer(job);
  return std::move(writer.bytes);
}

Job unpackJob(const Bytes &message) {
  Job job;
  Reader reader(message);
  reader(job);
  return job;
}

Bytes packAnswer(llvm::Expected<Share> answer) {
  Writer writer;
  std::optional<Failure> failure;
  if (!answer)
    failure = failureOf(answer.takeError());
  writer(failure);
  if (!failure)
    writer(*answer);
  return std::move(writer.bytes);
}

llvm::Expected<Share> unpackAnswer(const Bytes &message) {
  Reader reader(message);
  std::optional<Failure> failure;
  reader(failure);
  if (failure)
    return errorOf(*failure);
  Share share;
  reader(share);
  return share;
}

Bytes packNetwork(mlir::ModuleOp module) {
  std::string bytes;
  llvm::raw_string_ostream stream(bytes);
  if (failed(mlir::writeBytecodeToFile(module, stream))) // fails for versions not asked for
    llvm::report_fatal_error("a network cannot be written as bytecode");
  return Bytes(bytes.begin(), bytes.end());
}

llvm::Expected<mlir::OwningOpRef<mlir::ModuleOp>> unpackNetwork(const Bytes &message,
                                                                mlir::MLIRContext &context) {
  context.loadDialect<snn::SnnDialect, mlir::arith::ArithDialect, mlir::func::FuncDialect>();
  auto module = mlir::parseSourceString<mlir::ModuleOp>(
      llvm::StringRef(message.data(), message.size()), mlir::ParserConfig(&context));
  if (!module)
    return checkError("emulation", "a rank cannot read the network that it got");
  return module;
}

} // namespace ranks

llvm::Error agree(Ranks &ranks, llvm::Error mine, std::string &refusal) {
  std::optional<ranks::Failure> failure;
  if (mine)
    failure = ranks::failureOf(std::move(mine));
  ranks::Writer writer;
  writer(failure, refusal);
  std::vector<uint32_t> words((writer.bytes.size() + 3) / 4), all;
  std::memcpy(words.data(), writer.bytes.data(), writer.bytes.size());
  std::vector<size_t> ends;
  ranks.exchange(words, all, ends);
  refusal.clear();
  for (size_t rank = 0, start = 0; rank < ends.size(); start = ends[rank++]) {
    auto first = reinterpret_cast<const char *>(all.data() + start);
    ranks::Bytes bytes(first, first + 4 * (ends[rank] - start));
    std::string said;
    ranks::Reader reader(bytes);
    reader(failure, said);
    if (failure)
      return ranks::errorOf(*failure);
    if (refusal.empty())
      refusal = said;
  }
  return llvm::Error::success();
}

} // namespace spindle
