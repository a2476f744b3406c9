// Runs the commands on models of Markov logic.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "program_folder.h"

namespace sorites {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::StartsWith;
using Json = nlohmann::json;

class MarkovCommand : public ProgramFolder {
 protected:
  // Four files: who smokes, by friends.
  void write_smokers() const {
    fs::create_directories(folder_ / "smokers");
    write("smokers/predicates", "*friend(person, person)\nsmokes(person)\ncancer(person)\n");
    write("smokers/facts",
          "friend(Ann, Bob)\nfriend(Bob, Cid)\nsmokes(Ann)\n!smokes(Dan)\ncancer(Dan)\n");
    write("smokers/rules",
          "2 !friend(x, y) v !smokes(x) v smokes(y)\n"
          "1.5 !smokes(x) v cancer(x)\n");
    write("smokers/queries", "smokes(Bob)\nsmokes(Cid)\ncancer(Ann)\n!cancer(Bob)\n");
  }

  // A pair of files: what papers are about, one of three classes each.
  void write_papers() const {
    write("papers.mln",
          "*cites(paper, paper)\n"
          "topic(paper) in {RL, ML, DB}\n"
          "1 cites(x, y) ^ topic(x) = c => topic(y) = c\n");
    write("papers.db",
          "cites(P1, P2)\ncites(P2, P3)\ntopic(P1) = ML\n?topic(P2) = ML\n?topic(P3)\n");
  }
};

TEST_F(MarkovCommand, InfersTheQueriesAndReportsBesides) {
  write_smokers();
  const Outcome outcome = run("infer smokers");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, StartsWith("smokes('Bob') = 0."));
  EXPECT_THAT(outcome.out, HasSubstr("\ncancer('Bob') = 0."));
  EXPECT_THAT(outcome.out, Not(HasSubstr("smokes('Ann')")));
  EXPECT_THAT(outcome.err, HasSubstr("status     converged"));
  EXPECT_THAT(outcome.err, HasSubstr("solver     mean-field, "));
  EXPECT_THAT(outcome.err, HasSubstr("size       20 ground rules over 5 unknown atoms"));
  EXPECT_THAT(outcome.err, HasSubstr("bound      none"));
  EXPECT_THAT(outcome.err, HasSubstr("metrics    smokes: auroc"));
}

TEST_F(MarkovCommand, MarginalsAreThoseOfTheDefinition) {
  // One atom, one formula: log-odds are the weight.
  write("one.mln", "sunny()\n1.25 sunny()\n");
  const Outcome outcome = run("infer one.mln");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr(fmt::format(" = {:.4f}\n", 1 / (1 + std::exp(-1.25)))));
  write_papers();
  const Outcome papers = run("infer papers.mln --data papers.db -D meanfield.iterations=1");
  // P1 is about ML for sure; what P2 and P3 say to each other is even at first.
  const double e = std::exp(1.0);
  EXPECT_THAT(papers.out, HasSubstr(fmt::format("topic('P2', 'ML') = {:.4f}\n", e / (e + 2))));
  EXPECT_THAT(papers.out, HasSubstr("topic('P3', 'DB') = 0.3333\n"));
}

// Plain steps swing between both formulas, which no step of the default does.
TEST_F(MarkovCommand, UpdatesDoNotSwing) {
  write("hard.mln", "Smokes(person)\nCancer(person)\nSmokes(x) => Cancer(x).\n1 Smokes(x)\n");
  write("hard.db", "?Smokes(Anna)\n?Cancer(Anna)\n");
  const Outcome outcome = run("infer hard.mln --data hard.db");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("Smokes('Anna') = 0.731"));
  EXPECT_THAT(outcome.out, HasSubstr("Cancer('Anna') = 1.0000"));
  EXPECT_THAT(outcome.err, HasSubstr("status     converged"));
  const Outcome plain = run("infer hard.mln --data hard.db -D meanfield.updates=plain");
  EXPECT_THAT(plain.err, HasSubstr("status     done"));
  EXPECT_THAT(plain.err, HasSubstr("mean-field, 5 iterations"));
  EXPECT_EQ(run("infer hard.mln --data hard.db --max-iterations 2").exit_code, 1);
  const Outcome centred =
      run("infer hard.mln --data hard.db -D meanfield.updates=descending -D "
          "meanfield.centre_messages=true");
  EXPECT_EQ(centred.exit_code, 2);
  EXPECT_THAT(centred.err, HasSubstr("follow no free energy"));
  EXPECT_EQ(run("infer hard.mln --data hard.db -D meanfield.centre_messages=true").exit_code, 0);
}

TEST_F(MarkovCommand, RefusesOptionsThatSayNothingWithTheMethod) {
  write_smokers();
  const std::pair<const char*, const char*> cases[] = {
      {"--method gibbs --max-iterations 10", "mean-field"},
      {"--method gibbs -D meanfield.damping=0.5", "mean-field"},
      {"--method exact --max-iterations 1", "mean-field"},
      {"--method exact -D MeanField.Iterations=3", "mean-field"},
      {"--method mc-sat -D meanfield.updates=plain", "mean-field"},
      {"--method exact -D meanfield.tolerance=0.1", "mean-field"},
      {"--samples 100", "gibbs` and `--method mc-sat"},
      {"--method exact --samples 100", "gibbs` and `--method mc-sat"},
      {"-D inference.chains=3", "gibbs` and `--method mc-sat"},
      {"--method mean-field --set Inference.Samples=7", "gibbs` and `--method mc-sat"}};
  for (const auto& [flags, methods] : cases) {
    const Outcome outcome = run(fmt::format("infer smokers {}", flags));
    EXPECT_EQ(outcome.exit_code, 2) << flags;
    EXPECT_THAT(outcome.err, HasSubstr("means nothing with the method `")) << flags;
    EXPECT_THAT(outcome.err, HasSubstr(fmt::format("it is for `--method {}`", methods))) << flags;
  }
  EXPECT_EQ(run("check smokers -D inference.samples=100").exit_code, 2);
  EXPECT_EQ(run("infer smokers --max-iterations 500").exit_code, 0);
  EXPECT_EQ(run("infer smokers --method gibbs --samples 100").exit_code, 0);
  // Learning infers by mean field, whatever the method is.
  const Outcome learned =
      run("learn smokers --epochs 1 -D inference.method=exact -D meanfield.damping=0.5");
  EXPECT_EQ(learned.exit_code, 0) << learned.err;
  // A model may say it for whoever chooses another method.
  write("smokers/options", "meanfield.damping = 0.5\ninference.samples = 100\n");
  EXPECT_EQ(run("infer smokers").exit_code, 0);
  EXPECT_EQ(run("infer smokers --method exact").exit_code, 0);
}

TEST_F(MarkovCommand, TellsWhatContradictsInJson) {
  write("hard.mln", "P(thing)\nQ(thing)\nP(x) => Q(x).\n1 P(x)\n");
  write("hard.db", "P(A)\n!Q(A)\n?P(B)\n");
  const Outcome outcome = run("infer hard.mln --data hard.db --json");
  EXPECT_EQ(outcome.exit_code, 3);
  EXPECT_EQ(Json::parse(outcome.out)["status"], "infeasible");
  // Formulas that only weigh are violated as far as they are.
  const Outcome weighed =
      run("infer hard.mln --data hard.db --json -D meanfield.propagation_steps=0");
  EXPECT_EQ(weighed.exit_code, 0) << weighed.err;
  EXPECT_NEAR(Json::parse(weighed.out)["max_violation"].get<double>(), 1.0, 1e-3);
}

TEST_F(MarkovCommand, GivesOneJsonDocument) {
  write_smokers();
  const Outcome outcome =
      run("infer smokers --json -D meanfield.iterations=50 -D meanfield.tolerance=1e-4");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_THAT(outcome.err, IsEmpty());
  const Json document = Json::parse(outcome.out);
  EXPECT_EQ(document["command"], "infer");
  EXPECT_EQ(document["semantics"], "markov-logic");
  EXPECT_EQ(document["status"], "converged");
  EXPECT_EQ(document["terms"], 20);
  EXPECT_EQ(document["atoms"], 5);
  EXPECT_EQ(document["rules"].size(), 2U);
  EXPECT_TRUE(document["lower_bound"].is_null());
  EXPECT_EQ(document["free_energy"].size(), document["solver"]["iterations"].get<std::size_t>());
  EXPECT_NEAR(
      document["objective"].get<double>(), document["free_energy"].back().get<double>(), 1e-5);
  EXPECT_LE(document["free_energy"].back(), document["free_energy"].front());
  EXPECT_EQ(document["metrics"]["SMOKES"]["accuracy"], 1.0);
  EXPECT_TRUE(document["metrics"]["CANCER"].contains("auprc"));
  EXPECT_TRUE(document["metrics"]["CANCER"].contains("log_loss"));
  EXPECT_EQ(document["evaluated_atoms"]["CANCER"], 2);
}

TEST_F(MarkovCommand, ReadsModelFiles) {
  write("smokers.json", R"json({
  "language": "mln",
  "semantics": "markov-logic",
  "predicates": {
    "Friend": {"types": ["person", "person"], "world": "closed", "observations": [["ann", "bob"]]},
    "Smokes": {"types": ["person"], "observations": [["ann"]], "targets": [["bob"]],
               "truth": [["bob", 1]], "evaluations": ["DiscreteEvaluator"]}
  },
  "options": {"meanfield.iterations": 1},
  "rules": ["2 Friend(x, y) ^ Smokes(x) => Smokes(y)"]
})json");
  const Outcome outcome = run("infer smokers.json --json");
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const Json document = Json::parse(outcome.out);
  EXPECT_EQ(document["solver"]["iterations"], 1);
  EXPECT_EQ(document["metrics"]["SMOKES"]["accuracy"], 1.0);
  EXPECT_FALSE(document["metrics"]["SMOKES"].contains("auprc"));
  EXPECT_THAT(run("infer smokers.json").out,
              StartsWith(fmt::format("Smokes('bob') = {:.4f}\n", 1 / (1 + std::exp(-2.0)))));
  EXPECT_EQ(run("check smokers.json").exit_code, 0);
  EXPECT_EQ(run("infer smokers.json --data x.db").exit_code, 2);
}

TEST_F(MarkovCommand, WritesFilesThatEvalReads) {
  write_smokers();
  const Outcome inferred = run("infer smokers --output out --json");
  ASSERT_EQ(inferred.exit_code, 0) << inferred.err;
  EXPECT_THAT(read("out/SMOKES.txt"), StartsWith("Bob\t0."));
  const Outcome evaluated = run("eval smokers --results out --json");
  ASSERT_EQ(evaluated.exit_code, 0) << evaluated.err;
  EXPECT_EQ(Json::parse(evaluated.out)["metrics"], Json::parse(inferred.out)["metrics"]);
  EXPECT_THAT(run("eval smokers --results out").out, HasSubstr("AUCEvaluator"));
}

TEST_F(MarkovCommand, ShowsAllUnknownAtomsIfAskedOrWithoutQueries) {
  write_smokers();
  EXPECT_THAT(run("infer smokers --all").out, HasSubstr("cancer('Cid') = 0."));
  fs::remove(folder_ / "smokers/queries");
  const Outcome outcome = run("infer smokers");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("cancer('Cid') = 0."));
  EXPECT_THAT(outcome.out, Not(HasSubstr("friend")));
  EXPECT_THAT(outcome.err, Not(HasSubstr("metrics")));
  EXPECT_EQ(run("eval smokers --results .").exit_code, 2);
}

TEST_F(MarkovCommand, GivesOneMarginalPerClass) {
  write_papers();
  const Outcome outcome = run("infer papers.mln --data papers.db --output out --json");
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_THAT(read("out/TOPIC.txt"), HasSubstr("P2\tML\t0."));
  EXPECT_THAT(read("out/TOPIC.txt"), HasSubstr("P3\tDB\t0."));
  const Json document = Json::parse(outcome.out);
  EXPECT_EQ(document["metrics"]["TOPIC"]["categorical_accuracy"], 1.0);
  const Outcome evaluated = run("eval papers.mln --data papers.db --results out --json");
  EXPECT_EQ(Json::parse(evaluated.out)["metrics"], document["metrics"]);
}

TEST_F(MarkovCommand, ExplainsWhatPushesAnAtom) {
  write_smokers();
  const Outcome outcome = run("explain smokers 'smokes(Bob)' --json -D meanfield.tolerance=1e-9");
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const Json atom = Json::parse(outcome.out)["atoms"][0];
  EXPECT_EQ(atom["atom"], "smokes('Bob')");
  EXPECT_EQ(atom["unit"], "log-odds");
  double sum = atom["own"];
  for (const Json& rule : atom["rules"]) sum += rule["force"].get<double>();
  const double value = atom["value"];
  EXPECT_NEAR(sum, std::log(value / (1.0 - value)), 1e-6);  // the iterations have settled
  EXPECT_EQ(atom["rules"][0]["rule"], 1);
  const Json strongest = atom["up"][0];
  EXPECT_NEAR(strongest["force"].get<double>(), 2.0, 1e-9);  // Ann is a friend who smokes
  EXPECT_EQ(strongest["facts"][1]["atom"], "smokes('Ann')");
  const std::string text = run("explain smokers --atom 'smokes(Bob)'").out;
  EXPECT_THAT(text, StartsWith("smokes('Bob') = 0."));
  EXPECT_THAT(text, HasSubstr("pull it up: "));
  EXPECT_THAT(text, HasSubstr("2.0000  friend('Ann', 'Bob') & smokes('Ann') -> smokes('Bob')"));
}

TEST_F(MarkovCommand, ExplainsClasses) {
  write_papers();
  const Outcome all = run("explain papers.mln --data papers.db 'topic(P2)' --json");
  ASSERT_EQ(all.exit_code, 0) << all.err;
  EXPECT_EQ(Json::parse(all.out)["atoms"].size(), 3U);
  const Outcome one = run("explain papers.mln --data papers.db 'topic(P2, ML)' --json");
  ASSERT_EQ(one.exit_code, 0) << one.err;
  const Json atom = Json::parse(one.out)["atoms"][0];
  EXPECT_EQ(atom["atom"], "topic('P2', 'ML')");
  EXPECT_GT(atom["force_up"], atom["force_down"]);
}

TEST_F(MarkovCommand, ExplainsHowWellAFormulaHolds) {
  write_smokers();
  const Outcome outcome = run("explain smokers --rule 1 --rule smokers/rules:2 --json");
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const Json document = Json::parse(outcome.out);
  EXPECT_TRUE(document["atoms"].empty());
  ASSERT_EQ(document["rules"].size(), 2U);
  const Json friends = document["rules"][0];
  EXPECT_EQ(friends["terms"], 16);
  EXPECT_NEAR(friends["energy"].get<double>(), 2.0 * friends["distance"].get<double>(), 1e-5);
  EXPECT_GT(friends["worst"], 0.0);
  const Json inferred = Json::parse(run("infer smokers --json").out);
  for (const Json& rule : inferred["rules"]) {
    EXPECT_TRUE(rule["worst"].is_null()) << rule;  // sums are all that mean field looks at
  }
  const Json hinge = Json::parse(run("infer smokers --semantics hinge --json").out);
  for (const Json& rule : hinge["rules"]) {
    EXPECT_TRUE(rule["worst"].is_number()) << rule;
  }
  ASSERT_EQ(friends["worst_groundings"].size(), 2U);  // Ann and Bob have one friend each
  double sum = 0.0;
  for (const Json& grounding : friends["worst_groundings"]) {
    double cost = 2.0;
    for (const Json& fact : grounding["facts"]) cost *= fact["value"].get<double>();
    EXPECT_NEAR(grounding["energy"].get<double>(), cost, 1e-12);
    sum += cost;
  }
  EXPECT_NEAR(friends["energy"].get<double>(), sum, 1e-5);
  EXPECT_EQ(document["rules"][1]["rule"], 2);
  const Outcome text = run("explain smokers 'smokes(Bob)' --rule 1");
  EXPECT_THAT(text.out, StartsWith("smokes('Bob') = 0."));
  EXPECT_THAT(text.out, HasSubstr("rule 1 (smokers/rules:1)\n\nground rules  16, "));
  const Outcome wrong = run("explain smokers --rule 3");
  EXPECT_EQ(wrong.exit_code, 2);
  EXPECT_THAT(wrong.err, HasSubstr("there is no rule `3`: they are numbered from 1 to 2"));
}

TEST_F(MarkovCommand, NamesTheNearestAtom) {
  write_smokers();
  const auto mistake = [&](const std::string& atom) {
    const Outcome outcome = run("explain smokers '" + atom + "'");
    EXPECT_EQ(outcome.exit_code, 2);
    EXPECT_THAT(outcome.err, HasSubstr("[unknown-atom]"));
    return outcome.err;
  };
  EXPECT_THAT(mistake("smoke(Bob)"), HasSubstr("did you mean `smokes`?"));
  EXPECT_THAT(mistake("smokes(Bobb)"), HasSubstr("did you mean `Bob`?"));
  EXPECT_THAT(mistake("smokes(Ann)"), HasSubstr("is observed, with value 1"));
  EXPECT_THAT(mistake("friend(Ann, Cid)"), HasSubstr("closed"));
  EXPECT_THAT(mistake("smokes"), HasSubstr("is no atom"));
  EXPECT_THAT(mistake("smokes(Ann, Bob)"), HasSubstr("has 1 argument, not 2"));
  EXPECT_EQ(run("explain smokers").exit_code, 2);
}

TEST_F(MarkovCommand, EstimatesThePlan) {
  write_smokers();
  const Outcome outcome = run("estimate smokers");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("about 20 terms"));
  EXPECT_THAT(outcome.out, HasSubstr("per iteration"));
  const Json document = Json::parse(run("estimate smokers --json").out);
  EXPECT_EQ(document["rules"][0]["terms"], 16.0);
  EXPECT_GT(document["operations"], 0.0);
  EXPECT_THAT(run("estimate smokers --verbose").out, HasSubstr("rule 1: "));
}

TEST_F(MarkovCommand, RefusesAPlanThatIsTooLargeAndNamesTheFormula) {
  write_smokers();
  for (const char* command : {"infer", "estimate"}) {
    const Outcome outcome = run(fmt::format("{} smokers -D meanfield.max_bytes=150", command));
    EXPECT_EQ(outcome.exit_code, 2);
    EXPECT_THAT(outcome.err, HasSubstr("[plan-too-large]"));
    EXPECT_THAT(outcome.err, HasSubstr("smokers/rules:"));
  }
}

TEST_F(MarkovCommand, ChecksTheModel) {
  write_smokers();
  const Outcome outcome = run("check smokers");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, StartsWith("smokers: no mistakes\n"));
  EXPECT_THAT(outcome.out, HasSubstr("friend(person, person)"));
  EXPECT_THAT(run("check smokers --print").out, HasSubstr("1.5 "));
  const Json document = Json::parse(run("check smokers --json").out);
  EXPECT_EQ(document["ok"], true);
  EXPECT_EQ(document["phases"][0]["domains"]["person"], 4);
}

TEST_F(MarkovCommand, TellsFactsThatContradictEachOther) {
  write_smokers();
  write("smokers/facts", "smokes(Ann)\n!smokes(Ann)\n");
  for (const char* command : {"check", "infer", "estimate"}) {
    const Outcome outcome = run(fmt::format("{} smokers", command));
    EXPECT_EQ(outcome.exit_code, 2);
    EXPECT_THAT(outcome.err, HasSubstr("[contradicting-facts]"));
  }
  const Json document = Json::parse(run("check smokers --json").out);
  EXPECT_EQ(document["ok"], false);
  EXPECT_EQ(document["diagnostics"][0]["code"], "contradicting-facts");
}

TEST_F(MarkovCommand, GroundsWhatFactsLeaveUndecided) {
  write("m.mln",
        "person = {Ann, Bob, Cid}\n"
        "Friend(person, person)\n"
        "Smokes(person)\n"
        "2 Friend(x, y) ^ Smokes(x) => Smokes(y)\n"
        "!Smokes(x) v !Friend(x, x).\n");
  write("m.db", "Friend(Ann, Bob)\nFriend(Bob, Cid)\nFriend(Cid, Cid)\nSmokes(Ann)\n");
  const Outcome outcome =
      run("ground m.mln --quiet --rules-out /dev/stdout -D meanfield.closed=Friend");
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  // Ann smokes: of the first grounding Bob is left. Cid does not, as a friend of himself.
  EXPECT_EQ(outcome.out,
            "Weight\tSquared?\tRule\n"
            "2.0\tfalse\t!Smokes('Bob')\n"
            "2.0\tfalse\tSmokes('Bob')\n");
}

TEST_F(MarkovCommand, HasNoSnapshots) {
  write_smokers();
  const Outcome outcome = run("ground smokers --snapshot s");
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_THAT(outcome.err, HasSubstr("inferred without grounding: there is no snapshot"));
  EXPECT_THAT(outcome.err, HasSubstr("sorites estimate"));
}

TEST_F(MarkovCommand, SaysWhatIsWrongWithItsFlags) {
  write_smokers();
  const auto mistake = [&](const std::string& flags) {
    const Outcome outcome = run("infer smokers " + flags);
    EXPECT_EQ(outcome.exit_code, 2) << flags;
    return outcome.err;
  };
  EXPECT_THAT(mistake("-D meanfield.iteration=3"),
              HasSubstr("did you mean `meanfield.iterations`?"));
  EXPECT_THAT(mistake("-D meanfield.iterations=0"), HasSubstr("a positive integer"));
  EXPECT_THAT(mistake("-D meanfield.damping=1"), HasSubstr("from 0 to below 1"));
  EXPECT_THAT(mistake("-D meanfield.tolerance=x"), HasSubstr("takes a number"));
  EXPECT_THAT(mistake("-D meanfield"), HasSubstr("takes option=value"));
  EXPECT_THAT(mistake("--gap 1e-3"),
              HasSubstr("`inference.gap` means nothing under the semantics `markov-logic`"));
  EXPECT_THAT(mistake("--solver admm"), HasSubstr("means nothing"));
  EXPECT_THAT(mistake("--phase learn"), HasSubstr("has one phase"));
  EXPECT_THAT(mistake("--semantics hinge -D meanfield.damping=0.5"), HasSubstr("means nothing"));
  EXPECT_THAT(mistake("-D Inference.Relax.Multiplier=3"), HasSubstr("means nothing"));
  for (const char* option :
       {"learn.smoothing=0.1", "learn.warm_start=false", "connectedcomponents.batchsize=2"}) {
    EXPECT_THAT(mistake(std::string("-D ") + option), HasSubstr("means nothing")) << option;
  }
  EXPECT_THAT(mistake("--save-state x"), HasSubstr("there is no state to keep"));
  EXPECT_EQ(run("check smokers --semantics hinge -D meanfield.damping=0.5").exit_code, 2);
  EXPECT_EQ(run("infer smokers --semantics MARKOV-LOGIC").exit_code, 0);
  EXPECT_THAT(run("infer nowhere.mln").err, HasSubstr("nowhere.mln"));
  EXPECT_EQ(run("infer nowhere.mln").exit_code, 2);
}

TEST_F(MarkovCommand, SaysThatItDidNotConverge) {
  write_smokers();
  const Outcome outcome =
      run("infer smokers -D meanfield.tolerance=1e-9 --max-iterations 2 --output out");
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_THAT(outcome.out, HasSubstr("NOT CONVERGED (iteration_limit)"));
  EXPECT_THAT(read("out/SMOKES.txt"), HasSubstr("Bob\t"));
  const Outcome quiet = run("infer smokers -D meanfield.tolerance=1e-9 --max-iterations 2 --quiet");
  EXPECT_THAT(quiet.err, StartsWith("sorites: NOT CONVERGED"));
}

TEST_F(MarkovCommand, TakesDomainsWithoutConstants) {
  write("empty.mln", "likes(person)\n1 likes(x)\n");
  const Outcome outcome = run("infer empty.mln");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, IsEmpty());
  EXPECT_EQ(run("estimate empty.mln").exit_code, 0);
  EXPECT_EQ(run("check empty.mln").exit_code, 0);
}

TEST_F(MarkovCommand, RefusesNamesThatDifferByCaseAlone) {
  write("cases.mln", "likes(person)\nLikes(person)\n1 likes(Ann)\n-1 Likes(Ann)\n");
  const Outcome outcome = run("infer cases.mln --output out");
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_THAT(outcome.err, HasSubstr("[duplicate-predicate]"));
}

// One model, two meanings, the same commands and documents.
TEST_F(MarkovCommand, OneModelIsAnsweredUnderBothSemantics) {
  const std::string model = fmt::format("{}/smokers/model.json", SORITES_EXAMPLES);
  const auto keys = [](const Json& document) {
    std::string text;
    for (const auto& [key, value] : document.items()) text += key + " ";
    return text;
  };
  for (const char* command : {"check {}",
                              "estimate {}",
                              "ground {}",
                              "infer {}",
                              "explain {} 'Smokes(Bob)'",
                              "learn {} --epochs 2"}) {
    const std::string line = fmt::format(fmt::runtime(command), model) + " --json --semantics ";
    const Outcome hinge = run(line + "hinge"), markov = run(line + "markov-logic");
    ASSERT_EQ(hinge.exit_code, 0) << line << hinge.out;
    ASSERT_EQ(markov.exit_code, 0) << line << markov.out;
    const Json one = Json::parse(hinge.out), other = Json::parse(markov.out);
    EXPECT_EQ(one["semantics"], "hinge");
    EXPECT_EQ(other["semantics"], "markov-logic");
    EXPECT_EQ(keys(one), keys(other)) << line;
  }
}

TEST_F(MarkovCommand, EstimatesCountUnknownAtomsUnderBothSemantics) {
  const std::string model = fmt::format("{}/smokers/model.json", SORITES_EXAMPLES);
  const auto atoms = [&](const std::string& command) {
    return Json::parse(run(fmt::format(fmt::runtime(command), model) + " --json").out)["atoms"];
  };
  EXPECT_EQ(atoms("estimate {}"), 5);
  EXPECT_EQ(atoms("estimate {} --semantics markov-logic"), 5);
  EXPECT_EQ(atoms("ground {}"), 5);
}

TEST_F(MarkovCommand, TextsOfMarkovLogicAreAnsweredUnderHinge) {
  write_smokers();
  const Outcome outcome = run("infer smokers --semantics hinge --json --values");
  ASSERT_EQ(outcome.exit_code, 0) << outcome.out;
  const Json document = Json::parse(outcome.out);
  EXPECT_EQ(document["status"], "optimal");
  EXPECT_EQ(document["values"].size(), 5U);  // all that is unknown
  EXPECT_EQ(run("ground smokers --semantics hinge").exit_code, 0);
}

TEST_F(MarkovCommand, StopsWhenInterruptedAndKeepsTheResult) {
  write_smokers();
  const std::string interrupted = fmt::format(
      "cd '{}' && timeout --foreground --preserve-status -s INT 0.5 '{}' infer smokers --output "
      "out "
      "--max-iterations 2000000000 -D meanfield.damping=0.999999 >out.txt 2>err.txt",
      folder_.string(),
      SORITES_PROGRAM);
  const int status = std::system(interrupted.c_str());
  EXPECT_EQ(WEXITSTATUS(status), 1) << read("err.txt");
  EXPECT_THAT(read("out.txt"), HasSubstr("NOT CONVERGED (interrupted)"));
  EXPECT_THAT(read("out/SMOKES.txt"), HasSubstr("Bob\t"));
}

}  // namespace
}  // namespace sorites
