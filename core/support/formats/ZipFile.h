// Zip files, read with libzip: npz archives, and the models of Keras.
#pragma once

#include "core/support/Error.h"

#include "zip.h"

#include <cstdint>
#include <memory>
#include <string>

namespace spindle {

/// zip_discard drops an archive without writing it.
using ZipHandle = std::unique_ptr<zip_t, decltype(&zip_discard)>;

/// Opens a file to read; `what` it is meant to be goes into errors. Every member has a name of its
/// own.
llvm::Expected<ZipHandle> openZip(const std::string &path, const char *what);
llvm::Expected<ZipHandle> createZip(const std::string &path);

/// Refuses other ways of packing than stored and deflated: which ones are read depends on how the
/// library was built. `label` names the member.
llvm::Error checkZipMethod(const zip_stat_t &stat, const std::string &path,
                           const std::string &label, const char *remedy);

/// All bytes of a member; an error where it is absent, damaged or has more bytes than `mostBytes`
/// and than UnpackedLimit.h allows the file.
llvm::Expected<std::string> readZipMember(zip_t *archive, const std::string &path,
                                          const std::string &name, uint64_t mostBytes = UINT64_MAX);

} // namespace spindle
