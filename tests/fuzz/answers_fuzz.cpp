// Answers of a language model to an arm of three trials, as a batch interface writes them: each
// prompt is answered, missing, failed or without a clear answer, and nothing else.
#include "fuzz/fuzz.h"
#include "host/sweep/prompt_exchange.h"
#include "support/sweep_files.h"

namespace sightline::fuzz {
namespace {

void check(const std::string& path) {
  static host::Device device(host::DeviceChoice::kCpu, 1);
  static const host::SweepPlan plan =
      host::SweepPlan::parse(tests::kSweepOfThreePrompts, "input", {});
  host::PromptScore score;
  if (!accepts([&] { score = host::score_answers(plan, "reader", path, device); })) return;
  const auto lacking =
      static_cast<std::int64_t>(score.missing.size() + score.failed.size() + score.unparsed.size());
  const host::StudyAnswers& answers = score.run.rows.at(0).result.study;
  require(score.num_prompts == 3 && lacking <= 3, "prompts do not add up");
  require(answers.num_unanswered == lacking, "unanswered are others than told");
  require(answers.right + lacking <= 3, "right without an answer");
}

}  // namespace
}  // namespace sightline::fuzz

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static sightline::fuzz::InputOnDisk input("answers.jsonl");
  sightline::fuzz::check(input.write(data, size));
  return 0;
}
