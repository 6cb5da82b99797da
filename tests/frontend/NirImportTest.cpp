// What the nodes of NIR become, and networks of the NIR paper.
#include "tests/frontend/NirModels.h"

#include "lib/support/DataPath.h"

#include "gmock/gmock.h"

using namespace spindle;
using testing::HasSubstr;
using testing::Not;

namespace {

class NirImport : public testing::Test {
protected:
  /// The module of a stored file as text, or the error; empty where the file is absent.
  std::string stored(const std::string &name) {
    llvm::Expected<std::string> path = PathResolver().find("models/nir/" + name, "");
    if (!path) {
      llvm::consumeError(path.takeError());
      return "";
    }
    ModelOptions options;
    options.path = *path;
    auto module = importNir(context, options);
    if (!module)
      return toText(module.takeError());
    std::string text;
    llvm::raw_string_ostream stream(text);
    (*module)->print(stream);
    return text;
  }

  mlir::MLIRContext context{mlir::MLIRContext::Threading::DISABLED};
};

} // namespace

TEST_F(NirImport, Stored) {
  for (const char *name :
       {"lif_norse.nir", "two_lif_neurons.nir", "braille_noDelay_noBias_subtract.nir",
        "braille_noDelay_bias_zero_subgraph.nir", "cnn_sinabs.nir"}) {
    std::string text = stored(name);
    llvm::StringRef rest = text;
    while (!rest.empty()) {
      auto [line, r] = rest.split('\n');
      llvm::outs() << line.take_front(300) << "\n";
      rest = r;
    }
  }
}
