// The page in a preview: follows the messages of the server.

import { UNDO } from "./operations.js";

/** @typedef {import("./app.js").App} App */

const FRAMES = 900;

/**
 * Follow the changes of a preview: reload the page at its position, and continue to play if it did.
 * @param {App} app
 */
export async function follow(app) {
  const { live, searches } = app.content;
  const counts = live ? searches.map(() => 0) : [];
  let version = app.content.version ?? 0;
  for (;;) {
    /** @type {{version: number, failure: string, events: string[], closed: boolean}} */
    let news;
    try {
      news = await (await fetch(`changes?version=${version}&events=${counts}`)).json();
    } catch {
      break;
    }
    news.events.forEach((events, search) => {
      if (events) counts[search] += grow(app, search, events);
    });
    if (news.closed) break;
    if (news.version === version) continue;
    version = news.version;
    if (news.failure) {
      app.sharing.tell(news.failure, 60_000);
    } else {
      history.replaceState(null, "", app.address(app.player.playing));
      location.reload();
      return;
    }
  }
  app.sharing.tell(app.say("live-lost"), 3_600_000);
}

/**
 * Add events to a search that is being written; returns their number. If the reader is at its end,
 * stay at the end.
 * @param {App} app
 * @param {number} search
 * @param {string} events
 */
function grow(app, search, events) {
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
    waits: [],
    answer: null,
  });
  player.seek(atEnd ? last : step);
  if (playing && !atEnd) player.play();
  app.controls.renew();
  app.sharing.tell(app.say("live-follows"), 900);
  return more.length;
}
