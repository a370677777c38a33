// SPDX-License-Identifier: Apache-2.0
// Resources of providers that were written for other tests, as subjects of the laws.
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ServedProvider } from "@tenon/provider-sdk";
import type { ResourceCheckOptions } from "@tenon/testing/laws";
import { provider as conformance } from "../fixtures/conformance/provider.ts";

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

/** Creates the subjects with a folder of their own. */
export function lawSubjects(): { readonly subjects: readonly LawSubject[]; readonly remove: () => void } {
  const folder = mkdtempSync(join(tmpdir(), "laws-"));
  const fixtures = Object.entries(conformanceOptions).map(([name, options]): LawSubject => {
    const directory = join(folder, name);
    mkdirSync(directory);
    const remaining = (): readonly string[] => readdirSync(directory).filter((file) => file.endsWith(".json"));
    return { typeName: `conformance_${name}`, provider: conformance, options: { config: { directory }, remaining, ...options } };
  });
  return { subjects: fixtures, remove: () => rmSync(folder, { recursive: true, force: true }) };
}
