#include "session/training_log.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "sorites/diagnostic.h"

namespace sorites {
namespace {

namespace fs = std::filesystem;
using testing::StartsWith;

class TrainingLogFile : public testing::Test {
 protected:
  TrainingLogFile() { fs::create_directories(folder_); }
  ~TrainingLogFile() override { fs::remove_all(folder_); }

  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  std::string read(const std::string& name) const {
    std::ifstream file(folder_ / name, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  }

  fs::path folder_ = fs::temp_directory_path() / ("sorites_log_" + std::to_string(::getpid()));
};

LearnEpoch epoch(std::uint64_t number) {
  LearnEpoch result;
  result.epoch = number;
  result.loss = 2.5 + static_cast<double>(number);
  result.training_metric = 0.5;
  result.movement = 1e-9;
  result.seconds = 0.25;
  return result;
}

const std::vector<double> kWeights = {0.1, 0.9};
constexpr const char* kHead =
    "epoch,loss,training_metric,validation_metric,relative_gap,gradient_norm,movement,seconds,"
    "inference_seconds,weight_1,weight_2\n";

TEST_F(TrainingLogFile, HasEachEpochOnDiskAtOnce) {
  TrainingLog log(path("log.csv"), LogShape{.num_rules = 2});
  EXPECT_EQ(read("log.csv"), kHead);
  log.add(epoch(0), kWeights);
  EXPECT_EQ(read("log.csv"), std::string(kHead) + "0,2.5,0.5,,0,0,1e-09,0.25,0,0.1,0.9\n");
}

TEST_F(TrainingLogFile, WritesJsonLines) {
  TrainingLog log(path("log.json"), LogShape{.num_rules = 2});
  log.add(epoch(3), kWeights);
  EXPECT_EQ(read("log.json"),
            "{\"epoch\": 3, \"loss\": 5.5, \"training_metric\": 0.5, \"validation_metric\": null, "
            "\"relative_gap\": 0, \"gradient_norm\": 0, \"movement\": 1e-09, \"seconds\": 0.25, "
            "\"inference_seconds\": 0, \"weights\": [0.1, 0.9]}\n");
}

TEST_F(TrainingLogFile, GoesOnWithTheLinesThatAreThere) {
  for (const char* name : {"log.csv", "log.json"}) {
    {
      TrainingLog log(path(name), LogShape{.num_rules = 2});
      for (std::uint64_t e = 0; e < 3; ++e) log.add(epoch(e), kWeights);
    }
    const std::string before = read(name);
    const std::vector<LearnEpoch> history = {epoch(0), epoch(1)};  // the state is older
    TrainingLog log(path(name), LogShape{.num_rules = 2}, history);
    log.add(epoch(2), kWeights);
    EXPECT_EQ(read(name), before);
  }
}

TEST_F(TrainingLogFile, WritesTheHistoryIfItHasNoLinesOfIt) {
  const std::vector<LearnEpoch> history = {epoch(0)};
  TrainingLog log(path("log.csv"), LogShape{.num_rules = 2}, history);
  EXPECT_EQ(read("log.csv"), std::string(kHead) + "0,2.5,0.5,,0,0,1e-09,0.25,0,,\n");
}

TEST_F(TrainingLogFile, WantsANameThatTellsTheFormat) {
  EXPECT_THROW(TrainingLog(path("log.txt"), LogShape{2}), InputError);
  EXPECT_THROW(TrainingLog("/nowhere/log.csv", LogShape{2}), IoError);
}

}  // namespace
}  // namespace sorites
