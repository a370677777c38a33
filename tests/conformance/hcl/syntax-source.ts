// SPDX-License-Identifier: Apache-2.0
/*
 * Generates sources of the native syntax from its grammar, with every form and unusual layout; `damage` makes them invalid.
 * The generator shares no code with the parser.
 */
import type { Random } from "@tenon/testing/generate";

/** Non-ASCII text: letters, combining marks, flags, joined emoji, other alphabets, spaces. */
export const wideTexts: readonly string[] = [
  "é",
  "e\u0301",
  "👨‍👩‍👧",
  "🇩🇪🇫",
  "日本語",
  "ß",
  "한",
  "\u1100\u1161",
  "𠁮",
  "\u00a0",
  "\u3000",
  "\u200d",
  "“x”",
  "ünïcödé",
  "ǆ",
];

const names: readonly string[] = [
  "a",
  "b",
  "var",
  "local",
  "each",
  "x1",
  "foo_bar",
  "kebab-case",
  "_hidden",
  "größe",
  "λ",
  "for_each",
  "in",
  "if",
];
const operators: readonly string[] = ["+", "-", "*", "/", "%", "==", "!=", "<", "<=", ">", ">=", "&&", "||"];
const numbers: readonly string[] = [
  "0",
  "1",
  "42",
  "1.5",
  "0.25",
  "1e5",
  "2E-3",
  "1e+2",
  "12345678901234567890",
  "3.141592653589793238462643",
];

export class SourceMaker {
  readonly #random: Random;
  /** Number of expressions that may still be generated. */
  #budget: number;

  constructor(random: Random, budget = 24) {
    this.#random = random;
    this.#budget = budget;
  }

  /** A whole file. */
  config(): string {
    return `${this.#random.chance(0.03) ? "\ufeff" : ""}${this.#items(0, 1 + this.#random.int(4))}`;
  }

  #newline(): string {
    return this.#random.weighted([
      [40, "\n"],
      [3, "\r\n"],
      [2, "\n\n"],
      [2, " # note\n"],
      [2, " // note ünï\n"],
      [1, " /* x */\n"],
    ]);
  }

  /** Space between two tokens where newlines are not allowed. */
  #space(): string {
    return this.#random.weighted([
      [20, " "],
      [4, ""],
      [2, "  "],
      [1, "\t"],
      [1, " /* c */ "],
    ]);
  }

  /** Space between two tokens inside brackets. */
  #gap(): string {
    return this.#random.weighted([
      [20, " "],
      [6, ""],
      [2, "\n"],
      [1, "\r\n"],
      [1, " # c\n"],
      [1, " /* c\n */ "],
    ]);
  }

  #items(depth: number, count: number): string {
    const taken = new Set<string>();
    let text = "";
    const indent = "  ".repeat(depth);
    for (let index = 0; index < count; index++) {
      const name = this.#random.pick(names);
      if (this.#random.chance(0.1))
        text += `${indent}${this.#random.pick(["# a comment\n", "// another\n", "/* block\n comment */\n", "\n", "/* one */ "])}`;
      if (this.#random.chance(0.35) && depth < 3) text += `${indent}${this.#block(depth, name)}${this.#newline()}`;
      else if (!taken.has(name)) {
        taken.add(name);
        text += `${indent}${name}${this.#space()}=${this.#space()}${this.expression()}${this.#newline()}`;
      }
    }
    return text;
  }

  #block(depth: number, type: string): string {
    const labels = this.#random.times(this.#random.int(3), () =>
      this.#random.chance(0.6) ? `"${this.#random.pick(["web", "a b", "x-1", "", "é", 'q\\"q', "\\u00e9"])}"` : this.#random.pick(names),
    );
    const header = [type, ...labels].join(" ");
    if (this.#random.chance(0.15)) return `${header} {}`;
    if (this.#random.chance(0.2)) return `${header} { ${this.#random.pick(names)} = ${this.expression()} }`;
    return `${header} {${this.#newline()}${this.#items(depth + 1, this.#random.int(4))}${"  ".repeat(depth)}}`;
  }

  expression(): string {
    this.#budget -= 1;
    if (this.#budget <= 0) return this.#simple();
    const random = this.#random;
    const kind = random.weighted<() => string>([
      [5, () => this.#simple()],
      [3, () => `${this.#operand()}${this.#space()}${random.pick(operators)} ${this.#operand()}`],
      [1, () => `${this.#operand()} ${random.pick(operators)} ${this.#operand()} ${random.pick(operators)} ${this.#operand()}`],
      [2, () => `${this.#operand()} ? ${this.expression()} : ${this.expression()}`],
      [2, () => this.#tuple()],
      [3, () => this.#object()],
      [2, () => this.#for()],
      [3, () => this.#call()],
      [3, () => this.#quoted()],
      [2, () => this.#heredoc()],
      [4, () => this.#access()],
      [1, () => `(${this.#gap()}${this.expression()}${this.#gap()})`],
      [1, () => `${random.pick(["-", "!", "- ", "!!"])}${this.#operand()}`],
    ]);
    return kind();
  }

  #simple(): string {
    return this.#random.weighted([
      [3, this.#random.pick(names)],
      [3, this.#random.pick(numbers)],
      [1, "true"],
      [1, "false"],
      [1, "null"],
      [2, `"${this.#text()}"`],
    ]);
  }

  #operand(): string {
    return this.#random.chance(0.6) ? this.#simple() : this.#random.chance(0.5) ? `(${this.expression()})` : this.#access();
  }

  #list(make: () => string): string {
    const parts = this.#random.times(this.#random.int(4), make);
    const trailing = parts.length > 0 && this.#random.chance(0.2) ? "," : "";
    return `${this.#gap()}${parts.join(`,${this.#gap()}`)}${trailing}${this.#gap()}`;
  }

  #tuple(): string {
    return `[${this.#list(() => this.expression())}]`;
  }

  #object(): string {
    const random = this.#random;
    const item = (): string => {
      const key = random.weighted<() => string>([
        [5, () => random.pick(names)],
        [2, () => `"${this.#text()}"`],
        [1, () => `(${this.expression()})`],
        [1, () => "var.name"],
        [1, () => `"\${${random.pick(names)}}"`],
        [1, () => random.pick(numbers)],
      ]);
      return `${key()}${this.#space()}${random.pick(["=", "=", ":"])}${this.#space()}${this.expression()}`;
    };
    const separator = random.pick([", ", "\n", ",\n", " # c\n"]);
    const items = random.times(random.int(4), item);
    return `{${random.pick(["", " ", "\n"])}${items.join(separator)}${items.length > 0 ? random.pick(["", "\n", ",", ",\n"]) : ""}${random.pick(["", "\n"])}}`;
  }

  #for(): string {
    const random = this.#random;
    const variables = random.chance(0.5) ? "v" : "k, v";
    const condition = random.chance(0.3) ? ` if ${this.expression()}` : "";
    const collection = this.#operand();
    if (random.chance(0.5))
      return `[${this.#gap()}for ${variables} in ${collection} :${this.#gap()}${this.expression()}${condition}${this.#gap()}]`;
    const group = random.chance(0.3) ? "..." : "";
    return `{${this.#gap()}for ${variables} in ${collection}: ${this.#operand()} =>${this.#gap()}${this.expression()}${group}${condition}${this.#gap()}}`;
  }

  #call(): string {
    const name = this.#random.pick(["f", "upper", "provider::x::f", "core::a", "ns :: g", "for"]);
    const list = this.#list(() => this.expression());
    const expands = list.trim() !== "" && !list.trimEnd().endsWith(",") && !list.includes("#") && this.#random.chance(0.2);
    return `${name}(${list}${expands ? "..." : ""})`;
  }

  #access(): string {
    const random = this.#random;
    const base = random.weighted<() => string>([
      [6, () => random.pick(names)],
      [1, () => `(${this.expression()})`],
      [1, () => this.#call()],
      [1, () => this.#tuple()],
      [1, () => `"${this.#text()}"`],
    ])();
    const steps = random.times(1 + random.int(3), () =>
      random.weighted<() => string>([
        [6, () => `.${random.pick(names)}`],
        [2, () => `[${random.int(5)}]`],
        [1, () => `["${this.#text()}"]`],
        [2, () => `[${this.expression()}]`],
        [1, () => `.${random.int(4)}`],
        [1, () => "[*]"],
        [1, () => ".*"],
        [1, () => ` .${random.pick(names)}`],
      ])(),
    );
    return base + steps.join("");
  }

  /** Text for a quoted template, without interpolations. */
  #text(): string {
    const random = this.#random;
    return random
      .times(random.int(4), () =>
        random.weighted([
          [6, random.pick(["a", "hello", "x y", "k-1", "0"])],
          [2, random.pick(["\\n", "\\t", '\\"', "\\\\", "\\u00e9", "\\U0001F600", "\\r"])],
          [2, random.pick(wideTexts)],
          [1, random.pick(["$${", "%%{", "$", "%", "$$", "%%", "{", "}", "~", "$${~"])],
        ]),
      )
      .join("");
  }

  #quoted(): string {
    const parts = this.#random.times(this.#random.int(4), () => (this.#random.chance(0.5) ? this.#text() : this.#sequence(false)));
    return `"${parts.join("")}"`;
  }

  #heredoc(): string {
    const random = this.#random;
    const marker = random.pick(["EOT", "E", "é-1"]);
    const newline = random.chance(0.1) ? "\r\n" : "\n";
    const lines = random.times(random.int(4), () => {
      const parts = random.times(random.int(3), () => (random.chance(0.6) ? this.plainText() : this.#sequence(true)));
      return `${" ".repeat(random.int(5))}${random.chance(0.1) ? "\t" : ""}${parts.join("")}${newline}`;
    });
    return `<<${random.pick(["", "-"])}${marker}${newline}${lines.join("")}${" ".repeat(random.int(3))}${marker}\n`;
  }

  /** Text for a heredoc or bare template. */
  plainText(): string {
    const random = this.#random;
    return random.weighted([
      [5, random.pick(["text", "a b", '"quoted"', "\\n", "x", "  "])],
      [2, random.pick(wideTexts)],
      [1, random.pick(["$${", "%%{", "$x", "% ", "$$", "}", "~}", "$${~"])],
    ]);
  }

  /** A template as a whole source. */
  template(): string {
    const random = this.#random;
    return random
      .times(random.int(5), () =>
        random.weighted<() => string>([
          [4, () => this.plainText()],
          [4, () => this.#sequence(true)],
          [2, () => random.pick(["\n", "\r\n", "  \n"])],
        ])(),
      )
      .join("");
  }

  /** An interpolation, or a directive with its content and end. */
  #sequence(isMultiLine: boolean): string {
    const random = this.#random;
    const inner = (): string => this.#innerExpression(isMultiLine);
    const open = (sigil: string): string => `${sigil}{${random.chance(0.2) ? "~" : ""}${random.pick(["", " "])}`;
    const close = (): string => `${random.pick(["", " "])}${random.chance(0.2) ? "~" : ""}}`;
    const content = (): string => random.pick(["x", " y ", "", "é", `${open("$")}v${close()}`]);
    return random.weighted<() => string>([
      [6, () => `${open("$")}${inner()}${close()}`],
      [1, () => `${open("%")}if ${inner()}${close()}${content()}${open("%")}endif${close()}`],
      [1, () => `${open("%")}if ${inner()}${close()}${content()}${open("%")}else${close()}${content()}${open("%")}endif${close()}`],
      [1, () => `${open("%")}for ${random.pick(["v", "k, v"])} in ${inner()}${close()}${content()}${open("%")}endfor${close()}`],
    ])();
  }

  #innerExpression(isMultiLine: boolean): string {
    return isMultiLine && this.#random.chance(0.1)
      ? `\n${this.#simple()}\n`
      : this.#random.chance(0.6)
        ? this.#simple()
        : this.expression();
  }
}

/** Pieces that parsers stumble over. */
const pieces: readonly string[] = [
  ...'"""{}{}[]()$%~\\\n\n\r.,:=<>!?&|^*/+-;\'`@# ',
  "${",
  "%{",
  "${~",
  "~}",
  "$${",
  "...",
  "..",
  "=>",
  "==",
  "&&",
  "::",
  "//",
  "/*",
  "*/",
  "<<E\n",
  "<<-E\n",
  "E\n",
  "\r\n",
  "for",
  "in",
  "if ",
  "else",
  "%{ endif }",
  "%{ endfor }",
  "%{ else }",
  "%{ elif }",
  "\\u12",
  "\\q",
  "\\U00110000",
  "\\ud800",
  "1..2",
  "1e5e6",
  "foo.0.1",
  "[*",
  ".*.*",
  "x.",
  "“",
  'resource "a" {\n',
  "b = {",
];

/** Damages a source in one to three places: deletes, inserts, replaces or repeats text. */
export function damage(random: Random, source: string): string {
  let text = source;
  for (let count = 1 + random.int(3); count > 0; count--) {
    const at = random.int(text.length + 1);
    const length = 1 + random.int(random.chance(0.2) ? 12 : 2);
    switch (random.int(5)) {
      case 0:
        text = text.slice(0, at) + text.slice(at + length);
        break;
      case 1:
      case 2:
        text = text.slice(0, at) + random.pick(pieces) + text.slice(at);
        break;
      case 3:
        text = text.slice(0, at) + random.pick(pieces) + text.slice(at + length);
        break;
      case 4:
        text = text.slice(0, at) + text.slice(random.int(text.length + 1));
        break;
    }
  }
  // Shorten exponents: numbers of millions of digits are valid, but slow to write.
  return text.toWellFormed().replace(/([eEpP][+-]?\d{2})\d+/g, "$1");
}
