// What the terminal tells of something that takes long.
#include "host/cli/patience.h"

#include <gtest/gtest.h>

#include <future>
#include <vector>

namespace sightline::cli {
namespace {

using std::chrono::hours;
using std::chrono::milliseconds;

TEST(Patience, TellsAgainAndAgainWhileItLasts) {
  std::promise<void> third;
  std::vector<double> told_s;
  {
    const Patience patience(milliseconds(0), milliseconds(1), [&](double seconds) {
      told_s.push_back(seconds);
      if (told_s.size() == 3) third.set_value();
    });
    third.get_future().wait();
  }
  ASSERT_GE(told_s.size(), 3u);
  for (std::size_t i = 1; i < told_s.size(); ++i) EXPECT_GT(told_s[i], told_s[i - 1]);
}

TEST(Patience, EndsAtOnceAndSaysNothingOfWhatIsQuick) {
  bool told = false;
  {
    const Patience patience(hours(1), hours(1), [&](double) { told = true; });
  }
  EXPECT_FALSE(told);
}

}  // namespace
}  // namespace sightline::cli
