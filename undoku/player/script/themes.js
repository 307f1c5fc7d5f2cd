// The colours: those of the film, of the system's setting, or of the reader's choice.

/** @typedef {import("./content.js").ThemeContent} ThemeContent */

export const CHOICES = ["system", "dark", "light", "contrast", "film"];

/** Events: "change" when the colours change. */
export class Themes extends EventTarget {
  /**
   * @param {ThemeContent} content
   * @param {HTMLElement} root
   */
  constructor(content, root) {
    super();
    this.content = content;
    this.root = root;
    this.choice = content.system ? "system" : "film";
    this.usual = this.choice;
    this.printing = false;
    this.queries = ["(prefers-color-scheme: light)", "(prefers-contrast: more)", "print"].map(
      (query) => matchMedia(query),
    );
    for (const query of this.queries) query.addEventListener("change", () => this.apply());
    addEventListener("beforeprint", () => this.print(true));
    addEventListener("afterprint", () => this.print(false));
    this.apply();
  }

  /** The choices that differ from each other. */
  get choices() {
    return this.content.system ? CHOICES.slice(0, -1) : CHOICES;
  }

  /** The name of the current theme. */
  get name() {
    const [light, contrast, print] = this.queries.map((query) => query.matches);
    if (this.printing || print) return "light";
    if (this.choice !== "system") return this.choice;
    if (light) return "light";
    return contrast ? "contrast" : "dark";
  }

  /** The current colours, by name. */
  get palette() {
    return this.content.colours[this.name];
  }

  /** @param {boolean} printing */
  print(printing) {
    this.printing = printing;
    this.apply();
  }

  /** @param {string} choice */
  choose(choice) {
    if (this.choices.includes(choice)) this.choice = choice;
    this.apply();
  }

  apply() {
    for (const [name, colour] of Object.entries(this.palette)) {
      this.root.style.setProperty(`--${name}`, colour);
    }
    this.root.style.colorScheme = this.content.schemes[this.name];
    this.dispatchEvent(new Event("change"));
  }
}
