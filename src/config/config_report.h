// What readers of a config tree need: its file, the sink, and the checks that are the same
// everywhere.
#pragma once

#include <functional>
#include <initializer_list>
#include <map>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/diagnostics.h"
#include "config/config_node.h"

namespace sorites {

class ConfigReport {
 public:
  // Both must outlive it.
  ConfigReport(const Source& source, Diagnostics& diagnostics, std::stop_token stop = {})
      : source_(source), diagnostics_(diagnostics), stop_(std::move(stop)) {}

  const Source& source() const { return source_; }
  Diagnostics& diagnostics() const { return diagnostics_; }

  // For loops over lists, which may be long. Throws Interrupted.
  void throw_if_stopped() const {
    if (stop_.stop_requested()) throw Interrupted();
  }

  Span locate(TextRange range) const { return source_.locate(range); }

  Diagnostic& error(DiagnosticCode code, TextRange at, std::string message) const;
  Diagnostic& warning(DiagnosticCode code, TextRange at, std::string message) const;

  // "`targets` takes a list of files or rows, not a number"
  Diagnostic& wrong_kind(const ConfigNode& node,
                         std::string_view what,
                         std::string_view takes) const;

  // Calls the handler of each member's key. An unknown key is an error, unless `others` takes it
  // and it is near to no known one; a member that is null counts as not given. False, with an
  // error, if the node is no object.
  using Handler = std::function<void(const ConfigNode&)>;
  bool for_members(const ConfigNode& node,
                   std::string_view what,
                   std::initializer_list<std::pair<std::string_view, Handler>> handlers,
                   const Handler& others = {}) const;

  // Of members whose keys are read in other spellings too: whether no member of the same key stands
  // before this one, which is reported. `key` is the one spelling, `seen` those so far.
  bool is_new_key(const ConfigNode& member,
                  std::string key,
                  std::map<std::string, const ConfigNode*>& seen) const;

  // Each reports another kind and returns none. `what` names the value in the message.
  std::optional<bool> boolean(const ConfigNode& node, std::string_view what) const;
  std::optional<std::string> text(const ConfigNode& node,
                                  std::string_view what,
                                  std::string_view takes = "a text") const;

 private:
  const Source& source_;
  Diagnostics& diagnostics_;
  std::stop_token stop_;
};

}  // namespace sorites
