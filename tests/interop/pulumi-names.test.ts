// SPDX-License-Identifier: Apache-2.0
// Plurals and singulars, compared with the library that Pulumi's own bridge uses.
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { pluralOf, singularOf } from "@tenon/bridge/pulumi";
import { describePeer } from "@tenon/peers/vitest";
import { test } from "vitest";

/** Beginnings of words: each ending of the rules has several before it. */
const beginnings =
  "a an b ch co cha dri e el ex fo g go he hu i ing k la li lo m ma me mo my n no o of or pa ph que r ra s se st t ti to u un v we x y z".split(
    " ",
  );

/** Endings that the rules name, and others like them. */
const endings = (
  "status statuses quiz quizzes ox oxen mouse house lice mice matrix vertex index matrices vertices indices x ch ss sh xes ches sses shes " +
  "y ay ey quy ies quies hive hives archive beehive fe ffe lf rf ef ife ves lves rves oves sis ses analysis analyses bases theses ium tum " +
  "um ia ta person persons people man men child children buffalo tomato oes alumnus cactus radius virus viri radii us uses auses ouses " +
  "alias aliases aliaseses axis crisis testis axes faxes taxes waxes crises testes s is os as es menu menus cache caches movie movies series " +
  "drive drives tive tives slave slaves shoe shoes eau eaus news atlas atlases cafe corpus cow genie genus genera graffito hoof loaf money " +
  "monies mongoose move moves niche octopus opus sex soliloquy trilby turf potato potatoes hero heroes tooth teeth goose geese foot feet foe " +
  "foes wave waves curve curves media equipment information rice species fish sheep deer pox ois measles ese debris chassis headquarters " +
  "Portuguese sea-bass bass metadata data dns id ids key keys arn arns policy rule tag tags config dog e o u a"
).split(" ");

/** At least 20,000 words: those of this project's documents and sources, and every ending after every beginning. */
function words(): readonly string[] {
  const root = join(import.meta.dirname, "../..");
  const texts = ["packages/hcl/src", "packages/engine/src", "packages/provider-sdk/src"].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".ts"))
      .map((file) => readFileSync(join(root, folder, file), "utf8")),
  );
  const found = new Set(texts.flatMap((text) => text.match(/[A-Za-z_][A-Za-z0-9_]*/g) ?? []));
  for (const ending of endings) {
    found.add(ending).add(ending.toUpperCase());
    for (const beginning of beginnings) {
      for (const separator of ["", "_", "-", "X"]) found.add(`${beginning}${separator}${ending}`);
    }
  }
  return [...found];
}

describePeer(["inflector"], "inflection", ({ inflector }) => {
  test("has the results of the library for 20,000 words", ({ expect }) => {
    const all = words();
    expect(all.length).toBeGreaterThan(20_000);
    const lines = execFileSync(inflector.path, { input: `${all.join("\n")}\n`, encoding: "utf8", maxBuffer: 1 << 28 }).split("\n");
    const different = all.filter((word, at) => `${pluralOf(word)}\t${singularOf(word)}` !== lines[at]);
    expect(different).toEqual([]);
  });
});
