#include "core/kernel/KernelArray.h"

#include "gmock/gmock.h"

#include <bit>
#include <cmath>

using namespace spindle;
using namespace spindle::hls;
using testing::ElementsAre;

namespace {

ElementType typeOf(const char *text) { return *parseElementType(text); }

TEST(KernelArray, TypesAreWrittenAsMlirDoes) {
  for (const char *text : {"i1", "i3", "i17", "i64", "index", "f16", "bf16", "f32", "f64"})
    EXPECT_EQ(typeOf(text).text(), text);
  for (const char *text : {"", "i", "i0", "i01", "i65", "i3x", "f8", "bf32", "ui8", "tensor"})
    EXPECT_FALSE(parseElementType(text)) << text;
  EXPECT_EQ(typeOf("i1").bytes(), 1u);
  EXPECT_EQ(typeOf("i17").bytes(), 4u);
  EXPECT_EQ(typeOf("i33").bytes(), 8u);
}

TEST(KernelArray, ElementsAreCutToTheirType) {
  KernelArray array = makeIntegers(typeOf("i3"), {3}, {3, -1, 12});
  EXPECT_THAT(toIntegers(array), ElementsAre(3, -1, -4));
  EXPECT_EQ(array.at(1), 7u);
  array.set(0, 0xff);
  EXPECT_EQ(array.at(0), 7u);
  EXPECT_THAT(toDoubles(makeFloats(typeOf("f32"), {2}, {0.1, -2})), ElementsAre(0.1f, -2));
}

TEST(KernelArray, EveryNanIsTheSame) {
  ElementType f64 = typeOf("f64"), f32 = typeOf("f32");
  EXPECT_TRUE(isSame(f64, std::bit_cast<uint64_t>(std::nan("1")), 0xfff0000000000001));
  EXPECT_TRUE(isSame(f32, 0x7fc00000, 0xffc00001));
  EXPECT_FALSE(isSame(f32, 0x7fc00000, 0x7f800000));
  EXPECT_FALSE(isSame(f32, 0x7f800000, 0x7fc00000));
  EXPECT_FALSE(isSame(f64, std::bit_cast<uint64_t>(0.0), std::bit_cast<uint64_t>(-0.0)));
  EXPECT_FALSE(isSame(typeOf("i32"), 0x7fc00000, 0x7fc00001));
}

TEST(KernelArray, NumbersForPeople) {
  ElementType f32 = typeOf("f32"), i12 = typeOf("i12");
  EXPECT_EQ(numberText(f32, std::bit_cast<uint32_t>(0.1f)), "0.1");
  EXPECT_EQ(bitsText(f32, std::bit_cast<uint32_t>(0.1f)), "0x3dcccccd");
  EXPECT_EQ(numberText(typeOf("f16"), 0x2e66), "0.1");
  EXPECT_EQ(numberText(typeOf("f16"), 0xfbff), "-6.55e+04");
  EXPECT_EQ(numberText(typeOf("bf16"), 0x3dcd), "0.1");
  EXPECT_EQ(numberText(typeOf("bf16"), 0xff80), "-inf");
  EXPECT_EQ(bitsText(typeOf("bf16"), 0x3dcd), "0x3dcd");
  EXPECT_EQ(numberText(i12, 0xfff), "-1");
  EXPECT_EQ(bitsText(i12, 0xfff), "0xfff");
  EXPECT_EQ(numberText(typeOf("i1"), 1), "1");
}

/// float16 is one of NumPy's types; bf16 goes as float32, and comes back where nothing is lost.
TEST(KernelArray, NumpyHasNoBFloats) {
  for (const char *type : {"f16", "bf16"}) {
    KernelArray array = makeFloats(typeOf(type), {3}, {0.5, -1e30, 0x1p-130});
    NpyArray stored = toNpy(array);
    EXPECT_EQ(stored.type, std::string(type) == "f16" ? NpyType::Float16 : NpyType::Float32);
    auto back = fromNpy(stored, array.type, {3}, "x.npz", "arg0");
    ASSERT_TRUE(bool(back)) << toText(back.takeError());
    EXPECT_EQ(*back, array) << type;
  }
  auto lost =
      fromNpy(makeNpy({2}, std::vector<float>{1, 0.1f}), typeOf("bf16"), {2}, "x.npz", "arg0");
  EXPECT_EQ(toText(lost.takeError()),
            "x.npz: arg0: error: element 1 is 0.10000000149011612, which bf16 does not hold: round "
            "it to a significand of 8 bits first");
  auto wide = fromNpy(makeNpy({1}, std::vector<float>{1}), typeOf("f16"), {1}, "x.npz", "arg0");
  EXPECT_EQ(toText(wide.takeError()),
            "x.npz: arg0: error: does not hold numbers of 16 bits, which f16 needs");
}

TEST(KernelArray, NumpyArraysComeAndGo) {
  for (const char *type : {"i1", "i3", "i16", "i33", "index"}) {
    KernelArray array = makeIntegers(typeOf(type), {2, 2}, {0, -1, 1, -3});
    auto back = fromNpy(toNpy(array), array.type, {2, 2}, "x.npz", "arg0");
    ASSERT_TRUE(bool(back)) << toText(back.takeError());
    EXPECT_EQ(*back, array) << type;
  }
  KernelArray floats = makeFloats(typeOf("f32"), {3}, {1.5, std::nan(""), -0.0});
  EXPECT_EQ(llvm::cantFail(fromNpy(toNpy(floats), floats.type, {3}, "x.npz", "arg0")), floats);
  NpyArray bytes{NpyType::UInt8, {2}, std::string("\x07\xff")}; // unsigned into signless
  EXPECT_THAT(toIntegers(llvm::cantFail(fromNpy(bytes, typeOf("i8"), {2}, "x.npz", "arg0"))),
              ElementsAre(7, -1));
}

TEST(KernelArray, UnfitNumpyArraysAreRefused) {
  auto errorOf = [](const NpyArray &array, const char *type, std::vector<int64_t> shape) {
    return toText(fromNpy(array, typeOf(type), shape, "x.npz", "arg2").takeError());
  };
  NpyArray doubles = makeNpy({2}, std::vector<double>{1, 2});
  NpyArray integers = makeNpy({2}, std::vector<int64_t>{1, 300});
  EXPECT_EQ(errorOf(doubles, "f64", {2, 1}),
            "x.npz: arg2: error: has the shape [2], expected [2, 1]");
  EXPECT_EQ(errorOf(doubles, "f32", {2}),
            "x.npz: arg2: error: does not hold numbers of 32 bits, which f32 needs");
  EXPECT_EQ(errorOf(doubles, "i32", {2}),
            "x.npz: arg2: error: holds floats, expected integers for i32");
  EXPECT_EQ(errorOf(integers, "i8", {2}),
            "x.npz: arg2: error: element 1 is 300, which does not fit into i8");
}

} // namespace
