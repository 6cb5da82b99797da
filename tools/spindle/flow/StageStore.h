// Results of stages that several folders share.
#pragma once

#include "core/run/RunRecord.h"
#include "core/support/files/FolderLock.h"

namespace spindle {

/// A folder with the files of stages, each result once, named by what it was made from
/// (`StageOrigin`). The files in it and those of the runs are the same ones on the disk (hard
/// links), where that can be.
class StageStore {
public:
  explicit StageStore(std::string path) : folder(std::move(path)) {}

  /// The place of one result. Held by one process at a time: who waits for another one that works
  /// on the same finds it done.
  class Place {
  public:
    /// Whether the result is there, whole and as it was made.
    bool isFilled() const { return filled; }
    /// Its files, put below `target`.
    llvm::Error copyTo(const std::string &target) const;
    /// Takes the files below `source`, all or none, in the place of a damaged result.
    llvm::Error fill(const std::string &source, const FileHashes &files);

  private:
    friend class StageStore;
    Place(std::string where, FolderLock held);
    std::string path;
    FolderLock lock;
    bool filled;
  };

  llvm::Expected<Place> hold(const std::string &stage, const StageOrigin &origin) const;

private:
  std::string folder;
};

} // namespace spindle
