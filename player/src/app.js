// The page as a whole: its parts, and which of them is brought up to date when.

import { readAddress, writeAddress } from "./address.js";
import { aboutCell, CellCard } from "./cell-card.js";
import { followPointer } from "./chart-pointer.js";
import { DepthChart, TreeChart } from "./charts.js";
import { Controls } from "./controls.js";
import { element } from "./elements.js";
import { EndCard } from "./end-card.js";
import { KEYS, listenToKeys } from "./keys.js";
import { arranged, spotlit } from "./layout.js";
import { dialog, item, menu } from "./menu.js";
import { pictureOf, pngOf } from "./picture.js";
import { Player } from "./player.js";
import { givenReason, reason } from "./reasons.js";
import { SearchView } from "./search-view.js";
import { HAS_ADDRESS, Sharing } from "./sharing.js";
import { visible } from "./texts.js";
import { Themes } from "./themes.js";

/** @typedef {import("./content.js").Content} Content */
/** @typedef {import("./search-state.js").SearchState} SearchState */
/** @typedef {import("./texts.js").Texts} Texts */

const PANELS = ["depth", "tree", "why", "candidates", "counters", "heat"];
const LINKED_NODES = 120;
const WIDE_SIDE = 168;

/** More boards than this have smaller names and no reasons below them. */
const MANY = 3;

/** Milliseconds between two pictures of the charts while steps pass fast. */
const CHART_PAUSE = 66;

export class App {
  /**
   * @param {Content} content
   * @param {SearchState[]} states
   * @param {Texts} texts
   * @param {HTMLElement} root
   */
  constructor(content, states, texts, root) {
    this.content = content;
    this.states = states;
    this.texts = texts;
    this.root = root;
    states.forEach((state, number) => {
      state.written = content.live === true;
      state.proved = content.searches[number].outcome === "exhausted";
    });
    this.player = new Player(content, states);
    this.themes = new Themes(content.themes, document.documentElement);
    this.panels = new Set(this.usualPanels());
    this.usual = [...this.panels].join();
    /** @type {number | null | undefined} the search that the reader made large; null for none */
    this.enlarged = undefined;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.addressTimer = undefined;
    this.due = true;
    this.charted = 0;
    this.calm = matchMedia("(prefers-reduced-motion: reduce)");
    /** @type {{view: SearchView, cell: number} | null} */
    this.inspected = null;
    this.views = content.searches.map((search, number) =>
      new SearchView(search, states[number], number, texts, content.searches.length > 1));
    this.boards = element("div", { class: "boards" }, ...this.views.map((view) => view.root));
    this.depth = new DepthChart(states, this.say("depth-of-all"));
    this.depthEnd = element("span", { class: "axis-end" });
    this.depthBox = element("figure", { class: "depth" },
      element("figcaption", {}, element("span", {}, texts.say("depth")), ...this.legend(),
        this.depthEnd),
      this.depth.canvas);
    this.trees = states.map((state, number) =>
      new TreeChart(state, number, this.say("tree-of", { label: this.views[number].label })));
    this.treeBox = element("div", { class: "trees" }, ...this.trees.map((tree, number) =>
      element("figure", {}, element("figcaption", { dir: "auto" },
        `${texts.say("tree")} · ${this.views[number].label}`), tree.canvas)));
    this.card = new EndCard(content, texts, () => this.again());
    this.cellCard = new CellCard();
    this.live = element("div", { class: "out-of-sight", role: "status", "aria-live": "polite" });
    this.sharing = new Sharing((key) => this.say(key));
    this.help = dialog(this.say("keys"), this.say("close"));
    this.controls = new Controls(this.player, texts, this.tools());
    const title = element("h1", { dir: "auto" }, visible(content.title));
    const films = this.filmChoice();
    this.root.replaceChildren(
      element("header", { class: "title", hidden: !content.title && !films.length }, title,
        ...films),
      element("main", {},
        element("div", { class: "stage" }, this.boards, this.card.root),
        element("div", { class: "charts" }, this.depthBox, this.treeBox)),
      this.controls.root, this.cellCard.root, this.live, this.sharing.toast,
      this.help.root, this.sharing.window.root);
    this.showPanels();
    this.listen();
    this.open(readAddress(location.hash));
    this.arrange();
    this.render();
    this.loop = this.loop.bind(this);
    requestAnimationFrame(this.loop);
  }

  /** The panels that are shown unless the reader chooses. */
  usualPanels() {
    const { panels, heat, searches } = this.content;
    const small = searches.every((search) => search.nodes <= LINKED_NODES);
    if (panels.length) {
      const asked = PANELS.filter((name) => panels.includes(name));
      return [...asked, "candidates", ...(heat ? ["heat"] : [])];
    }
    return ["depth", ...(small ? ["tree"] : []), "why", "candidates", ...(heat ? ["heat"] : [])];
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

  legend() {
    const { content } = this;
    if (content.searches.length < 2) return [];
    return content.searches.map((search, number) => {
      const key = element("i", {});
      key.style.backgroundColor = `var(--search-${number})`;
      return element("span", { class: "key" }, key, element("bdi", {}, visible(search.label)));
    });
  }

  tools() {
    const panels = PANELS.map((name) => {
      const box = element("input", { type: "checkbox", value: name });
      box.addEventListener("change", () => this.choosePanel(name, box.checked));
      return element("label", { class: "item" }, box, this.say(`panel-${name}`));
    });
    this.panelMenu = menu("panels", this.say("panels"), panels);
    const themes = this.themes.choices.map((name) => {
      const box = element("input", { type: "radio", name: "theme", value: name });
      box.addEventListener("change", () => {
        this.themes.choose(name);
        this.writeAddress();
      });
      return element("label", { class: "item" }, box, this.say(`theme-${name}`));
    });
    this.themeMenu = menu("theme", this.say("theme"), themes);
    const share = [item(this.say("save-picture"), () => this.savePicture())];
    if (HAS_ADDRESS) {
      share.unshift(item(this.say("copy-link"), () => this.copyLink()));
    }
    if (this.content.command) {
      share.push(
        item(this.say("command-film"), () => this.sharing.copy(`${this.content.command} -o race.html`)),
        item(this.say("command-picture"), () => {
          const { step } = this.player;
          this.sharing.copy(`${this.content.command} --at-step ${step} -o step${step}.png`);
        }),
      );
    }
    const keys = element("button", { type: "button", class: "keys", title: this.say("keys"),
      "aria-label": this.say("keys"), "aria-keyshortcuts": "?" }, "?");
    keys.addEventListener("click", () => this.showKeys());
    return [this.panelMenu.root, this.themeMenu.root, menu("share", this.say("share"), share).root,
      keys];
  }

  listen() {
    const { player } = this;
    player.addEventListener("change", () => {
      this.due = true;
      clearTimeout(this.addressTimer);
      if (!player.playing) this.addressTimer = setTimeout(() => this.writeAddress(), 250);
    });
    player.addEventListener("highlight", (event) => {
      this.live.textContent = visible(/** @type {CustomEvent} */ (event).detail.sentence);
    });
    this.themes.addEventListener("change", () => {
      this.due = true;
    });
    this.calm.addEventListener("change", () => this.arrange());
    addEventListener("hashchange", () => this.open(readAddress(location.hash)));
    addEventListener("beforeprint", () => this.render());
    new ResizeObserver(() => {
      this.arrange();
      this.due = true;
    }).observe(this.boards);
    this.views.forEach((view, number) => {
      view.addEventListener("enlarge", () => this.enlarge(number));
      view.board.addEventListener("inspect", (event) =>
        this.inspect(view, /** @type {CustomEvent} */ (event).detail));
    });
    followPointer(this.depth.canvas, player, (x) => this.depth.stepAt(x));
    this.trees.forEach((tree, number) => {
      followPointer(tree.canvas, player, (x, y) => player.common(number, tree.stepAt(x, y)));
    });
    listenToKeys(player, { help: () => this.showKeys(), copyLink: () => this.copyLink() });
    document.addEventListener("keydown", (event) => {
      if (event.key === "Escape" && this.inspected) this.inspect(this.inspected.view, -1);
    });
  }

  /** @param {import("./address.js").Address} address */
  open(address) {
    if (address.theme) this.themes.choose(address.theme);
    if (address.panels) {
      this.panels = new Set(address.panels.filter((name) => PANELS.includes(name)));
      this.showPanels();
    }
    if (address.step !== null) this.player.seek(address.step);
    else if (address.play) this.player.play();
    this.due = true;
  }

  writeAddress() {
    if (this.player.playing || !HAS_ADDRESS) return;
    const address = this.address();
    if (!location.hash && !this.player.step && address === "#step=0") return;
    try {
      if (address !== location.hash) history.replaceState(null, "", address);
    } catch {
      // Some frames may not change their address.
    }
  }

  address() {
    const panels = [...this.panels];
    return writeAddress({
      step: this.player.step,
      theme: this.themes.choice === this.themes.usual ? "" : this.themes.choice,
      panels: panels.join() === this.usual ? null : panels,
    });
  }

  again() {
    this.player.pause();
    this.player.seekFrame(0);
    this.player.play();
  }

  /**
   * @param {string} name
   * @param {boolean} shown
   */
  choosePanel(name, shown) {
    if (shown) this.panels.add(name);
    else this.panels.delete(name);
    this.showPanels();
    this.writeAddress();
  }

  showPanels() {
    for (const name of PANELS) this.root.classList.toggle(`with-${name}`, this.panels.has(name));
    for (const box of this.root.querySelectorAll("input[type=checkbox]")) {
      if (box instanceof HTMLInputElement) box.checked = this.panels.has(box.value);
    }
    for (const box of this.root.querySelectorAll("input[name=theme]")) {
      if (box instanceof HTMLInputElement) box.checked = this.themes.choice === box.value;
    }
    this.arrange();
    this.due = true;
  }

  /** The search that is shown large; null where all are alike. */
  get large() {
    if (this.views.length < 2) return null;
    if (this.enlarged !== undefined) return this.enlarged;
    const { spotlight } = this.player.timeline.content;
    return spotlight && this.player.frame >= spotlight[0] && this.player.step ? spotlight[1] : null;
  }

  /** @param {number} number */
  enlarge(number) {
    this.enlarged = this.large === number ? null : number;
    this.arrange();
    this.due = true;
  }

  arrange() {
    this.root.classList.remove("tight");
    const { clientWidth, clientHeight } = this.boards;
    if (!clientWidth) return;
    const { large } = this;
    const extra = this.panels.has("counters") ? 1 : 0;
    const phone = innerWidth < 560;
    const many = this.views.length > MANY;
    this.root.classList.toggle("many", many);
    const below = many ? 30 : this.panels.has("why") ? 66 : 34;
    const sizes = { head: (phone ? 74 : 84) + extra * 40, below,
      wide: phone ? 1e6 : WIDE_SIDE };
    const count = this.views.length;
    let found = arranged(count, clientWidth, clientHeight, sizes);
    if (!found.beside && large === null) {
      // What stands above a board depends on how wide it is: its height is measured once more.
      this.root.classList.remove("beside");
      for (const view of this.views) view.root.style.setProperty("--side", `${found.side}px`);
      const head = Math.max(...this.views.map((view) => view.side.offsetHeight)) + 8;
      found = arranged(count, clientWidth, clientHeight, { ...sizes, head });
    }
    this.root.classList.toggle("beside", found.beside);
    if (found.beside && large === null) {
      // Names that are higher than the boards beside them need a page that scrolls.
      const highest = Math.max(...this.views.map((view) => view.side.offsetHeight));
      found.tight = highest > found.side + 8;
    }
    this.root.classList.toggle("tight", found.tight);
    this.boards.style.setProperty("--columns", String(found.columns));
    const wide = found.beside ? WIDE_SIDE * 1.25 : 0;
    const lit = spotlit(count, clientWidth, clientHeight, { ...sizes, wide });
    this.boards.classList.toggle("spotlit", large !== null);
    this.views.forEach((view, number) => {
      const side = large === null ? found.side : number === large ? lit.large : lit.small;
      view.root.classList.toggle("small", large !== null && number !== large);
      view.root.style.setProperty("--side", `${side}px`);
      view.enlarge?.setAttribute("aria-pressed", String(number === large));
    });
    this.arrangedFor = large;
  }

  /** @param {number} now */
  loop(now) {
    this.player.tick(now);
    if (this.due) this.render();
    requestAnimationFrame(this.loop);
  }

  render() {
    this.due = false;
    const { player, content, states } = this;
    if (this.large !== this.arrangedFor) this.arrange();
    const { steps, blurred } = player;
    const frame = Math.floor(player.frame);
    const deepest = Math.max(1, ...content.searches.map((search) => search.deepest));
    const heat = this.panels.has("heat");
    const most = heat ? Math.max(1, ...states.flatMap((state) => [...state.tries])) : 0;
    const pencils = this.panels.has("candidates") && this.slow;
    const ruled = this.ruled(frame);
    /** @type {string[]} */
    const said = [];
    this.views.forEach((view, number) => {
      const callout = this.calloutOf(number, frame);
      const why = this.panels.has("why") && !blurred ? this.why(number) : "";
      const rule = content.rules[number];
      const glance = { deepest, blurred, pencils, frame, rate: player.timeline.rate, most };
      view.board.show(glance, callout, ruled !== null && rule ? { rule, part: ruled } : null);
      view.show(callout, why);
      if (why) said.push(`${view.label}: ${why}`);
      if (callout) said.unshift(`${view.label}: ${visible(callout.sentence)}`);
    });
    this.drawCharts(steps);
    this.card.show(player.onCard, player.timeline.grown(player.frame));
    this.boards.toggleAttribute("inert", player.onCard);
    this.root.classList.toggle("card", player.onCard);
    if (!player.playing) this.announce(said);
    if (this.inspected) this.showCell();
  }

  /** Whether single steps can be followed. */
  get slow() {
    const { player } = this;
    return !player.playing || player.timeline.speedAt(player.frame) * player.speed <= 8;
  }

  /**
   * How far the passage is over that shows the rules; null in another one.
   * @param {number} frame
   */
  ruled(frame) {
    const beats = this.player.timeline.content.beats.filter(([kind]) => kind === "rules");
    if (!beats.length || this.player.step || this.player.exact !== null) return null;
    const start = beats[0][1];
    const [, last, frames] = beats[beats.length - 1];
    if (frame < start || frame >= last + frames) return null;
    return this.calm.matches ? 1 : Math.min(1, (frame - start) / ((last + frames - start) * 0.85));
  }

  /**
   * @param {number} number
   * @param {number} frame
   */
  calloutOf(number, frame) {
    const found = this.content.callouts.filter(
      (one) => one.search === number && one.start <= frame && frame < one.end,
    );
    return found[found.length - 1] ?? null;
  }

  /** @param {number} number */
  why(number) {
    const state = this.states[number];
    const { reasons, steps } = this.content.searches[number];
    if (state.steps >= steps && this.player.playing) return "";
    return visible(reason(state, this.texts, reasons ? givenReason(reasons, state.steps) : null));
  }

  /** @param {number[]} steps */
  drawCharts(steps) {
    const { player, themes } = this;
    const now = performance.now();
    if (player.blurred && now - this.charted < CHART_PAUSE) return;
    this.charted = now;
    const { palette } = themes;
    if (this.panels.has("depth")) {
      this.depth.draw(palette, steps, player.seen, player.longest);
      const told = this.texts.say("steps", { count: this.depth.end });
      if (this.depthEnd.textContent !== told) this.depthEnd.textContent = told;
    }
    if (this.panels.has("tree")) {
      this.trees.forEach((tree, number) => {
        const seen = player.timeline.stepsOf(player.seen)[number];
        tree.draw(palette, steps[number], seen);
      });
    }
  }

  /** @param {string[]} said */
  announce(said) {
    const { player, texts } = this;
    const place = texts.say("step-number", { step: player.step });
    const text = [place, ...said].join(". ");
    if (this.live.textContent !== text) this.live.textContent = text;
  }

  /**
   * @param {SearchView} view
   * @param {number} cell
   */
  inspect(view, cell) {
    if (this.inspected && this.inspected.view !== view) this.inspected.view.board.blame([]);
    this.inspected = cell < 0 ? null : { view, cell };
    if (cell < 0) {
      view.board.blame([]);
      this.cellCard.hide();
    }
    this.due = true;
  }

  showCell() {
    if (!this.inspected) return;
    const { view, cell } = this.inspected;
    if (this.player.playing && !this.slow) {
      this.cellCard.hide();
      view.board.blame([]);
      return;
    }
    const { lines, blamed } = aboutCell(view.state, cell, this.texts);
    const before = [...view.board.blamed].join();
    view.board.blame(blamed);
    if (before !== [...view.board.blamed].join()) this.due = true;
    this.cellCard.show(lines, view.board.cells[cell]);
    const focused = document.activeElement === view.board.cells[cell];
    if (focused) this.live.textContent = lines.join(". ");
  }

  showKeys() {
    const rows = KEYS.map(([keys, does]) =>
      element("div", { class: "key-row" },
        element("dt", {}, ...keys.flatMap((key, at) => {
          const name = key === "space-bar" ? this.say(key) : key;
          return at ? [" ", element("kbd", {}, name)] : [element("kbd", {}, name)];
        })),
        element("dd", {}, this.say(does))));
    this.help.show(element("dl", { class: "key-list" }, ...rows));
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
