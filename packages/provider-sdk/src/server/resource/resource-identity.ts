// SPDX-License-Identifier: Apache-2.0
import { formatPath, type Value } from "@tenon/cty";
import { valueOf } from "@tenon/cty/unstable/payload";
import { errorDiagnostic } from "@tenon/schema";
import { decodePlain } from "../../conversion/decode.ts";
import { encode, objectValue } from "../../conversion/encode.ts";
import { problemText } from "../../conversion/problem.ts";
import { hasContent, isSame, partOf } from "../../shape/part.ts";
import type { CompiledIdentity } from "../../compile/identity.ts";
import type { CompiledResource } from "../../compile/resource.ts";
import type { EntryShape } from "../../shape/shape.ts";
import type { ServerCall } from "../call/server-call.ts";

/** The identity of one resource while a call is handled. */
export interface OpenIdentity {
  /** For the handler's context. */
  readonly context: { readonly identity: unknown; readonly setIdentity: (identity: unknown) => void };
  /**
   * The identity for the response: the one that the handler set, or else the state's attributes of the same names, completed from the
   * known identity. Empty if the resource type has no identity, or if the identity is invalid, which a diagnostic reports.
   */
  readonly ofState: (state: Value, operation: string) => { readonly newIdentity?: Value };
  /** The identity of the state that a failed handler saved; empty if it is incomplete, or differs from the known identity. */
  readonly ofSavedState: (state: Value) => { readonly newIdentity?: Value };
  /** The identity that the handler set, checked by the same rules; undefined if it set none. */
  readonly fromHandler: (operation: string) => Value | undefined;
}

/** Rules for the identity that a handler returns, compared with the known one. */
export interface IdentityOptions {
  /** Whether a null in the known identity is final. It is not after an import by identity: the read fills in omitted attributes. */
  readonly isWhole?: boolean;
  /** Whether the handler may return another identity: `create` may correct an identity that was only planned. */
  readonly mayChange?: boolean;
}

/**
 * Opens the identity of a resource for one call.
 *
 * @param recorded the identity that is recorded, planned or imported so far.
 * @see rules 26 to 32 in test/rules; the framework fills the response with that identity before it calls the handler.
 */
export function openIdentity(
  resource: CompiledResource,
  recorded: Value | undefined,
  call: ServerCall,
  { isWhole = false, mayChange = false }: IdentityOptions = {},
): OpenIdentity {
  const { identity } = resource;
  const known = recorded !== undefined && hasContent(recorded) ? recorded : undefined;
  let given: unknown;
  const isOther = (found: Value): boolean =>
    known !== undefined && !mayChange && !identity!.mutable && !continues(identity!, known, found, isWhole);
  const checked = (found: Value, operation: string): Value | undefined => {
    if (!isComplete(identity!, found, operation, call)) return undefined;
    if (!isOther(found)) return found;
    call.diagnostics.push(
      errorDiagnostic(
        "Unexpected identity change",
        `${operation}: the identity changed, but this resource does not have mutableIdentity. This is a bug in the provider.`,
      ),
    );
    return undefined;
  };
  const set = (operation: string): Value | undefined => {
    const found = identity === undefined || given === undefined ? undefined : identityGiven(identity, given, operation, call);
    return found && checked(found, operation);
  };
  return {
    context: {
      identity:
        identity === undefined || known === undefined ? null : decodePlain(identity.shape, known, { unknown: false, null: false }).value,
      setIdentity: (one) => void (given = one),
    },
    ofState: (state, operation) => {
      if (identity === undefined) return {};
      const found = given === undefined ? checked(identityInState(resource, identity, state, known), operation) : set(operation);
      return found === undefined ? {} : { newIdentity: found };
    },
    ofSavedState: (state) => {
      if (identity === undefined || !hasContent(state)) return {};
      const found = given === undefined ? identityInState(resource, identity, state, known) : encode(identity.shape, given, "result").value;
      return isOther(found) || missingOf(identity, found).length > 0 ? {} : { newIdentity: found };
    },
    fromHandler: set,
  };
}

function identityGiven(identity: CompiledIdentity, given: unknown, operation: string, call: ServerCall): Value | undefined {
  const { value, problems } = encode(identity.shape, given, "result");
  for (const problem of problems) {
    call.diagnostics.push(
      errorDiagnostic("Invalid identity", `${operation}: in the identity, ${problemText(problem)}. This is a bug in the provider.`),
    );
  }
  return problems.length === 0 ? value : undefined;
}

/** The identity from the state's attributes of the same names, completed from the known identity, and null for the rest. */
function identityInState({ shape }: CompiledResource, identity: CompiledIdentity, state: Value, known: Value | undefined): Value {
  return objectValue(
    identity.shape,
    identity.shape.entries.map((entry) => {
      const attribute = shape.byName.get(entry.name);
      const found = attribute === undefined ? undefined : partOf(state, attribute);
      if (found !== undefined && hasContent(found)) return found;
      return known === undefined ? valueOf(entry.shape.type, null) : partOf(known, entry);
    }),
  );
}

function missingOf({ shape }: CompiledIdentity, value: Value): readonly EntryShape[] {
  return shape.entries.filter((entry) => !entry.shape.nullable && partOf(value, entry).payload === null);
}

function isComplete(identity: CompiledIdentity, value: Value, operation: string, call: ServerCall): boolean {
  const missing = missingOf(identity, value);
  for (const entry of missing) {
    const name = formatPath([entry.step]).slice(1);
    call.diagnostics.push(
      errorDiagnostic(
        "Missing identity",
        `${operation}: in the identity, ${name} is missing: no attribute of that name has a value, and setIdentity did not set it. This is a bug in the provider.`,
      ),
    );
  }
  return missing.length === 0;
}

/** Whether the found identity agrees with the known one. A null in the known identity may still be filled in, unless `isWhole`. */
function continues(identity: CompiledIdentity, known: Value, found: Value, isWhole: boolean): boolean {
  return identity.shape.entries.every((entry) => {
    const before = partOf(known, entry);
    return (before.payload === null && !isWhole) || isSame(before, partOf(found, entry));
  });
}
