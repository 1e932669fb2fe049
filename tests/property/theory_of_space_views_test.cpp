// What is rendered of a scene and what observe() tells of it are one.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include "host/random.h"
#include "host/theory_of_space/observation.h"
#include "host/theory_of_space/scene_drawing.h"
#include "host/theory_of_space/scene_generator.h"
#include "host/theory_of_space/scene_jsonl.h"
#include "host/theory_of_space/scene_views.h"
#include "support/effort.h"
#include "support/two_rooms.h"

namespace sightline::tests {
namespace {

using namespace host::tos;

constexpr std::array<Heading, 4> kHeadings{Heading::kNorth, Heading::kEast, Heading::kSouth,
                                           Heading::kWest};

Scene spaced_scene(std::uint64_t number) {
  SceneSettings settings;
  settings.placement = Placement::kSpaced;
  return generate_scene(settings, 11, number);
}

/// Where one starts, on two cells of rooms, on an object and on a door: all ways round.
std::vector<Pose> poses_in(const Scene& scene, std::uint64_t number) {
  std::vector<Cell> cells{scene.start.cell, scene.cell_of(0), scene.cell_of(scene.num_objects())};
  host::RandomItem random(5, host::stream_of("test: cells of a scene"), number);
  while (cells.size() < 5) {
    const Cell cell{static_cast<int>(random.below(static_cast<std::uint64_t>(scene.mask.width))),
                    static_cast<int>(random.below(static_cast<std::uint64_t>(scene.mask.height)))};
    if (!(scene.rooms_at(cell) == RoomSet{})) cells.push_back(cell);
  }
  std::vector<Pose> poses;
  for (const Cell cell : cells) {
    for (const Heading heading : kHeadings) poses.push_back({cell, heading, scene.rooms_at(cell)});
  }
  return poses;
}

std::set<int> items_seen(const Scene& scene, const Pose& pose) {
  std::set<int> items;
  for (const SeenItem& seen : observe(scene, pose).items) items.insert(seen.item);
  return items;
}

std::set<int> items_shown(const host::Views& views, std::int64_t view) {
  std::set<int> items;
  for (const auto& shown : host::pixels_by_id(views, view)) items.insert(shown.first);
  return items;
}

/// Does the straight line from one point to another meet the square of half a side around a cell?
bool meets_square(double from_x, double from_y, double to_x, double to_y, Cell cell, double half) {
  double first = 0, last = 1;  // parts of the line
  const auto clip = [&](double from, double to, double middle) {
    const double low = middle - half - from, high = middle + half - from, length = to - from;
    if (length == 0) {
      if (low > 0 || high < 0) last = -1;
      return;
    }
    first = std::max(first, std::min(low / length, high / length));
    last = std::min(last, std::max(low / length, high / length));
  };
  clip(from_x, to_x, cell.x);
  clip(from_y, to_y, cell.y);
  return first <= last;
}

/// Could another thing stand before any part of this one? Told in the plane, by many lines.
bool may_be_hidden(const Scene& scene, const Pose& pose, int item) {
  constexpr int kLines = 24;
  const double half = scene.is_door(item) ? 0.5 : kThingWidth_m / 2;
  for (int other = 0; other < scene.num_objects(); ++other) {
    if (other == item || scene.cell_of(other) == pose.cell) continue;
    for (int i = 0; i <= kLines; ++i) {
      for (int j = 0; j <= kLines; ++j) {
        const double to_x = scene.cell_of(item).x - half + 2 * half * i / kLines,
                     to_y = scene.cell_of(item).y - half + 2 * half * j / kLines;
        if (meets_square(pose.cell.x, pose.cell.y, to_x, to_y, scene.cell_of(other),
                         kThingWidth_m / 2)) {
          return true;
        }
      }
    }
  }
  return false;
}

/// From a door one sees both rooms straight on; along its wall, the wall itself stands in the way.
bool looks_along_a_wall(const Scene& scene, const Pose& pose) {
  if (pose.rooms.second == 0) return false;
  const Door& door = scene.door(scene.item_at(pose.cell));
  return pose.heading != door.into[0] && pose.heading != door.into[1];
}

TEST(TheoryOfSpaceViews, ShowWhatIsObservedAndNothingElse) {
  const auto num_scenes = effort<std::uint64_t>(10);
  constexpr std::int64_t kSide_px = 192;
  host::Device device(host::DeviceChoice::kCpu);
  int num_shown = 0, num_certain = 0, num_empty = 0;
  for (std::uint64_t number = 0; number < num_scenes; ++number) {
    const Scene scene = spaced_scene(number);
    const std::vector<Pose> poses = poses_in(scene, number);
    const host::Views views = with_item_ids(scene_views(scene, poses, device, kSide_px));
    for (std::size_t view = 0; view < poses.size(); ++view) {
      const Pose& pose = poses[view];
      SCOPED_TRACE(testing::Message() << scene_line(scene) << "\n(" << pose.cell.x << ", "
                                      << pose.cell.y << ") " << name_of(pose.heading));
      const std::set<int> shown = items_shown(views, static_cast<std::int64_t>(view)),
                          seen = items_seen(scene, pose);
      for (const int item : shown) EXPECT_EQ(seen.count(item), 1u) << scene.name_of(item);
      num_shown += static_cast<int>(shown.size()), num_empty += seen.empty() ? 1 : 0;
      if (looks_along_a_wall(scene, pose)) continue;
      for (const int item : seen) {
        if (may_be_hidden(scene, pose, item)) continue;
        EXPECT_EQ(shown.count(item), 1u) << scene.name_of(item);
        ++num_certain;
      }
    }
  }
  std::printf("%d items shown, %d had to be, %d views of nothing\n", num_shown, num_certain,
              num_empty);
  EXPECT_GT(num_certain, 15 * static_cast<int>(num_scenes));
  EXPECT_GT(num_shown, num_certain);
}

TEST(TheoryOfSpaceViews, ShowWhatIsSeenOfTheSizeOfThePaper) {
  const Scene scene = parse_scene(kTwoRooms, "two rooms");
  host::Device device(host::DeviceChoice::kCpu);
  const Pose east{{2, 2}, Heading::kEast, {1, 0}};
  const host::Views views = with_item_ids(scene_views(scene, {east}, device));
  EXPECT_EQ(views.camera.width, 384);
  EXPECT_EQ(views.camera.height, 384);
  // The lamp is ahead on the right, at 45 degrees; the door is straight ahead, two cells off.
  EXPECT_EQ(items_shown(views, 0), (std::set<int>{1, 3}));
  const auto pixel = [&](std::int64_t column, std::int64_t row) {
    return static_cast<std::size_t>(row * 384 + column);
  };
  const std::size_t ahead = pixel(192, 192);
  EXPECT_EQ(views.ids[ahead], 3);
  constexpr double kLeaf_m = 2 - kVoxel_m, kTolerance_m = 0.02;  // a pixel's ray is not quite level
  EXPECT_NEAR(views.hits[ahead].distance_m, kLeaf_m, kTolerance_m);
  int left = 0, right = 0;
  for (std::int64_t i = 0; i < 384 * 384; ++i) {
    if (views.ids[static_cast<std::size_t>(i)] != 1) continue;
    (i % 384 < 192 ? left : right) += 1;
  }
  EXPECT_EQ(left, 0);
  EXPECT_GT(right, 500);
}

TEST(TheoryOfSpaceViews, DoNotDependOnTheOtherPoses) {
  const Scene scene = spaced_scene(3);
  host::Device device(host::DeviceChoice::kCpu);
  const Cell door = scene.cell_of(scene.num_objects());
  const Pose in_door{door, Heading::kSouth, scene.rooms_at(door)};
  const host::Views both = scene_views(scene, {in_door, scene.start}, device, 64),
                    alone = scene_views(scene, {scene.start}, device, 64);
  EXPECT_TRUE(std::equal(alone.ids.begin(), alone.ids.end(), both.ids.begin() + 64 * 64));
}

TEST(TheoryOfSpaceViews, ReferencesTellDistancesAndFacings) {
  host::Device device(host::DeviceChoice::kCpu);
  const host::Image posts = distance_reference(device);
  EXPECT_EQ(posts.width, 384);
  // Each post is taller the nearer it is: count the pixels that are mostly of its colour.
  const auto count = [&](const host::Image& image, auto is_of) {
    int pixels = 0;
    for (std::size_t i = 0; i < image.rgb.size(); i += 3) {
      pixels += is_of(image.rgb[i], image.rgb[i + 1], image.rgb[i + 2]) ? 1 : 0;
    }
    return pixels;
  };
  const int blue = count(posts, [](int r, int g, int b) { return b > 2 * r && b > g + 40; }),
            red = count(posts, [](int r, int g, int b) { return r > 2 * g && r > 2 * b; }),
            green = count(posts, [](int r, int g, int b) { return g > 2 * r && g > b + 20; }),
            yellow = count(posts, [](int r, int g, int b) { return r > 3 * b && g > 3 * b; });
  EXPECT_GT(blue, yellow);
  EXPECT_GT(yellow, red) << "the blue post stands before part of the red one";
  EXPECT_GT(red, green);
  EXPECT_GT(green, 20);

  Scene scene = parse_scene(kTwoRooms, "two rooms");
  const auto is_mark = [](int r, int g, int b) { return r < 35 && g < 35 && b < 40 && r > 5; };
  const int marks = count(orientation_reference(scene, device), is_mark);
  scene.objects[1].has_facing = true;  // the lamp, which had none
  EXPECT_GT(count(orientation_reference(scene, device), is_mark), marks);
  const host::Image before = orientation_reference(scene, device);
  scene.objects[0].facing = Heading::kNorth;
  EXPECT_EQ(before.rgb, orientation_reference(scene, device).rgb)
      << "where it faces in the scene plays no part";
}

}  // namespace
}  // namespace sightline::tests
