// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The tools as functions, so that an installed package can run them out of its one shared library.

#ifndef PASSES_TOOLS_TOOLS_H
#define PASSES_TOOLS_TOOLS_H

#if defined(_WIN32)
#define RAF_TOOL_EXPORT __declspec(dllexport)
#else
#define RAF_TOOL_EXPORT __attribute__((visibility("default")))
#endif

extern "C" {
RAF_TOOL_EXPORT int rafOptMain(int argc, char **argv);
RAF_TOOL_EXPORT int rafReduceMain(int argc, char **argv);
RAF_TOOL_EXPORT int rafLspServerMain(int argc, char **argv);
}

#endif // PASSES_TOOLS_TOOLS_H
