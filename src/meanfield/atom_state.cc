#include "meanfield/atom_state.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "meanfield/activation.h"
#include "meanfield/atom_loops.h"
#include "meanfield/model.h"

namespace sorites {
namespace {

// Atoms that are worked on at a time: what they need stays in the first cache.
constexpr std::size_t kBlock = 1024;

template <class Real>
using Block = std::array<Real, kBlock>;

// Calls work(begin, end) for blocks of atoms, on all threads; returns the largest result.
template <class Work>
double largest_over_blocks(std::size_t num_atoms, ThreadPool& pool, const Work& work) {
  const std::size_t num_blocks = (num_atoms + kBlock - 1) / kBlock;
  constexpr std::size_t kBlocksPerThread = 8;  // below, waking a thread costs more than it gives
  const std::size_t parts =
      std::clamp<std::size_t>(num_blocks / kBlocksPerThread, 1, pool.num_threads());
  std::vector<double> largest(parts, 0.0);
  const auto run_part = [&](std::size_t part) {
    const Part blocks = part_of(num_blocks, parts, part);
    for (std::size_t block = blocks.begin; block < blocks.end; ++block) {
      const std::size_t begin = block * kBlock;
      largest[part] = std::max(largest[part], work(begin, std::min(num_atoms, begin + kBlock)));
    }
  };
  if (parts == 1) {
    run_part(0);
  } else {
    pool.for_each(parts, run_part);
  }
  return *std::max_element(largest.begin(), largest.end());
}

// Stores new marginals of a channel, with known ones at their value; returns the largest change.
template <class Real>
double store(const AtomLayout& layout,
             std::uint32_t value,
             std::size_t begin,
             std::span<Real> fresh,
             const Real* before,
             Real* after) {
  auto known = std::lower_bound(layout.known.begin(), layout.known.end(), KnownAtom{begin, 0});
  for (; known != layout.known.end() && known->atom < begin + fresh.size(); ++known) {
    fresh[known->atom - begin] = static_cast<Real>(known->value == value ? 1 : 0);
  }
  return static_cast<double>(replace(fresh.data(), before + begin, after + begin, fresh.size()));
}

// The softmax of the atoms [begin, end).
template <class Real>
double activate_block(const AtomLayout& layout,
                      std::span<const Real> log_odds,
                      const Channels<const Real>& before,
                      const Channels<Real>& after,
                      std::size_t begin,
                      std::size_t end) {
  const std::size_t count = end - begin;
  Block<Real> fresh;
  if (!layout.has_classes()) {
    sigmoid<Real>(log_odds.subspan(begin, count), {fresh.data(), count});
    return store<Real>(layout, 1, begin, {fresh.data(), count}, before[0].data(), after[0].data());
  }
  std::vector<Real> numbers;
  for (std::size_t c = 0; c < layout.num_channels; ++c) {
    const auto first = log_odds.begin() + static_cast<std::ptrdiff_t>(c * layout.num_atoms + begin);
    numbers.insert(numbers.end(), first, first + static_cast<std::ptrdiff_t>(count));
  }
  softmax<Real>(numbers, layout.num_channels);
  double change = 0.0;
  for (std::uint32_t c = 0; c < layout.num_channels; ++c) {
    const std::span<Real> channel{&numbers[c * count], count};
    change =
        std::max(change, store<Real>(layout, c, begin, channel, before[c].data(), after[c].data()));
  }
  return change;
}

// keep * slopes - (1 - keep) * change, the change taken through the softmax of each atom.
template <class Real>
void classes_back(const AtomLayout& layout,
                  const AtomUpdateBack<Real>& update,
                  std::size_t begin,
                  std::size_t end) {
  const Real keep = update.keep, take = 1 - keep;
  const auto change = [&](std::size_t c, std::size_t i) {
    return update.changes[c].empty() ? Real{0} : update.changes[c][i];
  };
  for (std::size_t i = begin; i < end; ++i) {
    Real mean = 0;
    for (std::size_t c = 0; c < layout.num_channels; ++c) {
      mean += update.marginals[c][i] * change(c, i);
    }
    for (std::size_t c = 0; c < layout.num_channels; ++c) {
      const std::size_t at = c * layout.num_atoms + i;
      update.in_unary[at] += take * update.slopes[at];
      update.slopes[at] =
          keep * update.slopes[at] - take * update.marginals[c][i] * (change(c, i) - mean);
    }
  }
}

template <class Real>
Channels<Real> split_channels(const AtomLayout& layout, std::span<Real> values) {
  Channels<Real> channels;
  for (std::size_t c = 0; c < layout.num_channels; ++c) {
    channels.push_back(values.subspan(c * layout.num_atoms, layout.num_atoms));
  }
  return channels;
}

template <class Real>
void forget_known(const AtomLayout& layout, std::span<Real> slopes) {
  for (const auto& [atom, value] : layout.known) {
    for (std::size_t c = 0; c < layout.num_channels; ++c) slopes[c * layout.num_atoms + atom] = 0;
  }
}

}  // namespace

std::vector<AtomLayout> layouts_of(const MeanFieldModel& model) {
  std::vector<AtomLayout> layouts;
  for (std::uint32_t p = 0; p < model.predicates.size(); ++p) {
    const MeanFieldPredicate& predicate = model.predicates[p];
    AtomLayout layout{predicate.closed, 0, std::max<std::size_t>(1, predicate.num_classes()), {}};
    layout.num_atoms = num_atoms(model, p);
    if (!predicate.closed) layout.known = known_atoms(model, p);
    layouts.push_back(std::move(layout));
  }
  return layouts;
}

template <class Real>
Channels<Real> channels_of(const AtomLayout& layout, std::vector<Real>& values) {
  return split_channels<Real>(layout, values);
}

template <class Real>
Channels<const Real> channels_of(const AtomLayout& layout, const std::vector<Real>& values) {
  return split_channels<const Real>(layout, values);
}

template <class Real>
const AtomValues<Real>& by_channel(const std::vector<AtomLayout>& layouts,
                                   const AtomValues<Real>& values,
                                   AtomValues<Real>& memory) {
  const bool same = std::none_of(
      layouts.begin(), layouts.end(), [](const AtomLayout& l) { return l.has_classes(); });
  if (same) return values;
  memory = values;
  for (std::size_t p = 0; p < layouts.size(); ++p) {
    const std::size_t atoms = layouts[p].num_atoms, channels = layouts[p].num_channels;
    for (std::size_t i = 0; channels > 1 && i < values[p].size(); ++i) {
      memory[p][i % channels * atoms + i / channels] = values[p][i];
    }
  }
  return memory;
}

template <class Real>
AtomValues<Real> by_atom(const std::vector<AtomLayout>& layouts, AtomValues<Real> values) {
  for (std::size_t p = 0; p < layouts.size(); ++p) {
    const std::size_t atoms = layouts[p].num_atoms, channels = layouts[p].num_channels;
    if (channels == 1 || values[p].empty()) continue;
    std::vector<Real> ordered(values[p].size());
    for (std::size_t i = 0; i < ordered.size(); ++i) {
      ordered[i] = values[p][i % channels * atoms + i / channels];
    }
    values[p] = std::move(ordered);
  }
  return values;
}

template <class Real>
double update_atoms(const AtomLayout& layout, const AtomUpdate<Real>& update, ThreadPool& pool) {
  return largest_over_blocks(layout.num_atoms, pool, [&](std::size_t begin, std::size_t end) {
    for (std::size_t c = 0; c < layout.num_channels; ++c) {
      const std::size_t first = c * layout.num_atoms + begin;
      const auto& slopes = update.slopes[c];
      mix_log_odds<Real>(update.keep,
                         update.unary.data() + first,
                         slopes.empty() ? nullptr : slopes.data() + begin,
                         update.log_odds.data() + first,
                         end - begin);
    }
    return activate_block<Real>(layout, update.log_odds, update.before, update.after, begin, end);
  });
}

template <class Real>
void set_marginals(const AtomLayout& layout,
                   std::span<const Real> log_odds,
                   const Channels<Real>& marginals,
                   ThreadPool& pool) {
  const Channels<const Real> before{marginals.begin(), marginals.end()};
  largest_over_blocks(layout.num_atoms, pool, [&](std::size_t begin, std::size_t end) {
    return activate_block<Real>(layout, log_odds, before, marginals, begin, end);
  });
}

template <class Real>
void through_softmax(const AtomLayout& layout,
                     const Channels<const Real>& marginals,
                     std::span<Real> slopes) {
  const std::size_t atoms = layout.num_atoms;
  if (!layout.has_classes()) {
    for (std::size_t i = 0; i < atoms; ++i) slopes[i] *= marginals[0][i] * (1 - marginals[0][i]);
  } else {
    for (std::size_t i = 0; i < atoms; ++i) {
      Real mean = 0;
      for (std::size_t c = 0; c < layout.num_channels; ++c) {
        mean += marginals[c][i] * slopes[c * atoms + i];
      }
      for (std::size_t c = 0; c < layout.num_channels; ++c) {
        slopes[c * atoms + i] = marginals[c][i] * (slopes[c * atoms + i] - mean);
      }
    }
  }
  forget_known(layout, slopes);
}

template <class Real>
void update_atoms_back(const AtomLayout& layout,
                       const AtomUpdateBack<Real>& update,
                       ThreadPool& pool) {
  largest_over_blocks(layout.num_atoms, pool, [&](std::size_t begin, std::size_t end) {
    if (layout.has_classes() || update.changes[0].empty()) {
      classes_back(layout, update, begin, end);
    } else {
      back_through_update<Real>({update.keep,
                                 update.marginals[0].data() + begin,
                                 update.changes[0].data() + begin,
                                 update.slopes.data() + begin,
                                 update.in_unary.data() + begin},
                                end - begin);
    }
    return 0.0;
  });
  forget_known(layout, update.slopes);
}

template <class Real>
void forget_known(const std::vector<AtomLayout>& layouts, AtomValues<Real>& slopes) {
  for (std::size_t p = 0; p < layouts.size(); ++p) forget_known<Real>(layouts[p], slopes[p]);
}

namespace {

double negative_entropy(double probability) {
  return probability > 0.0 ? probability * std::log(probability) : 0.0;
}

// Calls work(atom) for the atoms that are not known, in their order.
template <class Work>
void for_unknown(const AtomLayout& layout, const Work& work) {
  auto known = layout.known.begin();
  for (std::size_t i = 0; i < layout.num_atoms; ++i) {
    if (known != layout.known.end() && known->atom == i) {
      ++known;
    } else {
      work(i);
    }
  }
}

}  // namespace

template <class Real>
double negative_entropy(const AtomLayout& layout, const Channels<const Real>& marginals) {
  double sum = 0.0;
  for_unknown(layout, [&](std::size_t i) {
    for (const auto& channel : marginals) sum += negative_entropy(static_cast<double>(channel[i]));
    if (!layout.has_classes()) sum += negative_entropy(1.0 - static_cast<double>(marginals[0][i]));
  });
  return sum;
}

template <class Real>
double expectation(const AtomLayout& layout,
                   std::span<const Real> numbers,
                   const Channels<const Real>& marginals) {
  double sum = 0.0;
  for_unknown(layout, [&](std::size_t i) {
    for (std::size_t c = 0; c < marginals.size(); ++c) {
      sum += static_cast<double>(numbers[c * layout.num_atoms + i]) *
             static_cast<double>(marginals[c][i]);
    }
  });
  return sum;
}

#define SORITES_ATOM_STATE(Real)                                                                  \
  template Channels<Real> channels_of(const AtomLayout&, std::vector<Real>&);                     \
  template Channels<const Real> channels_of(const AtomLayout&, const std::vector<Real>&);         \
  template const AtomValues<Real>& by_channel(                                                    \
      const std::vector<AtomLayout>&, const AtomValues<Real>&, AtomValues<Real>&);                \
  template AtomValues<Real> by_atom(const std::vector<AtomLayout>&, AtomValues<Real>);            \
  template double update_atoms(const AtomLayout&, const AtomUpdate<Real>&, ThreadPool&);          \
  template void set_marginals(                                                                    \
      const AtomLayout&, std::span<const Real>, const Channels<Real>&, ThreadPool&);              \
  template void through_softmax(const AtomLayout&, const Channels<const Real>&, std::span<Real>); \
  template void update_atoms_back(const AtomLayout&, const AtomUpdateBack<Real>&, ThreadPool&);   \
  template void forget_known(const std::vector<AtomLayout>&, AtomValues<Real>&);                  \
  template double negative_entropy(const AtomLayout&, const Channels<const Real>&);               \
  template double expectation(                                                                    \
      const AtomLayout&, std::span<const Real>, const Channels<const Real>&);
SORITES_ATOM_STATE(float)
SORITES_ATOM_STATE(double)
#undef SORITES_ATOM_STATE

}  // namespace sorites
