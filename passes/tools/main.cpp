// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The program around each tool function; RAF_TOOL_MAIN is its name.

#include "passes/tools/Tools.h"

int main(int argc, char **argv) { return RAF_TOOL_MAIN(argc, argv); }
