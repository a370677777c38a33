// SPDX-License-Identifier: Apache-2.0
import { formatPath, type Value } from "@tenon/cty";
import { valueOf } from "@tenon/cty/unstable/payload";
import { errorDiagnostic } from "@tenon/schema";
import { decodePlain } from "../conversion/decode.ts";
import { encode, objectValue } from "../conversion/encode.ts";
import { problemText } from "../conversion/problem.ts";
import { hasContent, isSame, partOf } from "../planning/part.ts";
import type { CompiledIdentity } from "../schema/identity.ts";
import type { CompiledResource } from "../schema/resource.ts";
import type { EntryShape } from "../schema/shape.ts";
import type { ServerCall } from "./server-call.ts";

/** The identity of one resource while a call is handled. */
export interface OpenIdentity {
  /** For the handler's context. */
  readonly context: { readonly identity: unknown; readonly setIdentity: (identity: unknown) => void };
  /** For the answer: the identity that belongs to a state; nothing where the resource type has none, or something is wrong. */
  readonly of: (state: Value, who: string) => { readonly newIdentity?: Value };
  /** The same for what a handler left behind that failed: nothing where it is not whole, or not what it was. */
  readonly left: (state: Value) => { readonly newIdentity?: Value };
  /** For a plan: what the handler said of it, if anything, held to the same rules. */
  readonly given: (who: string) => Value | undefined;
}

/**
 * @param recorded what is known of it so far.
 * @param isWhole whether that is all of it: after an import by identity a read still finds what was left out there.
 */
export function openIdentity(resource: CompiledResource, recorded: Value | undefined, call: ServerCall, isWhole = false): OpenIdentity {
  const { identity } = resource;
  const known = recorded !== undefined && hasContent(recorded) ? recorded : undefined;
  let given: unknown;
  const checked = (found: Value, who: string): Value | undefined => {
    if (!isComplete(identity!, found, who, call)) return undefined;
    if (known === undefined || identity!.mutable || continues(identity!, known, found, isWhole)) return found;
    call.diagnostics.push(
      errorDiagnostic(
        "Unexpected identity change",
        `${who}: the identity changed, and is not one that may. This is a bug in the provider.`,
      ),
    );
    return undefined;
  };
  const said = (who: string): Value | undefined => {
    const found = identity === undefined || given === undefined ? undefined : identityGiven(identity, given, who, call);
    return found && checked(found, who);
  };
  return {
    context: {
      identity:
        identity === undefined || known === undefined ? null : decodePlain(identity.shape, known, { unknown: false, null: false }).value,
      setIdentity: (one) => void (given = one),
    },
    of: (state, who) => {
      if (identity === undefined) return {};
      const found = given === undefined ? checked(identityInState(resource, identity, state), who) : said(who);
      return found === undefined ? {} : { newIdentity: found };
    },
    left: (state) => {
      if (identity === undefined || !hasContent(state)) return {};
      const found = given === undefined ? identityInState(resource, identity, state) : encode(identity.shape, given, "answer").value;
      const isOther = known !== undefined && !identity.mutable && !continues(identity, known, found, isWhole);
      return isOther || missingOf(identity, found).length > 0 ? {} : { newIdentity: found };
    },
    given: said,
  };
}

function identityGiven(identity: CompiledIdentity, given: unknown, who: string, call: ServerCall): Value | undefined {
  const { value, problems } = encode(identity.shape, given, "answer");
  for (const problem of problems) {
    call.diagnostics.push(
      errorDiagnostic("Invalid identity", `${who}: in its identity, ${problemText(problem)}. This is a bug in the provider.`),
    );
  }
  return problems.length === 0 ? value : undefined;
}

/** What the state says under the same names; null for what it does not have. */
function identityInState({ shape }: CompiledResource, identity: CompiledIdentity, state: Value): Value {
  return objectValue(
    identity.shape,
    identity.shape.entries.map((entry) => {
      const attribute = shape.byName.get(entry.name);
      return attribute === undefined ? valueOf(entry.shape.type, null) : partOf(state, attribute);
    }),
  );
}

function missingOf({ shape }: CompiledIdentity, value: Value): readonly EntryShape[] {
  return shape.entries.filter((entry) => !entry.shape.nullable && partOf(value, entry).payload === null);
}

function isComplete(identity: CompiledIdentity, value: Value, who: string, call: ServerCall): boolean {
  const missing = missingOf(identity, value);
  for (const entry of missing) {
    const name = formatPath([entry.step]).slice(1);
    call.diagnostics.push(
      errorDiagnostic(
        "Missing identity",
        `${who}: of its identity, ${name} is missing: it is in no attribute of that name, and setIdentity did not give it. This is a bug in the provider.`,
      ),
    );
  }
  return missing.length === 0;
}

/** Whether nothing that was known has changed: after an import by identity what may be left out is still to be found. */
function continues(identity: CompiledIdentity, known: Value, found: Value, isWhole: boolean): boolean {
  return identity.shape.entries.every((entry) => {
    const before = partOf(known, entry);
    return (before.payload === null && !isWhole) || isSame(before, partOf(found, entry));
  });
}
