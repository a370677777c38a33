// SPDX-License-Identifier: Apache-2.0
/* Worst-case sources for the parsers. Doubling the size must not much more than double the time. */

export interface Family {
  readonly name: string;
  /** Syntax of the sources. */
  readonly syntax: "config" | "expression" | "template" | "json";
  readonly make: (size: number) => string;
}

const repeated =
  (text: string): ((size: number) => string) =>
  (size) =>
    text.repeat(Math.ceil(size / text.length));

export const families: readonly Family[] = [
  { name: "open brackets", syntax: "expression", make: repeated("[") },
  { name: "closed brackets", syntax: "expression", make: (size) => "[".repeat(size / 2) + "]".repeat(size / 2) },
  { name: "nested blocks", syntax: "config", make: (size) => "b {\n".repeat(size / 6) + "}\n".repeat(size / 6) },
  { name: "nested interpolations", syntax: "expression", make: (size) => '"${'.repeat(size / 5) + '}"'.repeat(size / 5) },
  { name: "long template", syntax: "template", make: repeated("text ${a.b} $${x} %{ if c }y%{ endif }\n") },
  { name: "nested directives", syntax: "template", make: repeated("%{ if a }") },
  {
    name: "many heredocs",
    syntax: "config",
    make: (size) => Array.from({ length: size / 30 }, (_, index) => `a${index} = <<E\n  x \${y}\nE\n`).join(""),
  },
  { name: "heredocs that never end", syntax: "config", make: repeated("a = <<E\n") },
  { name: "comments that never end", syntax: "config", make: repeated("/* ") },
  { name: "long chain of operators", syntax: "expression", make: repeated("a + ") },
  { name: "long chain of indices", syntax: "expression", make: (size) => `a${"[b]".repeat(size / 3)}` },
  { name: "conditionals in conditionals", syntax: "expression", make: repeated("a ? b : ") },
  { name: "signs", syntax: "expression", make: repeated("!-") },
  { name: "wrong escapes", syntax: "expression", make: (size) => `"${"\\q".repeat(size / 2)}"` },
  { name: "lines in quotes", syntax: "config", make: repeated('a = "\n') },
  { name: "combining characters", syntax: "config", make: (size) => `a = "${"e\u0301".repeat(size / 3)}"\n` },
  { name: "bad items", syntax: "config", make: repeated("= [\n") },
  { name: "unclosed lists", syntax: "config", make: repeated("a = [1,\n") },
  { name: "same attribute", syntax: "config", make: repeated("a = 1\n") },
  { name: "open JSON", syntax: "json", make: repeated('{"a":[') },
  { name: "wide JSON", syntax: "json", make: (size) => `{${'"a":1,'.repeat(size / 6)}"b":2}` },
  { name: "JSON escapes", syntax: "json", make: (size) => `["${"\\u00e9".repeat(size / 6)}"]` },
];
