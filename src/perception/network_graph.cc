#include "perception/network_graph.h"

#include <fmt/format.h>

#include <utility>
#include <vector>

#include "modelfile/predicate_reader.h"
#include "perception/propagate.h"

namespace sorites {
namespace {

using Edges = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

// Arguments of edges in the form that the entity's have.
std::string node_key(const std::string& argument, std::span<const ArgumentType> types) {
  return entity_key({&argument, 1}, types.first(1));
}

}  // namespace

bool average_over_graph(const ModelFile& file,
                        const LoadedModel& loaded,
                        PredicateId predicate,
                        const NetworkData& data,
                        FeatureTable& table,
                        Diagnostics& sink) {
  const auto graph = find_declaration(file, data.graph);
  if (!graph) return false;  // reported with the settings
  const auto edge = static_cast<PredicateId>(*graph);
  const auto types = part_types(data, loaded.program.predicates[predicate], 1);
  const std::size_t num_rows = loaded.database.relation(edge).table(Partition::kObserved).num_rows;
  Edges edges;
  for (std::uint32_t row = 0; row < num_rows; ++row) {
    const RowId id{Partition::kObserved, row};
    std::vector<std::uint32_t> ends;
    for (const std::string& argument : loaded.database.arguments(edge, id)) {
      const auto found = table.row_of(node_key(argument, types));
      if (found) {
        ends.push_back(*found);
        continue;
      }
      sink.error(DiagnosticCode::kMissingFeatures,
                 loaded.database.origin(edge, id),
                 fmt::format("the edge {}('{}') ends at '{}', which has no features",
                             data.graph,
                             fmt::join(loaded.database.arguments(edge, id), "', '"),
                             argument))
          .notes.push_back({fmt::format("every node of the graph of `{}` needs a row in `{}`",
                                        loaded.program.predicates[predicate].name,
                                        data.features),
                            {}});
      return false;
    }
    edges.emplace_back(ends[0], ends[1]);
  }
  propagate_over_graph(table.array(), edges, data.hops);
  return true;
}

}  // namespace sorites
