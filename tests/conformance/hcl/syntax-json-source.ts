// SPDX-License-Identifier: Apache-2.0
/* Generates JSON with unusual layout, and damages it. */
import type { Random } from "@tenon/testing/generate";
import { wideTexts } from "./syntax-source.ts";

const names: readonly string[] = ["a", "b", "//", "resource", "for_each", "k\\u00e9y", "ünï", "${x}", ""];

export class JsonMaker {
  readonly #random: Random;
  #budget = 20;

  constructor(random: Random) {
    this.#random = random;
  }

  /** A JSON file, mostly with a body. */
  file(): string {
    return this.#gap() + (this.#random.chance(0.9) ? this.#object() : this.value()) + this.#gap();
  }

  value(): string {
    this.#budget -= 1;
    const random = this.#random;
    if (this.#budget <= 0) return random.pick(["1", "null", '"x"', "true"]);
    return random.weighted<() => string>([
      [3, () => this.#object()],
      [2, () => this.#array()],
      [4, () => this.#string()],
      [2, () => random.pick(["0", "-1", "1.5", "1e5", "2E-3", "-0.25", "12345678901234567890"])],
      [1, () => random.pick(["true", "false", "null"])],
    ])();
  }

  #gap(): string {
    return this.#random.weighted([
      [10, ""],
      [5, " "],
      [2, "\n"],
      [1, "\r\n  "],
      [1, "\t"],
    ]);
  }

  #string(): string {
    const random = this.#random;
    const parts = random.times(random.int(4), () =>
      random.weighted([
        [6, random.pick(["a", "hello world", "${x.y}", "%{ if a }", "$${", "0", "{}"])],
        [2, random.pick(["\\n", "\\t", '\\"', "\\\\", "\\/", "\\u00e9", "\\ud83d\\ude00", "\\ud800", "\\b"])],
        [2, random.pick(wideTexts)],
      ]),
    );
    return `"${parts.join("")}"`;
  }

  #object(): string {
    const members = this.#random.times(this.#random.int(4), () => {
      const name = this.#random.chance(0.7) ? `"${this.#random.pick(names)}"` : this.#string();
      return `${this.#gap()}${name}${this.#gap()}:${this.#gap()}${this.value()}${this.#gap()}`;
    });
    return `{${members.join(",")}${this.#gap()}}`;
  }

  #array(): string {
    const elements = this.#random.times(this.#random.int(4), () => this.#gap() + this.value() + this.#gap());
    return `[${elements.join(",")}]`;
  }
}

const pieces: readonly string[] = [
  ..."{}[],:=\"\\'-+.#/\n\r\t\b$",
  "true",
  "True",
  "nul",
  "undefined",
  "NaN",
  "01",
  "1.",
  ".5",
  "1e",
  "\\u12",
  "\\x",
  '"a"',
  "//",
  "é",
  "null",
  "e5",
];

/** Damages JSON in one to three places. */
export function damageJson(random: Random, source: string): string {
  let text = source;
  for (let count = 1 + random.int(3); count > 0; count--) {
    const at = random.int(text.length + 1);
    const removed = random.chance(0.5) ? 1 + random.int(2) : 0;
    const inserted = random.chance(0.6) ? random.pick(pieces) : "";
    text = text.slice(0, at) + inserted + text.slice(at + removed);
  }
  return text.toWellFormed().replace(/([eE][+-]?\d{2})\d+/g, "$1");
}
