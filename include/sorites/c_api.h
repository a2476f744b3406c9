/* Sorites from C, and from every language that can call C: sessions, columns in and out by pointer,
 * results as arrays and JSON. libsorites.so shows these symbols and no others.
 *
 *   sorites_session* session = sorites_open("model.json", "{}");
 *   if (session == NULL) { puts(sorites_last_error()); return 1; }
 *   sorites_infer(session);
 *   size_t n = sorites_num_values(session, "Knows");
 *   const double* values = sorites_values(session, "Knows");
 *   sorites_close(session);
 *
 * Functions that can fail return NULL, a negative number or sorites_failed; sorites_last_error() of
 * the same thread then says why. A session may be used by one thread at a time, several sessions
 * side by side. What a function returns by pointer belongs to the session, and holds until the next
 * call on it. Texts are UTF-8 and end in 0.
 *
 * Stable: functions are added, and none changes its meaning within a major version. */
#ifndef SORITES_C_API_H
#define SORITES_C_API_H

#include <stddef.h>
#include <stdint.h>

/* Names and types are those of C. NOLINTBEGIN(readability-identifier-naming,modernize-use-using) */
#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define SORITES_API __attribute__((visibility("default")))
#else
#define SORITES_API
#endif

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
 * "validation"), and "options", an object of options by name as of --set. */

/* A model file, folder, rule file or .mln file. */
SORITES_API sorites_session* sorites_open(const char* path, const char* options);
/* The text of a JSON or YAML model file, which may have predicates without data. */
SORITES_API sorites_session* sorites_open_text(const char* text, const char* options);
SORITES_API void sorites_close(sorites_session* session);

/* Called now and then while a call runs: how much of a stage is done (below 0: nobody knows), and
 * how things stand. NULL: never. */
typedef void (*sorites_progress)(void* user, const char* stage, double share, const char* state);
SORITES_API void sorites_on_progress(sorites_session* session,
                                     sorites_progress callback,
                                     void* user);
/* From any thread: the call that runs ends early, with the best it has. Holds for that call. */
SORITES_API void sorites_stop(sorites_session* session);
/* Warnings so far, as JSON. */
SORITES_API const char* sorites_warnings(sorites_session* session);

/* ---- Data in ----------------------------------------------------------------------------------
 * Changes are collected, and take effect together at the next sorites_update(), or call that needs
 * the data. A target that is observed is a target no more, and the other way round. */

/* What `partition` may be. Calls take an int, so that any other number can be refused. */
enum sorites_partition { sorites_observed = 0, sorites_target = 1 };

/* Rows of texts, one column per argument of the predicate: columns[k][row]. `values` is NULL (all
 * 1) or one number per row. */
SORITES_API int sorites_add_rows(sorites_session* session,
                                 const char* predicate,
                                 int partition,
                                 size_t num_rows,
                                 const char* const* const* columns,
                                 const double* values);
/* The same by codes of sorites_intern(): columns[k][row]. */
SORITES_API int sorites_add_codes(sorites_session* session,
                                  const char* predicate,
                                  int partition,
                                  size_t num_rows,
                                  const uint32_t* const* columns,
                                  const double* values);
/* The code of a constant of an argument of a predicate, for sorites_add_codes(). Negative: failed.
 */
SORITES_API int64_t sorites_intern(sorites_session* session,
                                   const char* predicate,
                                   size_t argument,
                                   const char* constant);
/* Removes rows, given by texts. */
SORITES_API int sorites_remove_rows(sorites_session* session,
                                    const char* predicate,
                                    int partition,
                                    size_t num_rows,
                                    const char* const* const* columns);
SORITES_API int sorites_set_weight(sorites_session* session, uint32_t rule, double weight);
/* All or nothing: if something does not fit, nothing changes and nothing is pending any more. */
SORITES_API int sorites_update(sorites_session* session);

/* ---- Questions --------------------------------------------------------------------------------
 * The JSON documents are those of the command line. NULL: failed. */

SORITES_API const char* sorites_estimate(sorites_session* session, double seconds);
/* sorites_done whatever the status of the result: sorites_result() tells it. */
SORITES_API int sorites_infer(sorites_session* session);
SORITES_API const char* sorites_result(sorites_session* session);
/* `atoms` and `rules` as of `sorites explain`. */
SORITES_API const char* sorites_explain(sorites_session* session,
                                        size_t num_atoms,
                                        const char* const* atoms,
                                        size_t num_rules,
                                        const char* const* rules,
                                        size_t limit);
/* `files` is NULL or a JSON object with "output", "save_state", "resume", "log", "plot". */
SORITES_API const char* sorites_learn(sorites_session* session, const char* files);

/* ---- Values out -------------------------------------------------------------------------------
 */

/* Targets of a predicate after sorites_infer(); 0 if it has none. */
SORITES_API size_t sorites_num_values(sorites_session* session, const char* predicate);
SORITES_API const double* sorites_values(sorites_session* session, const char* predicate);
/* Their arguments: codes of one column, and the text of a code. */
SORITES_API const uint32_t* sorites_column(sorites_session* session,
                                           const char* predicate,
                                           size_t argument);
SORITES_API const char* sorites_text(sorites_session* session,
                                     const char* predicate,
                                     size_t argument,
                                     uint32_t code);
/* Predicates, domains and rules as a JSON document: names, arities, ids, weights, numbers of rows.
 */
SORITES_API const char* sorites_program(sorites_session* session);

#ifdef __cplusplus
}
#endif
/* NOLINTEND(readability-identifier-naming,modernize-use-using) */

#endif
