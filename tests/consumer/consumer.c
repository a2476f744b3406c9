/* The same in C, through the C API. */
#include <sorites/c_api.h>
#include <stdio.h>

int main(int argc, char** argv) {
  sorites_session* session = sorites_open(argc == 2 ? argv[1] : "", "{\"options\": {\"inference.gap\": 1e-5}}");
  if (session == NULL || sorites_infer(session) != sorites_done) goto failed;
  sorites_rows knows = {.predicate = "Knows", .partition = sorites_target};
  if (sorites_get(session, &knows) != sorites_done) goto failed;
  printf("%zu values, the first: %.3f\n", knows.num_rows, knows.values[0]);

  const char* why = sorites_ask(session, "explain", "{\"atoms\": [\"Knows('ada', 'ben')\"], \"limit\": 3}");
  if (why == NULL) goto failed;
  puts(why);

  const uint32_t first = 0;
  const uint64_t ends[] = {3, 4};
  const sorites_column columns[] = {{.codes = &first, .num_texts = 1, .bytes = "ada", .ends = &ends[0]},
                                    {.codes = &first, .num_texts = 1, .bytes = "oslo", .ends = &ends[1]}};
  const sorites_rows lived = {.predicate = "Lived", .phase = -1, .num_rows = 1, .columns = columns};
  if (sorites_change(session, &lived, 0) != sorites_done || sorites_infer(session) != sorites_done) goto failed;
  if (sorites_ask(session, "learn", NULL) == NULL) goto failed;
  sorites_close(session);
  return 0;
failed:
  fprintf(stderr, "%s\n", sorites_last_error());
  sorites_close(session);
  return 1;
}
