// The numbers of all atoms of a model while mean-field inference runs: log-odds, marginals, what is
// known.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "base/thread_pool.h"
#include "sorites/meanfield.h"

namespace sorites {

// The atoms of one predicate. Without classes there is one channel, "true", whose log-odds are
// against false; with classes one channel per class. Numbers stand channel by channel, so that each
// is a tensor of its own.
struct AtomLayout {
  bool closed = false;
  std::size_t num_atoms = 0;
  std::size_t num_channels = 1;
  std::vector<KnownAtom> known;  // ascending

  bool has_classes() const { return num_channels > 1; }
  std::size_t size() const { return closed ? 0 : num_atoms * num_channels; }
};

std::vector<AtomLayout> layouts_of(const MarkovModel& model);

// From atom by atom (the public order) to channel by channel, and back.
template <class Real>
AtomValues<Real> by_channel(const std::vector<AtomLayout>& layouts, const AtomValues<Real>& values);
template <class Real>
AtomValues<Real> by_atom(const std::vector<AtomLayout>& layouts, AtomValues<Real> values);

// What an update reads and writes; all of layout.size().
template <class Real>
struct AtomUpdate {
  std::span<const Real> unary;
  std::vector<std::span<const Real>> slopes;  // per channel: dE/dQ; empty where it is zero
  Real keep = 0;                              // share of the old log-odds that stays
  std::span<Real> log_odds;
  std::vector<std::span<Real>> marginals;  // per channel
};

// log_odds <- keep * log_odds + (1 - keep) * (unary - slopes); marginals <- softmax, known ones at
// their value. Returns the largest change of a marginal.
template <class Real>
double update_atoms(const AtomLayout& layout, const AtomUpdate<Real>& update, ThreadPool& pool);

// marginals <- softmax(log_odds), known ones at their value.
template <class Real>
void set_marginals(const AtomLayout& layout,
                   std::span<const Real> log_odds,
                   std::span<const std::span<Real>> marginals,
                   ThreadPool& pool);

// From slopes in the marginals to slopes in the log-odds, in place; zero for known atoms.
template <class Real>
void through_softmax(const AtomLayout& layout,
                     std::span<const std::span<Real>> marginals,
                     std::span<Real> slopes);

// Slopes of known atoms, which do not move, are none.
template <class Real>
void forget_known(const std::vector<AtomLayout>& layouts, AtomValues<Real>& slopes);

// - unary'Q - entropy(Q), over unknown atoms.
template <class Real>
double unary_free_energy(const AtomLayout& layout,
                         std::span<const Real> unary,
                         std::span<const std::span<Real>> marginals);

}  // namespace sorites
