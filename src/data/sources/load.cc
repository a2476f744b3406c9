// The loader: open and count all files, size the columns once, then read the chunks in rounds.
//
// In each round the chunks of one wave are parsed while the dictionaries of the wave before are
// merged (by one thread, in order) and the codes of the wave before that are turned into the
// database's. So merging, which cannot be split, hides behind parsing, and the memory of a wave is
// used again three rounds later.
#include "data/sources/load.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <utility>

#include "data/access.h"
#include "data/mistakes.h"
#include "data/sources/chunks.h"
#include "data/sources/load_report.h"
#include "data/sources/open_inputs.h"
#include "data/sources/parse_chunk.h"

namespace sorites {
namespace {

// A table that files add to.
using TableKey = std::pair<PredicateId, Partition>;

struct TableLoad {
  std::uint64_t old_rows = 0, new_rows = 0;
  bool has_values = false;
  bool all_ones = true;
  bool quoting_broken = false;
};

class Loader {
 public:
  Loader(Database& database,
         std::vector<InputFile> files,
         ThreadPool& pool,
         const LoadOptions& options,
         const LoadLimits& limits,
         Diagnostics& sink)
      : database_(database),
        files_(std::move(files)),
        pool_(pool),
        options_(options),
        limits_(limits),
        sink_(sink),
        report_(files_.size()) {}

  void load();

 private:
  bool place_rows();
  void size_columns();
  void read_chunks();
  void parse(std::size_t index);
  void merge(std::size_t begin, std::size_t end);
  void merge_constants(const Chunk& chunk, ParsedChunk& parsed);
  void finish_chunk(std::size_t index);
  void finish_tables();
  void find_duplicates();
  void find_unlisted();

  ParsedChunk& parsed(std::size_t index) { return parsed_[index % parsed_.size()]; }
  ChunkTarget target_of(const Chunk& chunk);
  void check_stop() const {
    if (options_.stop.stop_requested()) throw Interrupted();
  }

  Database& database_;
  std::vector<InputFile> files_;
  ThreadPool& pool_;
  const LoadOptions& options_;
  const LoadLimits& limits_;
  Diagnostics& sink_;
  LoadReport report_;
  ScratchPool scratch_;
  std::map<TableKey, TableLoad> tables_;
  std::vector<Chunk> chunks_;
  std::vector<ParsedChunk> parsed_;  // a ring of three waves
  bool too_many_constants_ = false;
};

void Loader::load() {
  chunks_ = cut_into_chunks(files_, limits_.chunk_bytes, pool_, options_.stop);
  warn_of_empty_files(files_, sink_);
  if (!place_rows()) return;
  size_columns();
  read_chunks();
  finish_tables();
  report_.hint_at_headers(database_, files_);
  find_duplicates();
  find_unlisted();
  report_.finish(files_, sink_);
}

// Says for every chunk where its rows go. False if there are too many.
bool Loader::place_rows() {
  std::map<std::pair<PredicateId, bool>, std::uint64_t> num_indexed;  // rows that share an index
  for (InputFile& file : files_) {
    const PredicateId predicate = file.declared.predicate;
    const Partition partition = file.declared.partition;
    const Relation& relation = database_.relation(predicate);
    TableLoad& table = tables_[{predicate, partition}];
    table.old_rows = relation.table(partition).num_rows;
    table.has_values = table.has_values || file.has_values;
    file.first_row = table.old_rows + table.new_rows;
    table.new_rows += file.num_rows;

    const bool truth = partition == Partition::kTruth;
    auto& indexed = num_indexed[{predicate, truth}];
    if (indexed == 0) {
      indexed = truth ? table.old_rows
                      : relation.table(Partition::kObserved).num_rows +
                            relation.table(Partition::kTarget).num_rows;
    }
    indexed += file.num_rows;
    if (indexed > limits_.max_rows) {
      sink_.error(DiagnosticCode::kTooManyRows,
                  Span{file.declared.path, 0, 0, 0},
                  too_many_rows_message(limits_.max_rows));
      return false;
    }
  }
  for (std::size_t i = 0; i < chunks_.size(); ++i) {
    const bool first = i == 0 || chunks_[i - 1].file != chunks_[i].file;
    chunks_[i].first_row = first ? files_[chunks_[i].file].first_row
                                 : chunks_[i - 1].first_row + chunks_[i - 1].num_rows;
  }
  return true;
}

// Vectors clear their memory by one thread; different vectors can do it side by side.
void Loader::size_columns() {
  std::vector<std::function<void()>> tasks;
  for (const auto& [key, load] : tables_) {
    Table& table = DataAccess::table(DataAccess::relation(database_, key.first), key.second);
    const std::size_t num_rows = load.old_rows + load.new_rows;
    for (auto& column : table.columns) {
      tasks.emplace_back([&column, num_rows] {
        column.reserve(num_rows);
        column.resize(num_rows);
      });
    }
    if (load.has_values || !table.values.empty()) {
      tasks.emplace_back([&table, num_rows] {
        table.values.reserve(num_rows);
        table.values.resize(num_rows, 1.0);
      });
    }
    table.num_rows = num_rows;
  }
  pool_.for_each(tasks.size(), [&](std::size_t i) { tasks[i](); });
}

void Loader::read_chunks() {
  constexpr std::size_t kLeastPerWave = 16, kPerThread = 4;  // chunks: so that threads end together
  const std::size_t wave = std::max<std::size_t>(kLeastPerWave, kPerThread * pool_.num_threads());
  const std::size_t num_waves = (chunks_.size() + wave - 1) / wave;
  parsed_.resize(std::min(3 * wave, chunks_.size()));
  std::uint64_t total = 0, done = 0;
  for (const Chunk& chunk : chunks_) total += chunk.text.size();

  const auto wave_of = [&](std::size_t number) {
    const std::size_t begin = std::min(number * wave, chunks_.size());
    return Part{begin, std::min(begin + wave, chunks_.size())};
  };
  for (std::size_t round = 0; round < num_waves + 2; ++round) {
    const Part parsing = wave_of(round);
    const Part merging = round >= 1 ? wave_of(round - 1) : Part{0, 0};
    const Part finishing = round >= 2 ? wave_of(round - 2) : Part{0, 0};
    const std::size_t num_parsing = parsing.end - parsing.begin;
    pool_.for_each(1 + num_parsing + (finishing.end - finishing.begin), [&](std::size_t task) {
      check_stop();
      if (task == 0) {
        merge(merging.begin, merging.end);
      } else if (task <= num_parsing) {
        parse(parsing.begin + task - 1);
      } else {
        finish_chunk(finishing.begin + task - 1 - num_parsing);
      }
    });
    for (std::size_t i = parsing.begin; i < parsing.end; ++i) done += chunks_[i].text.size();
    if (options_.progress) options_.progress(done, total);
  }
}

ChunkTarget Loader::target_of(const Chunk& chunk) {
  const DataFile& declared = files_[chunk.file].declared;
  return {
      &database_.predicates()[declared.predicate],
      &DataAccess::table(DataAccess::relation(database_, declared.predicate), declared.partition),
      limits_.max_line_bytes};
}

void Loader::parse(std::size_t index) {
  const Chunk& chunk = chunks_[index];
  parsed(index).clear();
  auto scratch = scratch_.take();
  parse_chunk(files_[chunk.file], chunk, target_of(chunk), *scratch, parsed(index));
  scratch_.give_back(std::move(scratch));
}

void Loader::merge(std::size_t begin, std::size_t end) {
  for (std::size_t index = begin; index < end; ++index) {
    const Chunk& chunk = chunks_[index];
    ParsedChunk& from = parsed(index);
    const DataFile& declared = files_[chunk.file].declared;
    merge_constants(chunk, from);

    TableLoad& table = tables_[{declared.predicate, declared.partition}];
    table.all_ones = table.all_ones && from.all_ones;
    table.quoting_broken = table.quoting_broken || from.quoting_broken;
    Relation& relation = DataAccess::relation(database_, declared.predicate);
    auto& origins = DataAccess::origins(relation, declared.partition);
    for (const OriginSegment& segment : from.origins) add_origin(origins, segment);

    report_.add_chunk(chunk.file, std::move(from.mistakes), from.quoting_broken);
  }
}

void Loader::merge_constants(const Chunk& chunk, ParsedChunk& from) {
  const DomainSlots slots(database_.predicates()[files_[chunk.file].declared.predicate]);
  for (std::size_t d = 0; d < slots.domains.size(); ++d) {
    LocalDictionary& local = from.dictionaries[d];
    Dictionary& dictionary = DataAccess::dictionary(database_, slots.domains[d]);
    if (dictionary.size() + local.hashes.size() <= limits_.max_constants) {
      local.merge_into(dictionary);
      continue;
    }
    local.codes.resize(local.hashes.size());  // to anything: the database will be thrown away
    if (!too_many_constants_) {
      sink_.error(DiagnosticCode::kTooManyRows,
                  Span{files_[chunk.file].declared.path, 0, 0, 0},
                  fmt::format("there are more than {} constants", limits_.max_constants));
    }
    too_many_constants_ = true;
  }
}

void Loader::finish_chunk(std::size_t index) {
  const Chunk& chunk = chunks_[index];
  remap_codes(chunk, target_of(chunk), parsed(index));
  const FileBytes& bytes = files_[chunk.file].bytes;
  const auto begin = static_cast<std::size_t>(chunk.text.data() - bytes.view().data());
  bytes.release(begin, begin + chunk.text.size());
}

void Loader::finish_tables() {
  parsed_ = {};
  for (const auto& [key, load] : tables_) {
    Table& table = DataAccess::table(DataAccess::relation(database_, key.first), key.second);
    const bool ones_before =
        std::all_of(table.values.begin(),
                    table.values.begin() +
                        static_cast<std::ptrdiff_t>(std::min(load.old_rows, table.values.size())),
                    [](double value) { return value == 1.0; });
    if (load.all_ones && ones_before) table.values = {};
  }
}

void Loader::find_duplicates() {
  if (too_many_constants_) return;
  for (PredicateId predicate = 0; predicate < database_.predicates().size(); ++predicate) {
    Relation& relation = DataAccess::relation(database_, predicate);
    const auto loaded = [&](Partition partition) {
      const auto found = tables_.find({predicate, partition});
      return found == tables_.end() ? nullptr : &found->second;
    };
    const TableLoad* observed = loaded(Partition::kObserved);
    const TableLoad* target = loaded(Partition::kTarget);
    const TableLoad* truth = loaded(Partition::kTruth);
    const bool broken = (observed != nullptr && observed->quoting_broken) ||
                        (target != nullptr && target->quoting_broken);
    if ((observed != nullptr || target != nullptr) && !broken) {
      report_.add_duplicates(database_,
                             predicate,
                             build_index(relation, Partition::kObserved, 0, pool_, options_.stop));
    }
    if (truth != nullptr && !truth->quoting_broken) {
      report_.add_duplicates(
          database_, predicate, build_index(relation, Partition::kTruth, 0, pool_, options_.stop));
    }
  }
}

void Loader::find_unlisted() {
  if (too_many_constants_) return;
  for (const auto& [key, load] : tables_) {
    if (!load.quoting_broken) report_.add_unlisted(database_, key.first, key.second);
  }
}

}  // namespace

void load_files(Database& database,
                std::span<const DataFile> files,
                const LoadOptions& options,
                Diagnostics& sink,
                const LoadLimits& limits) {
  ThreadPool pool(options.threads);
  auto inputs = open_inputs(database, files, pool, options.stop, sink);
  Loader(database, std::move(inputs), pool, options, limits, sink).load();
}

void load_text(Database& database,
               const DataFile& file,
               std::string_view text,
               const LoadOptions& options,
               Diagnostics& sink,
               const LoadLimits& limits) {
  ThreadPool pool(options.threads);
  std::vector<InputFile> inputs;
  const std::size_t arity = database.predicates()[file.predicate].arity();
  inputs.push_back(open_input(file, FileBytes::borrow(text), arity));
  inputs.back().number = file_number(database, file.path);
  Loader(database, std::move(inputs), pool, options, limits, sink).load();
}

Database load_database(std::vector<Predicate> predicates,
                       std::span<const DataFile> files,
                       const LoadOptions& options,
                       std::vector<Diagnostic>* warnings) {
  Database database(std::move(predicates));
  Diagnostics sink;
  load_files(database, files, options, sink);
  if (sink.has_errors()) throw InputError(sink.take_sorted());
  if (warnings != nullptr) *warnings = sink.take_sorted();
  return database;
}

}  // namespace sorites
