// Problems and schedules as JSON: docs/formats/schedule-problem.md.
#pragma once

#include "hw/hls/schedule/problem/Schedule.h"

namespace spindle::hls {

/// Ends of dependences, operator types and resources are written by name, by index where names
/// repeat.
llvm::Error writeProblem(const std::string &path, const Problem &problem);

/// Takes names and indices; refuses unknown keys and names, and problems with a fault.
llvm::Expected<Problem> readProblem(const std::string &path);

llvm::Error writeSchedule(const std::string &path, const Problem &problem,
                          const Schedule &schedule);

/// A schedule for this problem, operations in any order; an input error if it breaks a condition.
llvm::Expected<Schedule> readSchedule(const std::string &path, const Problem &problem);

} // namespace spindle::hls
