// Starts the player of a page with the content in the page.

import { App } from "./app.js";
import { Geometry } from "./geometry.js";
import { Interface } from "./interface.js";
import { follow } from "./live.js";
import { bytesOf, inflated, unpacked } from "./packed.js";
import { SearchState } from "./search-state.js";
import { Texts } from "./texts.js";

/** @typedef {import("./content.js").Content} Content */

/**
 * The searches of a film, unpacked.
 * @param {Content} content
 * @returns {Promise<SearchState[]>}
 */
export async function statesOf(content) {
  const boards = content.boards.map((board) => new Geometry(board));
  const geometries = content.searches.map((search) => boards[search.board]);
  const bytes = await inflated(bytesOf(content.events));
  const events = unpacked(bytes, content.searches, geometries.map((one) => one.cells));
  return geometries.map((geometry, number) => {
    const state = new SearchState(geometry, events[number]);
    state.written = content.live === true;
    state.proved = content.searches[number].outcome === "exhausted";
    return state;
  });
}

/**
 * Delay the page's load event until a search is unpacked, by one small picture after the other: a
 * browser's `--screenshot` takes the page as it is after this event.
 * @param {() => boolean} isReady
 */
function delayLoad(isReady, number = 0) {
  const picture = new Image();
  picture.addEventListener("load", () => {
    if (!isReady()) delayLoad(isReady, number + 1);
  });
  picture.src = `data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg" id="n${number}"/>`;
}

async function start() {
  const root = /** @type {HTMLElement} */ (document.getElementById("undoku-player"));
  const held = document.getElementById("undoku-content");
  /** @type {Content} */
  const content = JSON.parse(held?.textContent ?? "");
  const texts = new Texts(content.texts);
  if (typeof DecompressionStream === "undefined") {
    root.textContent = texts.say("player-failed");
    return;
  }
  delayLoad(() => "ready" in root.dataset);
  const app = new App(content, await statesOf(content), texts, root);
  const offered = new Interface(app.player, () => app.picture());
  Object.assign(window, { undoku: offered });
  root.dataset.ready = String(Math.round(performance.now()));
  dispatchEvent(new CustomEvent("undoku-ready", { detail: offered }));
  if (document.querySelector("meta[name=undoku-preview]")) follow(app);
  if (parent !== window) parent.postMessage({ undoku: "ready", length: offered.length }, "*");
}

start();
