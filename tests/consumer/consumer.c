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
  sorites_rows knows = {.predicate = "Knows", .partition = sorites_target};
  if (sorites_get(session, &knows) != sorites_done || knows.num_rows == 0) return fail("values");
  const sorites_column* who = &knows.columns[0];
  const uint64_t begin = who->codes[0] == 0 ? 0 : who->ends[who->codes[0] - 1];
  printf("%zu values, the first of %.*s: %.3f\n", knows.num_rows,
         (int)(who->ends[who->codes[0]] - begin), who->bytes + begin, knows.values[0]);

  if (sorites_ask(session, "explain", "{\"atoms\": [\"Knows('ada', 'ben')\"], \"limit\": 3}") == NULL) {
    return fail("explain");
  }

  const uint32_t first[] = {0};
  const uint64_t ends[] = {3};
  const uint64_t ends_of_place[] = {4};
  sorites_column columns[] = {{.codes = first, .num_texts = 1, .bytes = "ada", .ends = ends},
                              {.codes = first, .num_texts = 1, .bytes = "oslo", .ends = ends_of_place}};
  sorites_rows lived = {.predicate = "Lived", .partition = sorites_observed,
                        .phase = -1, .num_rows = 1, .columns = columns};
  if (sorites_change(session, &lived, 0) != sorites_done || sorites_update(session) != sorites_done ||
      sorites_infer(session) != sorites_done) {
    return fail("update");
  }
  sorites_rows wrong = lived;
  wrong.predicate = "Nobody";
  if (sorites_change(session, &wrong, 0) == sorites_done) return fail("a predicate that is not there");
  wrong = lived;
  wrong.partition = 7;
  if (sorites_change(session, &wrong, 0) == sorites_done) return fail("no partition");
  columns[1].bytes = "\xff\xff\xff\xff";
  if (sorites_change(session, &lived, 0) == sorites_done) return fail("a text that is not UTF-8");
  if (sorites_ask(session, "whatever", NULL) != NULL) return fail("a question that is not there");
  if (sorites_ask(session, "learn", "{\"output\": 3}") != NULL) return fail("a number for a file");
  if (sorites_set_options(session, "{\"inference.gap\": 1e-6}") != sorites_done) return fail("options");
  if (sorites_set_options(session, "{\"inference.gab\": 1e-6}") == sorites_done) return fail("no option");
  if (sorites_ask(session, "learn", NULL) == NULL) return fail("learn");
  if (sorites_ask(session, "result", NULL) != NULL) return fail("a result from before learning");
  if (sorites_infer(session) != sorites_done || sorites_ask(session, "result", NULL) == NULL) {
    return fail("result");
  }
  sorites_close(session);
  return 0;
}
