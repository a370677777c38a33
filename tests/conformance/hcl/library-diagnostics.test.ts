// SPDX-License-Identifier: Apache-2.0
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describePeer } from "@tenon/peers/vitest";
import { test } from "vitest";
import type { Case } from "../cty/notation.ts";
import { openOracle } from "../cty/oracle.ts";
import { judge } from "./judge.ts";
import { picked } from "./picked.ts";
import { pickedErrors } from "./syntax-picked.ts";

/** A diagnostic that the Go library has in its sources: ../../peers/hcl-oracle/diagnostics lists them. */
interface LibraryDiagnostic {
  readonly package: string;
  readonly summary: string;
  readonly detail: string;
  /** Where it is made; as often as it is made there. */
  readonly places: readonly string[];
}

const listed = JSON.parse(readFileSync(join(import.meta.dirname, "library-diagnostics.json"), "utf8")) as readonly LibraryDiagnostic[];

/** Those that nothing can raise by what the library exports, by their summaries and the beginnings of their details. */
const outOfReach: readonly (readonly [summary: string, detail: string, why: string])[] = [
  ["Unclosed configuration body", "Found end of file", "a body that is not ended by a brace is ended by the end of the file"],
  ["Invalid string literal", "A quoted string is required here.", "only what was seen to be a quoted string is read as one"],
  ["Invalid escape sequence", "Backslash must be followed by", "the scanner has no string that ends in a backslash"],
  ["Unexpected end of template", "The control directives", "whoever reads on has seen before that the template does not end"],
  ["Unsupported operator", '"**" is not', "the scanner never makes this token: it makes two asterisks"],
  ["Invalid character", "Tab characters may not be used.", "the scanner never makes this token: tabs are spaces"],
  ["Invalid path step", "Go type %T", "a path of cty has no other steps"],
  ["Failed to open file", "", "what is read, and how, is for the program's file system to say: see loadFiles"],
  ["Failed to close file", "", "likewise"],
  ["Failed to read file", "", "likewise"],
];

interface Told {
  readonly summary: string;
  readonly detail: string;
  /** Was it told of a source in JSON? */
  readonly json: boolean;
}

function diagnosticsIn(part: unknown, json: boolean): Told[] {
  if (typeof part !== "object" || part === null) return [];
  const { summary, detail } = part as { readonly summary?: unknown; readonly detail?: unknown };
  if (typeof summary === "string" && typeof detail === "string") return [{ summary, detail, json }];
  return Object.values(part).flatMap((one) => diagnosticsIn(one, json));
}

const verbs: RegExp = /%\d*[sqdvxT]/;
const patternOf = (template: string): RegExp =>
  new RegExp(
    `^${template
      .split(verbs)
      .map((text) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&"))
      .join("[^]*")}$`,
  );

const patterns = listed.map((one) => ({ one, summary: patternOf(one.summary), detail: patternOf(one.detail), literal: literalOf(one) }));

/** How much of the text is certain: of several that fit, the diagnostic is the one of which most is. */
function literalOf({ summary, detail }: LibraryDiagnostic): number {
  return `${summary}${detail}`.split(verbs).join("").length;
}

/** Which of the library's diagnostics this is. Several packages may have it. */
function recognise({ summary, detail, json }: Told): readonly LibraryDiagnostic[] {
  const fitting = patterns.filter(
    (pattern) =>
      pattern.summary.test(summary) &&
      pattern.detail.test(detail) &&
      (json ? pattern.one.package !== "hclsyntax" : pattern.one.package !== "json"),
  );
  const most = Math.max(...fitting.map(({ literal }) => literal));
  return fitting.filter(({ literal }) => literal === most).map(({ one }) => one);
}

const cases: readonly Case[] = [...pickedErrors.map(([op, source]): Case => ({ op, args: [source] })), ...picked.map(({ asked }) => asked)];
const isJson = ({ op, args }: Case): boolean => op.startsWith("json.") || args[0] === "json";
const isOutOfReach = ({ summary, detail }: LibraryDiagnostic): boolean =>
  outOfReach.some(([text, beginning]) => summary === text && detail.startsWith(beginning));

describePeer(["hcl-oracle"], "every diagnostic that the Go library has", () => {
  test("has a case picked by hand, in which ours is the same", async ({ expect }) => {
    const oracle = await openOracle({ peer: "hcl-oracle", repeats: 8 });
    const seen = new Set<LibraryDiagnostic>();
    const unknown: string[] = [];
    try {
      expect(oracle.header["hcl"], "list the diagnostics of this version").toBe("2.25.0");
      const answers = await oracle.ask(cases);
      for (const [index, asked] of cases.entries()) {
        const answer = answers[index]!;
        expect.soft(judge(asked, answer).kind, JSON.stringify(asked)).toMatch(/agreed|deviation/);
        for (const told of diagnosticsIn(answer, isJson(asked))) {
          const found = recognise(told);
          if (found.length === 0) unknown.push(`${told.summary}: ${told.detail}`);
          for (const one of found) seen.add(one);
        }
      }
    } finally {
      oracle.close();
    }
    const text = (one: LibraryDiagnostic): string => `${one.package}: ${one.summary}: ${one.detail}`;
    expect(listed.filter((one) => !seen.has(one) && !isOutOfReach(one)).map(text)).toEqual([]);
    expect(listed.filter((one) => seen.has(one) && isOutOfReach(one)).map(text)).toEqual([]);
    // What the list does not have is the case's own: of a check, or of go-cty's conversions in an error of a function.
    expect([...new Set(unknown)]).toEqual([]);
  });
});
