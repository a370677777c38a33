// SPDX-License-Identifier: Apache-2.0
/* Positions for comments in a source: the gaps between two tokens, by the node that both belong to. */
import { parseConfig } from "@tenon/hcl";
import { childrenOf, type SyntaxNode } from "@tenon/hcl/analysis";
import type { Random } from "@tenon/testing/generate";

/** A gap between two adjacent tokens of a node, or between a token and a child node, written as `…`. */
export interface Gap {
  /** Kind of the node, and what precedes and follows the gap: `tuple: , ¦ …`. */
  readonly sort: string;
  /** In bytes. */
  readonly offset: number;
  readonly hasComment: boolean;
}

export interface Layout {
  /** Kind of every node in the source. */
  readonly kinds: readonly SyntaxNode["kind"][];
  readonly gaps: readonly Gap[];
}

/** Nodes and gaps of a source; undefined if the source has errors. */
export function layoutOf(source: string): Layout | undefined {
  const { body, diagnostics } = parseConfig(source, "");
  if (diagnostics.length > 0) return undefined;
  const reader = new Reader(Buffer.from(source).toString("latin1"));
  reader.read(body);
  return reader;
}

/** A token or comment that belongs to the node itself. Bytes from 0x80 are parts of non-ASCII letters. */
const token =
  /(?<comment>#[^\n]*\n?|\/\/[^\n]*\n?|\/\*[\s\S]*?\*\/)|(?<number>\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)|(?<word>[\w\x80-\xff][\w\x80-\xff-]*)|(?<text>"(?:[^"\\]|\\.)*"|<<-?([\w\x80-\xff-]+)\r?\n(?:.*\n)*?[ \t]*\5)|\n|[$%]\{~?|~?\}|::|=>|\.\.\.|(?:[=!<>]=|&&|\|\||[<>*/%+-])|\S/g;
/** Keywords, in the nodes of `kindsWithWords`. */
const words = /^(?:for|in|if|else|endif|endfor)$/;
const kindsWithWords: ReadonlySet<string> = new Set(["for", "conditional", "templateJoin"]);

class Reader implements Layout {
  readonly kinds: SyntaxNode["kind"][] = [];
  readonly gaps: Gap[] = [];
  readonly #text: string;

  /** @param text the source with one character for each byte. */
  constructor(text: string) {
    this.#text = text;
  }

  read(node: SyntaxNode): void {
    this.kinds.push(node.kind);
    const { start, end } = node.range;
    const written = this.#text.slice(start.byte, end.byte);
    const isTemplate = node.kind === "template" || node.kind === "templateWrap" || written.startsWith("%{");
    // A literal may be a part of a template, and a template has no comments.
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

  /** Reads the node's own tokens between two offsets. */
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
  /** Whether a comment follows `before`. */
  readonly hasComment: boolean;
  /** Whether comments are allowed: outside templates, and in their interpolations and directives. */
  readonly isOpen: boolean;
}

const blockComments: readonly string[] = ["/* c */", "/* c */", " /* ü */ ", "/* c\n c */", "/**/", "/* c */ /* d */"];
const lineComments: readonly string[] = ["# c\n", "// c\n", "#\r\n", "/* c */ # d\n"];

/** A random comment. A line comment is rare except before a newline, because elsewhere it mostly makes the source invalid. */
function commentFor(random: Random, sort: string): string {
  const isBeforeNewline = sort.endsWith(" newline");
  if (random.chance(isBeforeNewline ? 0.5 : 0.97)) return random.pick(blockComments);
  return isBeforeNewline ? random.pick(lineComments).trimEnd() : random.pick(lineComments);
}

/** Inserts comments into some gaps of the source, and returns the sorts of these gaps. */
export function insertComments(random: Random, source: string): { readonly source: string; readonly sorts: readonly string[] } {
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
