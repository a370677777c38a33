// SPDX-License-Identifier: Apache-2.0
/* Where comments can stand in a source: the gaps between two tokens, by the node that both belong to. */
import { childrenOf, parseConfig, type SyntaxNode } from "@tenon/hcl";
import type { Random } from "../cty/random.ts";

/** Between two neighbouring tokens of a node, or a token and a node within, which is `…`. */
export interface Gap {
  /** `tuple: , ¦ …` */
  readonly sort: string;
  /** In bytes. */
  readonly offset: number;
  readonly hasComment: boolean;
}

export interface Layout {
  /** Of every node in the source. */
  readonly kinds: readonly SyntaxNode["kind"][];
  readonly gaps: readonly Gap[];
}

/** Undefined if the source has errors. */
export function layoutOf(source: string): Layout | undefined {
  const { body, diagnostics } = parseConfig(source, "");
  if (diagnostics.length > 0) return undefined;
  const reader = new Reader(Buffer.from(source).toString("latin1"));
  reader.read(body);
  return reader;
}

/** A token of a node's own, comments among them. Non-ASCII letters are bytes from 0x80 on. */
const token =
  /(?<comment>#[^\n]*\n?|\/\/[^\n]*\n?|\/\*[\s\S]*?\*\/)|(?<number>\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)|(?<word>[\w\x80-\xff][\w\x80-\xff-]*)|(?<text>"(?:[^"\\]|\\.)*"|<<-?([\w\x80-\xff-]+)\r?\n(?:.*\n)*?[ \t]*\5)|\n|[$%]\{~?|~?\}|::|=>|\.\.\.|(?:[=!<>]=|&&|\|\||[<>*/%+-])|\S/g;
/** Words of the language, in nodes that are made with them. */
const words = /^(?:for|in|if|else|endif|endfor)$/;
const kindsWithWords: ReadonlySet<string> = new Set(["for", "conditional", "templateJoin"]);

class Reader implements Layout {
  readonly kinds: SyntaxNode["kind"][] = [];
  readonly gaps: Gap[] = [];
  readonly #text: string;

  /** @param text a character for each byte. */
  constructor(text: string) {
    this.#text = text;
  }

  read(node: SyntaxNode): void {
    this.kinds.push(node.kind);
    const { start, end } = node.range;
    const written = this.#text.slice(start.byte, end.byte);
    const isTemplate = node.kind === "template" || node.kind === "templateWrap" || written.startsWith("%{");
    // A literal may be a part of a template, where nothing is a comment.
    if (node.kind === "literal") return;
    let at = start.byte;
    let walk: Walk = { before: undefined, hasComment: false, isOpen: !isTemplate };
    for (const child of childrenOf(node)) {
      const range = child.range;
      if (range.start.byte < at || range.end.byte > end.byte) continue;
      walk = this.#own(node.kind, at, range.start.byte, walk, isTemplate);
      walk = this.#step(node.kind, "…", range.start.byte, walk);
      at = range.end.byte;
      this.read(child);
    }
    this.#own(node.kind, at, end.byte, walk, isTemplate);
  }

  /** The tokens of a node between two offsets. */
  #own(kind: string, from: number, to: number, walked: Walk, isTemplate: boolean): Walk {
    let walk = walked;
    for (const match of this.#text.slice(from, to).matchAll(token)) {
      const { comment, number, word, text } = match.groups!;
      if (comment !== undefined) {
        walk = { ...walk, hasComment: true };
        continue;
      }
      const [shown] = match;
      const isPlain = word !== undefined && !(words.test(word) && kindsWithWords.has(kind));
      const isOperator = kind === "binary" && /^[=!<>*/%+|&-]/.test(shown);
      const name = text ? "text" : number ? "number" : isPlain ? "name" : isOperator ? "operator" : shown === "\n" ? "newline" : shown;
      if (isTemplate && /^[$%]\{/.test(name)) walk = { before: undefined, hasComment: false, isOpen: true };
      walk = this.#step(kind, name, from + match.index, walk);
      if (isTemplate && name.endsWith("}")) walk = { before: undefined, hasComment: false, isOpen: false };
    }
    return walk;
  }

  #step(kind: string, next: string, offset: number, { before, hasComment, isOpen }: Walk): Walk {
    if (before !== undefined && isOpen) this.gaps.push({ sort: `${kind}: ${before} ¦ ${next}`, offset, hasComment });
    return { before: next, hasComment: false, isOpen };
  }
}

interface Walk {
  readonly before: string | undefined;
  /** Has there been a comment since? */
  readonly hasComment: boolean;
  /** Within a template: in an interpolation or a directive, and not in its text? */
  readonly isOpen: boolean;
}

const blockComments: readonly string[] = ["/* c */", "/* c */", " /* ü */ ", "/* c\n c */", "/**/", "/* c */ /* d */"];
const lineComments: readonly string[] = ["# c\n", "// c\n", "#\r\n", "/* c */ # d\n"];

/** Before a newline any comment does no harm; elsewhere one that ends the line mostly does. */
function commentFor(random: Random, sort: string): string {
  const isBeforeNewline = sort.endsWith(" newline");
  if (random.chance(isBeforeNewline ? 0.5 : 0.97)) return random.pick(blockComments);
  return isBeforeNewline ? random.pick(lineComments).trimEnd() : random.pick(lineComments);
}

/** The source with comments in some of its gaps, and the sorts of those. */
export function strewn(random: Random, source: string): { readonly source: string; readonly sorts: readonly string[] } {
  const gaps = layoutOf(source)?.gaps ?? [];
  if (gaps.length === 0) return { source, sorts: [] };
  const sorts = [...new Set(gaps.map(({ sort }) => sort))];
  const chosen = random
    .times(2 + random.int(8), () => random.pick(sorts))
    .map((sort) => random.pick(gaps.filter((gap) => gap.sort === sort)));
  let text = Buffer.from(source).toString("latin1");
  for (const { offset, sort } of [...chosen].sort((a, b) => b.offset - a.offset))
    text = text.slice(0, offset) + Buffer.from(commentFor(random, sort)).toString("latin1") + text.slice(offset);
  return { source: Buffer.from(text, "latin1").toString(), sorts: chosen.map(({ sort }) => sort) };
}
