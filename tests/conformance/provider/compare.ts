// SPDX-License-Identifier: Apache-2.0
import { formatPath, type Path, type Type, type Value } from "@tenon/cty";
import { encodeType } from "@tenon/cty/json";
import { isUnknownPayload, numberText, type NumberPayload, type Payload } from "@tenon/cty/unstable/payload";
import type { ProviderResponse, DiagnosticDifference, Difference, ReplaceDifference } from "./response.ts";
import { saysTheSame } from "./wording.ts";

/** Compares two responses: values, and diagnostics by severity, path and summary. */
export function compare(theirs: ProviderResponse, ours: ProviderResponse): readonly Difference[] {
  const found: Difference[] = [];
  for (const field of new Set([...Object.keys(theirs.values), ...Object.keys(ours.values)])) {
    const isIdentity = /identity$/i.test(field);
    const [left, right] = [plainOf(theirs.values[field], isIdentity), plainOf(ours.values[field], isIdentity)];
    differ(left, right, [], (path, one, other) => found.push({ kind: "value", field, path, theirs: one, ours: other }));
  }
  found.push(...unmatched(replacements(theirs, "theirs"), replacements(ours, "ours"), () => true));
  const isSame = (one: DiagnosticDifference, other: DiagnosticDifference): boolean => one.kind === other.kind && saysTheSame(one, other);
  found.push(...unmatched(diagnosticsOf(theirs, "theirs"), diagnosticsOf(ours, "ours"), isSame));
  return found;
}

type Side = ReplaceDifference["side"];

function replacements({ requiresReplace }: ProviderResponse, side: Side): ReplaceDifference[] {
  // Duplicate paths count once.
  const byPath = new Map(requiresReplace.map((path) => [formatPath(path), path]));
  return [...byPath].map(([path, steps]) => ({ kind: "replace", side, path, steps: stepsOf(steps) }));
}

function diagnosticsOf({ diagnostics }: ProviderResponse, side: Side): DiagnosticDifference[] {
  return diagnostics.map(({ severity, summary, detail, attribute = [] }) => ({
    kind: severity,
    side,
    path: formatPath(attribute),
    steps: stepsOf(attribute),
    summary,
    detail,
  }));
}

/** Converts a path to names, positions and keys. */
export function stepsOf(path: Path): readonly (string | number)[] {
  return path.map((step) => (step.kind === "attribute" ? step.name : (step.key.payload as string | number)));
}

/** Finds the diagnostics of each side that have no counterpart at the same path. */
function unmatched<T extends { readonly path: string }>(
  theirs: readonly T[],
  ours: readonly T[],
  isSame: (one: T, other: T) => boolean,
): T[] {
  const left = [...ours];
  const rest = theirs.filter((one) => {
    const at = left.findIndex((other) => one.path === other.path && isSame(one, other));
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
  return [...rest, ...left];
}

/** Elements of a set, sorted for the comparison. */
export class PlainSet {
  readonly elements: readonly unknown[];

  constructor(elements: readonly unknown[]) {
    this.elements = elements.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
  }
}

export const unknownText = "(unknown)";

/** Converts a value to data for comparing and printing. The framework represents an absent identity as an object of nulls. */
export function plainOf(value: Value | undefined, isIdentity: boolean): unknown {
  if (value === undefined || value.payload === null) return null;
  if (isIdentity && (value.payload as readonly Payload[]).every((part) => part === null)) return null;
  return plain(value.type, value.payload);
}

function plain(type: Type, payload: Payload): unknown {
  if (payload === null) return null;
  if (isUnknownPayload(payload)) return unknownText;
  switch (type.kind) {
    case "list":
      return (payload as readonly Payload[]).map((one) => plain(type.element, one));
    case "set":
      return new PlainSet((payload as readonly Payload[]).map((one) => plain(type.element, one)));
    case "tuple":
      return (payload as readonly Payload[]).map((one, index) => plain(type.elements[index]!, one));
    case "map":
      return Object.fromEntries([...(payload as ReadonlyMap<string, Payload>)].map(([key, one]) => [key, plain(type.element, one)]));
    case "object":
      return Object.fromEntries(
        type.names.map((name, slot) => [name, plain(type.attributes[name]!, (payload as readonly Payload[])[slot]!)]),
      );
    case "number":
      return { number: numberText(payload as NumberPayload) };
    case "string":
    case "bool":
      return payload;
    default:
      return { type: encodeType(type) };
  }
}

type Report = (path: readonly (string | number)[], theirs: unknown, ours: unknown) => void;

function differ(theirs: unknown, ours: unknown, path: readonly (string | number)[], report: Report): void {
  if (isRecord(theirs) && isRecord(ours) && !("number" in theirs) && !("number" in ours)) {
    for (const name of new Set([...Object.keys(theirs), ...Object.keys(ours)])) {
      differ(name in theirs ? theirs[name] : undefined, name in ours ? ours[name] : undefined, [...path, name], report);
    }
  } else if (Array.isArray(theirs) && Array.isArray(ours) && theirs.length === ours.length) {
    for (const [index, one] of theirs.entries()) differ(one, ours[index], [...path, index], report);
  } else if (JSON.stringify(theirs) !== JSON.stringify(ours)) report(path, theirs, ours);
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof PlainSet);
}
