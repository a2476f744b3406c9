/* Sorites from C, and from every language that can call C: sessions, columns in and out by pointer,
 * results as arrays and JSON. libsorites.so shows these symbols and no others.
 *
 *   sorites_session* session = sorites_open("model.json", "{}");
 *   if (session == NULL) { puts(sorites_last_error()); return 1; }
 *   sorites_infer(session);
 *   sorites_rows rows = {.predicate = "Knows", .partition = sorites_target};
 *   if (sorites_get(session, &rows) == sorites_done) printf("%g\n", rows.values[0]);
 *   sorites_close(session);
 *
 * Functions that can fail return NULL, a negative number or sorites_failed; sorites_last_error() of
 * the same thread then says why. A session may be used by one thread at a time, several sessions
 * side by side. What a function returns by pointer belongs to the session, and holds until the next
 * call on it. Texts are UTF-8 and end in 0. Stable: functions are added, and none changes its
 * meaning within a major version. */
#ifndef SORITES_C_API_H
#define SORITES_C_API_H

#include <stddef.h>
#include <stdint.h>

/* Names and types are those of C. NOLINTBEGIN(readability-identifier-naming,modernize-use-using) */
#ifdef __cplusplus
extern "C" {
#endif

#define SORITES_API __attribute__((visibility("default")))

typedef struct sorites_session sorites_session;

enum sorites_status {
  sorites_done = 0,
  sorites_failed = -1,      /* sorites_last_error() says why */
  sorites_interrupted = -2, /* sorites_stop() ended the call before it had a result */
  sorites_wrong_input = -3  /* as sorites_failed; sorites_last_diagnostics() has the places */
};

SORITES_API const char* sorites_version(void);

/* Of the last call of this thread that failed; never NULL. */
SORITES_API const char* sorites_last_error(void);
/* The same as a JSON list of diagnostics with file, line, column, message and notes; "[]" if the
 * mistake was none of the input. */
SORITES_API const char* sorites_last_diagnostics(void);

/* ---- Sessions ---------------------------------------------------------------------------------
 * `options` is NULL or a JSON object: "data" (path), "semantics", "phase" ("infer", "learn",
 * "validation"), "options", an object of options by name as of --set, and of sorites_open_text()
 * "texts", what stands for files that the text names. */

/* A model file, folder, rule file or .mln file. */
SORITES_API sorites_session* sorites_open(const char* path, const char* options);
/* The text of a JSON or YAML model file, which may have predicates without data. */
SORITES_API sorites_session* sorites_open_text(const char* text, const char* options);
SORITES_API void sorites_close(sorites_session* session);

/* Called now and then while a call runs: how much of a stage is done (below 0: nobody knows), and
 * how things stand. NULL: never. */
typedef void (*sorites_progress)(void* user, const char* stage, double share, const char* state);
SORITES_API void sorites_on_progress(sorites_session* session, sorites_progress call, void* user);
/* From any thread: the call that runs ends early, with the best it has. Holds for that call. */
SORITES_API void sorites_stop(sorites_session* session);
/* Options by name, as of --set, over all others, instead of those of the last such call. */
SORITES_API int sorites_set_options(sorites_session* session, const char* options);

/* Fields are an int, so that any other number can be refused. */
enum sorites_partition { sorites_observed = 0, sorites_target = 1, sorites_truth = 2 };

/* The constants of one argument: numbers as they are, or texts, each of which stands once. */
typedef struct sorites_column {
  const int64_t* numbers; /* per row; NULL: texts */
  const uint32_t* codes;  /* per row: which of the texts */
  size_t num_texts;
  const char* bytes;    /* of the texts, one after the other */
  const uint64_t* ends; /* per text: where it ends in `bytes` */
} sorites_column;

typedef struct sorites_rows {
  const char* predicate;
  int partition;
  int phase; /* that they are data of: 0 learning, 1 validation, 2 inference, -1 all */
  size_t num_rows;
  const sorites_column* columns; /* per argument */
  const double* values;          /* per row; NULL: all 1, or not inferred yet */
  const char* path;              /* of sorites_attach(): a file instead of all this, or NULL */
} sorites_rows;

/* How many arguments a predicate has. Negative: failed. */
SORITES_API int64_t sorites_arity(sorites_session* session, const char* predicate);
/* Further data of the model. The arrays are not copied: they must stay until sorites_close(). What
 * was read before is read anew. */
SORITES_API int sorites_attach(sorites_session* session, const sorites_rows* rows);
/* Rows that come, get another value or (`remove` is not 0) go, observed or targets. Changes are
 * collected and copied, and take effect together at sorites_update(), or the next call that works
 * on the data; sorites_get(), "result" and "program" look at what is there without them. A target
 * that is observed is a target no more, and the other way round. rows->phase is -1: all. */
SORITES_API int sorites_change(sorites_session* session, const sorites_rows* rows, int remove);
/* Of a rule by its number, which all answers call "rule": the first one has 1. */
SORITES_API int sorites_set_weight(sorites_session* session, uint32_t rule, double weight);
/* All or nothing: if something does not fit, nothing changes and nothing is pending any more. */
SORITES_API int sorites_update(sorites_session* session);
/* Of rows->predicate and rows->partition; values of targets are those of the last inference. */
SORITES_API int sorites_get(sorites_session* session, sorites_rows* rows);

/* sorites_done whatever the status of the result: sorites_ask(session, "result", NULL) tells it. */
SORITES_API int sorites_infer(sorites_session* session);

/* Inference with gradients, of samples side by side: what a layer of a network needs. It is made by
 * sorites_ask(session, "layer", NULL), which says which outputs, states and weights there are:
 * sorites/layer.h. */
enum sorites_loss { sorites_no_loss = 0, sorites_energy = 1, sorites_perceptron = 2 };
typedef struct sorites_samples {
  int loss;                /* of labels; the others are given by their slopes */
  size_t num_samples;      /* what is per sample stands one sample after the other */
  const uint64_t* ids;     /* a sample starts from the last one of its id */
  const double* outputs;   /* per sample and output */
  const double* weights;   /* per weight */
  const double* labels;    /* per sample and state, NAN: none; NULL: no labels */
  const double* in_states; /* slopes per sample and state; NULL: no gradients of them */
  double* states;          /* results, of these sizes */
  double* values;          /* per sample: the energy, or the loss */
  int* failed;             /* per sample: 1 if there is no answer */
  double* in_outputs;      /* gradients; or NULL */
  double* in_weights;
} sorites_samples;
SORITES_API int sorites_differentiate(sorites_session* session, const sorites_samples* samples);

/* Any question, by its name; answers are the JSON documents of the command line. NULL: failed.
 * `arguments` is NULL or a JSON object:
 * - "check" {"phases": ["learn"]}, "estimate" {"seconds": 1}, "ground" {"from_snapshot": FILE},
 * - "layer" {"smoothing": 0.05}; "infer" {"warm_start", "from_snapshot": FILE}, then "result",
 * - "explain" {"atoms": ["Knows('ann', 'bob')"], "rules": ["1"], "limit": 10},
 * - "evaluate" {"evaluators": ["AUCEvaluator"]}: the last result against truth; "warnings" so far,
 * - "learn" {"output", "save_state", "resume", "log", "plot": FILE, "evaluate": true},
 * - "program": predicates, rules, weights; "take_weights" {"rules": [{...}]}: of such rules,
 * - "save" {"model", "snapshot", "ground_rules"; after "infer" "state", "results": PATH}. */
SORITES_API const char* sorites_ask(sorites_session* session,
                                    const char* question,
                                    const char* arguments);

#ifdef __cplusplus
}
#endif
/* NOLINTEND(readability-identifier-naming,modernize-use-using) */

#endif
