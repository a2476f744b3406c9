/* The same in C, through the C API. */
#include <sorites/c_api.h>
#include <stdio.h>

static int fail(const char* what) {
  fprintf(stderr, "%s: %s\n", what, sorites_last_error());
  return 1;
}

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  if (sorites_open("no such model", NULL) != NULL) return fail("a model that is not there");
  sorites_session* session = sorites_open(argv[1], "{\"options\": {\"inference.gap\": 1e-5}}");
  if (session == NULL) return fail("open");
  if (sorites_infer(session) != sorites_done) return fail("infer");
  const size_t count = sorites_num_values(session, "Knows");
  const double* values = sorites_values(session, "Knows");
  const uint32_t* who = sorites_column(session, "Knows", 0);
  if (count == 0 || values == NULL || who == NULL) return fail("values");
  printf("%zu values, the first of %s: %.3f\n", count, sorites_text(session, "Knows", 0, who[0]),
         values[0]);

  const char* atoms[] = {"Knows('ada', 'ben')"};
  if (sorites_explain(session, 1, atoms, 0, NULL, 3) == NULL) return fail("explain");

  const char* people[] = {"ada"};
  const char* places[] = {"oslo"};
  const char* const* columns[] = {people, places};
  if (sorites_add_rows(session, "Lived", sorites_observed, 1, columns, NULL) != sorites_done ||
      sorites_update(session) != sorites_done || sorites_infer(session) != sorites_done) {
    return fail("update");
  }
  if (sorites_add_rows(session, "Nobody", sorites_observed, 1, columns, NULL) == sorites_done) {
    return fail("a predicate that is not there");
  }
  const char* broken[] = {"\xff"};
  const char* const* broken_columns[] = {people, broken};
  if (sorites_add_rows(session, "Lived", sorites_observed, 1, broken_columns, NULL) == sorites_done ||
      sorites_add_rows(session, "Lived", 7, 1, columns, NULL) == sorites_done) {
    return fail("a text that is not UTF-8, or no partition");
  }
  if (sorites_learn(session, NULL) == NULL) return fail("learn");
  if (sorites_result(session) != NULL) return fail("a result from before learning");
  if (sorites_infer(session) != sorites_done || sorites_result(session) == NULL) return fail("result");
  sorites_close(session);
  return 0;
}
