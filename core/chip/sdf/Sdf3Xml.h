// The XML of the SDF3 tool set (Stuijk, Geilen & Basten, "SDF3: SDF for free", ACSD 2006).
#pragma once

#include "core/chip/sdf/SdfGraph.h"

namespace spindle {

/// Whether a file is XML, by its ending or its first sign.
bool isSdf3Xml(const std::string &path);

/// The application graph of an SDF3 file of type `sdf` or `csdf`. The execution time of an actor is
/// that of the last processor marked as default. SDF3 gives actors of `sdf` no bound on concurrent
/// firings: a file that wants one has a channel from the actor to itself. Actors of `csdf` do one
/// phase at a time, so each without such a channel gets one, after those of the file. Rates and
/// times of `csdf` are lists as `1,0,18*32`, where the last stands for 18 phases of 32. Errors
/// carry file:line:column.
llvm::Expected<SdfGraph> readSdf3Xml(const std::string &path);

} // namespace spindle
