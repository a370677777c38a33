// SPDX-License-Identifier: Apache-2.0
import { isUnknownPayload, mapPayload, valueOf, type Payload } from "@tenon/cty/unstable/payload";
import type { ObjectType, Type, Value } from "@tenon/cty";
import { encode, encodeEntry } from "../conversion/encode.ts";
import { problemText } from "../conversion/problem.ts";
import { hasContent, isSame, partOf } from "../shape/part.ts";
import type { EntryShape, Shape } from "../shape/shape.ts";

/** A planned value with its shape, and with its entry if it is an attribute or block. */
interface Place {
  readonly shape: Shape;
  readonly value: Value;
  readonly entry?: EntryShape;
}

/** The changed value, or the reason why it cannot be changed as a relative clause about the path. */
export type ChangedPart = { readonly value: Value } | { readonly fault: string };

/**
 * Replaces one part of a planned value.
 *
 * @param others the configuration and the recorded state at the same path: a configured attribute must keep its value or the recorded one.
 * @param steps names, positions and keys of the path to the part.
 */
export function changePart(
  place: Place,
  others: readonly [config: Value, prior: Value],
  steps: readonly (string | number)[],
  given: unknown,
): ChangedPart {
  const { shape, value, entry } = place;
  const [step, ...rest] = steps;
  if (step === undefined) return encodedPart(place, others, given);
  if (shape.kind === "set") return { fault: "which is inside a set, whose elements have no keys: set the whole set" };
  if (!hasContent(value)) return { fault: "which is inside a null or unknown value" };
  if (entry?.kind === "attribute" && hasContent(others[0])) return { fault: "which is inside an attribute that the configuration sets" };
  const inside = memberPlace(shape, value, step);
  if (inside === undefined) return { fault: "which does not exist" };
  const changed = changePart(
    inside,
    others.map((other) => memberPlace(shape, other, step)?.value ?? valueOf(inside.value.type, null)) as [Value, Value],
    rest,
    given,
  );
  return "fault" in changed ? changed : { value: withMember(shape, value, step, changed.value) };
}

function encodedPart({ shape, entry }: Place, [config, prior]: readonly [Value, Value], given: unknown): ChangedPart {
  const { value, problems } = entry === undefined ? encode(shape, given, "draft") : encodeEntry(entry, given, "draft");
  if (problems.length > 0) {
    const inner = problems.map(({ path, what }) => ({ path: path.slice(entry === undefined ? 0 : 1), what }));
    return { fault: inner.map((problem) => `${problem.path.length === 0 ? "which" : "in which"} ${problemText(problem)}`).join("; ") };
  }
  const isConfigured = entry?.kind === "attribute" && config.payload !== null && !entry.writeOnly;
  if (isConfigured && !isSame(value, config) && !isSame(value, prior)) return { fault: "which the configuration sets to something else" };
  return { value };
}

/** Returns the member of an object, list or map, or undefined if it does not exist. */
function memberPlace(shape: Shape, value: Value, step: string | number): Place | undefined {
  const { type, payload } = value;
  if (shape.kind === "object") {
    const entry = typeof step === "string" ? shape.byName.get(step) : undefined;
    return entry && { shape: entry.shape, value: partOf(value, entry), entry };
  }
  if (payload === null || isUnknownPayload(payload) || !("element" in shape)) return undefined;
  const element =
    shape.kind === "map" ? (payload as ReadonlyMap<string, Payload>).get(String(step)) : (payload as readonly Payload[])[Number(step)];
  return element === undefined ? undefined : { shape: shape.element, value: valueOf((type as Type & { kind: "list" }).element, element) };
}

function withMember(shape: Shape, { type, payload }: Value, step: string | number, member: Value): Value {
  if (shape.kind === "map")
    return valueOf(type, mapPayload([...(payload as ReadonlyMap<string, Payload>), [String(step), member.payload]]));
  const at = shape.kind === "object" ? (type as ObjectType).names.indexOf(String(step)) : Number(step);
  return valueOf(type, (payload as readonly Payload[]).with(at, member.payload));
}
