// What the things of generated scenes are called.
#pragma once

#include <array>

namespace sightline::host::tos {

struct ThingName {
  const char* name;
  bool has_facing;  ///< one can say where it faces
};

/// No name is part of another.
constexpr std::array<ThingName, 72> kThingNames{{
    {"air conditioner", true},
    {"computer", true},
    {"television", true},
    {"sofa", true},
    {"easel", true},
    {"microwave", true},
    {"oven", true},
    {"refrigerator", true},
    {"tripod", true},
    {"mailbox", true},
    {"cabinet", true},
    {"monitor", true},
    {"projector", true},
    {"bookshelf", true},
    {"printer", true},
    {"scanner", true},
    {"whiteboard", true},
    {"chair", true},
    {"globe", false},
    {"crate", false},
    {"vase", false},
    {"ball", false},
    {"books", false},
    {"piano", true},
    {"wardrobe", true},
    {"dishwasher", true},
    {"washing machine", true},
    {"dresser", true},
    {"fireplace", true},
    {"aquarium", true},
    {"bicycle", true},
    {"motorcycle", true},
    {"pram", true},
    {"rocking horse", true},
    {"toy car", true},
    {"rubber duck", true},
    {"teddy bear", true},
    {"doll house", true},
    {"alarm clock", true},
    {"radio", true},
    {"camera", true},
    {"telescope", true},
    {"sewing machine", true},
    {"treadmill", true},
    {"rowing machine", true},
    {"toaster", true},
    {"coffee maker", true},
    {"espresso grinder", true},
    {"water dispenser", true},
    {"vending machine", true},
    {"shopping cart", true},
    {"suitcase", true},
    {"backpack", true},
    {"laptop", true},
    {"desk lamp", true},
    {"mirror", true},
    {"bench", true},
    {"stool", false},
    {"bowl", false},
    {"bucket", false},
    {"basket", false},
    {"candle", false},
    {"bottle", false},
    {"plant pot", false},
    {"carpet", false},
    {"cushion", false},
    {"dumbbell", false},
    {"ottoman", false},
    {"barrel", false},
    {"umbrella stand", false},
    {"snow dome", false},
    {"pumpkin", false},
}};

constexpr std::array<const char*, 12> kDoorColours{"red",   "blue",   "green", "yellow",
                                                   "black", "purple", "brown", "orange",
                                                   "white", "pink",   "grey",  "teal"};

}  // namespace sightline::host::tos
