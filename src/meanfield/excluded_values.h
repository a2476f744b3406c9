// Values that atoms cannot have, by facts or by what hard formulas entail: lists that can be looked
// up by some of the constants. Those of closed predicates are the facts.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <unordered_map>
#include <vector>

#include "meanfield/model.h"

namespace sorites {

class ExcludedValues {
 public:
  // Starts with what is known. The model must outlive it.
  explicit ExcludedValues(const MeanFieldModel& model);

  bool is_excluded(std::uint32_t predicate, std::uint64_t atom, std::uint32_t value) const;
  bool are_excluded(std::uint32_t predicate,
                    std::uint64_t atom,
                    std::span<const std::uint32_t> values) const;
  // Of an open predicate.
  void exclude(std::uint32_t predicate, std::uint64_t atom, std::uint32_t value);

  // Whether there is a list of the atoms that do not have the value: not of what is false in a
  // closed world.
  bool has_list(std::uint32_t predicate, std::uint32_t value) const;
  // The atoms that do not have the value, with these constants: one per argument, kAnyConstant
  // where it does not matter. The list stays where it is, and may grow when others are asked for.
  const std::vector<std::uint64_t>& atoms(std::uint32_t predicate,
                                          std::uint32_t value,
                                          std::span<const std::uint32_t> constants);
  static constexpr std::uint32_t kAnyConstant = 0xffffffffU;

 private:
  // Atoms by the constants at some of the arguments.
  struct Index {
    std::size_t num_read = 0;  // of the list
    std::unordered_map<std::uint64_t, std::vector<std::uint64_t>> atoms;
  };
  struct List {
    std::vector<std::uint64_t> atoms;
    std::map<std::uint32_t, Index> by_arguments;  // by a bit per argument
  };
  // The number that the constants at the marked arguments make.
  std::uint64_t key_of(std::uint32_t predicate,
                       std::uint32_t marked,
                       std::span<const std::uint32_t> constants) const;

  const MeanFieldModel& model_;
  std::vector<std::vector<List>> lists_;          // per predicate and value
  std::vector<std::vector<bool>> open_excluded_;  // per open predicate; per atom and value
};

}  // namespace sorites
