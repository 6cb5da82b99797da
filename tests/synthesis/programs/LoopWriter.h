// Loops and conditions of random programs.
#pragma once

#include "tests/synthesis/programs/ArrayWriter.h"
#include "tests/synthesis/programs/RandomPrograms.h"

namespace spindle::hls {

class LoopWriter : public ArrayWriter {
protected:
  LoopWriter(uint64_t seed, const RandomProgramOptions &given)
      : ArrayWriter(seed, given.numbers), isClosed(given.isClosed),
        hasDirectives(given.hasDirectives) {}

  /// Statements at a place; those with depth > 0 may hold others.
  virtual void block(Place &place, unsigned depth) = 0;

  void affineLoop(Place &place, unsigned depth);
  void countedLoop(Place &place, unsigned depth);
  void whileLoop(Place &place, unsigned depth);
  void parallelLoop(Place &place, unsigned depth);
  void affineCondition(Place &place, unsigned depth);
  void condition(Place &place, unsigned depth);
  void choice(Place &place, unsigned depth);
  using ProgramText::fresh;
  using ScalarWriter::condition;

  bool isClosed, hasDirectives;

private:
  struct Bounds {
    std::string text; // from … to … step …
    int64_t least, most;
  };
  Bounds affineBounds(const Place &place);
  std::string bound(const Place &place, bool isUpper, int64_t limit, int64_t &range);
  Named countedBound(Place &place, const std::string &type, int64_t most);
  Scope carried(const Scope &scope, unsigned most);
  Scope fresh(const Scope &like);
  /// What is carried next: sums, other values, or the carried ones in another order.
  Scope following(const Scope &before, const Scope &scope);
  static std::string initial(const Scope &arguments, const Scope &values);
  void branches(Place &place, const std::string &head, unsigned depth, bool isAffine);
  int64_t anyTrips();

  int64_t around = 1; // iterations of the loops around
};

} // namespace spindle::hls
