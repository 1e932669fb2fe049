#!/usr/bin/env python3
"""Writes the corpus of the topic-partition study: 240 abstracts in six topics, and who cites whom.

    scripts/make_topics.py > configs/corpora/topics/documents.jsonl

A document is one of eight subjects of its topic, looked at by one of five ways of working that all
topics share: a survey, a simulation, a test in a laboratory, a model of records, a comparison of
published work. 142 documents cite others, of their own topic only, as in the corpus of What
Spatial Memory Must Store (2026), section 4. Everything is drawn from a hash of names: the same
text every time.
"""
import hashlib
import json

NUM_CITING = 142
MOST_CITED = 5

# topic: subjects as (name, the same in other words, a thing known of it), then findings.
TOPICS = {
    "rivers": ([
        ("the transport of gravel in mountain rivers", "bed load in steep streams",
         "Stones move in short bursts while the flood rises and rest for most of the year."),
        ("the erosion of clay banks", "how river margins collapse",
         "A bank fails when the water falls faster than its pores can drain."),
        ("flood warning for small catchments", "the forecast of high water in minor basins",
         "Between the cloudburst and the crest there may be less than an hour."),
        ("the passage of salmon over weirs", "fish ladders at low dams",
         "A fish that waits below an obstacle spends the fat that it needs to spawn."),
        ("ice jams below bridges", "frozen blockages in northern channels",
         "Broken floes pile up where the current slows, and the stage rises behind them."),
        ("the removal of old mill dams", "rivers after a barrier is taken out",
         "The sediment of two centuries lies behind the wall and leaves within a few winters."),
        ("the exchange of water between stream and aquifer", "seepage through the hyporheic zone",
         "Upwelling groundwater keeps the gravel cool in August."),
        ("the meandering of lowland rivers", "bends that migrate across a plain",
         "The outer curve is cut while a bar grows on the inner one."),
    ], [
        "The largest part of the change happened during two floods.",
        "Discharge alone explained little; the slope of the bed explained most.",
        "Reaches with willows on both sides behaved otherwise than bare ones.",
        "The effect faded a few kilometres downstream.",
        "Low summer flow turned out to matter as much as the annual peak.",
        "A threshold of shear stress separated the quiet reaches from the active ones.",
        "Turbidity returned to its old level within three years.",
        "Tributaries added more than the main stem carried.",
    ]),
    "batteries": ([
        ("the growth of lithium dendrites", "metal whiskers on the anode",
         "A needle that pierces the separator shorts the cell."),
        ("the ageing of cells by fast charging", "capacity lost to high current",
         "Plating sets in when ions arrive sooner than graphite can take them up."),
        ("the recycling of cathode powder", "recovering cobalt and nickel from spent packs",
         "Shredded material holds copper, plastic and binder besides the oxides."),
        ("the estimate of the state of charge", "knowing how full a pack is",
         "The voltage of an iron phosphate cell is almost flat over half of its range."),
        ("thermal runaway in battery packs", "fire that spreads from cell to cell",
         "Oxygen from the decomposing cathode feeds the burning electrolyte."),
        ("solid electrolytes of sulfide glass", "ceramic conductors in place of liquids",
         "Contact is lost where the electrode shrinks away from the rigid layer."),
        ("the swelling of silicon anodes", "particles that crack as they take up lithium",
         "The volume triples and the surface film tears at each cycle."),
        ("sodium cells for the storage of solar power", "cheap stationary accumulators",
         "Hard carbon takes sodium where graphite does not."),
    ], [
        "Capacity after five hundred cycles was the better for a slow first charge.",
        "Impedance rose before any loss of capacity could be measured.",
        "Temperature during rest mattered more than temperature under load.",
        "A thin coating of alumina halved the rate of decay.",
        "Cells of one batch differed more than designs did.",
        "The electrolyte's additive was used up long before the end of life.",
        "Pressure on the stack delayed the failure by a third.",
        "Energy density fell by less than a tenth.",
    ]),
    "orchards": ([
        ("scab on apple leaves", "a fungus that spots the fruit",
         "Spores ripen in the leaf litter and fly with the first warm rain."),
        ("the pollination of cherries by wild bees", "insects that visit early blossom",
         "A mason bee touches the stigma at nearly every flower."),
        ("frost in flowering plum trees", "cold nights during bloom",
         "The pistil dies at two degrees below zero while the petals look unharmed."),
        ("drip irrigation of pear rows", "water given at the root",
         "Fine roots follow the wet bulb below each emitter."),
        ("the pruning of old standard trees", "cutting back neglected crowns",
         "Water shoots answer a hard winter cut."),
        ("codling moth and its pheromone traps", "the worm in the apple and how males are misled",
         "The larva enters through the calyx within a day of hatching."),
        ("replant disease in nursery soil", "young trees that stall where old ones stood",
         "Roots turn brown although no single pathogen is to blame."),
        ("the storage of late apples", "keeping fruit firm until spring",
         "Ethylene from one ripe crate softens a whole chamber."),
    ], [
        "Yield in the second year made up for the loss in the first.",
        "The rootstock decided more than the variety did.",
        "Trees at the edge of the plot suffered most.",
        "One treatment at the right hour did as much as four by the calendar.",
        "Sugar in the fruit rose while its size fell a little.",
        "Grass between the rows helped in dry summers and harmed in wet ones.",
        "Growers' own notes agreed with the counts.",
        "The gain was lost when hail thinned the crop.",
    ]),
    "compilers": ([
        ("the allocation of registers by graph colouring", "keeping variables out of memory",
         "Two values that live at the same time need different homes."),
        ("the vectorisation of inner loops", "packing scalar work into wide instructions",
         "A dependence carried from one iteration to the next forbids it."),
        ("garbage collection with short pauses", "reclaiming dead objects while the program runs",
         "A barrier on each pointer store tells the collector what the mutator changed."),
        ("type inference for dynamic languages", "guessing types without annotations",
         "Most call sites see a single shape of argument."),
        ("the inlining of small functions", "copying a callee into its caller",
         "The body that is copied exposes constants and bloats the code."),
        ("alias analysis of pointers", "which references may meet at one address",
         "A conservative answer blocks nearly every later transformation."),
        ("just-in-time compilation of hot traces", "machine code made while a script runs",
         "A guard that fails sends control back to the interpreter."),
        ("the verification of optimising passes", "proofs that a rewrite keeps the meaning",
         "An undefined overflow makes one side of an equation mean anything."),
    ], [
        "Code size grew by four percent and run time fell by nine.",
        "Half of the speed came from one pass, run twice.",
        "Compile time stayed linear in the length of the function.",
        "Programs with deep recursion gained nothing.",
        "A cache miss cost more than all the instructions saved.",
        "The heuristic's constants mattered less than their order.",
        "Spilled values explained the slow cases.",
        "Two old bugs of the back end came to light.",
    ]),
    "acoustics": ([
        ("the reverberation of concert halls", "how long a chord hangs in a large room",
         "Seats and clothes swallow the high notes before the walls do."),
        ("noise of trains behind barriers", "railway sound over a wall",
         "Low tones bend around the top edge and reach the houses."),
        ("the clarity of speech in classrooms", "what pupils at the back can understand",
         "Consonants are masked by the tail of the vowel before them."),
        ("the song of humpback whales", "calls of marine mammals on hydrophones",
         "A phrase travels for hundreds of kilometres in a cold channel."),
        ("the tone of violin plates", "vibration modes of carved spruce",
         "The arch is thinned until it rings at the wanted pitch when tapped."),
        ("arrays of microphones that find a talker", "beams steered towards a voice",
         "The delay between two capsules tells the direction of the source."),
        ("hearing aids in noisy restaurants", "amplifiers for impaired ears",
         "Louder babble is of no use to an ear that has lost its sharpness."),
        ("absorbers of perforated panels", "damping by small holes over a cavity",
         "Air in the holes moves like a mass on the spring of air behind."),
    ], [
        "Listeners preferred the version that measured worse.",
        "Below two hundred hertz the method had no effect.",
        "A difference of one decibel went unnoticed.",
        "The first reflections mattered more than the late field.",
        "Humidity shifted the result as much as temperature.",
        "Background level, not distance, set the limit.",
        "The spectrum showed a second peak that nobody had reported.",
        "Judgements of trained ears agreed with each other within narrow bounds.",
    ]),
    "bridges": ([
        ("fatigue cracks in welded steel girders", "slow damage at the toe of a weld",
         "Each lorry opens the flaw by a few micrometres."),
        ("corrosion of strands in post-tensioned concrete", "rusting tendons in grouted ducts",
         "A void at the anchorage lets water stand against the wire."),
        ("the flutter of suspended decks in wind", "aeroelastic motion of long spans",
         "Twist and heave lock together above a critical speed."),
        ("scour around piers", "foundations undermined by currents",
         "A horseshoe vortex digs the hole in front of the column."),
        ("the weighing of lorries in motion", "axle loads from sensors under the road",
         "A strip in the pavement sees a wheel for a few milliseconds."),
        ("expansion joints of motorways", "gaps that let a deck breathe",
         "Grit in the seal turns summer movement into force."),
        ("stone arches under heavy traffic", "masonry vaults that carry modern loads",
         "Four hinges are needed before the ring can fall."),
        ("cable stays and their dampers", "rain that makes ropes vibrate",
         "A rivulet on the upper side changes the shape that the wind sees."),
    ], [
        "The remaining life was twice what the code allows.",
        "Damage could be heard before it could be seen.",
        "Stiffness fell by a tenth while the deflection hardly changed.",
        "The weakest detail was a repair of the seventies.",
        "Temperature moved the structure more than traffic did.",
        "Two of nine spans needed to be closed.",
        "Drawings and structure differed in the one place that counted.",
        "Inspection every second year would have missed it.",
    ]),
}

METHODS = [
    ["A survey over three seasons recorded the same sites again and again.",
     "Observers visited forty sites and noted what they saw on a common form.",
     "Our data come from repeated visits to places chosen at random."],
    ["A numerical simulation was run for thousands of cases with different parameters.",
     "We built a computer model, calibrated it on one case and ran it on many.",
     "Monte Carlo runs show how uncertain inputs spread into the output."],
    ["Samples were tested in the laboratory under controlled conditions.",
     "In an experiment we varied one factor and held all others constant.",
     "A test rig reproduces the process at a small scale."],
    ["A regression was fitted to records of twenty years.",
     "Long time series were analysed with a mixed statistical model.",
     "From archived measurements we learn a predictor and check it on held-out years."],
    ["This review compares sixty published studies.",
     "We collect the results of earlier papers and weigh them by their quality.",
     "A systematic search of the literature found contradictory reports."],
]

OPENINGS = [
    "This paper is about {}.",
    "What is known of {} rests on few cases.",
    "We look at {} with new data.",
    "Despite long interest in {}, practice still follows rules of thumb.",
    "Engineers and scientists have argued for decades over {}.",
    "The question of {} is taken up again.",
]


def draw(count, *names):
    """A number below `count`, by the hash of names."""
    key = "/".join(str(name) for name in names).encode()
    return int.from_bytes(hashlib.sha256(key).digest()[:8], "big") % count


def text_of(topic, subject, method):
    subjects, findings = TOPICS[topic]
    name, other_name, known = subjects[subject]
    of = (topic, subject, method)
    sentences = [OPENINGS[draw(len(OPENINGS), "opening", *of)].format(
        (name, other_name)[draw(2, "name", *of)])]
    if draw(2, "known", *of):
        sentences.append(known)
    sentences.append(METHODS[method][draw(3, "method", *of)])
    sentences.append(findings[draw(len(findings), "finding", *of)])
    return " ".join(sentences)


def cited_by(own, documents):
    """Two in five of those cited are on the same subject, one in five works the same way, the rest
    are any of the topic."""
    topic, subject, method = documents[own]
    cited = set()
    for i in range(1 + draw(MOST_CITED, "number", own)):
        kind = draw(5, "kind", own, i)
        fits = [other for other, (t, s, m) in enumerate(documents)
                if t == topic and other != own and other not in cited
                and (kind > 1 or s == subject) and (kind != 2 or m == method)]
        if fits:
            cited.add(fits[draw(len(fits), "cited", own, i)])
    return sorted(cited)


def main():
    documents = [(topic, subject, method) for topic in TOPICS for subject in range(8)
                 for method in range(5)]
    citing = set(sorted(range(len(documents)), key=lambda i: draw(2**60, "citing", i))[:NUM_CITING])
    for i, document in enumerate(documents):
        cites = cited_by(i, documents) if i in citing else []
        print(json.dumps({"id": i, "topic": document[0], "text": text_of(*document),
                          "cites": cites}))


if __name__ == "__main__":
    main()
