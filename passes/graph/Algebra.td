// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rewrites that hold for every element type; see the description of raf-simplify for what they may change.

#ifndef RAF_PASSES_GRAPH_ALGEBRA_TD
#define RAF_PASSES_GRAPH_ALGEBRA_TD

include "mlir/IR/PatternBase.td"
include "dialects/raf/Ops.td"

// Signs.
def AddOfNegative : Pat<(RAF_AddOp $a, (RAF_NegOp $b)), (RAF_SubOp $a, $b)>;
def NegativePlus : Pat<(RAF_AddOp (RAF_NegOp $a), $b), (RAF_SubOp $b, $a)>;
def MinusNegative : Pat<(RAF_SubOp $a, (RAF_NegOp $b)), (RAF_AddOp $a, $b)>;
def NegativeOfDifference : Pat<(RAF_NegOp (RAF_SubOp $a, $b)), (RAF_SubOp $b, $a)>;
def ProductOfNegatives : Pat<(RAF_MulOp (RAF_NegOp $a), (RAF_NegOp $b)), (RAF_MulOp $a, $b)>;
def QuotientOfNegatives : Pat<(RAF_DivOp (RAF_NegOp $a), (RAF_NegOp $b)), (RAF_DivOp $a, $b)>;
def SquareOfAbs : Pat<(RAF_MulOp (RAF_AbsOp $a), (RAF_AbsOp $a)), (RAF_MulOp $a, $a)>;
def AbsOfNegative : Pat<(RAF_AbsOp (RAF_NegOp $a)), (RAF_AbsOp $a)>;
def AbsOfAbs : Pat<(RAF_AbsOp:$y (RAF_AbsOp:$x $a)), (replaceWithValue $x)>;
def CosOfNegative : Pat<(RAF_CosOp (RAF_NegOp $a)), (RAF_CosOp $a)>;

// Choices.
def MaximumOfOne : Pat<(RAF_MaximumOp $a, $a), (replaceWithValue $a)>;
def MinimumOfOne : Pat<(RAF_MinimumOp $a, $a), (replaceWithValue $a)>;
def SelectOfNot : Pat<(RAF_SelectOp (RAF_NotOp $p), $a, $b), (RAF_SelectOp $p, $b, $a)>;
def NotOfNot : Pat<(RAF_NotOp (RAF_NotOp $a)), (replaceWithValue $a)>;
def AndOfOne : Pat<(RAF_AndOp $a, $a), (replaceWithValue $a)>;
def OrOfOne : Pat<(RAF_OrOp $a, $a), (replaceWithValue $a)>;

#endif // RAF_PASSES_GRAPH_ALGEBRA_TD
