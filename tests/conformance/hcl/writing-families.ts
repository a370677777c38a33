// SPDX-License-Identifier: Apache-2.0
/* Worst-case sources for formatting and editing; syntax-families.ts has those for parsing. */
import { format, formatConfiguration, parseEditable, type EditableBody } from "@tenon/hcl/write";

export interface WritingFamily {
  readonly name: string;
  readonly make: (size: number) => string;
  readonly write: (source: string) => unknown;
}

const repeated =
  (text: string): ((size: number) => string) =>
  (size) =>
    text.repeat(Math.ceil(size / text.length));

/** Numbered lines with a total length of about `size`. */
const numbered =
  (line: (number: number) => string): ((size: number) => string) =>
  (size) =>
    Array.from({ length: Math.ceil(size / line(10_000).length) }, (_, index) => line(index)).join("");

const edit =
  (change: (body: EditableBody) => unknown): ((source: string) => string) =>
  (source) => {
    const body = parseEditable(source, "").body!;
    change(body);
    return body.toString();
  };

const canonical = (source: string): unknown => formatConfiguration(source, "").source;

export const writingFamilies: readonly WritingFamily[] = [
  { name: "format lines to align", make: numbered((number) => `${"a".repeat(number % 40)}_=${number} # c\n`), write: format },
  { name: "format open brackets", make: repeated("[\n"), write: format },
  { name: "format closed brackets", make: (size) => "([{\n".repeat(size / 8) + "}])\n".repeat(size / 8), write: format },
  { name: "format one long line", make: (size) => `a = [${"- b [ 0 ] . c,".repeat(size / 14)}]\n`, write: format },
  { name: "format equals signs", make: repeated("a = b "), write: format },
  { name: "format comments", make: repeated("/* c */ # d\n"), write: format },
  { name: "format heredocs", make: numbered((number) => `a${number} = <<E\n \${ b }\nE\n`), write: format },
  { name: "format combining characters", make: (size) => `a = 1 # ${"e\u0301".repeat(size / 3)}\nb = 2 # c\n`, write: format },
  { name: "format templates", make: (size) => `a = "${"${ b }%{ if c }d%{ endif }".repeat(size / 26)}"\n`, write: format },
  { name: "interpolations only", make: numbered((number) => `a${number} = "\${b}"\n`), write: canonical },
  { name: "interpolations in lines", make: numbered((number) => `a${number} = "\${b # c\n}" # d\n`), write: canonical },
  { name: "one long interpolation", make: (size) => `a = "\${[\n${"b,\n".repeat(size / 3)}] # c\n}"\n`, write: canonical },
  { name: "labels", make: (size) => `b ${"c ".repeat(size / 2)}{}\n`, write: canonical },
  {
    name: "edit attributes",
    make: numbered((number) => `a${number} = v\n`),
    write: edit((body) => body.attributes.forEach(({ name }) => body.setAttribute(name, "1"))),
  },
  {
    name: "edit heredocs",
    make: numbered((number) => `a${number} = <<E\nb\nE\n`),
    write: edit((body) => body.attributes.forEach(({ name }) => body.setAttribute(name, "<<F\nF"))),
  },
  {
    name: "add attributes",
    make: repeated("# c\n"),
    write: (source) => edit((body) => adds(source, (index) => body.setAttribute(`a${index}`, "1")))(source),
  },
  {
    name: "add blocks",
    make: repeated("# c\n"),
    write: (source) => edit((body) => adds(source, (index) => body.addBlock("b", [String(index)])))(source),
  },
  {
    name: "remove attributes",
    make: numbered((number) => `a${number} = 1\n\n`),
    write: edit((body) => body.attributes.forEach(({ name }) => body.removeAttribute(name))),
  },
  {
    name: "remove blocks from the end",
    make: repeated("b {\n}\n\n"),
    write: edit((body) =>
      body
        .blocks()
        .toReversed()
        .forEach((block) => body.removeBlock(block)),
    ),
  },
  {
    name: "rename in attributes",
    make: numbered((number) => `a${number} = v.b\n`),
    write: edit((body) => body.renameReference("v", "w.x")),
  },
  {
    name: "rename in one expression",
    make: (size) => `a = [${"v.b, ".repeat(size / 5)}]\n`,
    write: edit((body) => body.renameReference("v", "w.x")),
  },
  {
    name: "rename in blocks",
    make: (size) => "b {\na = v\n".repeat(100) + "c {\n a = v\n}\n".repeat(size / 12) + "}\n".repeat(100),
    write: edit((body) => body.renameReference("v", "w.x")),
  },
  {
    name: "edit below spaces",
    make: (size) => `#${" ".repeat(size)}x\nb {\n}\n`,
    write: edit((body) => body.blocks()[0]!.body.setAttribute("a", "1")),
  },
  {
    name: "comments above",
    make: (size) => `${"# c\n".repeat(size / 4)}a = 1 # d\n`,
    write: edit((body) => body.setAttribute("a", "<<E\nE")),
  },
];

/** Calls `add` once for each comment in the source. */
function adds(source: string, add: (index: number) => unknown): void {
  for (let index = 0; index < source.length / 4; index++) add(index);
}
