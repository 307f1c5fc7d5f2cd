// The reason of the last step of a search, in words.

import { element, put } from "../elements.js";
import { addPanel } from "../panels.js";
import { givenReason, reason } from "../reasons.js";
import { visible } from "../texts.js";

/** The height of two lines, in pixels. */
const TWO_LINES = 32;

addPanel({
  name: "why",
  rank: 500,
  usual: ({ panels }) => !panels.length,
  below: ({ searches }, number, state, texts) => {
    const { reasons, steps } = searches[number];
    const root = element("p", { class: "why", dir: "auto" });
    const show = (/** @type {import("../panels.js").Pace} */ { blurred, playing }) => {
      const silent = blurred || (playing && state.steps >= steps);
      const given = reasons ? givenReason(reasons, state.steps) : null;
      const why = silent ? "" : visible(reason(state, texts, given));
      put(root, why);
      return why;
    };
    return { root, room: TWO_LINES, show };
  },
});
