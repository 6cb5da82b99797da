#include "lib/emulation/layers/KernelText.h"

#include "llvm/ADT/StringExtras.h"

#include <cassert>

namespace spindle::layers {

std::string Names::fill(llvm::StringRef text) const {
  std::string result;
  while (!text.empty()) {
    auto [before, after] = text.split('$');
    result += before;
    if (before.size() == text.size())
      break;
    llvm::StringRef name = after.take_while(llvm::isAlnum);
    auto found = texts.find(name.str());
    assert(found != texts.end());
    result += found->second;
    text = after.drop_front(name.size());
  }
  return result;
}

std::string Names::list(int64_t count, llvm::StringRef text) const {
  Names numbered = *this;
  std::string list;
  for (int64_t k = 0; k < count; ++k)
    list += (k ? ", " : "") + numbered.set("k", k).fill(text);
  return list;
}

void Names::setLine(const std::string &loop, int64_t together, int64_t rest,
                    llvm::function_ref<std::string(int64_t)> text) {
  set(loop, text(together));
  set("rest", rest > 0 ? fill("%x = arith.constant $full : i64") + text(rest) : "");
}

std::string CarriedSums::before(int64_t i, int64_t k) const {
  return i == 0 ? "%carried" + std::to_string(k) : "%sum" + std::to_string(number(i - 1, k));
}

std::string CarriedSums::after(int64_t additions) const {
  std::string sums;
  for (int64_t k = 0; k < count; ++k)
    sums += (k ? ", %sum" : "%sum") + std::to_string(number(additions - 1, k));
  return sums;
}

void CarriedSums::setLoops(Names &names, llvm::StringRef type, int64_t additions) const {
  names.set("types", names.list(count, type))
      .set("outerArguments", names.list(count, "%outer$k = %zeros"))
      .set("innerArguments", names.list(count, "%carried$k = %outer$k"))
      .set("innerResults", after(additions))
      .set("outerResults", names.list(count, "%inner#$k"));
}

std::string placesOf(int64_t count, llvm::function_ref<int64_t(int64_t)> place) {
  std::string places;
  for (int64_t lane = 0; lane < count; ++lane)
    places += (lane ? ", " : "") + std::to_string(place(lane));
  return places;
}

std::string asWord(const std::string &to, const std::string &from, int64_t bits) {
  return bits == 64 ? to + " = arith.addi " + from + ", %c0 : i64"
                    : to + " = arith.trunci " + from + " : i64 to i" + std::to_string(bits);
}

} // namespace spindle::layers
