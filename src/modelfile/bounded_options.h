// Numbers of options, with the range that each must be in and the place where it was set.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>

#include "base/diagnostics.h"
#include "sorites/model_file.h"

namespace sorites {

enum class Bound : std::uint8_t {
  kPositive,
  kNotNegative,
  kPositiveOrInfinite,
  kAtLeastOne,
  kBelowOne,  // from 0 on
};

bool is_within(double number, Bound bound);
std::string_view describe(Bound bound);  // "a positive number", ...

// The options of a phase, with further ones over them. Options come in pairs, the name of PSL and
// ours: ours counts if it is set. What is not set stays as it was.
class BoundedOptions {
 public:
  // All must outlive it.
  BoundedOptions(const ModelFile& model,
                 Phase phase,
                 std::span<const OptionSetting> overrides,
                 std::span<const OptionSetting> flags);

  const ModelFile& model() const { return model_; }
  std::span<const OptionSetting> overrides() const { return overrides_; }
  const std::map<std::string, std::string>& options() const { return options_; }

  const std::string& text(const std::string& name) const;  // empty if it is not set
  bool is_set(const std::string& name) const;              // of a boolean: true
  bool is_given(const std::string& name) const;  // by model or flags: not the built-in default
  std::string chosen(const char* psl, const char* own) const;

  void real(const char* psl, const char* own, Bound bound, double& out);
  void count(const char* psl, const char* own, std::uint64_t least, std::uint64_t& out);
  void flag(const char* psl, const char* own, bool& out);
  // Of options that PSL does not have.
  void real(const char* own, Bound bound, double& out) { real(own, own, bound, out); }
  void count(const char* own, std::uint64_t least, std::uint64_t& out) {
    count(own, own, least, out);
  }

  // Mistakes, at the place where the option is set.
  Diagnostic& wrong(const std::string& name, std::string message);
  void takes(const std::string& name, std::string_view what);
  // Throws InputError with all of them.
  void throw_if_wrong();

 private:
  Span place(const std::string& name) const;

  const ModelFile& model_;
  Phase phase_;
  std::span<const OptionSetting> overrides_, flags_;
  std::map<std::string, std::string> options_;
  Diagnostics sink_;
};

}  // namespace sorites
