// The numbers of all atoms of a model while mean-field inference runs: log-odds, marginals, what is
// known.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "base/thread_pool.h"
#include "meanfield/model.h"

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

std::vector<AtomLayout> layouts_of(const MeanFieldModel& model);

// The numbers of each channel.
template <class Real>
using Channels = std::vector<std::span<Real>>;
template <class Real>
Channels<Real> channels_of(const AtomLayout& layout, std::vector<Real>& values);
template <class Real>
Channels<const Real> channels_of(const AtomLayout& layout, const std::vector<Real>& values);

// From atom by atom (the public order) to channel by channel, and back. What is the same in both
// orders is not copied; else the result is in `memory`.
template <class Real>
const AtomValues<Real>& by_channel(const std::vector<AtomLayout>& layouts,
                                   const AtomValues<Real>& values,
                                   AtomValues<Real>& memory);
template <class Real>
AtomValues<Real> by_atom(const std::vector<AtomLayout>& layouts, AtomValues<Real> values);

// What an update reads and writes; all of layout.size().
template <class Real>
struct AtomUpdate {
  std::span<const Real> unary;
  Channels<const Real> slopes;  // dE/dQ; empty where it is zero
  Real keep = 0;                // share of the old log-odds that stays
  std::span<Real> log_odds;
  Channels<const Real> before;  // marginals
  Channels<Real> after;         // may be the same memory
};

// log_odds <- keep * log_odds + (1 - keep) * (unary - slopes); after <- softmax, known ones at
// their value. Returns the largest change of a marginal.
template <class Real>
double update_atoms(const AtomLayout& layout, const AtomUpdate<Real>& update, ThreadPool& pool);

// marginals <- softmax(log_odds), known ones at their value.
template <class Real>
void set_marginals(const AtomLayout& layout,
                   std::span<const Real> log_odds,
                   const Channels<Real>& marginals,
                   ThreadPool& pool);

// From slopes in the marginals to slopes in the log-odds, in place; zero for known atoms.
template <class Real>
void through_softmax(const AtomLayout& layout,
                     const Channels<const Real>& marginals,
                     std::span<Real> slopes);

// The way back through an update: from slopes of a loss in the log-odds after it to those before
// it, with those in unary potentials added to what there are. Slopes of known atoms are zero.
template <class Real>
struct AtomUpdateBack {
  Channels<const Real> marginals;  // before the update
  Channels<const Real> changes;    // of dE/dQ along the slopes; empty where there is none
  Real keep = 0;
  std::span<Real> slopes, in_unary;
};
template <class Real>
void update_atoms_back(const AtomLayout& layout,
                       const AtomUpdateBack<Real>& update,
                       ThreadPool& pool);

// Slopes of known atoms, which do not move, are none.
template <class Real>
void forget_known(const std::vector<AtomLayout>& layouts, AtomValues<Real>& slopes);

// The entropy of unknown atoms, with its sign changed.
template <class Real>
double negative_entropy(const AtomLayout& layout, const Channels<const Real>& marginals);
// numbers'Q, over unknown atoms.
template <class Real>
double expectation(const AtomLayout& layout,
                   std::span<const Real> numbers,
                   const Channels<const Real>& marginals);

}  // namespace sorites
