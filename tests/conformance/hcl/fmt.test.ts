// SPDX-License-Identifier: Apache-2.0
// Files as `tofu fmt` and `terraform fmt` write them, and what they refuse to write.
import { parseConfig, type BodySyntax } from "@tenon/hcl";
import { format, formatConfiguration } from "@tenon/hcl/write";
import { describePeer } from "@tenon/peers/vitest";
import { describe, test } from "vitest";
import { randomFor } from "../cty/random.ts";
import { CoreFolder, type CoreAnswer } from "./core-folder.ts";
import { formatCase } from "./format-cases.ts";
import { legacyFile, pickedLegacy, pickedLosses, pickedRefused } from "./legacy-source.ts";
import { ownConfigurations } from "./own-configurations.ts";
import { pickedForms } from "./syntax-picked.ts";

const seed = 20_261_122;

const pickedFiles: readonly string[] = [
  ...pickedLegacy,
  ...pickedForms.flatMap(([op, source]) => (op === "parse.config" ? [source] : op === "parse.expression" ? [`a = ${source}\n`] : [])),
];

/** Most of them full of legacy forms, the others of any form; some are broken. */
const generatedFiles = (count: number): string[] =>
  Array.from({ length: count }, (_, index) => {
    const random = randomFor(seed, "fmt", index);
    if (index % 4 > 0) return legacyFile(random);
    const [source] = formatCase(random).asked.args;
    return typeof source === "string" ? source : legacyFile(random);
  });

/** What a core's `fmt` makes of files, in one process. */
async function formattedBy(
  cli: string,
  sources: readonly string[],
): Promise<{ readonly files: readonly string[]; readonly answer: CoreAnswer }> {
  using folder = new CoreFolder(cli);
  for (const [index, source] of sources.entries()) folder.write(`${index}.tf`, source);
  const answer = await folder.run(["fmt", "-recursive", "-no-color"]);
  return { files: sources.map((_, index) => folder.read(`${index}.tf`)), answer };
}

/** Where we do otherwise, and how that is recognised: what the core has written says something else than the source. */
function deviationOf(theirs: string, ours: string): string | undefined {
  const { body, diagnostics } = parseConfig(theirs, "");
  if (diagnostics.length > 0) return "an expression that is cut off";
  const labels = (one: BodySyntax): unknown[] => one.blocks.map((block) => [block.labels, labels(block.body)]);
  return JSON.stringify(labels(body)) === JSON.stringify(labels(parseConfig(ours, "").body)) ? undefined : "a label that is lost";
}

describePeer(["tofu"], "tofu fmt", ({ tofu }) => {
  test.for<readonly [name: string, sources: () => readonly string[], atLeast: number]>([
    ["what is picked by hand", () => pickedFiles, 300],
    ["the configurations of this project", ownConfigurations, 20],
    ["five hundred generated files", () => generatedFiles(500), 500],
  ])("writes %s as we do", { timeout: 120_000 }, async ([name, make, atLeast], { expect }) => {
    const sources = make();
    expect(sources.length).toBeGreaterThanOrEqual(atLeast);
    const { files, answer } = await formattedBy(tofu.path, sources);
    const deviations = new Map<string, number>();
    let [written, refused] = [0, 0];
    for (const [index, source] of sources.entries()) {
      const ours = formatConfiguration(source, `${index}.tf`);
      if (ours.source === undefined) {
        refused += 1;
        const [first] = parseConfig(source, "", { recovery: "first-error" }).diagnostics;
        expect(files[index], source).toBe(source);
        expect(answer.stderr).toContain(`on ${index}.tf line ${first!.subject!.start.line}`);
        continue;
      }
      const deviation = files[index] === ours.source ? undefined : deviationOf(files[index]!, ours.source);
      if (deviation === undefined) expect(ours.source, source).toBe(files[index]);
      else deviations.set(deviation, (deviations.get(deviation) ?? 0) + 1);
      written += 1;
    }
    expect(new Set(answer.stderr.match(/ on \d+\.tf line /g)).size).toBe(refused);
    console.log(
      `${name}: ${written} written, ${refused} refused; ${[...deviations].map(([what, count]) => `${what}: ${count}`).join(", ")}`,
    );
    expect(written).toBeGreaterThan(0.7 * sources.length);
    expect([...deviations.values()].reduce((sum, count) => sum + count, 0)).toBeLessThan(0.15 * written);
  });

  test("loses what we keep", { timeout: 120_000 }, async ({ expect }) => {
    const { files } = await formattedBy(
      tofu.path,
      pickedLosses.map(([source]) => source),
    );
    for (const [index, [source, loss, kept]] of pickedLosses.entries()) {
      const ours = formatConfiguration(source, "").source!;
      expect(ours).toBe(kept);
      expect(deviationOf(files[index]!, ours), source).toBe(loss);
    }
  });

  test("reads standard input, and refuses what we refuse in the same words", { timeout: 120_000 }, async ({ expect }) => {
    using folder = new CoreFolder(tofu.path);
    const source = 'variable tags {\n  type = "map"\n  default="${local.none}"\n}\n';
    expect((await folder.run(["fmt", "-"], source)).stdout).toBe(formatConfiguration(source, "").source);
    const { files, answer } = await formattedBy(tofu.path, pickedRefused);
    expect(answer.code).toBe(2);
    expect(files).toEqual(pickedRefused);
    const told = answer.stderr.replace(/\s+/g, " ");
    for (const [index, refused] of pickedRefused.entries()) {
      const { source: written, diagnostics } = formatConfiguration(refused, `${index}.tf`);
      expect(written).toBeUndefined();
      const [{ summary, detail, subject }] = diagnostics as [(typeof diagnostics)[number]];
      expect(told).toContain(`Error: ${summary} on ${index}.tf line ${subject!.start.line}`);
      expect(told).toContain(detail.replace(/\s+/g, " "));
    }
  });
});

describePeer(["terraform", "tofu"], "terraform fmt", ({ terraform, tofu }) => {
  test("writes the same as tofu fmt", { timeout: 120_000 }, async ({ expect }) => {
    const sources = [...pickedFiles, ...ownConfigurations(), ...generatedFiles(300)];
    const [theirs, others] = [await formattedBy(terraform.path, sources), await formattedBy(tofu.path, sources)];
    expect(theirs.files).toEqual(others.files);
  });
});

describe("formatConfiguration", () => {
  test("writes what says the same, laid out as format lays it out, and mostly leaves that as it is", ({ expect }) => {
    const sources = [...pickedFiles, ...ownConfigurations(), ...generatedFiles(1000)];
    let [written, again] = [0, 0];
    for (const source of sources) {
      const { source: once } = formatConfiguration(source, "");
      if (once === undefined) continue;
      written += 1;
      expect(format(once)).toBe(once);
      const { source: twice } = formatConfiguration(once, "");
      expect(twice, once).toBeDefined();
      if (twice !== once) again += 1;
    }
    // Only an interpolation within another one is written anew twice.
    expect(again).toBeLessThan(0.15 * written);
  });
});
