// SPDX-License-Identifier: Apache-2.0
import { isValue } from "@tenon/cty";
import type { Answer, DiagnosticDifference, Difference } from "../answer.ts";
import { plainOf, PlainSet } from "../compare.ts";
import type { Declared } from "../declared-at.ts";
import type { SchemaDeclaration } from "../declaration.ts";
import type { Call } from "../call.ts";

/** Two answers that differ, and what they are to. */
export interface Occasion {
  readonly call: Call;
  /** The schema that the call is about. */
  readonly schema: SchemaDeclaration;
  readonly theirs: Answer;
  readonly ours: Answer;
  readonly differences: readonly Difference[];
}

/** A place where we do otherwise than the framework, on purpose. */
export interface Deviation {
  readonly name: string;
  /** What the framework does, and why we do not. */
  readonly why: string;
  readonly covers: (difference: Difference, occasion: Occasion) => boolean;
}

/** A diagnostic that only one side has. */
export function isSaid(one: Difference): one is DiagnosticDifference {
  return one.kind === "error" || one.kind === "warning";
}

/** Exactly the same plain data. */
export function same(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

export function stepsOf(one: Difference): readonly (string | number)[] {
  return "steps" in one ? one.steps : one.path;
}

/** A part of the request as plain data. */
export function asked({ call }: Occasion, name: string): unknown {
  const value = call.request[name];
  return isValue(value) ? plainOf(value, false) : undefined;
}

/** What the handler was given to answer from. */
export function before(occasion: Occasion): unknown {
  const name = ["currentState", "plannedState", "config"].find((one) => one in occasion.call.request);
  return name === undefined ? undefined : asked(occasion, name);
}

/** A nested attribute or block that is a set. */
export function isSetOfObjects(declared: Declared): declared is Extract<Declared, { readonly body: unknown }> {
  return "body" in declared && declared.nesting === "set";
}

/** The same for all values that differ in spelling only. */
export function withoutSpelling(plain: unknown): unknown {
  if (typeof plain === "string") return plain.toLowerCase();
  if (plain instanceof PlainSet) return new PlainSet(plain.elements.map(withoutSpelling));
  if (Array.isArray(plain)) return plain.map(withoutSpelling);
  if (typeof plain !== "object" || plain === null) return plain;
  return Object.fromEntries(Object.entries(plain).map(([name, part]) => [name, withoutSpelling(part)]));
}

/** Whether there is a set of which two elements differ in spelling only. */
export function hasTwins(plain: unknown): boolean {
  if (plain instanceof PlainSet) {
    const texts = plain.elements.map((one) => JSON.stringify(withoutSpelling(one)));
    return new Set(texts).size < texts.length || plain.elements.some(hasTwins);
  }
  return typeof plain === "object" && plain !== null && Object.values(plain).some(hasTwins);
}
