// The page: creates its parts, and updates each of them when it is needed.

import { readAddress, writeAddress } from "./address.js";
import { arrange, hasRoomForOne, LOW } from "./arrangement.js";
import { Card } from "./card.js";
import { ChartsView } from "./charts-view.js";
import { Controls } from "./controls.js";
import { element, iconButton, put } from "./elements.js";
import { Inspector } from "./inspector.js";
import { listenToKeys } from "./keys.js";
import { LapCounter } from "./lap-counter.js";
import { PanelChoice } from "./panels.js";
import { pictureOf, pngOf } from "./picture.js";
import { Player } from "./player.js";
import { SearchView, sentenceOf } from "./search-view.js";
import { HAS_ADDRESS, Sharing } from "./sharing.js";
import { Story } from "./story.js";
import { visible } from "./texts.js";
import { Themes } from "./themes.js";
import { keyHelp, panelMenu, shareMenu, themeMenu } from "./tools.js";

/** @typedef {import("./content.js").Content} Content */
/** @typedef {import("./search-state.js").SearchState} SearchState */
/** @typedef {import("./texts.js").Texts} Texts */

/** Milliseconds that the film must be paused before the address is updated. */
const ADDRESS_PAUSE = 250;

/** Milliseconds for which boards move to other places. */
const MOVING = 500;

/** Steps per second up to which single steps and candidates can be followed. */
const FOLLOWED = 8;

export class App {
  /**
   * @param {Content} content
   * @param {SearchState[]} states
   * @param {Texts} texts
   * @param {HTMLElement} root
   */
  constructor(content, states, texts, root) {
    this.content = content;
    this.texts = texts;
    this.root = root;
    this.player = new Player(content, states);
    this.story = new Story(content, this.player);
    this.themes = new Themes(content.themes, document.documentElement);
    this.panels = new PanelChoice(content);
    /** @type {number | null | undefined} the search that the reader made large; null for none */
    this.enlarged = undefined;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.addressTimer = undefined;
    this.due = true;
    /** A request for `loop`, of which a page that shows no change has none. */
    this.requested = 0;
    this.arrangedIn = "";
    /** @type {number | null | undefined} */
    this.wasLarge = undefined;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.moveTimer = undefined;
    this.views = content.searches.map((_, number) =>
      new SearchView(content, number, states[number], texts, this.panels));
    this.boards = element("div", { class: "boards" }, ...this.views.map((view) => view.root));
    this.charts = new ChartsView(content, this.player, texts, this.panels);
    this.ratioCard = new Card("ratio-card", content.ratio, content.searches);
    const again = iconButton("again", texts.say("player-again"), () => this.again());
    again.className = "again";
    again.append(texts.say("player-again"));
    this.endCard = new Card("end-card", content.card, content.searches, [again]);
    this.laps = new LapCounter(content.laps, texts);
    this.inspector = new Inspector(this.views, texts);
    this.live = element("div", { class: "out-of-sight", role: "status", "aria-live": "polite" });
    this.sharing = new Sharing((key) => this.say(key));
    this.help = keyHelp((key) => this.say(key));
    this.controls = new Controls(this.player, texts, this.tools());
    const films = this.filmChoice();
    this.heading = element("h1", { dir: "auto" }, visible(content.title));
    this.root.replaceChildren(
      element("header", { class: "title" }, this.heading, ...films),
      element("main", {},
        element("div", { class: "stage" }, this.boards,
          this.ratioCard.root, this.endCard.root),
        this.charts.root),
      this.controls.root, this.inspector.card.root, this.live, this.sharing.toast,
      this.help.root, this.sharing.window.root);
    this.root.classList.toggle("story", this.story.tells);
    this.loop = this.loop.bind(this);
    this.showPanels();
    this.listen();
    this.open(readAddress(location.hash));
    this.render();
  }

  /** @param {string} key */
  say(key, values = {}) {
    return this.texts.say(`player-${key}`, values);
  }

  /** The choice of a film, where a preview shows several. */
  filmChoice() {
    const { films, film } = this.content;
    if (!films) return [];
    const choice = element("select", { class: "films", "aria-label": this.say("film") });
    films.forEach((name, number) => {
      choice.append(element("option", { value: number, selected: number === film }, visible(name)));
    });
    choice.addEventListener("change", () => {
      location.search = `?film=${choice.value}`;
    });
    return [choice];
  }

  tools() {
    const say = (/** @type {string} */ key) => this.say(key);
    const { command } = this.content;
    const share = shareMenu(say, {
      link: () => this.copyLink(),
      picture: () => this.savePicture(),
      commandOfFilm: () => this.sharing.copy(`${command} -o race.html`),
      commandOfPicture: () => {
        const { step } = this.player;
        this.sharing.copy(`${command} --at-step ${step} -o step${step}.png`);
      },
    }, command !== "");
    return [panelMenu(this.panels, say).root, themeMenu(this.themes, say).root, share.root,
      this.help.button];
  }

  listen() {
    const { player } = this;
    player.addEventListener("change", () => {
      this.request();
      clearTimeout(this.addressTimer);
      if (!player.playing) {
        this.addressTimer = setTimeout(() => this.writeAddress(), ADDRESS_PAUSE);
      }
    });
    player.addEventListener("highlight", (event) => {
      this.live.textContent = visible(/** @type {CustomEvent} */ (event).detail.sentence);
    });
    this.panels.addEventListener("change", () => {
      this.showPanels();
      this.writeAddress();
    });
    this.themes.addEventListener("change", () => {
      this.request();
      this.writeAddress();
    });
    this.inspector.addEventListener("change", () => this.request());
    this.story.calm.addEventListener("change", () => this.arrange());
    // The address at the start: the page may have changed it since.
    addEventListener("hashchange", (event) => this.open(readAddress(new URL(event.newURL).hash)));
    addEventListener("beforeprint", () => this.render());
    new ResizeObserver(() => this.arrange()).observe(this.boards);
    // Where the page scrolls the boards keep their size when the window changes its own.
    addEventListener("resize", () => this.arrange());
    this.views.forEach((view, number) => {
      view.addEventListener("enlarge", () => {
        this.enlarged = this.large === number ? null : number;
        this.arrange();
      });
    });
    this.boards.addEventListener("click", (event) => {
      const { target } = event;
      if (this.story.asked && target instanceof Element && target.closest(".board")) player.play();
    });
    listenToKeys(player, { help: this.help.open, copyLink: () => this.copyLink() });
  }

  /** @param {import("./address.js").Address} address */
  open(address) {
    if (address.theme) this.themes.choose(address.theme);
    if (address.panels) this.panels.replace(address.panels);
    this.player.lesson = address.lesson;
    this.player.excerpt = address.excerpt;
    if (address.excerpt.from) this.player.seekFrame(this.player.first);
    if (address.step !== null) this.player.seek(address.step);
    if (address.play) this.player.play();
    this.request();
  }

  writeAddress() {
    if (this.player.playing || !HAS_ADDRESS) return;
    const address = this.address();
    if (!location.hash && !this.player.step && address === "#step=0") return;
    try {
      if (address !== location.hash) history.replaceState(null, "", address);
    } catch {
      // Frames with some policies may not change their address.
    }
  }

  /** The address of the current state; with `play` the page continues to play there. */
  address(play = false) {
    return writeAddress({
      step: this.player.step,
      play,
      lesson: this.player.lesson,
      excerpt: this.player.excerpt,
      theme: this.themes.choice === this.themes.usual ? "" : this.themes.choice,
      panels: this.panels.addressNames,
    });
  }

  again() {
    this.player.pause();
    this.player.seekFrame(this.player.first);
    this.player.play();
  }

  showPanels() {
    this.panels.reveal(this.root);
    this.arrange();
  }

  /** What a lesson asks. */
  get question() {
    const kind = this.story.asked?.[0] ?? "";
    return this.say(kind === "first" || kind === "second" ? "lesson-cell" : "lesson-then");
  }

  /** The search whose board is enlarged; null if none is. */
  get large() {
    if (this.views.length < 2) return null;
    if (this.enlarged !== undefined) return this.enlarged;
    if (hasRoomForOne()) return this.story.main;
    return this.story.alone >= 0 && innerHeight >= LOW ? this.story.alone : null;
  }

  /**
   * Let boards move to their new places if another one becomes large, but not if the page changes
   * its size.
   * @param {number | null} large
   */
  move(large) {
    const moves = this.wasLarge !== undefined && this.wasLarge !== large;
    this.wasLarge = large;
    clearTimeout(this.moveTimer);
    this.root.classList.toggle("moving", moves);
    if (moves) this.moveTimer = setTimeout(() => this.root.classList.remove("moving"), MOVING);
  }

  /** What the arrangement depends on, besides the size of the page and its panels. */
  get arrangement() {
    const { story } = this;
    return [this.large, story.tells && story.filmed, story.alone].join();
  }

  arrange() {
    this.arrangedFor = this.arrangement;
    this.request();
    const { clientWidth, clientHeight } = document.documentElement;
    const room = [clientWidth, clientHeight, this.arrangedFor, ...this.panels.shown].join();
    if (room === this.arrangedIn || !this.boards.clientWidth) return;
    this.arrangedIn = room;
    const { large, story } = this;
    this.move(large);
    this.root.classList.toggle("tells", story.tells && story.filmed);
    this.root.classList.toggle("alone", story.alone >= 0);
    const { laps, searches } = this.content;
    if (laps) {
      // Beside the board that goes on, or where there is no room, below it.
      const beside = hasRoomForOne() ? large : searches.length > 1 ? laps.first : null;
      if (beside !== null) this.views[beside].below.append(this.laps.root);
    }
    this.laps.root.hidden = story.alone < 0;
    arrange(this.root, this.boards, this.views, large);
  }

  /** Draw with the next frame of the browser. */
  request() {
    this.due = true;
    this.requested ||= requestAnimationFrame(this.loop);
  }

  /** @param {number} now */
  loop(now) {
    this.requested = 0;
    this.player.tick(now); // which requests the next frame while it plays
    if (this.due) this.render();
  }

  /** Whether single steps can be followed. */
  get slow() {
    const { player } = this;
    return !player.playing || player.timeline.speedAt(player.frame) * player.speed <= FOLLOWED;
  }

  render() {
    this.due = false;
    const { player, story } = this;
    if (this.arrangement !== this.arrangedFor) this.arrange();
    this.due = false;
    const said = this.showSearches();
    this.charts.draw(this.themes.palette);
    const covered = player.onCard || story.onRatio;
    this.ratioCard.show(story.onRatio);
    this.endCard.show(player.onCard, player.timeline.grown(player.frame));
    this.boards.toggleAttribute("inert", covered);
    this.root.classList.toggle("card", covered);
    this.root.classList.toggle("answers", story.tallied === "steps" || story.rewound !== null);
    const { notice } = story;
    put(this.controls.notice, notice);
    if (player.playing) this.controls.update();
    else this.announce([notice, ...said]);
    const announcement = this.inspector.show(this.slow);
    if (announcement) this.live.textContent = announcement;
  }

  /** Update all searches; returns the text for screen readers. */
  showSearches() {
    const { player, content, story } = this;
    const { blurred, playing } = player;
    const { slow } = this;
    const { asked, glowing, lit, tells, tallied } = story;
    const deepest = Math.max(1, ...content.searches.map((search) => search.deepest));
    const most = this.panels.has("heat") ? mostTries(player.states) : 0;
    const pencils = this.panels.has("candidates") && slow && story.withOptions;
    /** @type {string[]} */
    const said = [];
    this.views.forEach((view, number) => {
      const callout = story.calloutOf(number);
      view.board.show({ deepest, blurred, pencils, story: tells, dots: story.beat !== null,
        spots: story.beat === null, frame: story.frame, rate: player.timeline.rate, most,
        glowing: glowing?.[number] ?? null, rewound: story.rewound }, callout);
      view.root.classList.toggle("dimmed", lit >= 0 && lit !== number);
      view.tally.show(tallied, callout, player.longest);
      view.board.frame(story.swept(number), story.found(number));
      const question = asked?.[5] === number || (asked && asked[5] < 0) ? this.question : "";
      view.show(callout, { slow, blurred, playing }, question);
      if (view.said) said.push(`${view.label}: ${view.said}`);
      if (callout) said.unshift(`${view.label}: ${sentenceOf(callout)}`);
    });
    const { alone } = story;
    if (alone >= 0) this.laps.show(true, player.steps[alone], player.states[alone].over);
    else this.laps.show(false, 0, false);
    return said;
  }

  /** @param {string[]} said */
  announce(said) {
    const place = this.texts.say("step-number", { step: this.player.step });
    put(this.live, [place, ...said.filter(Boolean)].join(". "));
  }

  link() {
    return location.href.replace(/#.*$/, "") + this.address();
  }

  copyLink() {
    if (HAS_ADDRESS) this.sharing.copy(this.link());
  }

  picture() {
    const { player, texts } = this;
    this.render();
    const place = texts.say("step-of", { step: player.step, steps: player.longest });
    return pictureOf(this.views, visible(this.content.title), place, this.themes.palette);
  }

  async savePicture() {
    const name = `undoku-step${this.player.step}.png`;
    this.sharing.save(await pngOf(this.picture()), name);
  }
}

/**
 * The largest number of tries of any cell.
 * @param {SearchState[]} states
 */
function mostTries(states) {
  let most = 1;
  for (const { tries } of states) for (const count of tries) if (count > most) most = count;
  return most;
}
