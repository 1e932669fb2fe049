// What the NaVQA questions (ReMEmbR, Anwar et al. 2024; the 150 of five runs) that parse are read
// as, by the ids of their file. Each was compared with its question by hand on 2026-11-24: all 60
// ask for what the question asks for. Words of the lexicon stand for their synonyms, "the" for any
// article, the singular for a plural, "near" for "at"; buildings are told by outlines. The
// questions themselves are under a licence of their own and are read from the reference data.
#pragma once

namespace sightline::tests {

struct Reading {
  const char *id, *read_as;
};

constexpr Reading kNavqaReadings[]{
    {"LONG_5a6cef0c-175d-4779-bfd4-f7b193fb9039", "When did you leave the building?"},
    {"LONG_8f32d561-e898-453c-ae99-2e53745389e1", "When did you first enter the building?"},
    {"LONG_cbe5ca33-b001-47c4-9397-aca6d275e5e4", "How long were you inside?"},
    {"LONG_115fe136-a8ee-43f7-858d-a0a357c03fad", "Where is the nearest seat to here?"},
    {"LONG_7213d1b5-0f7a-4361-b779-c6689042ae8a", "Where is the yellow emergency phone?"},
    {"LONG_f4661173-26c9-4939-824c-a238736d53ef", "Where is the nearest recycling bin to here?"},
    {"LONG_38a496dc-1afd-4e26-b8b2-c6640cab0499", "Where is the nearest elevator to here?"},
    {"MEDIUM_02da6f10-4ce1-4eb3-a416-c4522e9c8133", "Where is the nearest seat to here?"},
    {"MEDIUM_9595c924-7840-4964-8bd0-d6e3080bcd65", "When did you first enter the building?"},
    {"SHORT_39a4eb19-b64e-4289-abcf-92ea6c3debba", "How long have you been outside?"},
    {"SHORT_37a3097f-a357-4af3-8a84-244e1b767ddf", "When did you leave the building?"},
    {"SHORT_f20ba66d-74e4-4e2e-9a91-ac2576f16e0a", "Where is the red fire hydrant?"},
    {"SHORT_103d708a-b002-415c-ab49-ff02f654c490", "Did you see the red fire hydrant?"},
    {"SHORT_426931a9-038a-48a3-a27b-0f7b12948a81", "Did you see the cyclist?"},
    {"3_MEDIUM_66435c41-e1c6-47b2-93c4-f4468f30dc18", "Are you inside?"},
    {"3_MEDIUM_598bd41e-8344-4d07-b894-fc1a39d4da6b", "How many cars did you see?"},
    {"3_MEDIUM_2d60058c-1488-43dd-847c-d40bc1e2859f", "Where is the large wall art?"},
    {"3_MEDIUM_2d2b8344-6797-4a57-91c3-2efd1c43f517", "Where did you leave the building?"},
    {"3_MEDIUM_63f85e28-3f42-4aa6-bd96-21a414394ccf", "When did you leave the building?"},
    {"3_SHORT_81b4e8bd-348a-4326-a3df-b84a4a422b0e", "Where is the parked van?"},
    {"3_SHORT_8aa1186d-ad47-4a1d-8068-73efdc21d309", "Where is the yellow bollard?"},
    {"3_SHORT_f27644fc-85ac-4182-a4c8-619972564e25", "Did you see the trash bin?"},
    {"3_SHORT_55634471-144f-4470-8354-82f0f2c69842", "Where is the blue truck?"},
    {"4_LONG_34badd30-a686-4f85-8f87-0c82e97a2c51",
     "Where did you first turn? Can you take me there?"},
    {"4_MEDIUM_56b27d99-f436-461d-bc4e-aa33bc72672d",
     "Where is the sculpture named \"tree\"? Can you take me there?"},
    {"4_MEDIUM_e06f4554-f59f-44c1-88ef-a2f543a16fa7", "Did you see the red sofa?"},
    {"4_MEDIUM_bb698273-f008-4d31-863f-3bd1758b80c2", "Did you see the emergency phone?"},
    {"4_SHORT_e4b510ec-3a23-49a7-bd77-259520223e03", "How many times did you turn?"},
    {"4_SHORT_ab9a4486-81ec-415e-8b81-7f85e922b788", "Did you see the bicycle?"},
    {"4_SHORT_080d6400-5c75-470b-bed1-9732e4e90e14", "Did you see the scooter?"},
    {"4_SHORT_daecee53-71ea-40ff-b4dc-92b3cef99ea0", "When did you first turn around?"},
    {"4_SHORT_5e826626-fffb-4d6d-942c-e749c84a458e", "When did you see the scooter?"},
    {"4_SHORT_65732436-fbcb-4c0f-b2ed-51c07e7e4821", "When did you see the skateboard?"},
    {"4_SHORT_86414b06-ac65-4282-811c-15290b35fb3f", "How many times did you turn around?"},
    {"4_SHORT_519b3d63-d1f0-49a5-9c6f-914e6ca4359d", "Where is the stairs?"},
    {"6_LONG_1dfb386f-cd34-43e4-ad57-cd4d0b70bcc2", "Where is the atm?"},
    {"6_LONG_628ccb31-49df-457d-b43a-c247d3a9b82f", "Where is the nearest defibrillator to here?"},
    {"6_LONG_7c5b8ad3-242a-4a35-abb9-eca2fd2c2402", "What color is the food truck?"},
    {"6_LONG_258dba25-f218-436e-ab68-c742babc97ef", "Did you see the bicycle rack?"},
    {"6_MEDIUM_4701bd3d-352e-40d4-94fe-3d2a18edbd23",
     "Which place contains the bathroom and the food court? Can you take me there?"},
    {"6_MEDIUM_8ddfc026-55ad-4a28-9c1d-df9385c32b94", "Did you see the loading zone?"},
    {"6_MEDIUM_abc888ec-e5a1-4ba9-8612-cc4fec8549f2", "Where is the orange traffic cone?"},
    {"6_MEDIUM_b4e59b77-8e44-4f48-ab04-a3d4fc653a6c", "Did you see the stop sign?"},
    {"6_MEDIUM_eed3c4de-9597-49af-951b-b2588dbf7c4c", "Did you see the pedestrian overpass?"},
    {"6_MEDIUM_a76280fa-7bd6-42d8-b16f-01d457362826", "Did you see the traffic light?"},
    {"6_SHORT_0a24625a-bc44-4bab-8cc7-5e5fc31eb0b0", "What color is the semi truck?"},
    {"6_SHORT_2732dae9-2d64-4bc1-b36e-1adf39854dc3", "Where is the fire extinguisher?"},
    {"21_LONG_bf58d6a5-cfa1-41fa-a1db-881134770eec",
     "Which place contains the bicycle rack and the yellow emergency phone? Can you take me "
     "there?"},
    {"21_LONG_af512a63-3353-48eb-90cb-21b97b1dff92",
     "Which place contains the newspaper stand and the crosswalk?"},
    {"21_LONG_c14eb6b3-e13e-4204-abf5-1f8bd8cae969",
     "Where is the nearest yellow emergency phone to here?"},
    {"21_LONG_b2577b8f-845c-4730-9a5c-971223bd09da",
     "How long did you wait near the intersection?"},
    {"21_LONG_bf3894e7-92bc-4701-9c9c-96f0b480b899", "When did you pass by the parking lot?"},
    {"21_MEDIUM_f4f9e877-351e-4721-b43c-f7348acf027a",
     "Where is the parking lot? Can you take me there?"},
    {"21_MEDIUM_b269f9d2-9984-453d-843e-90ec991a0436",
     "Where is the nearest yellow emergency phone to here? Can you take me there?"},
    {"21_MEDIUM_eb7adb12-db6c-49c4-930c-b667f76633fb",
     "Which place contains the bicycle rack and the trash bin? Can you take me there?"},
    {"21_MEDIUM_75bb8e35-542b-4c39-9021-26d234d2b796",
     "Which place contains the seat and the stairs?"},
    {"21_SHORT_717f5d70-12e2-423a-a8aa-b64b5428150c",
     "Where is the bicycle rack? Can you take me there?"},
    {"21_SHORT_45f1a060-adcd-402f-b01a-7cf72e3272bd", "When did you last see the person?"},
    {"21_SHORT_d6c287f2-6320-409f-a42e-02d48358eaed", "Where is the golf cart?"},
    {"21_SHORT_bea0442d-3c89-4d30-91e9-d5174901ed80",
     "Where is the scooter? Can you take me there?"},
};

}  // namespace sightline::tests
