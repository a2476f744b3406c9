// The subcommands: one function each, in one file each. It adds the subcommand to the app, with a
// callback that says what to run once the whole command line is understood.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <memory>
#include <stop_token>

namespace sorites {

struct RunContext {
  std::stop_token stop;
  std::function<int()> run;  // returns the exit code
};

void add_check_command(CLI::App& app, RunContext& context);
void add_estimate_command(CLI::App& app, RunContext& context);
void add_ground_command(CLI::App& app, RunContext& context);
void add_infer_command(CLI::App& app, RunContext& context);
void add_learn_command(CLI::App& app, RunContext& context);
void add_run_command(CLI::App& app, RunContext& context);
void add_explain_command(CLI::App& app, RunContext& context);
void add_eval_command(CLI::App& app, RunContext& context);
void add_completion_command(CLI::App& app, RunContext& context);
void add_generate_docs_command(CLI::App& app, RunContext& context);

// The whole command line. `context` must outlive it.
std::unique_ptr<CLI::App> make_app(RunContext& context);

}  // namespace sorites
