// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Registration of one op family, used by the family's own source file.
#ifndef RAF_DIALECTS_RAF_FAMILY_H
#define RAF_DIALECTS_RAF_FAMILY_H

#include "dialects/raf/Ops.h"

namespace mlir::raf {
#define RAF_FAMILY(name) void add##name##Ops(RAFDialect &);
#include "dialects/raf/Families.def"

template <typename... Ops>
void addOps(RAFDialect &dialect) {
  (RegisteredOperationName::insert<Ops>(dialect), ...);
}
} // namespace mlir::raf

#endif // RAF_DIALECTS_RAF_FAMILY_H
