// Errors a user can meet: one line with place, what was found and what was expected.
#pragma once

#include "llvm/Support/Error.h"

#include <string>

namespace spindle {

/// Who has to act. Decides the exit code of the tools: Input 1, Check 2.
enum class ErrorKind { Input, Check };

/// An error that carries its place. `place` is file[:line:column], or a file and the name of a node
/// or tensor in it; it may be empty where only the caller knows it.
class SpindleError : public llvm::ErrorInfo<SpindleError> {
public:
  static char ID;
  SpindleError(ErrorKind who, std::string where, std::string what)
      : kind(who), place(std::move(where)), message(std::move(what)) {}

  /// `place: error: message`
  void log(llvm::raw_ostream &os) const override;
  std::error_code convertToErrorCode() const override { return llvm::inconvertibleErrorCode(); }

  ErrorKind kind;
  std::string place;
  std::string message;
};

/// What the user gave is wrong. Message: lower case, no period, found and expected, remedy.
llvm::Error inputError(std::string place, std::string message);

/// A result of ours failed its own verification.
llvm::Error checkError(std::string place, std::string message);

/// The text of an error, consumed.
std::string toText(llvm::Error error);

/// The kind of an error, kept. Errors that are not ours count as Check.
ErrorKind kindOf(const llvm::Error &error);

} // namespace spindle

/// Declares `target` from an Expected or returns its error.
#define SPINDLE_ASSIGN(target, expression) SPINDLE_ASSIGN_(target, expression, __LINE__)
#define SPINDLE_ASSIGN_(target, expression, line) SPINDLE_ASSIGN__(target, expression, line)
#define SPINDLE_ASSIGN__(target, expression, line)                                                 \
  auto spindleExpected##line = (expression);                                                       \
  if (!spindleExpected##line)                                                                      \
    return spindleExpected##line.takeError();                                                      \
  target = std::move(*spindleExpected##line)

/// Returns the error of an llvm::Error expression, if there is one.
#define SPINDLE_RETURN_IF_ERROR(expression)                                                        \
  if (llvm::Error spindleError = (expression))                                                     \
  return spindleError
