#include "options/ignored_options.h"

namespace sorites {
namespace {

constexpr IgnoredOptions kIgnored[] = {
    {"Sorites chooses the method by the model's structure; `inference.solver` overrides it",
     "reasoner.evaluate runtime.inference.method weightlearning.inference"},
    {"solvers choose their own steps, and stop at `inference.gap` and `inference.violation`",
     "admmreasoner.computeperiod admmreasoner.epsilonabs admmreasoner.epsilonrel "
     "admmreasoner.maxiterations admmreasoner.primaldualbreak admmreasoner.stepsize "
     "duallcqp.computeperiod duallcqp.maxiterations duallcqp.primaldualbreak "
     "reasoner.gradientdescent.extension reasoner.gradientdescent.firstorderbreak "
     "reasoner.gradientdescent.firstordernorm reasoner.gradientdescent.firstorderthreshold "
     "reasoner.gradientdescent.inversescaleexp reasoner.gradientdescent.learningrate "
     "reasoner.gradientdescent.learningschedule reasoner.gradientdescent.maxiterations "
     "reasoner.objectivebreak reasoner.objectivetolerance reasoner.runfulliterations "
     "reasoner.variablemovementbreak reasoner.variablemovementnorm "
     "reasoner.variablemovementtolerance sgd.adambeta1 sgd.adambeta2 sgd.coordinatestep "
     "sgd.extension sgd.firstorderbreak sgd.firstordernorm sgd.firstorderthreshold "
     "sgd.inversescaleexp sgd.learningrate sgd.learningschedule sgd.maxiterations"},
    {"no program of others runs to solve",
     "executablereasoner.cleanupinput executablereasoner.cleanupoutput "
     "executablereasoner.executablepath gurobi.logtoconsole gurobi.method gurobi.worklimit"},
    {"Sorites keeps its data itself, in memory",
     "atomstore.overallocation atomstore.storeallatoms memorytermstore.initialsize "
     "memoryvariabletermstore.defaultsize memoryvariabletermstore.shuffle postgres.host "
     "postgres.password postgres.port postgres.user rdbmsdatabase.fetchsize runtime.db.h2.inmemory "
     "runtime.db.h2.path runtime.db.pg.name runtime.db.sqlite.inmemory runtime.db.sqlite.path "
     "runtime.db.type runtime.inference.commit streamingtermstore.pagelocation "
     "streamingtermstore.pagesize streamingtermstore.randomizepageaccess "
     "streamingtermstore.shufflepage streamingtermstore.warnunsupportedrules"},
    {"joins are worst-case optimal as they are, and need no search for queries",
     "grounding.collective grounding.collective.batchsize grounding.collective.candidate.count "
     "grounding.collective.candidate.search.budget grounding.collective.candidate.search.type"},
    {"the search by a Gaussian process has one form here; these choose among PSL's",
     "gpp.earlyStopping gpp.randomConfigsOnly gpp.useProvidedWeight gppker.scale gppker.space"},
    {"learning solves each inference as far as its own stopping rules need",
     "gradientdescent.stoppinggradientnorm pairedduallearner.admmsteps "
     "pairedduallearner.warmuprounds"},
    {"the values that the bilevel algorithm learns are minimised over, without steps",
     "minimizer.proxvaluestepsize"},
    {"networks run inside Sorites, with the batches of learning",
     "modelpredicate.batchsize predicate.deep.python.module predicate.deep.python.port "
     "predicate.deep.sharedmemory.path"},
    {"evaluations name their predicates themselves", "categoricalevaluator.defaultpredicate"},
    {"results are written whole, and `sorites ground --rules-out` writes the ground rules",
     "runtime.inference.clearrules runtime.inference.output.batched.results "
     "runtime.inference.output.groundrules runtime.inference.output.groundrules.path "
     "runtime.output.atoms.all"},
    {"--quiet and --json say how much is told, and reports hold time and memory",
     "runtime.log.level runtimestats.collect runtimestats.period"},
    {"earlier versions of PSL had them; the methods that they are about are gone",
     "ad3reasoner.* admmmemorytermstore.* admmtermgenerator.* arithmeticrule.* "
     "atomeventframework.* basegridsearch.* bernoullimeanfieldem.* blocksolver.* "
     "booleanmaxwalksat.* booleanmcsat.* cg.* cgipm.* cgsolver.* cli.* confidenceanalysis.* "
     "conicreasoner.* continuousobjective.* dcd.* discreteobjective.* em.* frankwolfe.* "
     "groundrandom.* groundslicerandom.* hardem.* hipm.* hyperplanetermgenerator.* "
     "initialweighthyperband.* ipm.* l1maxmargin.* latenttopicnetworks.* lazyatommanager.* "
     "lazymaxlikelihoodmpe.* lazympeinference.* ltnmaxspeudolikelihood.* maxlikelihood.* "
     "maxmargin.* maxpiecewisepseudolikelihood.* maxspeudolikelihood.* minnormprog.* mosek.* "
     "mpeinference.* neural.* onlineatommanager.* optimalcover.* partialgrounding.* ppipm.* "
     "quadprog.* queryrewriter.* rankingevaluator.* ranksearch.* rdbmsdatastore.* "
     "slicerandom.* uaiformatreasoner.* unforgivinggroundslicerandom.* votedperceptron.* wla.*"},
    {"earlier versions of PSL had them, under names that PSL 3 passes over",
     "admmreasoner.distribution admmreasoner.initialconsensusvalue "
     "admmreasoner.initiallocalvalue admmreasoner.numthreads admmreasoner.objectivebreak "
     "admmreasoner.stopcheck continuousrandomgridsearch.baseweight "
     "continuousrandomgridsearch.scaleorders continuousrandomgridsearch.uniformbase "
     "continuousrandomgridsearch.variance duallcqp.firstorderbreak "
     "duallcqp.firstorderthreshold executablereasoner.executable gpp.acquisition "
     "gpp.initialmetricstd gpp.initialmetricvalue gpp.initialweightstd gpp.initialweightvalue "
     "gpp.kernel gradientdescent.deepweights gradientdescent.deepweights.modelpath "
     "gradientdescent.deepweights.options gradientdescent.extension gradientdescent.normbreak "
     "gradientdescent.normtolerance gradientdescent.objectivebreak "
     "gradientdescent.objectivetolerance gradientdescent.runvalidation "
     "gridsearch.admmiterations gridsearch.angles gridsearch.objective "
     "grounding.rewritequeries grounding.serial hyperband.meanangle hyperband.objective "
     "inference.groundrulestore inference.online inference.onlinehostname "
     "inference.onlinemaxclients inference.onlineportnumber inference.reasoner "
     "inference.termgenerator inference.termstore minimizer.initiallagrangiangradienttolerance "
     "minimizer.squaredpenaltydelta minimizer.truthenergyobjectiveweight "
     "modelpredicate.entityargs modelpredicate.initialbatchsize "
     "modelpredicate.initialiterations modelpredicate.iterations modelpredicate.labelargs "
     "policygradient.gumbelsoftmax.temperature policygradient.policydistribution "
     "postgres.statspercentage predicate.deep.alpha predicate.deep.batchsize "
     "predicate.deep.learningrate random.burnin random.changethreshold random.initialvariance "
     "random.maxiter random.numsamples random.observationscale "
     "randomgridsearch.hyperspherestepsize randomgridsearch.seed reasoner.inspector "
     "reasoner.nonconvex reasoner.nonconvex.period reasoner.nonconvex.rounds "
     "reasoner.overridemergeconstants reasoner.printinitialobj reasoner.tolerance "
     "runtime.db.h2 runtime.db.pg runtime.help runtime.inference.data.path "
     "runtime.inference.deep.batching runtime.inference.eval runtime.inference.model.path "
     "runtime.inference.output.satisfactions runtime.inference.output.satisfactions.path "
     "runtime.learn.data.path runtime.learn.model.path runtime.log.options "
     "runtime.output.properties.path runtime.version search.dirichlet.alpha search.hypersphere "
     "search.logscale sgd.adagrad sgd.adam sgd.movement sgd.movement.threshold "
     "sgd.objectivebreak sgd.printinitialobj sgd.printobj sgd.tolerance "
     "weightlearning.evaluator weightlearning.groundrulestore weightlearning.reasoner "
     "weightlearning.seed weightlearning.termgenerator weightlearning.termstore"},
};

}  // namespace

std::span<const IgnoredOptions> ignored_options() { return kIgnored; }

}  // namespace sorites
