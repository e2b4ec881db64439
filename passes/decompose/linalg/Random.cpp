// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Philox4x32-10 and Threefry2x32-20 in the body of a generic: integers only, so that they vectorize, and the same bits on every target.
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "passes/decompose/Random.h"
#include "passes/decompose/linalg/Lowering.h"

using namespace mlir;
using namespace mlir::raf;
using namespace mlir::raf::lower;

namespace {

struct Words {
  Value x[4];
};

class Philox {
public:
  explicit Philox(ImplicitLocOpBuilder &b) : b(b) {}

  Value word(uint32_t value) { return arith::ConstantOp::create(b, b.getI32IntegerAttr(static_cast<int32_t>(value))); }
  Value low(Value wide) { return arith::TruncIOp::create(b, b.getI32Type(), wide); }
  Value high(Value wide) { return low(arith::ShRUIOp::create(b, wide, arith::ConstantOp::create(b, b.getI64IntegerAttr(32)))); }

  // Constants and rounds of Salmon et al., "Parallel random numbers: as easy as 1, 2, 3", SC'11.
  Words run(Words counter, Value key0, Value key1) {
    for (int round = 0; round < 10; ++round) {
      if (round > 0) {
        key0 = arith::AddIOp::create(b, key0, word(0x9E3779B9u));
        key1 = arith::AddIOp::create(b, key1, word(0xBB67AE85u));
      }
      Value product0 = product(counter.x[0], 0xD2511F53u), product1 = product(counter.x[2], 0xCD9E8D57u);
      Value first = mix(high(product1), counter.x[1], key0), third = mix(high(product0), counter.x[3], key1);
      counter = {{first, low(product1), third, low(product0)}};
    }
    return counter;
  }

private:
  Value product(Value x, uint32_t factor) {
    Value wide = arith::ExtUIOp::create(b, b.getI64Type(), x);
    return arith::MulIOp::create(b, wide, arith::ConstantOp::create(b, b.getI64IntegerAttr(factor)));
  }
  Value mix(Value x, Value y, Value z) { return arith::XOrIOp::create(b, arith::XOrIOp::create(b, x, y), z); }

  ImplicitLocOpBuilder &b;
};

struct RandomUniformLowering : OpConversionPattern<RandomUniformOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(RandomUniformOp op, OpAdaptor adaptor, ConversionPatternRewriter &rewriter) const override {
    RankedTensorType type = tensorType(op.getY());
    AffineMap scalarMap = AffineMap::get(type.getRank(), 0, {}, getContext());
    SmallVector<int64_t> strides(op.getStrides());
    if (!op.getOffset())
      strides = computeSuffixProduct(type.getShape());
    auto body = [&](ImplicitLocOpBuilder &b, ValueRange args) -> Value {
      Philox philox(b);
      Value element = index(b, 0);
      for (int64_t dim = 0; dim < type.getRank(); ++dim)
        element = arith::AddIOp::create(b, element, arith::MulIOp::create(b, loopIndex(b, dim), index(b, strides[dim])));
      element = arith::IndexCastOp::create(b, b.getI64Type(), element);
      if (op.getOffset())
        element = arith::AddIOp::create(b, element, args[2]);
      // No result of a folded op carries the mark: what has none is only slower.
      auto mark = [&](Value value, StringRef as) {
        if (Operation *op = value.getDefiningOp(); op && !op->hasTrait<OpTrait::ConstantLike>())
          op->setAttr(kRandomAttr, b.getStringAttr(as));
        return value;
      };
      auto wide = [&](int64_t value) -> Value { return arith::ConstantOp::create(b, b.getI64IntegerAttr(value)); };
      mark(element, "element");
      Value block = arith::DivUIOp::create(b, element, wide(kRandomBlock)), lane = arith::AndIOp::create(b, element, wide(kRandomLanes - 1));
      Value number = mark(arith::AddIOp::create(b, arith::MulIOp::create(b, block, wide(kRandomLanes)), lane), "counter");
      Value piece = arith::DivUIOp::create(b, element, wide(kRandomLanes));
      Value word = mark(arith::AndIOp::create(b, piece, wide(kRandomWords - 1)), "word");
      bool small = !op.getOffset() && type.getNumElements() <= (int64_t(1) << 32);
      Words counter{{philox.low(number), small ? philox.word(0) : philox.high(number), philox.low(args[1]), philox.word(static_cast<uint32_t>(op.getOpId()))}};
      Words drawn = philox.run(counter, philox.low(args[0]), philox.high(args[0]));
      Value bits = drawn.x[0];
      for (int64_t i = 1; i < kRandomWords; ++i)
        bits = arith::SelectOp::create(b, arith::CmpIOp::create(b, arith::CmpIPredicate::eq, word, wide(i)), drawn.x[i], bits);
      return toUnitInterval(b, philox, mark(bits, "bits"), type.getElementType());
    };
    SmallVector<Access> scalars = {{adaptor.getSeed(), scalarMap}, {adaptor.getStep(), scalarMap}};
    if (op.getOffset())
      scalars.push_back({adaptor.getOffset(), scalarMap});
    rewriter.replaceOp(op, mapElements(rewriter, op.getLoc(), type, scalars, body));
    return success();
  }

  // 24 bits, or as many as the type holds exactly: rounding up would give 1.
  static Value toUnitInterval(ImplicitLocOpBuilder &b, Philox &philox, Value bits, Type element) {
    unsigned precision = std::min(24u, APFloat::semanticsPrecision(cast<FloatType>(element).getFloatSemantics()));
    Type compute = computeType(element);
    Value kept = arith::ShRUIOp::create(b, bits, philox.word(32 - precision));
    Value unit = arith::MulFOp::create(b, arith::SIToFPOp::create(b, compute, kept), scalar(b, compute, std::ldexp(1.0, -static_cast<int>(precision))));
    return narrow(b, unit, element);
  }
};

struct ThreefryLowering : OpConversionPattern<ThreefryOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(ThreefryOp op, OpAdaptor adaptor, ConversionPatternRewriter &rewriter) const override {
    RankedTensorType type = tensorType(op.getY());
    AffineMap identity = rewriter.getMultiDimIdentityMap(type.getRank());
    SmallVector<Access> reads;
    for (Value operand : adaptor.getOperands())
      reads.push_back({operand, identity});
    auto body = [&](ImplicitLocOpBuilder &b, ValueRange args) -> Value { return threefry(b, args[0], args[1], args[2], args[3], op.getWord()); };
    rewriter.replaceOp(op, mapElements(rewriter, op.getLoc(), type, reads, body));
    return success();
  }

  // Rotations and the parity constant of the key schedule are those of the same paper.
  static Value threefry(ImplicitLocOpBuilder &b, Value key0, Value key1, Value x, Value y, int64_t wanted) {
    static constexpr unsigned rotations[2][4] = {{13, 15, 26, 6}, {17, 29, 16, 24}};
    auto word = [&](uint32_t value) -> Value { return arith::ConstantOp::create(b, b.getI32IntegerAttr(static_cast<int32_t>(value))); };
    auto plus = [&](Value a, Value c) -> Value { return arith::AddIOp::create(b, a, c); };
    auto either = [&](Value a, Value c) -> Value { return arith::XOrIOp::create(b, a, c); };
    Value keys[3] = {key0, key1, either(either(key0, key1), word(0x1BD11BDAu))};
    x = plus(x, keys[0]);
    y = plus(y, keys[1]);
    for (unsigned group = 0; group < 5; ++group) {
      for (unsigned rotation : rotations[group % 2]) {
        x = plus(x, y);
        Value up = arith::ShLIOp::create(b, y, word(rotation)), down = arith::ShRUIOp::create(b, y, word(32 - rotation));
        y = either(arith::OrIOp::create(b, up, down), x);
      }
      x = plus(x, keys[(group + 1) % 3]);
      y = plus(plus(y, keys[(group + 2) % 3]), word(group + 1));
    }
    return wanted == 0 ? x : y;
  }
};

} // namespace

void lower::populateRandom(const TypeConverter &types, RewritePatternSet &patterns) {
  patterns.add<RandomUniformLowering, ThreefryLowering>(types, patterns.getContext());
}
