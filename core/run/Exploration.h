// Many points of a flow, what is wanted of them, and which of them nobody beats.
#pragma once

#include "core/run/ExploredPoint.h"

#include <optional>

namespace spindle {

/// A number of report.json that is to be as small, or as large, as it can be.
struct Objective {
  std::string name;
  bool isMost = false;
  bool operator==(const Objective &) const = default;
};

/// … or to be within limits.
struct Constraint {
  std::string name;
  std::optional<double> least, most;
  bool operator==(const Constraint &) const = default;
};

/// `exploration.json`, beside the folder `points`.
struct Exploration {
  std::string flow;               // as the user wrote it
  Json settings = Json::object(); // of the flow, before those of a point
  std::vector<Objective> objectives;
  std::vector<Constraint> constraints;
  std::string lastStage = {}; // empty: all that the flow asks for
};

/// How a point stands among the others.
struct Standing {
  bool isWhole = false;    // it has every objective
  bool isFeasible = false; // … and keeps every constraint
  bool isOnFront = false;  // … and no feasible point is as good in all objectives and better in one
};

/// Per point.
std::vector<Standing> standingsOf(const Exploration &exploration,
                                  const std::vector<ExploredPoint> &points);

/// The keys in which the points differ, or that not all of them have; ascending.
std::vector<std::string> variedKeys(const std::vector<ExploredPoint> &points);

/// Sorts points by their settings, key after key; numbers by their size.
void sortPoints(std::vector<ExploredPoint> &points);

/// The value of a key, or nothing.
std::optional<std::string> valueOf(const ExploredPoint &point, const std::string &key);

/// The command that repeats a point: `spindle run FLOW --set emulation.steps=16 …`.
std::string commandOf(const Exploration &exploration, const ExploredPoint &point);

/// Names of objectives and constraints, each once.
std::vector<std::string> wantedNames(const Exploration &exploration);

/// JSON, docs/formats/exploration.md.
llvm::Error writeExploration(const std::string &path, const Exploration &exploration);
llvm::Expected<Exploration> readExploration(const std::string &path);

} // namespace spindle
