// Enums in the forms of operations: bare words.
#pragma once

#include "dialects/snn/Snn.h"

#include "mlir/IR/DialectImplementation.h"

namespace spindle::snn {

template <typename Attribute>
mlir::ParseResult parseWord(mlir::OpAsmParser &parser, Attribute &attribute) {
  using Word = decltype(attribute.getValue());
  mlir::FailureOr<Word> word = mlir::FieldParser<Word>::parse(parser);
  if (mlir::failed(word))
    return mlir::failure();
  attribute = Attribute::get(parser.getContext(), *word);
  return mlir::success();
}

template <typename Attribute>
void printWord(mlir::OpAsmPrinter &printer, mlir::Operation *, Attribute attribute) {
  printer << stringifyEnum(attribute.getValue());
}

} // namespace spindle::snn
