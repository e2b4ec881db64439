// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dialects/raf/interfaces/Interfaces.h"

#include "dialects/raf/CastPolicy.cpp.inc"
#include "dialects/raf/Cost.cpp.inc"
#include "dialects/raf/Decomposable.cpp.inc"
#include "dialects/raf/Differentiable.cpp.inc"
#include "dialects/raf/Plan.cpp.inc"
#include "dialects/raf/Region.cpp.inc"
