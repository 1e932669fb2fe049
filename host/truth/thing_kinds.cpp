#include "host/truth/thing_kinds.h"

namespace sightline::host {

const std::array<ThingKind, kNumThingKinds> kThingKinds{{
    {"mug", "A chipped mug with a blue rim was left standing here."},
    {"lantern", "Somebody hung a brass lantern and trimmed its wick."},
    {"ladder", "The old wooden ladder leans with one rung missing."},
    {"bicycle", "A green bicycle is parked with a flat rear tyre."},
    {"kettle", "The copper kettle still whistles when it boils."},
    {"globe", "A dusty globe shows countries that are gone."},
    {"violin", "The violin lies in an open case lined with velvet."},
    {"compass", "A ship's compass points a little west of north."},
    {"typewriter", "The typewriter has a letter stuck halfway down."},
    {"umbrella", "A striped umbrella dries beside the radiator."},
    {"telescope", "The telescope was pointed at the harbour last night."},
    {"birdcage", "An empty birdcage swings from its hook."},
    {"anvil", "The anvil rings when the apprentice strikes it."},
    {"basket", "A wicker basket is full of yellow apples."},
    {"clock", "The tall clock stopped at ten minutes past four."},
    {"saddle", "A worn saddle smells of leather and oil."},
    {"accordion", "The red accordion wheezes on its lowest key."},
    {"barometer", "The barometer has fallen since the morning."},
    {"candlestick", "One silver candlestick has lost its twin."},
    {"drum", "A child's drum has a tear across the skin."},
    {"easel", "The painter's easel still holds an unfinished portrait."},
    {"fishing rod", "A bamboo fishing rod waits for the trout season."},
    {"hourglass", "The sand of the hourglass has run out."},
    {"sewing machine", "The black sewing machine is threaded with white cotton."},
    {"wheelbarrow", "A rusty wheelbarrow is loaded with peat."},
    {"chessboard", "The chessboard shows a game that nobody finished."},
    {"microscope", "The microscope has a drop of pond water on its slide."},
    {"hammock", "A canvas hammock sags between two posts."},
    {"beehive", "The painted beehive hums on warm afternoons."},
    {"sundial", "The sundial lost its hour when the elm grew."},
    {"rocking horse", "A dappled rocking horse lacks a glass eye."},
    {"printing press", "The printing press smells of ink and machine grease."},
}};

}  // namespace sightline::host
