// The private parts of Database, Relation and Dictionary, for the files of this folder.
#pragma once

#include <string>
#include <vector>

#include "sorites/database.h"

namespace sorites {

struct DataAccess {
  using OriginSegment = Relation::OriginSegment;

  static Relation& relation(Database& d, PredicateId id) { return d.relations_[id]; }
  static Dictionary& dictionary(Database& d, DomainId domain) { return d.dictionaries_[domain]; }
  static Relation& potentials(Database& d, PredicateId id) { return d.potentials_[id]; }
  static const Relation& potentials(const Database& d, PredicateId id) { return d.potentials_[id]; }
  // Whether the domain is closed and the constant is none of those that are listed.
  static bool is_unlisted(const Database& d, DomainId domain, Code code) {
    return d.domain_lists_[domain].closed && code >= d.domain_lists_[domain].num_listed;
  }
  static bool is_closed(const Database& d, DomainId domain) {
    return d.domain_lists_[domain].closed;
  }
  // How many constants the list of the domain has: the first ones of its dictionary.
  static std::size_t num_listed(const Database& d, DomainId domain) {
    return d.domain_lists_[domain].num_listed;
  }
  static const std::string& domain_name(const Database& d, DomainId domain) {
    return d.domain_lists_[domain].name;
  }
  static std::vector<std::string>& files(Database& d) { return d.files_; }
  static const std::vector<std::string>& files(const Database& d) { return d.files_; }

  static Table& table(Relation& r, Partition p) { return r.tables_[static_cast<std::size_t>(p)]; }
  static std::vector<OriginSegment>& origins(Relation& r, Partition p) {
    return r.origins_[static_cast<std::size_t>(p)];
  }
  static const std::vector<OriginSegment>& origins(const Relation& r, Partition p) {
    return r.origins_[static_cast<std::size_t>(p)];
  }
  static HashSlots& atoms(Relation& r) { return r.atoms_; }
  static HashSlots& truth(Relation& r) { return r.truth_; }

  static std::vector<std::uint64_t>& numbers(Dictionary& d) { return d.numbers_; }
  static std::vector<char>& bytes(Dictionary& d) { return d.bytes_; }
  static std::vector<std::uint64_t>& text_end(Dictionary& d) { return d.text_end_; }
  static HashSlots& slots(Dictionary& d) { return d.slots_; }
};

}  // namespace sorites
