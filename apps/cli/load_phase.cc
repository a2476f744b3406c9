#include "load_phase.h"

#include <fmt/format.h>

#include "exit_code.h"
#include "network_phase.h"
#include "output.h"

namespace sorites {

LoadedModel load_phase(const CommonFlags& flags, const RunContext& context) {
  option_settings(flags);  // a malformed --set is a mistake of the command line: it comes first
  return load_phase(flags, context, read_model(flags.model, flags.data));
}

LoadedModel load_phase(const CommonFlags& flags, const RunContext& context, const ModelFile& file) {
  const auto overrides = option_settings(flags);
  ProgressLine progress("loading", !flags.quiet && !flags.json);
  LoadOptions options;
  options.threads = flags.threads;
  options.stop = context.stop;
  options.progress = [&](std::uint64_t done, std::uint64_t total) { progress.update(done, total); };
  LoadedModel model = load_model(file, phase_of(flags), options, overrides);
  print_diagnostics(model.warnings, flags);
  return model;
}

int run_on_model(const CommonFlags& flags, const std::function<int()>& run) {
  try {
    return run();
  } catch (const InputError& error) {
    print_diagnostics(error.diagnostics(), flags);
    if (flags.json) {
      print_json({{"ok", false}, {"diagnostics", to_json(error.diagnostics())}});
    } else {
      fmt::print(stderr, "{}: {}\n", flags.model, count_text(error.diagnostics()));
    }
    return kInputWrong;
  }
}

}  // namespace sorites
