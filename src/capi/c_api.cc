// The C API over Session: exceptions become codes and texts, results become arrays and JSON.
#include "sorites/c_api.h"

#include <fmt/format.h>

#include <memory>
#include <stdexcept>
#include <utility>

#include "base/utf8.h"
#include "capi/open_options.h"
#include "capi/session_handle.h"
#include "data/insert.h"
#include "report/estimate_json.h"
#include "report/explain_json.h"
#include "report/infer_json.h"
#include "report/learn_json.h"

namespace sorites {
namespace {

thread_local std::string last_error;
thread_local std::string last_diagnostics = "[]";

std::string dumped(const Json& document) {
  return document.dump(-1, ' ', false, Json::error_handler_t::replace);
}

// Runs a call; what it throws is the last error of the thread.
template <class Call>
int guarded(const Call& call) {
  last_error.clear();
  last_diagnostics = "[]";
  try {
    call();
    return sorites_done;
  } catch (const InputError& error) {
    last_error = error.what();
    last_diagnostics = dumped(to_json(std::span<const Diagnostic>(error.diagnostics())));
    return sorites_wrong_input;
  } catch (const Interrupted& error) {
    last_error = error.what();
    return sorites_interrupted;
  } catch (const std::exception& error) {
    last_error = error.what();
  } catch (...) {
    last_error = "an unknown exception";
  }
  return sorites_failed;
}

void require(const void* pointer, const char* what) {
  if (pointer == nullptr) throw std::invalid_argument(fmt::format("{} is NULL", what));
}

Session& session_of(sorites_session* handle) {
  require(handle, "the session");
  if (!handle->session) throw std::invalid_argument("the session is not open");
  return *handle->session;
}

PredicateId predicate_of(Session& session, const char* name) {
  require(name, "the predicate");
  const auto found = session.program().find_predicate(name);
  if (!found) throw std::invalid_argument(fmt::format("there is no predicate `{}`", name));
  return *found;
}

std::size_t arity_of(Session& session, const char* name) {
  return session.program().predicates[predicate_of(session, name)].arity();
}

void apply_pending(sorites_session* handle) {
  SessionUpdate update = std::exchange(handle->pending, {});
  if (update.observations.empty() && update.targets.empty() && update.weights.empty()) return;
  session_of(handle).update(update);
  handle->result.reset();
}

// A call that looks at the data.
template <class Call>
int run(sorites_session* handle, const Call& call) {
  return guarded([&] {
    Session& session = session_of(handle);
    handle->stop = {};
    session.set_stop(handle->stop.get_token());
    apply_pending(handle);
    call(session);
  });
}

template <class Call>
const char* run_for_text(sorites_session* handle, const Call& call) {
  const int status = run(handle, [&](Session& session) { handle->text = call(session); });
  return status == sorites_done ? handle->text.c_str() : nullptr;
}

SessionOptions with_events(SessionOptions options, sorites_session* handle) {
  options.events.diagnostic = [handle](const Diagnostic& one) { handle->warnings.push_back(one); };
  options.events.progress = [handle](const Progress& progress) {
    if (handle->progress == nullptr) return;
    handle->progress(handle->progress_user,
                     std::string(progress.stage).c_str(),
                     progress.share,
                     progress.state.c_str());
  };
  return options;
}

template <class Open>
sorites_session* opened(const char* options, const Open& open) {
  auto handle = std::make_unique<sorites_session>();
  const int status = guarded([&] {
    handle->session = open(with_events(options_from_json(options), handle.get()), *handle);
  });
  return status == sorites_done ? handle.release() : nullptr;
}

std::string text_from(const char* text, const char* what) {
  require(text, what);
  if (find_invalid_utf8(text) != std::string_view(text).size()) {
    throw std::invalid_argument(fmt::format("{} is not UTF-8", what));
  }
  return text;
}

// Rows to be changed, by texts.
std::vector<AtomChange>& list_of(sorites_session* handle, int partition) {
  if (partition != ::sorites_target && partition != ::sorites_observed) {
    throw std::invalid_argument("there is no such partition");
  }
  return partition == ::sorites_target ? handle->pending.targets : handle->pending.observations;
}

std::vector<std::string> strings_of(std::size_t count, const char* const* texts) {
  std::vector<std::string> result;
  for (std::size_t i = 0; i < count; ++i) {
    require(texts == nullptr ? nullptr : texts[i], "a text");
    result.emplace_back(texts[i]);
  }
  return result;
}

const AtomRange* range_of(sorites_session* handle, const char* predicate) {
  if (!handle->result) return nullptr;
  const PredicateId id = predicate_of(session_of(handle), predicate);
  for (const AtomRange& range : handle->result->ranges) {
    if (range.predicate == id) return &range;
  }
  return nullptr;
}

Json program_to_json(Session& session) {
  const Program& program = session.program();
  const Database& database = session.database();
  Json predicates = Json::array(), rules = Json::array();
  for (PredicateId p = 0; p < program.predicates.size(); ++p) {
    const Predicate& predicate = program.predicates[p];
    Json domains = Json::array();
    for (std::size_t k = 0; k < predicate.arity(); ++k) {
      domains.push_back(program.domains[predicate.domain(k)].name);
    }
    predicates.push_back({{"name", predicate.name},
                          {"arity", predicate.arity()},
                          {"domains", std::move(domains)},
                          {"open", predicate.open},
                          {"neural", predicate.neural},
                          {"observed", database.relation(p).table(Partition::kObserved).num_rows},
                          {"targets", database.relation(p).table(Partition::kTarget).num_rows},
                          {"truth", database.relation(p).table(Partition::kTruth).num_rows}});
  }
  for (const Rule& rule : program.rules) {
    rules.push_back({{"id", rule.id},
                     {"text", rule.text},
                     {"file", rule.source.file},
                     {"line", rule.source.line},
                     {"weight", rule.weight ? Json(*rule.weight) : Json(nullptr)},
                     {"squared", rule.squared}});
  }
  return {{"semantics", session.semantics()},
          {"predicates", std::move(predicates)},
          {"rules", std::move(rules)}};
}

}  // namespace
}  // namespace sorites

using namespace sorites;  // NOLINT(google-build-using-namespace): the functions of C are outside

const char* sorites_version(void) { return SORITES_VERSION; }
const char* sorites_last_error(void) { return last_error.c_str(); }
const char* sorites_last_diagnostics(void) { return last_diagnostics.c_str(); }

sorites_session* sorites_open(const char* path, const char* options) {
  return opened(options, [&](SessionOptions session_options, sorites_session& handle) {
    require(path, "the path");
    handle.path = path;
    return Session::open(path, std::move(session_options));
  });
}

sorites_session* sorites_open_text(const char* text, const char* options) {
  return opened(options, [&](SessionOptions session_options, sorites_session& handle) {
    require(text, "the text");
    handle.path = "<text>";
    return Session::from_text(text, std::move(session_options));
  });
}

void sorites_close(sorites_session* session) { delete session; }

void sorites_on_progress(sorites_session* session, sorites_progress callback, void* user) {
  if (session == nullptr) return;
  session->progress = callback;
  session->progress_user = user;
}

void sorites_stop(sorites_session* session) {
  if (session != nullptr) session->stop.request_stop();
}

const char* sorites_warnings(sorites_session* session) {
  const int status = guarded([&] {
    require(session, "the session");
    session->text = dumped(to_json(std::span<const Diagnostic>(session->warnings)));
  });
  return status == sorites_done ? session->text.c_str() : nullptr;
}

int sorites_add_rows(sorites_session* session,
                     const char* predicate,
                     int partition,
                     size_t num_rows,
                     const char* const* const* columns,
                     const double* values) {
  return guarded([&] {
    const std::size_t num_columns = arity_of(session_of(session), predicate);
    require(columns, "the columns");
    std::vector<AtomChange> rows;
    for (std::size_t row = 0; row < num_rows; ++row) {
      AtomChange& change = rows.emplace_back();
      change.predicate = predicate;
      for (std::size_t k = 0; k < num_columns; ++k) {
        change.arguments.push_back(text_from(columns[k][row], "a constant"));
      }
      change.value = values == nullptr ? 1.0 : values[row];
    }
    auto& list = list_of(session, partition);
    list.insert(list.end(), rows.begin(), rows.end());
  });
}

int64_t sorites_intern(sorites_session* session,
                       const char* predicate,
                       size_t argument,
                       const char* constant) {
  std::int64_t code = 0;
  const int status = guarded([&] {
    Session& open = session_of(session);
    code =
        open.intern(predicate_of(open, predicate), argument, text_from(constant, "the constant"));
  });
  return status == sorites_done ? code : status;
}

int sorites_add_codes(sorites_session* session,
                      const char* predicate,
                      int partition,
                      size_t num_rows,
                      const uint32_t* const* columns,
                      const double* values) {
  return guarded([&] {
    Session& open = session_of(session);
    const PredicateId id = predicate_of(open, predicate);
    const Predicate& declared = open.program().predicates[id];
    require(columns, "the columns");
    std::vector<AtomChange> rows(num_rows);
    for (std::size_t k = 0; k < declared.arity(); ++k) {
      const Dictionary& dictionary = open.database().dictionary(declared.domain(k));
      for (std::size_t row = 0; row < num_rows; ++row) {
        if (columns[k][row] >= dictionary.size()) {
          throw std::invalid_argument(fmt::format("{} is no code", columns[k][row]));
        }
        rows[row].arguments.push_back(dictionary.text(columns[k][row]));
      }
    }
    for (std::size_t row = 0; row < num_rows; ++row) {
      rows[row].predicate = predicate;
      rows[row].value = values == nullptr ? 1.0 : values[row];
    }
    auto& list = list_of(session, partition);
    list.insert(list.end(), rows.begin(), rows.end());
  });
}

int sorites_remove_rows(sorites_session* session,
                        const char* predicate,
                        int partition,
                        size_t num_rows,
                        const char* const* const* columns) {
  return guarded([&] {
    const std::size_t num_columns = arity_of(session_of(session), predicate);
    require(columns, "the columns");
    auto& list = list_of(session, partition);
    for (std::size_t row = 0; row < num_rows; ++row) {
      AtomChange change;
      change.predicate = predicate;
      for (std::size_t k = 0; k < num_columns; ++k) {
        change.arguments.push_back(text_from(columns[k][row], "a constant"));
      }
      list.push_back(std::move(change));
    }
  });
}

int sorites_set_weight(sorites_session* session, uint32_t rule, double weight) {
  return guarded([&] {
    session_of(session);
    session->pending.weights.push_back({rule, weight});
  });
}

int sorites_update(sorites_session* session) {
  return guarded([&] {
    session_of(session);
    apply_pending(session);
  });
}

const char* sorites_estimate(sorites_session* session, double seconds) {
  return run_for_text(session, [&](Session& open) {
    return dumped(to_json(session->path, open.estimate(seconds), session->warnings));
  });
}

int sorites_infer(sorites_session* session) {
  return run(session, [&](Session& open) { session->result = open.infer(); });
}

const char* sorites_result(sorites_session* session) {
  const int status = guarded([&] {
    Session& open = session_of(session);
    if (!session->result) throw std::logic_error("there is no result: call sorites_infer()");
    session->text = dumped(to_json(InferReport{
        session->path, open.database(), *session->result, session->warnings, {}, false}));
  });
  return status == sorites_done ? session->text.c_str() : nullptr;
}

const char* sorites_explain(sorites_session* session,
                            size_t num_atoms,
                            const char* const* atoms,
                            size_t num_rules,
                            const char* const* rules,
                            size_t limit) {
  return run_for_text(session, [&](Session& open) {
    const ExplainResult result =
        open.explain(strings_of(num_atoms, atoms), strings_of(num_rules, rules), limit);
    return dumped(to_json(session->path, result, session->warnings));
  });
}

const char* sorites_learn(sorites_session* session, const char* files) {
  return run_for_text(session, [&](Session& open) {
    const LearnReport report = open.learn(files_from_json(files));
    session->result.reset();
    return dumped(to_json(session->path, report, session->warnings));
  });
}

size_t sorites_num_values(sorites_session* session, const char* predicate) {
  std::size_t count = 0;
  guarded([&] {
    session_of(session);
    const AtomRange* range = range_of(session, predicate);
    count = range == nullptr ? 0 : range->count;
  });
  return count;
}

const double* sorites_values(sorites_session* session, const char* predicate) {
  const double* values = nullptr;
  guarded([&] {
    session_of(session);
    if (const AtomRange* range = range_of(session, predicate)) {
      values = session->result->values.data() + range->first;
    }
  });
  return values;
}

const uint32_t* sorites_column(sorites_session* session, const char* predicate, size_t argument) {
  const std::uint32_t* column = nullptr;
  guarded([&] {
    Session& open = session_of(session);
    const PredicateId id = predicate_of(open, predicate);
    const Table& table = open.database().relation(id).table(Partition::kTarget);
    if (argument >= table.columns.size()) throw std::invalid_argument("there is no such argument");
    column = table.columns[argument].data();
  });
  return column;
}

const char* sorites_text(sorites_session* session,
                         const char* predicate,
                         size_t argument,
                         uint32_t code) {
  const char* text = nullptr;
  guarded([&] {
    Session& open = session_of(session);
    const Predicate& declared = open.program().predicates[predicate_of(open, predicate)];
    if (argument >= declared.arity()) throw std::invalid_argument("there is no such argument");
    const Dictionary& dictionary = open.database().dictionary(declared.domain(argument));
    if (code >= dictionary.size()) throw std::invalid_argument("there is no such code");
    session->text = dictionary.text(code);
    text = session->text.c_str();
  });
  return text;
}

const char* sorites_program(sorites_session* session) {
  return run_for_text(session, [](Session& open) { return dumped(program_to_json(open)); });
}
