// What synapses a core may work with machines of their own: windows of a kernel, lists, matrices.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <numeric>

namespace spindle {

/// How the synapses from one population to another are given. Of several ways that were composed,
/// the later of these kinds.
///  - Unknown: lists that do not say, and one by one;
///  - Convolution: windows with a kernel in common, poolings among them;
///  - Sparse: a list;
///  - Dense: a matrix.
enum class SynapseKind : uint8_t { Unknown, Convolution, Sparse, Dense };
inline constexpr SynapseKind kSynapseKinds[] = {SynapseKind::Unknown, SynapseKind::Convolution,
                                                SynapseKind::Sparse, SynapseKind::Dense};
inline constexpr const char *kSynapseKindNames[] = {"unknown", "convolution", "sparse", "dense"};

/// The synapses from one population to another, by their indices.
struct ProjectionKind {
  uint32_t from = 0, to = 0;
  SynapseKind kind = SynapseKind::Unknown;
  bool operator==(const ProjectionKind &) const = default;
};

/// A number of each kind; of one number alone, of those whose kind is not known.
template <typename T> class SynapsesByKind {
public:
  SynapsesByKind(T number = 0) { numbers[0] = number; }
  template <typename Other> explicit SynapsesByKind(const SynapsesByKind<Other> &other) {
    for (SynapseKind kind : kSynapseKinds)
      (*this)[kind] = T(other[kind]);
  }

  T &operator[](SynapseKind kind) { return numbers[size_t(kind)]; }
  T operator[](SynapseKind kind) const { return numbers[size_t(kind)]; }
  T all() const { return std::accumulate(numbers.begin(), numbers.end(), T(0)); }
  SynapsesByKind &operator+=(const SynapsesByKind &other) {
    for (SynapseKind kind : kSynapseKinds)
      (*this)[kind] += other[kind];
    return *this;
  }
  SynapsesByKind &operator-=(const SynapsesByKind &other) {
    for (SynapseKind kind : kSynapseKinds)
      (*this)[kind] -= other[kind];
    return *this;
  }
  SynapsesByKind times(T factor) const {
    SynapsesByKind result;
    for (SynapseKind kind : kSynapseKinds)
      result[kind] = (*this)[kind] * factor;
    return result;
  }
  bool operator==(const SynapsesByKind &) const = default;

private:
  std::array<T, std::size(kSynapseKinds)> numbers = {};
};

} // namespace spindle
