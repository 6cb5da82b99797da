#include "core/support/Error.h"

#include "core/support/TextPlace.h"

#include "llvm/Support/raw_ostream.h"

namespace spindle {

char SpindleError::ID = 0;

/// Names and values of other people's files may hold anything; an error stays one line of text.
static std::string oneLine(const std::string &text) { return excerpt(text, text.size()); }

void SpindleError::log(llvm::raw_ostream &os) const {
  if (!place.empty())
    os << oneLine(place) << ": ";
  os << "error: " << oneLine(message);
}

llvm::Error inputError(std::string place, std::string message) {
  return llvm::make_error<SpindleError>(ErrorKind::Input, std::move(place), std::move(message));
}

llvm::Error checkError(std::string place, std::string message) {
  return llvm::make_error<SpindleError>(ErrorKind::Check, std::move(place), std::move(message));
}

std::string toText(llvm::Error error) { return llvm::toString(std::move(error)); }

ErrorKind kindOf(const llvm::Error &error) {
  ErrorKind kind = ErrorKind::Check;
  llvm::visitErrors(error, [&](const llvm::ErrorInfoBase &info) {
    if (info.isA<SpindleError>())
      kind = static_cast<const SpindleError &>(info).kind;
  });
  return kind;
}

} // namespace spindle
