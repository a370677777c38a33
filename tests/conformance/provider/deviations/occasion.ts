// SPDX-License-Identifier: Apache-2.0
import { isValue } from "@tenon/cty";
import type { ProviderResponse, DiagnosticDifference, Difference } from "../response.ts";
import { plainOf, PlainSet } from "../compare.ts";
import type { Declared } from "../declared-at.ts";
import type { SchemaDeclaration } from "../declaration.ts";
import type { Call } from "../call.ts";

/** Two different responses and their request. */
export interface Occasion {
  readonly call: Call;
  /** Schema of the call's subject. */
  readonly schema: SchemaDeclaration;
  readonly theirs: ProviderResponse;
  readonly ours: ProviderResponse;
  readonly differences: readonly Difference[];
}

/** An intended difference from the framework. */
export interface Deviation {
  readonly name: string;
  /** Behaviour of the framework, and the reason for ours. */
  readonly why: string;
  readonly covers: (difference: Difference, occasion: Occasion) => boolean;
}

/** Whether a difference is a diagnostic that only one side has. */
export function isDiagnostic(one: Difference): one is DiagnosticDifference {
  return one.kind === "error" || one.kind === "warning";
}

/** Whether plain data is equal. */
export function same(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

export function stepsOf(one: Difference): readonly (string | number)[] {
  return "steps" in one ? one.steps : one.path;
}

/** Reads a field of the request as plain data. */
export function requestField({ call }: Occasion, name: string): unknown {
  const value = call.request[name];
  return isValue(value) ? plainOf(value, false) : undefined;
}

/** The value from which the handler makes its result. */
export function before(occasion: Occasion): unknown {
  const name = ["currentState", "plannedState", "config"].find((one) => one in occasion.call.request);
  return name === undefined ? undefined : requestField(occasion, name);
}

/** Whether a nested attribute or block is a set. */
export function isSetOfObjects(declared: Declared): declared is Extract<Declared, { readonly body: unknown }> {
  return "body" in declared && declared.nesting === "set";
}

/** Normal form of values that differ only in spelling. */
export function withoutSpelling(plain: unknown): unknown {
  if (typeof plain === "string") return plain.toLowerCase();
  if (plain instanceof PlainSet) return new PlainSet(plain.elements.map(withoutSpelling));
  if (Array.isArray(plain)) return plain.map(withoutSpelling);
  if (typeof plain !== "object" || plain === null) return plain;
  return Object.fromEntries(Object.entries(plain).map(([name, part]) => [name, withoutSpelling(part)]));
}

/** Whether a set has two elements that differ only in spelling. */
export function hasEquivalentElements(plain: unknown): boolean {
  if (plain instanceof PlainSet) {
    const texts = plain.elements.map((one) => JSON.stringify(withoutSpelling(one)));
    return new Set(texts).size < texts.length || plain.elements.some(hasEquivalentElements);
  }
  return typeof plain === "object" && plain !== null && Object.values(plain).some(hasEquivalentElements);
}
