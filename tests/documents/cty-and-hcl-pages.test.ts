// SPDX-License-Identifier: Apache-2.0
// Runs the snippets on the pages of cty and hcl: all snippets of a page form one program, in their order.
//   `expression; // => text`     util.inspect prints the expression's value as the text
//   `expression; // throws text` the expression throws an error with that message
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "vitest";
import { Project } from "./project.ts";
import { readDocument, root, snippetsOf } from "./snippets.ts";

/** Paths below `packages/`, such as `cty/docs/sets.md`. */
const pages = ["cty", "hcl"].flatMap((name) =>
  readdirSync(join(root, "packages", name, "docs"))
    .filter((file) => file.endsWith(".md"))
    .sort()
    .map((file) => `${name}/docs/${file}`),
);
const textOf = (page: string): string => readDocument(`packages/${page}`);

/** Joins the snippets of a page, with each claim turned into a check. */
function asProgram(page: string): { readonly program: string; readonly claims: number } {
  const snippets = snippetsOf(textOf(page)).filter(({ language }) => language === "ts");
  let claims = 0;
  const code = snippets
    .map(({ text }) => text)
    .join("\n")
    .replaceAll(/^(\S.*?);? \/\/ (=>|throws) (.*)$/gm, (_, expression: string, kind: string, claim: string) => {
      claims++;
      return `check(${kind === "throws"}, () => (${expression}), ${JSON.stringify(claim)});`;
    });
  return { claims, program: `${check}\n${code}\nconsole.log("checked", checked);` };
}

const check = `
import { inspect as $inspect } from "node:util";
let checked = 0;
function check(throws: boolean, evaluate: () => unknown, claim: string): void {
  let shown: string;
  try {
    const value = evaluate();
    shown = $inspect(value, { depth: 9, breakLength: Infinity }).replaceAll("[Object: null prototype] ", "");
    if (throws) shown = "nothing thrown: " + shown;
  } catch (error) {
    shown = throws ? (error as Error).message : String((error as Error).stack);
  }
  checked++;
  if (shown !== claim) throw new Error("expected " + claim + "\\nreceived " + shown);
}
`;

describe("a page of cty or hcl", () => {
  test("exists for each concept", ({ expect }) => {
    expect(pages).toEqual([
      "cty/docs/conversion.md",
      "cty/docs/functions.md",
      "cty/docs/marks.md",
      "cty/docs/numbers.md",
      "cty/docs/sets.md",
      "cty/docs/types.md",
      "cty/docs/unknown-values.md",
      "cty/docs/wire-formats.md",
      "hcl/docs/diagnostics.md",
      "hcl/docs/differences.md",
      "hcl/docs/editing.md",
      "hcl/docs/evaluation.md",
    ]);
  });

  test.for(pages)("%s starts with the questions that it answers", (page, { expect }) => {
    expect(textOf(page)).toMatch(/^# .+\n\n(?:- .+\?\n(?: {2}.+\n)*)+\n/);
  });

  test.for(pages)("%s states the results that its snippets have", async (page, { expect }) => {
    const { program, claims } = asProgram(page);
    using project = new Project({ "page.ts": program });
    expect(await project.run(["page.ts"])).toEqual({ stdout: `checked ${claims}\n`, stderr: "" });
    expect(claims).toBeGreaterThan(3);
  });
});
