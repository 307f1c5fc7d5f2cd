// The texts of the page in the language of its film: undoku/texts/language.py in JavaScript.

/** @typedef {import("./content.js").TextContent} TextContent */
/** @typedef {Record<string, string | number>} Values */

const LEFT_TO_RIGHT = "\u200e";
const RIGHT_TO_LEFT = "\u200f";
const LETTERS = /\p{L}/gu;
const FROM_THE_RIGHT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]/u;
const HIDDEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;
const JOINERS = "\u200c\u200d";
const MARKS = LEFT_TO_RIGHT + RIGHT_TO_LEFT;

export class Texts {
  /** @param {TextContent} content */
  constructor(content) {
    this.content = content;
    this.language = content.language;
    this.rightToLeft = content.rightToLeft;
  }

  /**
   * A text with its placeholders filled in.
   * @param {string} key
   * @param {Values} values
   */
  say(key, values = {}) {
    const forms = this.content.wordings[key];
    if (!forms) throw new Error(`there is no text ${key}`);
    const count = values.count;
    const form = typeof count === "number" && Number.isInteger(count) ? this.form(count) : "other";
    const wording = forms[form] ?? forms.other;
    const filled = wording.replace(/\{(\w+)\}|\{\{|\}\}/g, (found, name) =>
      name ? this.written(values[name] ?? "") : found[0],
    );
    return this.directed(filled);
  }

  /**
   * A text with a mark of the language's direction in front if it begins with letters of the other
   * direction, such as a name, but also has letters of its own.
   * @param {string} text
   */
  directed(text) {
    const letters = (text.match(LETTERS) ?? []).map((letter) => FROM_THE_RIGHT.test(letter));
    if (!letters.length || letters[0] === this.rightToLeft) return text;
    if (this.rightToLeft) return RIGHT_TO_LEFT + text;
    return letters.includes(false) ? LEFT_TO_RIGHT + text : text;
  }

  /** @param {number} count */
  form(count) {
    const { plurals } = this.content;
    return plurals[count < plurals.length ? count : 100 + (count % 100)];
  }

  /** @param {string | number} value */
  written(value) {
    return typeof value === "number" ? this.number(value) : value;
  }

  /**
   * A number with the language's separators and at most one decimal.
   * @param {number} value
   */
  number(value) {
    const [whole, rest] = (Number.isInteger(value) ? String(value) : value.toFixed(1)).split(".");
    const grouped = whole.replace(/\B(?=(\d{3})+$)/g, this.content.thousands);
    return rest && rest !== "0" ? grouped + this.content.decimals + rest : grouped;
  }

  /**
   * A small number with two decimals.
   * @param {number} value
   */
  ratio(value) {
    return Math.min(9.99, value).toFixed(2).replace(".", this.content.decimals);
  }

  /**
   * A list of values: "3, 5, 9".
   * @param {string[]} names
   */
  listed(names) {
    return names.reduce((first, rest) => this.say("list-middle", { first, rest }));
  }
}

/**
 * A text with a capital first letter.
 * @param {string} text
 */
export function capitalised(text) {
  const [first = "", ...rest] = text;
  return first.toUpperCase() + rest.join("");
}

/**
 * A foreign text with escapes for characters that would hide or reverse a part of it: "\\u202e".
 * @param {string} text
 */
export function visible(text) {
  return text.replace(HIDDEN, (mark) =>
    (JOINERS + MARKS).includes(mark)
      ? mark
      : `\\u${(mark.codePointAt(0) ?? 0).toString(16).padStart(4, "0")}`,
  );
}
