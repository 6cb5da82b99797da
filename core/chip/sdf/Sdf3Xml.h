// The XML of the SDF3 tool set (Stuijk, Geilen & Basten, "SDF3: SDF for free", ACSD 2006).
#pragma once

#include "core/chip/sdf/SdfGraph.h"

namespace spindle {

/// Whether a file is XML, by its ending or its first sign.
bool isSdf3Xml(const std::string &path);

/// A kind of tile that an actor runs on.
struct SdfProcessor {
  std::string type;
  PerPhase<uint64_t> executionTime;
  uint64_t stateBits = 0;
  bool operator==(const SdfProcessor &) const = default;
};

/// A graph with what its file says of tiles.
struct SdfApplication {
  SdfGraph graph;
  std::vector<std::vector<SdfProcessor>> processors; // per actor
  double throughput = 0; // to be reached, in iterations per time unit; 0: any will do
};

/// The application graph of an SDF3 file of type `sdf` or `csdf`. The execution time of an actor is
/// that of the last processor marked as default. SDF3 gives actors of `sdf` no bound on concurrent
/// firings: a file that wants one has a channel from the actor to itself. Actors of `csdf` do one
/// phase at a time, so each without such a channel gets one, after those of the file. Rates and
/// times of `csdf` are lists as `1,0,18*32`, where the last stands for 18 phases of 32. Errors
/// carry file:line:column.
llvm::Expected<SdfApplication> readSdf3Application(const std::string &path);
llvm::Expected<SdfGraph> readSdf3Xml(const std::string &path);

} // namespace spindle
