#include "core/kernel/KernelArea.h"

#include "core/support/files/File.h"

#include "gmock/gmock.h"

#include <filesystem>

using namespace spindle;
using namespace spindle::hls;
using ::testing::HasSubstr;

namespace {

TEST(KernelArea, ReadsWhatItWrites) {
  std::string path = ::testing::TempDir() + "area.json";
  KernelArea area{"kernel_gemm", "Yosys 0.23", 4120, 2210, 19, 1.5, {{"mulf_f64", 2}}, {}};
  llvm::cantFail(writeKernelArea(path, area));
  EXPECT_EQ(llvm::cantFail(readKernelArea(path)), area);
  area.lutRam = 12;
  area.parts = {{"while0", 10, 3, 0, 0.5, 6}, {"streams", 4, 2, 1, 0, 0}};
  area.bus = AreaPart{"kernel_gemm_axi", 163, 143, 0, 1.5, 2};
  llvm::cantFail(writeKernelArea(path, area));
  EXPECT_EQ(llvm::cantFail(readKernelArea(path)), area);
  area.library = LibraryArea{"typical.lib", 1234.5, 678, std::nullopt};
  llvm::cantFail(writeKernelArea(path, area));
  EXPECT_EQ(llvm::cantFail(readKernelArea(path)), area);
  area.library->timing = LibraryTiming{"OpenSTA 2", 10, -0.5, "a", "b"};
  llvm::cantFail(writeKernelArea(path, area));
  EXPECT_EQ(llvm::cantFail(readKernelArea(path)), area);
  area.library->power = LibraryPower{"OpenSTA 2", 5, 1674, 100, 98, {{"nest0", 40, 0.5, 2, 3}}};
  EXPECT_EQ(area.library->power->parts[0].totalPj(), 5.5);
  llvm::cantFail(writeKernelArea(path, area));
  EXPECT_EQ(llvm::cantFail(readKernelArea(path)), area);

  std::string text = llvm::cantFail(readFile(path));
  llvm::cantFail(writeFile(path, text.replace(text.find("4120"), 4, "-120")));
  llvm::Expected<KernelArea> wrong = readKernelArea(path);
  ASSERT_FALSE(wrong);
  EXPECT_THAT(toText(wrong.takeError()), HasSubstr("lut is -120, expected a whole number"));
  std::filesystem::remove(path);
}

} // namespace
