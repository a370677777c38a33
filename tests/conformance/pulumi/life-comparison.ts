// SPDX-License-Identifier: Apache-2.0

/** How far a life went, for the report. */
export type LifeEnd = "refused" | "no change" | "update" | "replace" | "planned";

/** Difference between the ways. */
export class LifeDifference extends Error {
  override readonly name = "LifeDifference";
}

/** A call that may have failed. */
export type Settled<Result> = { readonly value: Result } | { readonly error: string };

/** Waits for a call, and takes its error for a result. */
export async function settled<Result>(call: Promise<Result>): Promise<Settled<Result>> {
  try {
    return { value: await call };
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) };
  }
}

/** Compares two results. @throws LifeDifference */
export function compare(what: string, theirs: unknown, ours: unknown): void {
  if (sorted(theirs) !== sorted(ours)) throw difference(what, theirs, ours);
}

/** Describes a difference between a core and the bridge. */
export function difference(what: string, theirs: unknown, ours: unknown): LifeDifference {
  return new LifeDifference(`${what}:\n  core   ${JSON.stringify(theirs)}\n  bridge ${JSON.stringify(ours)}`);
}

/** JSON with sorted keys. */
function sorted(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) =>
    typeof part === "object" && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
}
