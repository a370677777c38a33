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

/** A diagnostic in the sources of the Go library; ../../peers/hcl-oracle/diagnostics lists them. */
interface LibraryDiagnostic {
  readonly package: string;
  readonly summary: string;
  readonly detail: string;
  /** Source locations that create it; one entry for each occurrence. */
  readonly places: readonly string[];
}

const listed = JSON.parse(readFileSync(join(import.meta.dirname, "library-diagnostics.json"), "utf8")) as readonly LibraryDiagnostic[];

/** Diagnostics that no call of the library's exported functions can produce: summary, start of the detail, reason. */
const outOfReach: readonly (readonly [summary: string, detail: string, why: string])[] = [
  ["Unclosed configuration body", "Found end of file", "a body without a closing brace ends at the end of the file"],
  ["Invalid string literal", "A quoted string is required here.", "the parser calls this function only for a quoted string"],
  ["Invalid escape sequence", "Backslash must be followed by", "the scanner produces no string that ends in a backslash"],
  ["Unexpected end of template", "The control directives", "every caller checks first that the template does not end"],
  ["Unsupported operator", '"**" is not', "the scanner never produces this token, but two asterisks"],
  ["Invalid character", "Tab characters may not be used.", "the scanner never produces this token, because it treats tabs as spaces"],
  ["Invalid path step", "Go type %T", "a cty path has no other kinds of steps"],
  ["Failed to open file", "", "the program's file system reads files and reports its own errors: see loadFiles"],
  ["Failed to close file", "", "likewise"],
  ["Failed to read file", "", "likewise"],
];

interface ReportedDiagnostic {
  readonly summary: string;
  readonly detail: string;
  /** Whether the source was JSON. */
  readonly json: boolean;
}

function diagnosticsIn(part: unknown, json: boolean): ReportedDiagnostic[] {
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

/** Length of the literal text in a template. If several templates match, the one with the most literal text is chosen. */
function literalOf({ summary, detail }: LibraryDiagnostic): number {
  return `${summary}${detail}`.split(verbs).join("").length;
}

/** Finds the library's diagnostics with this text; several packages may have the same one. */
function recognise({ summary, detail, json }: ReportedDiagnostic): readonly LibraryDiagnostic[] {
  const fitting = patterns.filter(
    (pattern) =>
      pattern.summary.test(summary) &&
      pattern.detail.test(detail) &&
      (json ? pattern.one.package !== "hclsyntax" : pattern.one.package !== "json"),
  );
  const most = Math.max(...fitting.map(({ literal }) => literal));
  return fitting.filter(({ literal }) => literal === most).map(({ one }) => one);
}

const cases: readonly Case[] = [...pickedErrors.map(([op, source]): Case => ({ op, args: [source] })), ...picked.map(({ input }) => input)];
const isJson = ({ op, args }: Case): boolean => op.startsWith("json.") || args[0] === "json";
const isOutOfReach = ({ summary, detail }: LibraryDiagnostic): boolean =>
  outOfReach.some(([text, beginning]) => summary === text && detail.startsWith(beginning));

describePeer(["hcl-oracle"], "every diagnostic of the Go library", () => {
  test("has a picked case, for which our diagnostics are equal", async ({ expect }) => {
    const oracle = await openOracle({ peer: "hcl-oracle", repeats: 8 });
    const seen = new Set<LibraryDiagnostic>();
    const unknown: string[] = [];
    try {
      expect(oracle.header["hcl"], "list the diagnostics of this version").toBe("2.25.0");
      const answers = await oracle.ask(cases);
      for (const [index, input] of cases.entries()) {
        const answer = answers[index]!;
        expect.soft(judge(input, answer).kind, JSON.stringify(input)).toMatch(/agreed|deviation/);
        for (const reported of diagnosticsIn(answer, isJson(input))) {
          const found = recognise(reported);
          if (found.length === 0) unknown.push(`${reported.summary}: ${reported.detail}`);
          for (const one of found) seen.add(one);
        }
      }
    } finally {
      oracle.close();
    }
    const text = (one: LibraryDiagnostic): string => `${one.package}: ${one.summary}: ${one.detail}`;
    expect(listed.filter((one) => !seen.has(one) && !isOutOfReach(one)).map(text)).toEqual([]);
    expect(listed.filter((one) => seen.has(one) && isOutOfReach(one)).map(text)).toEqual([]);
    // Every diagnostic of the answers is in the list.
    expect([...new Set(unknown)]).toEqual([]);
  });
});
