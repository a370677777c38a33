// SPDX-License-Identifier: Apache-2.0
import { TestingError } from "../error.ts";

/** What a sweeper gets. */
export interface SweepContext {
  /** The region to sweep, as the command line names it. Its meaning is the sweeper's: an account, an address or a region. */
  readonly region: string;
  /** Aborts when the command is interrupted. */
  readonly signal: AbortSignal;
  /** Whether a name has the prefix of tests. A sweeper must delete no other object. */
  readonly isTestName: (name: string) => boolean;
  /** Reports a line: what was deleted. */
  readonly log: (line: string) => void;
}

/** Removes the objects of one kind that tests have left behind. */
export interface Sweeper {
  /** Unique name, such as the resource type: `dns_zone`. */
  readonly name: string;
  /** Names of sweepers that run before: those of objects that these objects contain. */
  readonly dependencies?: readonly string[];
  /** Deletes the objects. Throws if one cannot be deleted. */
  readonly sweep: (context: SweepContext) => unknown;
}

/**
 * Selects sweepers, and orders them: a sweeper comes after its dependencies, otherwise the given order stays.
 *
 * @param filters Parts of names, in any case; a selected sweeper brings its dependencies. All sweepers if there are none.
 * @throws TestingError `SWEEPERS_INVALID` for duplicate names, unknown dependencies, and cycles; `OPTIONS_INVALID` for a filter that selects nothing.
 */
export function orderedSweepers(sweepers: readonly Sweeper[], filters: readonly string[] = []): readonly Sweeper[] {
  const byName = new Map<string, Sweeper>();
  for (const sweeper of sweepers) {
    if (byName.has(sweeper.name)) throw invalid(`two sweepers have the name ${sweeper.name}`);
    byName.set(sweeper.name, sweeper);
  }
  const ordered = new Set<Sweeper>();
  const visit = (sweeper: Sweeper, path: readonly string[]): void => {
    if (path.includes(sweeper.name))
      throw invalid(`the dependencies of sweepers have a cycle: ${[...path.slice(path.indexOf(sweeper.name)), sweeper.name].join(" → ")}`);
    if (ordered.has(sweeper)) return;
    for (const name of sweeper.dependencies ?? []) {
      const dependency = byName.get(name);
      if (dependency === undefined) throw invalid(`the sweeper ${sweeper.name} depends on ${name}, which does not exist`);
      visit(dependency, [...path, sweeper.name]);
    }
    ordered.add(sweeper);
  };
  for (const sweeper of sweepers) visit(sweeper, []);
  if (filters.length === 0) return [...ordered];
  const selected = new Set<string>();
  const select = ({ name, dependencies = [] }: Sweeper): void => {
    selected.add(name);
    for (const dependency of dependencies) select(byName.get(dependency)!);
  };
  for (const filter of filters) {
    const matching = sweepers.filter(({ name }) => name.toLowerCase().includes(filter.toLowerCase()));
    if (matching.length === 0)
      throw new TestingError("OPTIONS_INVALID", `no sweeper has a name with ${filter}; there are ${[...byName.keys()].join(", ")}`);
    for (const sweeper of matching) select(sweeper);
  }
  return [...ordered].filter(({ name }) => selected.has(name));
}

function invalid(message: string): TestingError {
  return new TestingError("SWEEPERS_INVALID", message);
}
