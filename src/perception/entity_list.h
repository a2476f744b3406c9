// Lists of entities: lines of arguments, and in front of what else there is, separated by tabs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/diagnostics.h"
#include "sorites/program.h"

namespace sorites {

// An entity as one text: its arguments in canonical form, tabs between.
std::string entity_key(std::span<const std::string> arguments, std::span<const ArgumentType> types);
std::vector<std::string> arguments_of(std::string_view key);
std::string entity_text(std::string_view key);  // ('img7', '3'): for messages

// Entities by key, each with the row of the features that are its.
class EntityRows {
 public:
  // False if the entity is there already, at the line that `first_line` gets.
  bool add(const std::string& key,
           std::uint32_t row,
           std::uint32_t line,
           std::uint32_t& first_line);
  std::optional<std::uint32_t> row_of(const std::string& key) const;
  const std::vector<std::string>& keys() const { return keys_; }  // in order of appearance

 private:
  struct Entry {
    std::uint32_t row, line;
  };
  std::unordered_map<std::string, Entry> entries_;
  std::vector<std::string> keys_;
};

// What follows the arguments of an entity in its line.
enum class AfterEntity : std::uint8_t {
  kRowNumber,  // of an array
  kAnything,   // rows are numbered from 0 by line
};

// Reads a file (gzipped or not). `num_rows` is how many rows there are to name. All mistakes go to
// the sink; `declared_at` is where the model file names the file.
EntityRows read_entities(const std::string& path,
                         std::span<const ArgumentType> types,
                         AfterEntity after,
                         std::uint64_t num_rows,
                         const Span& declared_at,
                         Diagnostics& sink);

}  // namespace sorites
