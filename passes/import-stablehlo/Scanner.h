// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RAF_PASSES_IMPORT_STABLEHLO_SCANNER_H
#define RAF_PASSES_IMPORT_STABLEHLO_SCANNER_H

#include "mlir/Support/LLVM.h"
#include "llvm/ADT/StringExtras.h"

namespace mlir::raf::stablehlo {

/// Words, numbers and punctuation of an opaque attribute.
struct Scanner {
  StringRef text;

  bool next(StringRef token) {
    text = text.ltrim();
    return text.starts_with(token);
  }
  bool consume(StringRef token) { return next(token) && text.consume_front(token); }
  StringRef word() {
    text = text.ltrim();
    StringRef result = text.take_while([](char c) { return llvm::isAlnum(c) || c == '_' || c == '.' || c == '-'; });
    text = text.drop_front(result.size());
    return result;
  }
  /// A string without escapes.
  std::optional<StringRef> quoted() {
    if (!consume("\""))
      return std::nullopt;
    StringRef result = text.take_until([](char c) { return c == '"' || c == '\\'; });
    text = text.drop_front(result.size());
    return text.consume_front("\"") ? std::optional(result) : std::nullopt;
  }
  std::optional<int64_t> integer() {
    int64_t value;
    return word().getAsInteger(10, value) ? std::nullopt : std::optional(value);
  }
  /// Elements up to the closing token, separated by commas; `element` reads one and says whether it could.
  template <typename Element>
  bool list(StringRef close, Element element) {
    while (!consume(close))
      if (!element() || (!consume(",") && !next(close)))
        return false;
    return true;
  }
  /// Integers up to "]".
  std::optional<SmallVector<int64_t>> ints() {
    SmallVector<int64_t> values;
    auto element = [&] {
      std::optional<int64_t> value = integer();
      values.push_back(value.value_or(0));
      return value.has_value();
    };
    return list("]", element) ? std::optional(values) : std::nullopt;
  }
};

} // namespace mlir::raf::stablehlo

#endif // RAF_PASSES_IMPORT_STABLEHLO_SCANNER_H
