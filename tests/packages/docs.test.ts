// SPDX-License-Identifier: Apache-2.0
// Runs the snippets on the pages of docs/ of cty and hcl: those of a page are one program, in their order.
//   `expression; // => text`    the expression's value, printed by util.inspect, is the text
//   `expression; // throws text` the expression throws an error with that message
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "vitest";

const packages = join(import.meta.dirname, "../../packages");
/** Paths below `packages/`, such as `cty/docs/sets.md`. */
const pages = ["cty", "hcl"].flatMap((name) =>
  readdirSync(join(packages, name, "docs"))
    .filter((file) => file.endsWith(".md"))
    .sort()
    .map((file) => join(name, "docs", file)),
);
const textOf = (page: string): string => readFileSync(join(packages, page), "utf8");

/** The page's snippets with each claim turned into a check. */
function asProgram(page: string): { readonly program: string; readonly claims: number } {
  const snippets = [...textOf(page).matchAll(/```ts\n(.*?)```/gs)].map(([, code = ""]) => code);
  let claims = 0;
  const code = snippets
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
  if (shown !== claim) throw new Error("the page says " + claim + "\\nbut it is    " + shown);
}
`;

describe("each page", () => {
  test("is there for each concept", ({ expect }) => {
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

  test.for(pages)("%s opens with the questions it answers", (page, { expect }) => {
    expect(textOf(page)).toMatch(/^# .+\n\n(?:- .+\?\n(?: {2}.+\n)*)+\n/);
  });

  test.for(pages)("%s says what is so", (page, { expect }) => {
    const { program, claims } = asProgram(page);
    const run = spawnSync(process.execPath, ["--input-type=module-typescript", "-e", program], {
      cwd: join(packages, page, "../.."),
      encoding: "utf8",
    });
    expect(run.stderr).toBe("");
    expect(run.stdout.trim()).toBe(`checked ${claims}`);
    expect(claims).toBeGreaterThan(3);
  });
});
