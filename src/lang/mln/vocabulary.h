// The types with their constants, and the predicates, while a model is read.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/diagnostics.h"
#include "lang/mln/syntax.h"
#include "sorites/database.h"

namespace sorites::markov {

// Texts with numbers, in order of their first appearance.
class Names {
 public:
  std::uint32_t add(std::string_view name);  // its number, which it may have already
  std::optional<std::uint32_t> find(std::string_view name) const;
  std::size_t size() const { return names_.size(); }
  const std::string& operator[](std::size_t i) const { return names_[i]; }
  std::vector<std::string_view> views() const { return {names_.begin(), names_.end()}; }

 private:
  std::deque<std::string> names_;  // never moves: the keys below are views of it
  std::unordered_map<std::string_view, std::uint32_t> numbers_;
};

// The constants of a domain: a dictionary of its own, or one of a database.
class Constants {
 public:
  Constants() : own_(std::make_unique<Dictionary>(ConstantType::kText)), dictionary_(own_.get()) {}

  // From here on those of the database, whose first ones must be those that are here.
  void use(Dictionary& dictionary) {
    dictionary_ = &dictionary;
    own_.reset();
  }
  // The text as the dictionary has it; none if it cannot be one of them: not every text is a
  // number.
  std::optional<std::string> canonical(std::string_view text) const;
  bool can_be(std::string_view text) const { return canonical(text).has_value(); }
  std::uint32_t add(std::string_view text) { return dictionary_->intern(text); }
  std::optional<std::uint32_t> find(std::string_view text) const { return dictionary_->find(text); }
  std::size_t size() const { return dictionary_->size(); }
  std::string operator[](std::size_t i) const { return dictionary_->text(static_cast<Code>(i)); }
  std::vector<std::string> texts() const;
  // Of texts, until the next is added; of numbers none.
  std::vector<std::string_view> views() const;

 private:
  std::unique_ptr<Dictionary> own_;
  Dictionary* dictionary_;
};

// What a variable runs over: the constants of a type, or the classes of a predicate that lists
// them.
struct Domain {
  std::string name;
  bool is_type = false;
  std::uint32_t type = 0;  // its number, if it is a type
  Constants constants;
  bool listed = false;    // by a declaration
  bool declared = false;  // by a list that says all: there are no others
  Span place;             // of the list
  DomainId id = 0;        // in the program
};

struct PredicateEntry {
  std::string name;
  Span place;
  std::vector<Domain*> arguments;
  Domain* classes = nullptr;  // of those with classes
  bool functional = false;    // the class may be written as the last argument
  bool closed = false;
};

class Vocabulary {
 public:
  Domain& type(std::string_view name);  // makes it if there is none
  const Domain* find_type(std::string_view name) const;
  Domain& add_class_list(std::string_view predicate);
  Domain& add_domain(
      std::string_view name);  // one of its own, whether there is a type of this name
  // False if there is one of this name.
  bool add(PredicateEntry entry);

  const std::deque<Domain>& types() const { return types_; }
  std::deque<Domain>& types() { return types_; }
  std::deque<Domain>& class_lists() { return class_lists_; }
  const std::deque<PredicateEntry>& predicates() const { return predicates_; }
  std::optional<std::uint32_t> find(std::string_view predicate) const {
    return names_.find(predicate);
  }
  // Reports a predicate that does not exist.
  void report_unknown(const Source& source,
                      TextRange at,
                      std::string_view name,
                      Diagnostics& sink) const;

 private:
  std::deque<Domain> types_, class_lists_;
  std::deque<PredicateEntry> predicates_;
  Names type_names_, names_;
};

// Reports a constant that is not in the list of its type, or a class that the predicate does not
// have.
void report_not_listed(const Source& source,
                       TextRange at,
                       std::string_view name,
                       const Domain& domain,
                       Diagnostics& sink);

// Reports a text that is no constant of the domain's type, such as a word for an integer.
void report_bad_constant(const Source& source,
                         TextRange at,
                         std::string_view text,
                         const Domain& domain,
                         Diagnostics& sink);

// Takes up the declarations and reports those that contradict each other.
void declare(const Statements& statements, Vocabulary& vocabulary, Diagnostics& sink);

}  // namespace sorites::markov
