// The buttons, the time bar, and the texts about the clock.

import { element, iconButton, put, relabel } from "./elements.js";
import { SPEEDS } from "./player.js";
import { visible } from "./texts.js";

/** @typedef {import("./player.js").Player} Player */
/** @typedef {import("./texts.js").Texts} Texts */

const ENDED = 0.5;

export class Controls {
  /**
   * @param {Player} player
   * @param {Texts} texts
   * @param {HTMLElement[]} tools the menus at the end
   */
  constructor(player, texts, tools) {
    this.player = player;
    this.texts = texts;
    const say = (/** @type {string} */ key) => texts.say(`player-${key}`);
    this.playButton = element("button", { type: "button", class: "play",
      "aria-keyshortcuts": "Space" });
    this.playButton.addEventListener("click", () => player.toggle());
    this.bar = element("input", { type: "range", class: "bar", min: 0, step: 1, value: 0,
      "aria-label": say("position") });
    this.bar.addEventListener("input", () => player.seekFrame(Number(this.bar.value)));
    this.ticks = element("div", { class: "ticks" });
    this.stepField = element("input", { type: "text", inputmode: "numeric", class: "step",
      "aria-label": say("go-to-step"), title: say("go-to-step"), autocomplete: "off" });
    this.stepField.addEventListener("change", () => {
      const wanted = Number(this.stepField.value.replace(/\D/g, ""));
      player.seek(wanted);
    });
    this.stepField.addEventListener("focus", () => this.stepField.select());
    this.total = element("span", { class: "total" });
    this.time = element("bdi", { class: "time", dir: "ltr" });
    this.notice = element("span", { class: "notice", dir: "auto" });
    this.pace = element("span", { class: "pace", dir: "auto" });
    this.speed = element("select", { class: "speed", "aria-label": say("speed"),
      title: say("speed") });
    for (const speed of SPEEDS) {
      const label = texts.say("times", { factor: speedText(speed, texts) });
      this.speed.append(element("option", { value: speed, selected: speed === 1 }, label));
    }
    this.speed.addEventListener("change", () => player.setSpeed(Number(this.speed.value)));
    const steps = element("div", { class: "steps", role: "group" },
      iconButton("highlightBack", say("highlight-back"), () => player.toHighlight(-1), "PageUp"),
      iconButton("backtrackBack", say("backtrack-back"), () => player.toBacktrack(-1),
        "Shift+ArrowLeft"),
      iconButton("back", say("step-back"), () => player.stepBy(-1), "ArrowLeft"),
      this.playButton,
      iconButton("on", say("step-on"), () => player.stepBy(1), "ArrowRight"),
      iconButton("backtrackOn", say("backtrack-on"), () => player.toBacktrack(1),
        "Shift+ArrowRight"),
      iconButton("highlightOn", say("highlight-on"), () => player.toHighlight(1), "PageDown"));
    const where = element("div", { class: "where" }, this.stepField, this.total);
    this.root = element("footer", { class: "controls" },
      element("div", { class: "clock" }, this.time, this.notice, this.pace),
      element("div", { class: "bar-line" }, this.bar, this.ticks),
      element("div", { class: "buttons" }, where, steps,
        element("div", { class: "tools" }, this.speed, ...tools)));
    for (const type of ["play", "pause", "end", "speed"]) {
      player.addEventListener(type, () => this.update());
    }
    // While the film plays, the page updates them on each frame.
    player.addEventListener("change", () => {
      if (!player.playing) this.update();
    });
    this.renew();
  }

  /** Update what depends on the whole film. */
  renew() {
    const { player } = this;
    const { timeline } = player;
    this.bar.max = String(timeline.frames - 1);
    const last = Math.max(1, timeline.frames - 1);
    this.ticks.replaceChildren(
      ...player.content.highlights.map((one) => {
        const tick = element("span", { title: visible(one.sentence) });
        tick.style.insetInlineStart = `${(one.frame / last) * 100}%`;
        tick.style.backgroundColor = `var(--search-${one.search})`;
        return tick;
      }),
    );
    this.update();
  }

  update() {
    const { player, texts, bar } = this;
    const { timeline } = player;
    const frame = Math.floor(player.frame);
    const over = !player.playing && player.frame >= timeline.frames - 1 - ENDED;
    if (player.playing) relabel(this.playButton, "pause", texts.say("player-pause"));
    else if (over) relabel(this.playButton, "again", texts.say("player-again"));
    else relabel(this.playButton, "play", texts.say("player-play"));
    bar.value = String(frame);
    bar.style.setProperty("--done", `${(frame / Math.max(1, timeline.frames - 1)) * 100}%`);
    const time = `${timeline.clock(frame)} / ${timeline.clock(timeline.frames)}`;
    const place = { step: player.step, steps: player.longest, time };
    bar.setAttribute("aria-valuetext", texts.say("player-step-and-time", place));
    if (document.activeElement !== this.stepField || player.playing) {
      this.stepField.value = texts.number(player.step);
    }
    const wide = `${Math.max(4, texts.number(player.longest).length) + 1}ch`;
    if (this.stepField.style.inlineSize !== wide) this.stepField.style.inlineSize = wide;
    put(this.total, texts.say("counter-steps"));
    put(this.time, time);
    put(this.pace, this.paceText());
    this.speed.value = String(player.speed);
  }

  /** The speed of the clock in words; before the first step the definition of a step. */
  paceText() {
    const { player, texts } = this;
    const { timeline } = player;
    if (player.onCard) return "";
    const beat = player.exact === null ? timeline.beatAt(player.frame) : null;
    const kind = beat?.[0] ?? "";
    if (kind === "question") return texts.say("a-step");
    if (kind === "answer" && beat) {
      const time = texts.say("seconds", { number: beat[2] / timeline.rate });
      return texts.say("all-steps-in", { count: player.longest, time });
    }
    const speed = timeline.speedAt(player.frame) * player.speed;
    if (!player.playing || !speed || kind === "first" || kind === "second") return "";
    const count = speed >= 1.5 ? Math.round(speed) : Math.round(speed * 10) / 10;
    return texts.say("rate-second", { count });
  }
}

/**
 * @param {number} speed
 * @param {Texts} texts
 */
function speedText(speed, texts) {
  return String(speed).replace(".", texts.content.decimals);
}
