// SPDX-License-Identifier: Apache-2.0
import { readFileSync, globSync } from "node:fs";
import { join } from "node:path";
import { format } from "@tenon/hcl/write";
import { describePeer } from "@tenon/peers/vitest";
import { describe, test } from "vitest";
import { randomFor } from "../cty/random.ts";
import { openOracle } from "../cty/oracle.ts";
import { formatCase } from "./format-cases.ts";
import { pickedLayouts } from "./format-picked.ts";
import { judge } from "./judge.ts";

const root = join(import.meta.dirname, "../../..");

/** Every configuration that stands in this project: files, pages' snippets, and texts within the sources of tests and programs. */
function ownConfigurations(): string[] {
  const without = { cwd: root, exclude: ["**/node_modules/**", "**/dist/**", "**/.*/**"] };
  const textOf = (file: string): string => readFileSync(join(root, file), "utf8");
  const files = globSync("**/*.{tf,hcl}", without).map(textOf);
  const snippets = globSync("**/*.md", without).flatMap((file) =>
    [...textOf(file).matchAll(/^```(?:hcl|tf|terraform)\n(.*?)^```/gms)].map(([, text]) => text!),
  );
  const literals = globSync("{apps,benchmarks,packages,tests}/**/*.{ts,md}", without).flatMap((file) =>
    [...textOf(file).matchAll(/`([^`]*?^ *(?:resource|provider|terraform|variable|data|output)\b[^`]*?\{[^`]*)`/gms)].map(
      ([, text]) => text!,
    ),
  );
  return [...files, ...snippets, ...literals];
}

describePeer(["hcl-oracle"], "the Go library, asked to format", () => {
  test.for<readonly [name: string, sources: () => readonly string[], atLeast: number]>([
    ["what is picked by hand", () => pickedLayouts, 300],
    ["the configurations of this project", ownConfigurations, 20],
  ])("writes %s as we do", async ([, make, atLeast], { expect }) => {
    const sources = make();
    expect(sources.length).toBeGreaterThan(atLeast);
    const oracle = await openOracle({ peer: "hcl-oracle", repeats: 1 });
    try {
      const cases = sources.map((source) => ({ op: "format", args: [source] }));
      const answers = await oracle.ask(cases);
      const problems = cases.filter((asked, index) => judge(asked, answers[index]!).kind !== "agreed").map(({ args }) => args[0]);
      expect(problems).toEqual([]);
    } finally {
      oracle.close();
    }
  });
});

describe("format", () => {
  test("changes nothing of what it wrote", ({ expect }) => {
    for (let index = 0; index < 1000; index++) {
      const [source] = formatCase(randomFor(11, "format", index)).asked.args;
      if (typeof source !== "string") continue;
      const once = format(source);
      expect(format(once), JSON.stringify(source)).toBe(once);
    }
  });
});
