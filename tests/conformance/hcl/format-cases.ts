// SPDX-License-Identifier: Apache-2.0
/* Generates cases for the canonical layout of a source. */
import type { Random } from "@tenon/testing/generate";
import { insertComments, layoutOf, type Gap } from "./layout-gaps.ts";
import { constructsIn, withBadBytes, type SyntaxCase } from "./syntax-cases.ts";
import { damage, SourceMaker, wideTexts } from "./syntax-source.ts";

/** A case with the kinds of its nodes and the gaps between its tokens. A source with errors has only the gaps that got a comment. */
export interface FormatCase extends SyntaxCase {
  readonly nodes: readonly string[];
  readonly gaps: readonly Pick<Gap, "sort" | "hasComment">[];
}

/** A file with unusual layout: generated from the grammar, or a run of attributes and comments, which the formatter aligns. */
export function formatCase(random: Random): FormatCase {
  const isRun = random.chance(0.4);
  let source = isRun ? attributeRun(random, 0) : new SourceMaker(random, 4 + random.int(24)).config();
  const hasComments = random.chance(0.6);
  const commented = hasComments ? insertComments(random, source) : { source, sorts: [] };
  source = commented.source;
  const layout = layoutOf(source);
  const constructs = ["format", isRun ? "attribute run" : "grammar", ...constructsIn(source)];
  const nodes = layout?.kinds ?? [];
  const gaps = [...(layout?.gaps ?? []), ...commented.sorts.map((sort) => ({ sort, hasComment: true }))];
  if (random.chance(0.3)) {
    constructs.push("loose layout");
    source = loosened(random, source);
  }
  if (random.chance(0.25)) {
    constructs.push("damaged");
    source = damage(random, source);
  }
  if (!random.chance(0.03)) return { input: { op: "format", args: [source] }, constructs, nodes, gaps };
  return { input: { op: "format", args: [withBadBytes(random, source)] }, constructs: [...constructs, "bad bytes"], nodes, gaps };
}

/** Attributes, blocks and comments, each with a random width and indentation. */
export function attributeRun(random: Random, depth: number): string {
  return random
    .times(1 + random.int(7), () => {
      const indentation = random.pick(["", "  ", "    ", "\t", " \t "]);
      const item = random.weighted<() => string>([
        [12, () => `${name(random)}${gap(random)}=${gap(random)}${new SourceMaker(random, random.int(4)).expression()}`],
        [2, () => `${name(random)}${gap(random)}= {`],
        [2, () => `${name(random)}${gap(random)}= [[${gap(random)}(`],
        [2, () => random.pick(["}", "]", ")", "]]", "})", ")]]", ") ]", "},{"])],
        [2, () => (depth > 2 ? "b{}" : `${name(random)} "x"${gap(random)}{\n${attributeRun(random, depth + 1)}}`)],
        [1, () => ""],
        [1, () => `/* before */ ${name(random)} = 1`],
        [1, () => `/* two\n lines${random.pick(wideTexts)} */ ${name(random)} = 1`],
        [1, () => `${name(random)} = "\${\n a \n}b" `],
      ])();
      return `${indentation}${item}${random.weighted([
        [12, "\n"],
        [4, `${gap(random)}# one\n`],
        [2, `${gap(random)}// ${random.pick(wideTexts)}\n`],
        [1, `${gap(random)}/* c */\n`],
        [1, `${gap(random)}/* c */ # d\n`],
        [1, `${gap(random)}/* c\n c */\n`],
        [1, "  \r\n"],
        [1, "\n\n\n"],
        [1, random.pick(["", " ", " # end", " /* end */", "\t"])],
      ])}`;
    })
    .join("");
}

const name = (random: Random): string => random.pick(["a", "id", "name", "description", "größe", "名前", "e\u0301", '"k"', "x.y", "(z)"]);
const gap = (random: Random): string => random.pick(["", " ", "  ", "\t", "     "]);

/** Replaces each run of spaces with random white space, in quoted strings too. */
function loosened(random: Random, source: string): string {
  return source.replace(/ +/g, () => random.pick([" ", "   ", "\t", " \t"]));
}
