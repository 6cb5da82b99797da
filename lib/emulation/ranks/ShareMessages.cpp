#include "lib/emulation/ranks/ShareMessages.h"

#include "mlir/Bytecode/BytecodeWriter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Parser/Parser.h"

namespace spindle {

// A struct that gets another member does not compile here until it is passed, too.

template <typename Archive> static void pass(Archive &archive, EmulationOptions &options) {
  auto &[steps, durationMs, stepMs, trials, seed, threads, recordSamples, recordMembranes, engine,
         encoding] = options;
  archive(steps, durationMs, stepMs, trials, seed, threads, recordSamples, recordMembranes, engine,
          encoding);
}

template <typename Archive> static void pass(Archive &archive, EventSamples &events) {
  auto &[steps, offsets, list] = events;
  archive(steps, offsets, list);
}

template <typename Archive> static void pass(Archive &archive, Samples &samples) {
  auto &[shape, values, labels, events, labelled, reader] = samples; // what is sent has been read
  archive(shape, values, labels, events, labelled);
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
  auto &[tally, recorded, membranes, engine, threads, compileSeconds] = share;
  archive(tally, recorded, membranes, engine, threads, compileSeconds);
}

namespace ranks {

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
  bool isShare = static_cast<bool>(answer);
  writer(isShare);
  if (isShare) {
    writer(*answer);
    return std::move(writer.bytes);
  }
  ErrorKind kind = ErrorKind::Check;
  std::string place, message;
  llvm::handleAllErrors(
      answer.takeError(),
      [&](const SpindleError &error) {
        kind = error.kind;
        place = error.place;
        message = error.message;
      },
      [&](const llvm::ErrorInfoBase &error) { message = error.message(); });
  writer(kind, place, message);
  return std::move(writer.bytes);
}

llvm::Expected<Share> unpackAnswer(const Bytes &message) {
  Reader reader(message);
  bool isShare = false;
  reader(isShare);
  if (isShare) {
    Share share;
    reader(share);
    return share;
  }
  ErrorKind kind = ErrorKind::Check;
  std::string place, text;
  reader(kind, place, text);
  return kind == ErrorKind::Input ? inputError(place, text) : checkError(place, text);
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
} // namespace spindle
