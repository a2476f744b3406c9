// What `sorites infer` found out, as text and as JSON.
#pragma once

#include <string>
#include <vector>

#include "report/infer_json.h"
#include "sorites/session.h"

namespace sorites {

std::string summary_text(const InferReport& report, bool color);

// Where values are written: as --output says, or the model; empty: nowhere.
std::string results_folder(const ResultFiles& of_model, const std::string& output);

// Why a result is not what was asked for, for a reader who looks at nothing else. Empty if it is.
std::string warning_text(const InferResult& result);

// The hard ground rules that contradict each other, with the places of their rules.
Diagnostic contradiction(const std::string& path, const InferResult& result);

std::string network_text(const NetworkSummary& network);

}  // namespace sorites
