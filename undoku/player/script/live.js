// The page in a preview: follows the messages of the server.

import { UNDO } from "./operations.js";

/** @typedef {import("./app.js").App} App */

const FRAMES = 900;

/**
 * Follow the changes of a preview: reload the page at its position, and continue to play if it did.
 * @param {App} app
 */
export function follow(app) {
  const { live, version } = app.content;
  const stream = new EventSource(`changes?version=${version ?? 0}${live ? "&live" : ""}`);
  stream.addEventListener("changed", () => {
    history.replaceState(null, "", app.address(app.player.playing));
    location.reload();
  });
  stream.addEventListener("failed", (event) => app.sharing.tell(event.data, 60_000));
  stream.addEventListener("more", (event) => grow(app, JSON.parse(event.data)));
  stream.addEventListener("error", () => {
    if (stream.readyState === EventSource.CLOSED) {
      app.sharing.tell(app.say("live-lost"), 3_600_000);
    }
  });
}

/**
 * Add events to a search that is being written. If the reader is at its end, stay at the end.
 * @param {App} app
 * @param {{search: number, events: string}} message
 */
function grow(app, { search, events }) {
  const { player, content } = app;
  const letters = atob(events);
  const bytes = Uint8Array.from(letters, (letter) => letter.charCodeAt(0));
  const more = new Uint32Array(bytes.buffer);
  const atEnd = player.step >= player.longest;
  const { step, playing } = player;
  player.states[search].append(more);
  const totals = player.states.map((state) => state.total);
  const last = Math.max(...totals);
  const race = Math.max(1, Math.min(last, FRAMES));
  content.searches[search].events += more.length;
  content.searches[search].deepest = player.states[search].deepest;
  content.searches[search].nodes += more.filter((event) => (event & 0xff) < UNDO).length;
  player.replan({
    ...content.timeline,
    frames: race + 1,
    intro: 1,
    race,
    card: 0,
    first: 0,
    last,
    totals,
    scales: totals.map(() => ["1", "1"]),
    beats: [],
    stretches: [[0, race, 0, last, race]],
    spotlight: null,
  });
  player.seek(atEnd ? last : step);
  if (playing && !atEnd) player.play();
  app.controls.renew();
  app.sharing.tell(app.say("live-follows"), 900);
}
