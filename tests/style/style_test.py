"""The checks of this folder find what is wrong, and nothing else."""
import pathlib
import sys
import tempfile
import unittest

import constants
import function_sizes
import includes
import one_definition
import readmes
import references
import tidy

TABLE = """
| folder | enters → leaves | public headers | may use |
| --- | --- | --- | --- |
| src/base/ | text | diagnostic.h | – |
| src/data/ | rows | database.h | base |
| src/hinge/model/ | terms | model.h snapshot.h | data |
| apps/cli/ | flags | – | hinge/model |
"""


def complaints_about(changes=(), cmake=None, table=TABLE):
    files = {
        "include/sorites/diagnostic.h": [],
        "include/sorites/database.h": ["sorites/diagnostic.h"],
        "include/sorites/model.h": ["sorites/database.h"],
        "include/sorites/snapshot.h": [],
        "src/base/source.h": ["sorites/diagnostic.h"],
        "src/data/insert.cc": ["data/insert.h", "base/source.h"],
        "src/data/insert.h": ["sorites/database.h"],
        "apps/cli/main.cc": ["report.h", "hinge/model/terms.h", "sorites/database.h"],
        "apps/cli/report.h": [],
        **dict(changes),
    }
    return includes.check(includes.read_table(table), files, cmake or {})


class Includes(unittest.TestCase):
    def test_a_folder_may_use_what_its_row_lists_and_what_that_may_use(self):
        self.assertEqual(complaints_about(), [])

    def test_an_include_against_the_pipeline_is_found(self):
        self.assertEqual(complaints_about({"src/base/text.cc": ["data/insert.h"]}),
                         ['src/base/text.cc: includes "data/insert.h" of data, which base may not use'])

    def test_an_include_of_a_public_header_against_the_pipeline_is_found(self):
        self.assertEqual(complaints_about({"src/data/rows.cc": ["sorites/model.h"]}),
                         ['src/data/rows.cc: includes "sorites/model.h" of hinge/model, which data may not use'])

    def test_public_headers_are_held_to_the_row_they_belong_to(self):
        self.assertEqual(complaints_about({"include/sorites/diagnostic.h": ["sorites/model.h"]}),
                         ['include/sorites/diagnostic.h: includes "sorites/model.h" of hinge/model, which base may not use'])

    def test_a_program_includes_only_what_its_row_lists_and_public_headers(self):
        self.assertEqual(complaints_about({"apps/cli/report.h": ["data/insert.h"]}),
                         ['apps/cli/report.h: includes "data/insert.h" of data, which apps/cli may not use'])

    def test_files_without_a_row_are_found(self):
        self.assertEqual(complaints_about({"src/extra/a.cc": [], "include/sorites/extra.h": []}),
                         ["include/sorites/extra.h: belongs to no folder of the table in docs/architecture.md",
                          "src/extra/a.cc: belongs to no folder of the table in docs/architecture.md"])

    def test_tests_and_what_only_they_include_may_use_more(self):
        self.assertEqual(complaints_about({"src/base/text_test.cc": ["base/random_text.h", "data/insert.h"],
                                           "src/base/random_text.h": ["sorites/model.h"]}), [])

    def test_a_header_of_tests_that_others_include_may_not(self):
        self.assertEqual(complaints_about({"src/base/text_test.cc": ["base/random_text.h"],
                                           "src/base/text.cc": ["base/random_text.h"],
                                           "src/base/random_text.h": ["sorites/model.h"]}),
                         ['src/base/random_text.h: includes "sorites/model.h" of hinge/model, which base may not use'])

    def test_the_table_and_cmake_must_agree(self):
        cmake = includes.read_cmake("sorites_folder(base USES fmt::fmt)\n"
                                    "sorites_folder(data SEPARATE USES sorites_base\n    TESTS_USE sorites_hinge_model)\n"
                                    "sorites_folder(hinge/model USES sorites_base)\n"
                                    "sorites_folder(join USES sorites_data)\n")
        self.assertEqual(cmake, {"base": set(), "data": {"base"}, "hinge/model": {"base"}, "join": {"data"}})
        self.assertEqual(complaints_about(cmake=cmake),
                         ["docs/architecture.md: hinge/model may use data; CMakeLists.txt says base",
                          "docs/architecture.md: no row for src/join, which CMakeLists.txt builds"])

    def test_folders_may_not_use_each_other(self):
        circle = TABLE.replace("| diagnostic.h | – |", "| diagnostic.h | data |")
        self.assertEqual(complaints_about(table=circle),
                         ["docs/architecture.md: base may use itself, through what it may use",
                          "docs/architecture.md: data may use itself, through what it may use"])

    def test_rows_stand_in_the_order_of_the_pipeline(self):
        self.assertEqual(includes.check_order(TABLE), [])
        against = TABLE.replace("| diagnostic.h | – |", "| diagnostic.h | data |")
        self.assertEqual(includes.check_order(against), ["docs/architecture.md: base uses data, whose row stands below"])
        self.assertEqual(includes.check_order(against + "\nBut `base → data`.\n"), [])
        self.assertEqual(includes.check_order(TABLE + "\nBut `base → data`.\n"),
                         ["docs/architecture.md: base → data is accepted, but follows the order"])

    def test_a_header_belongs_to_one_folder_and_is_there(self):
        table = TABLE.replace("diagnostic.h", "diagnostic.h model.h").replace(" snapshot.h", " snapshot.h gone.h")
        found = complaints_about(table=table)
        self.assertIn("docs/architecture.md: model.h belongs to base and to hinge/model", found)
        self.assertIn("docs/architecture.md: include/sorites/gone.h, of hinge/model, is not there", found)


WALK = """
| file | what happens there |
| --- | --- |
| src/a/b.cc | `A::run()`: a `Result` |
"""


class Walks(unittest.TestCase):
    def test_files_and_functions_are_there(self):
        self.assertEqual(includes.check_walks(WALK, {"src/a/b.cc": "Result A::run() {}"}), [])

    def test_what_is_gone_is_found(self):
        self.assertEqual(includes.check_walks(WALK, {"src/a/b.cc": "Result A::walk() {}"}),
                         ["docs/architecture.md: src/a/b.cc has no function run"])
        self.assertEqual(includes.check_walks(WALK, {}), ["docs/architecture.md: src/a/b.cc is not there"])

    def test_a_walk_is_short(self):
        others = [f"src/a/c{i}.cc" for i in range(20)]
        sources = {path: "run()" for path in ["src/a/b.cc", *others]}
        found = ["docs/architecture.md: a walk names 21 files (at most 20)"]
        self.assertEqual(includes.check_walks(WALK + "".join(f"| {path} | nothing |\n" for path in others), sources), found)
        self.assertEqual(includes.check_walks(WALK + f"\nElse {', '.join(others)}.\n", sources), found)
        self.assertEqual(includes.check_walks(WALK + "\n## Decisions\n" + " ".join(others), sources), [])

    def test_what_the_text_of_a_walk_names_is_there(self):
        self.assertEqual(includes.check_walks(WALK + "\nOr src/a/d.cc.\n", {"src/a/b.cc": "run()"}),
                         ["docs/architecture.md: src/a/d.cc is not there"])

    def test_public_headers_are_few_and_short(self):
        self.assertEqual(includes.check_public_headers(15 * ["\n" * 100]), [])
        self.assertEqual(includes.check_public_headers(16 * ["\n" * 138]),
                         ["include: 16 files of public headers (at most 15)", "include: 2208 lines of public headers (at most 2200)"])


README = """Enters: a. Leaves: b. Read `b.h` first, then `x/c.cc` and include/sorites/d.h.

    b, e      in a block
              goes on with words

| file | what |
| --- | --- |
| `b`, `sub` | files and folders |

- `e`: the head of a list, with `no_file` behind it
"""
FILES = {"src/x/b.h", "src/x/b.cc", "src/x/c.cc", "src/x/e.cc", "src/x/README.md", "src/x/sub/f.cc", "src/x/sub/README.md",
         "include/sorites/d.h"}
OF_SUB = "Read `f.cc` first."


class Readmes(unittest.TestCase):
    def test_what_is_there_is_found_beside_it_in_src_and_in_the_project(self):
        self.assertEqual(readmes.check({"src/x": README, "src/x/sub": OF_SUB}, FILES), [])

    def test_a_folder_without_one_is_found(self):
        self.assertEqual(readmes.check({"src/x": README}, FILES), ["src/x/sub: has no README.md"])

    def test_names_of_what_is_gone_are_found_wherever_files_are_listed(self):
        def found(gone):
            files = {path for path in FILES if not path.startswith(gone)}
            return [line.partition(": ")[2] for line in readmes.complaints_about("src/x", README, files)]

        self.assertEqual(found("src/x/b.h"), ["b.h is not there"])
        self.assertEqual(found("src/x/b"), ["b.h is not there", "there is no file b", "there is no file b"])
        self.assertEqual(found("src/x/c"), ["x/c.cc is not there"])
        self.assertEqual(found("src/x/e"), ["there is no file e", "there is no file e"])
        self.assertEqual(found("src/x/sub"), ["there is no file sub"])
        self.assertEqual(found("include"), ["include/sorites/d.h is not there"])

    def test_it_is_short_and_says_what_to_read_first(self):
        self.assertEqual(readmes.complaints_about("src/x", "\n" * 41, FILES),
                         ["src/x/README.md: has more than 40 lines", "src/x/README.md: does not say what to read first"])
        self.assertEqual(readmes.complaints_about("tests/x", "\n" * 41, FILES), [])


def functions(text):
    return [(f.name, f.lines, f.parameters) for f in function_sizes.functions_of(text)]


class FunctionSizes(unittest.TestCase):
    def test_counts_lines_between_braces_and_parameters(self):
        self.assertEqual(functions("int f(int a,\n      std::map<int, int> b) {\n  return a;\n}\nvoid g() {}\n"),
                         [("f", 2, 2), ("g", 0, 0)])

    def test_looks_into_namespaces_and_classes(self):
        self.assertEqual(functions("namespace a {\nclass B : public C<D> {\n public:\n  void f() const { g(); }\n};\n}\n"),
                         [("f", 0, 0)])

    def test_constructors_end_behind_their_members(self):
        self.assertEqual(functions("A::A(int x) : a_{x, 1}, b_(x), c_{} {\n  f();\n}\nvoid g(int) {}\n"),
                         [("A", 2, 1), ("g", 0, 1)])

    def test_operators_and_templates(self):
        self.assertEqual(functions("template <class T, class U = std::vector<T>>\nvoid f(T a, U b) {\n}\n"), [("f", 1, 2)])
        self.assertEqual([f[1:] for f in functions("struct A {\n  bool operator()(T a, U b) const {\n}\n"
                                                   "bool operator==(const A& a) { return true; }\n};\n")],
                         [(1, 2), (0, 1)])

    def test_values_types_and_enumerations_are_no_functions(self):
        self.assertEqual(functions("constexpr Option k[] = {{\"(\", f(1)}};\nenum class E { kA, kB };\nstruct S { int a = f(2); };\n"
                                   "const auto x = [](int a) { return a; };\n"), [])

    def test_braces_in_strings_and_comments_do_not_count(self):
        self.assertEqual(functions('void f() {\n  g("}", \'}\', R"x(})")x", 1\'000);  // }\n  /* } */\n}\n'), [("f", 3, 0)])

    def test_functions_beyond_the_limits_are_found(self):
        many = "void many(int a, int b, int c, int d, int e, int f, int g) {}\n"
        long = "void long_one() {\n" + "  f();\n" * 60 + "}\n"
        fits = "void fits(int a, int b, int c, int d, int e, int f) {\n" + "  g();\n" * 59 + "}\n"
        self.assertEqual(function_sizes.check({"a.cc": many + long + fits}),
                         ["a.cc:1: many has 7 parameters (at most 6)", "a.cc:2: long_one has 61 lines (at most 60)"])

    def test_python_is_measured_alike_and_names_at_the_call_do_not_count(self):
        text = ("class A:\n    def f(self, a, b, c, d, e, f): pass\n"
                "def g(a, b, *c, d, e, f, g, h, i): pass\nasync def many(a, b, c, d, e, f=1, g=2): pass\n")
        self.assertEqual(function_sizes.check({"a.py": text}), ["a.py:4: many has 7 parameters (at most 6)"])
        long = "def long_one():\n" + 61 * "    g()\n"
        self.assertEqual(function_sizes.check({"run": "#!/usr/bin/env python3\n" + long}),
                         ["run:2: long_one has 61 lines (at most 60)"])


def constants_without_reason(text):
    return [complaint.split(" why ")[1] for complaint in constants.complaints("a.cc", text)]


class Constants(unittest.TestCase):
    def test_a_number_of_which_nothing_is_said_is_found(self):
        self.assertEqual(constants_without_reason("// of something else\n\nconstexpr double kStep = 1e-3;\n"), ["kStep is 1e-3"])
        self.assertEqual(constants_without_reason("void f() {\n  static constexpr int kMost{7};\n}\n"), ["kMost is 7}"])

    def test_a_comment_in_the_line_or_above_it_is_a_reason(self):
        self.assertEqual(constants_without_reason("constexpr double kStep = 1e-3;  // Smith 1990, eq. 4\n"), [])
        self.assertEqual(constants_without_reason("// 1.2 times as many with 4.\nconstexpr int kA = 2;\nconstexpr int kB = 3;\n"), [])

    def test_what_is_no_chosen_number_needs_none(self):
        self.assertEqual(constants_without_reason('constexpr std::uint32_t kNone = ~std::uint32_t{0};\nconstexpr Real kOne = 1;\n'
                                                  'constexpr std::string_view kName = "p2";\nconstexpr int f(int a = 3) {}\n'), [])


def bare_numbers(text, path="a.cc"):
    return [complaint.split(": ")[1].split(" has ")[0] for complaint in constants.complaints(path, text)]


class BareNumbers(unittest.TestCase):
    def test_numbers_that_were_chosen_are_found(self):
        self.assertEqual(bare_numbers("void f() {\n  x = std::max(y, 1e-3);\n  z *= 0.1F;\n}\n"), ["1e-3", "0.1F"])
        self.assertEqual(bare_numbers("bool f() { return 4 * entries > part.size(); }\n"), ["4"])
        self.assertEqual(bare_numbers("next = sweep + std::max<std::uint64_t>(2, sweep / 5);\n"), ["5"])
        self.assertEqual(bare_numbers("bool f() { return open <= problem.size() / 4; }\n"), ["4"])
        self.assertEqual(bare_numbers("most = std::max(kFew, rows.back() / 4 + 1);\n"), ["4"])

    def test_a_name_or_a_comment_is_a_reason(self):
        self.assertEqual(bare_numbers("void f() {\n  constexpr double kA = 1e-3;  // why\n  g(kA);\n}\n"), [])
        self.assertEqual(bare_numbers("// Why.\nconstexpr double kA[] = {1e-3,\n  1e-4};\n"), [])
        self.assertEqual(bare_numbers("  // A thousandth: why.\n  g(1e-3);\n  double decay = 1e-3;  // why\n"), [])

    def test_what_was_not_chosen_needs_none(self):
        self.assertEqual(bare_numbers('g("1e-3", R"(4 * a > b)");\nx = 0.5F * y / 2.0F;\nh(0x1e4U, a.b1e3);\n'), [])
        self.assertEqual(bare_numbers("for (int i = 0; i < 2 * n; ++i) f(n / 4);\nif (size < 4) return x / 60;\n"), [])
        self.assertEqual(bare_numbers("x = 1e-3;\n", "src/a/random_model.h"), [])


class HomesOfConstants(unittest.TestCase):
    def test_an_equal_number_of_one_name_in_two_files_is_found(self):
        texts = {"a.cc": "constexpr double kA = 10.0, kFeasible = 1e-6;  // why\n",
                 "b.cc": "void f() {\n  static constexpr float kFeasible{1e-6F};\n}\n",
                 "c.cc": "constexpr std::size_t kMost = std::size_t{1} << 32U;", "d.cc": "constexpr auto kMost = 1 << 32;"}
        self.assertEqual(list(constants.several_homes(texts)), ["b.cc: kFeasible is 1e-6 in a.cc too: give it one home",
                                                                "d.cc: kMost is 1<<32 in c.cc too: give it one home"])

    def test_other_values_and_what_stands_for_none_have_homes_of_their_own(self):
        texts = {"a.cc": "constexpr int kSteps = 40, kNone = ~0;\nconstexpr double kAll = 1.0, kWord = std::numeric_limits<int>::max();",
                 "b.cc": "constexpr int kSteps = 100, kNone = ~0;\nconstexpr double kAll = 1.0, kWord = std::numeric_limits<int>::max();",
                 "src/random_a.h": "constexpr int kSteps = 40;"}
        self.assertEqual(list(constants.several_homes(texts)), [])


def lost_references(comment):
    files = {"src/a/b.h": "class Solver {};", "src/a/c.cc": "#include <zlib.h>\n" + comment}
    return list(references.complaints_about("src/a/c.cc", files["src/a/c.cc"], files))


class References(unittest.TestCase):
    def test_files_and_names_that_are_there(self):
        self.assertEqual(lost_references("// As Solver (a/b.h) and\n// Solver (b.h) do; zlib.h, x.c.h and *.h.\n"), [])

    def test_what_is_gone_is_found(self):
        self.assertEqual(lost_references("int a;  // see d.h\n"), ["src/a/c.cc:2: d.h is not there"])
        self.assertEqual(lost_references("// As Inference\n// (b.h) and solve() (a/b.h).\n"),
                         ["src/a/c.cc:2: b.h has no Inference", "src/a/c.cc:2: a/b.h has no solve"])


class Tidy(unittest.TestCase):
    def test_sources_of_a_folder_that_are_compiled_alike_are_read_together(self):
        flags = {"src/a/x.cc": "-O1", "src/a/y.cc": "-O1", "src/a/z_benchmark.cc": "-O2", "src/b/x.cc": "-O1"}
        self.assertEqual(tidy.groups_of(reversed(flags), flags.get),
                         [["src/a/x.cc", "src/a/y.cc"], ["src/a/z_benchmark.cc"], ["src/b/x.cc"]])

    def test_large_folders_are_cut_into_equal_parts(self):
        sources = [f"src/a/{i:02}.cc" for i in range(tidy.FILES_TOGETHER + 1)]
        self.assertEqual([len(group) for group in tidy.groups_of(sources, str)], [1] * len(sources))
        self.assertEqual([len(group) for group in tidy.groups_of(sources, lambda _: "")], [8, 9])

    def test_places_are_led_back_to_the_sources(self):
        together = tidy.Together({"src/a.cc": "1\n2\n", "src/b.cc": "1\n2\n3\n"})
        self.assertEqual(together.led_back("/x/t.cc:2:7: error: no\n/x/t.cc:6:1: note: but", "/x/t.cc"),
                         "src/a.cc:2:7: error: no\nsrc/b.cc:3:1: note: but")


class OneDefinition(unittest.TestCase):
    def names(self, text):
        return sorted(one_definition.definitions(text))

    def test_types_and_inline_functions_have_the_names_of_their_namespaces(self):
        text = """namespace sorites { struct A { struct B {}; int c() { return 1; } };
                  enum class C : int { kOne }; class D : public A { };  // struct E {};
                  inline int f(int  a) { return a; } inline int f(double a) { return 1; }
                  namespace other { class A { }; } struct A::F { }; }"""
        self.assertEqual(self.names(text), ["sorites::A", "sorites::C", "sorites::D", "sorites::f(double a)", "sorites::f(int a)",
                                            "sorites::other::A"])

    def test_unnamed_namespaces_and_specializations_do_not_count(self):
        self.assertEqual(self.names("namespace sorites { namespace { struct A { }; } template <> struct B<int> { }; struct C; }"), [])

    def test_a_name_in_two_headers_is_found(self):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            for name in ("src/a.h", "src/b.h"):
                (root / name).parent.mkdir(exist_ok=True)
                (root / name).write_text("namespace sorites { struct A { }; }")
            self.assertEqual(list(one_definition.find(root)),
                             ["sorites::A is defined in src/a.h and in src/b.h: rename one"])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
