// SPDX-License-Identifier: Apache-2.0
// Compares formatConfiguration with `tofu fmt` and `terraform fmt`: the files they write, and the files they reject.
import { format, formatConfiguration } from "@tenon/hcl/write";
import { describePeer } from "@tenon/peers/vitest";
import { describe, test } from "vitest";
import { CoreFolder } from "./core-folder.ts";
import { compareFmt, formattedBy, generatedFile, lossOf } from "./fmt-beside.ts";
import { pickedLegacy, pickedLosses, pickedRefused } from "./legacy-source.ts";
import { ownConfigurations } from "./own-configurations.ts";
import { pickedForms } from "./syntax-picked.ts";

const seed = 20_261_122;

const pickedFiles: readonly string[] = [
  ...pickedLegacy,
  ...pickedForms.flatMap(([op, source]) => (op === "parse.config" ? [source] : op === "parse.expression" ? [`a = ${source}\n`] : [])),
];

const generatedFiles = (count: number): string[] => Array.from({ length: count }, (_, index) => generatedFile(seed, index));

describePeer(["tofu"], "tofu fmt", ({ tofu }) => {
  test.for<readonly [name: string, sources: () => readonly string[], atLeast: number]>([
    ["the picked files", () => pickedFiles, 300],
    ["the configurations of this project", ownConfigurations, 20],
    ["five hundred generated files", () => generatedFiles(500), 500],
  ])("writes %s as we do", { timeout: 120_000 }, async ([name, make, atLeast], { expect }) => {
    const sources = make();
    expect(sources.length).toBeGreaterThanOrEqual(atLeast);
    const { written, refused, losses, problems } = await compareFmt(tofu.path, sources);
    console.log(`${name}: ${written} written, ${refused} refused; ${[...losses].map(([what, count]) => `${what}: ${count}`).join(", ")}`);
    expect(problems).toEqual([]);
    expect(written).toBeGreaterThan(0.7 * sources.length);
    expect([...losses.values()].reduce((sum, count) => sum + count, 0)).toBeLessThan(0.1 * written);
  });

  test("loses content that we keep", { timeout: 120_000 }, async ({ expect }) => {
    const { files } = await formattedBy(
      tofu.path,
      pickedLosses.map(([source]) => source),
    );
    for (const [index, [source, loss, kept]] of pickedLosses.entries()) {
      const ours = formatConfiguration(source, "").source!;
      expect(ours).toBe(kept);
      expect(lossOf(source, files[index]!, ours), source).toBe(loss);
    }
  });

  test("formats standard input as we do, and rejects invalid files with our error texts", { timeout: 120_000 }, async ({ expect }) => {
    using folder = new CoreFolder(tofu.path);
    const source = 'variable tags {\n  type = "map"\n  default="${local.none}"\n}\n';
    expect((await folder.run(["fmt", "-"], source)).stdout).toBe(formatConfiguration(source, "").source);
    const { files, answer } = await formattedBy(tofu.path, pickedRefused);
    expect(answer.code).toBe(2);
    expect(files).toEqual(pickedRefused);
    const stderr = answer.stderr.replace(/\s+/g, " ");
    for (const [index, refused] of pickedRefused.entries()) {
      const { source: written, diagnostics } = formatConfiguration(refused, `${index}.tf`);
      expect(written).toBeUndefined();
      const [{ summary, detail, subject }] = diagnostics as [(typeof diagnostics)[number]];
      expect(stderr).toContain(`Error: ${summary} on ${index}.tf line ${subject!.start.line}`);
      expect(stderr).toContain(detail.replace(/\s+/g, " "));
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
  test("writes a source that format leaves unchanged, and that it can read again", ({ expect }) => {
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
    // A second run changes only an interpolation nested in another one.
    expect(again).toBeLessThan(0.15 * written);
  });
});
