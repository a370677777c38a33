// SPDX-License-Identifier: Apache-2.0
// Resources of providers that were written for other tests, as subjects of the laws.
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ServedProvider } from "@tenon/provider-sdk";
import type { ResourceCheckOptions } from "@tenon/testing/laws";
import { provider as notebook } from "@tenon/example-notebook";
import { provider as conformance } from "../fixtures/conformance/provider.ts";
import { objectCount } from "../fixtures/laws/laws.ts";
import { provider as laws } from "../fixtures/laws/provider.ts";

/** A resource, and what its checks need. */
export interface LawSubject {
  readonly typeName: string;
  readonly provider: ServedProvider;
  readonly options: ResourceCheckOptions;
}

// An update of most of these resources cannot change the name, although their schemas allow it.
const names = { name: ["alpha"] };

/** The resources of the provider with every feature. Its objects are files in a folder, which is empty again after each case. */
const conformanceOptions: Readonly<Record<string, ResourceCheckOptions>> = {
  record: {
    values: { name: ["alpha", "bravo"], region: ["north", "south"] },
    importId: ({ region, name }) => `${String(region)}:${String(name)}`,
    earlierStates: [
      { version: 0, state: { arn: "arn:north:alpha", label: "old", bytes: "12" } },
      { version: 1, state: { region: "north", name: "alpha", arn: "arn:north:alpha", title: "old", size: "12" } },
    ],
  },
  // Its token differs after an update on purpose. Protected objects cannot be deleted.
  guarded: { values: { ...names, protected: [false], level: [1, 2, 3] }, ignoreOnUpdate: ["token"] },
  // Its creation fails half-way now and then.
  half: {
    values: { ending: ["fine", "throws", "error"] },
    allowErrors: /the connection broke|was not taken over/,
    except: ["import-equals-state"],
  },
  // What it keeps of a write-only value depends on an earlier configuration.
  secret: { values: names, ignoreOnUpdate: ["digest"] },
  // The value that it makes of the key is kept in plans.
  shape: { values: { ...names, "single.key": ["a"] }, ignoreOnUpdate: ["id", "revision"] },
  alike: { values: names },
  number: { values: names },
  anything: { values: names },
  frame: { values: { ...names, wait_ms: [0] } },
  leaf: { values: names },
};

const texts = ["a", "b", "A", "B", "ab", "Ab"];
const keys = (...names: readonly string[]) => names.map((key) => ({ key, id: null }));

/** The resources whose features break easily. */
const lawsOptions: Readonly<Record<string, ResourceCheckOptions>> = {
  // An update keeps the recorded spelling of an equivalent value.
  alike: {
    ignoreOnUpdate: ["list", "map", "set", "title", "words"],
    values: {
      name: ["n"],
      title: texts,
      words: [["a"], ["A", "b", "B"], ["b", "A"]],
      "list.text": texts,
      "map.text": texts,
      "set.text": ["a", "b", "C", "D"],
    },
  },
  failing: {
    // What is locked stays.
    remaining: () => 0,
    values: { name: ["n"], fails: ["", "planDestroy", "delete", "create"] },
    allowErrors: /It is locked|connection broke|returned nothing/,
  },
  fickle: {
    values: { fault: ["no", "changes", "none"] },
    allowErrors: /the identity changed|key is missing|must not be null|null/,
  },
  late: {
    // What must wait to be destroyed stays.
    remaining: () => 0,
    values: { waits: ["", "plan", "read", "import", "destroy"] },
    allowErrors: /must wait until/,
    importId: ({ name }) => String(name),
  },
  nested: {
    values: {
      name: ["n"],
      rows: [keys("a", "b"), keys("b", "a", "a"), keys("a", "a"), keys("a", "b", "a"), keys("c", "b", "a")],
      "bags.name": ["a", "b", "c"],
    },
  },
  person: {
    importId: ({ name }) => String(name),
    values: { name: ["ann", "bob"] },
    earlierIdentities: [
      { version: 0, identity: { id: "ann" } },
      { version: 1, identity: { person: "ann" } },
    ],
    movedFrom: [{ typeName: "laws_legacy_person", state: { name: "carl" }, private: new TextEncoder().encode("legacy") }],
  },
  planned: {
    values: {
      code: ["a", "b", "ab", "B"],
      zone: ["z1", "z2"],
      kind: ["k1", "k2"],
      mood: ["calm", "angry"],
      region: ["r2", "r3"],
      tags: [["x"], ["x", "y"], []],
      steps: [["s1", "s2"], ["s3"], []],
      alias: ["a1", "a2"],
    },
    allowErrors: /mood must be calm/,
    ignoreOnUpdate: ["alias", "id", "region", "since"],
  },
  slug: {},
};

/** Creates the subjects with a folder of their own. */
export function lawSubjects(): { readonly subjects: readonly LawSubject[]; readonly remove: () => void } {
  const folder = mkdtempSync(join(tmpdir(), "laws-"));
  const fixtures = Object.entries(conformanceOptions).map(([name, options]): LawSubject => {
    const directory = join(folder, name);
    mkdirSync(directory);
    const files = (): readonly string[] => readdirSync(directory).filter((file) => file.endsWith(".json"));
    return { typeName: `conformance_${name}`, provider: conformance, options: { config: { directory }, remaining: files, ...options } };
  });
  const own = Object.entries(lawsOptions).map(([name, options]): LawSubject => ({
    typeName: `laws_${name}`,
    provider: laws,
    options: { remaining: () => objectCount(name), ...options },
  }));
  const note: LawSubject = {
    typeName: "notebook_note",
    provider: notebook,
    // The passphrase is not readable, and the number of changes differs after an update.
    options: { config: { path: join(folder, "notes.db") }, ignoreOnImport: ["passphrase"], ignoreOnUpdate: ["id", "revision"] },
  };
  return { subjects: [...own, ...fixtures, note], remove: () => rmSync(folder, { recursive: true, force: true }) };
}
