// SPDX-License-Identifier: Apache-2.0
import type { Value } from "@tenon/cty";
import type { Diagnostic } from "@tenon/hcl";
import type { Scope } from "@tenon/hcl/evaluate";

/** The scope in which expressions with some references are evaluated, and the diagnostics of the references. */
export interface ReferenceScope {
  readonly scope: Scope;
  readonly diagnostics: readonly Diagnostic[];
}

/** Calls a function with the values of lookups: at once if all are known, otherwise when the last one is. */
export function withLookedUp<T>(lookups: readonly (Value | Promise<Value>)[], use: (values: readonly Value[]) => T): Promise<T> | T {
  return isSettled(lookups) ? use(lookups) : inOrder(lookups).then(use);
}

function isSettled(lookups: readonly (Value | Promise<Value>)[]): lookups is readonly Value[] {
  return !lookups.some((looked) => looked instanceof Promise);
}

/** Awaits one value after the other, so that the error of the first reference is thrown. */
async function inOrder(lookups: readonly (Value | Promise<Value>)[]): Promise<readonly Value[]> {
  const values: Value[] = [];
  for (const looked of lookups) values.push(looked instanceof Promise ? await looked : looked);
  return values;
}
