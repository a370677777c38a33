// SPDX-License-Identifier: Apache-2.0
import type { Type, Value } from "@tenon/cty";
import { isUnknownPayload, numberText, numberToBigint, valueOf, type NumberPayload, type Payload } from "@tenon/cty/unstable/payload";
import type { EntryShape, ObjectShape, PrimitiveShape, Shape } from "../shape/shape.ts";
import { nearestDouble } from "../shape/nearest-double.ts";
import { unknownValue } from "@tenon/schema";
import { Trail, type ConversionProblem } from "./problem.ts";
import { put } from "./record.ts";

/**
 * The context in which an author uses a value: the members of `Views` at run time, and `recorded`: state that may be incomplete, so that
 * any value may be null.
 */
export type View = "config" | "configDraft" | "planned" | "draft" | "state" | "recorded";

/** The result of decoding a value for an author's handler. */
export interface Decoded {
  /** Not usable if there are problems. */
  readonly value: unknown;
  readonly problems: readonly ConversionProblem[];
}

/** The rules of a view for one entry of an object: whether it exists in the view, and whether it may be unknown or null. */
interface ViewRules {
  readonly has: (entry: EntryShape) => boolean;
  readonly unknown: (entry: EntryShape) => boolean;
  readonly nullable: (entry: EntryShape) => boolean;
  /** Returns the rules for the entries of a nested entry. */
  readonly inside: (entry: EntryShape) => ViewRules;
}

const always = (): boolean => true;
const never = (): boolean => false;
const notWriteOnly = (entry: EntryShape): boolean => !entry.writeOnly;
const configurable = (entry: EntryShape): boolean => entry.configurable;
const configNullable = (entry: EntryShape): boolean => entry.configNullable;
const stateNullable = (entry: EntryShape): boolean => entry.stateNullable;

const draft: ViewRules = { has: always, unknown: always, nullable: always, inside: () => draft };
const views: Readonly<Record<View, ViewRules>> = {
  config: { has: configurable, unknown: never, nullable: configNullable, inside: () => views.config },
  configDraft: { has: configurable, unknown: always, nullable: configNullable, inside: () => views.configDraft },
  planned: {
    has: always,
    // A default is known, except for its computed parts.
    unknown: (entry) => entry.computed && entry.default === undefined,
    nullable: stateNullable,
    inside: (entry) => (entry.computed && entry.default === undefined ? draft : views.planned),
  },
  draft,
  state: { has: notWriteOnly, unknown: never, nullable: stateNullable, inside: () => views.state },
  recorded: { has: notWriteOnly, unknown: never, nullable: always, inside: () => views.recorded },
};

/** Decodes a value of a schema for an author. */
export function decode(shape: ObjectShape, value: Value, view: View): Decoded {
  const trail = new Trail();
  return { value: decodeValue(shape, value.type, value.payload, views[view], trail), problems: trail.problems };
}

/** Decodes the value of one attribute for an author. For `config` and `state` it must be wholly known. */
export function decodeEntry(entry: EntryShape, value: Value, view: Exclude<View, "planned">): Decoded {
  const trail = new Trail();
  const { type, payload } = value;
  if (payload === null) return { value: null, problems: [] };
  const rules = views[view];
  return { value: decodePart(entry.shape, type, payload, rules, rules.unknown(entry), true, trail), problems: trail.problems };
}

/** Decodes a value without flags, such as a function's argument, for an author. */
export function decodePlain(shape: Shape, value: Value, allowed: { readonly unknown: boolean; readonly null: boolean }): Decoded {
  const trail = new Trail();
  const rules = allowed.unknown ? draft : views.state;
  return { value: decodePart(shape, value.type, value.payload, rules, allowed.unknown, allowed.null, trail), problems: trail.problems };
}

function decodePart(
  shape: Shape,
  type: Type,
  payload: Payload,
  rules: ViewRules,
  unknown: boolean,
  nullable: boolean,
  trail: Trail,
): unknown {
  if (payload === null) {
    if (!nullable) trail.add("is null, but must not be");
    return null;
  }
  if (isUnknownPayload(payload)) {
    if (!unknown) trail.add("is unknown, but must be known");
    return unknownValue;
  }
  return decodeValue(shape, type, payload, rules, trail);
}

function decodeValue(shape: Shape, type: Type, payload: Payload, rules: ViewRules, trail: Trail): unknown {
  switch (shape.kind) {
    case "object":
      return decodeObject(shape, type, payload as readonly Payload[], rules, trail);
    case "list":
    case "set":
      return decodeElements(shape.element, type as Type & { kind: "list" }, shape.kind, payload as readonly Payload[], rules, trail);
    case "map":
      return decodeMap(shape.element, type as Type & { kind: "map" }, payload as ReadonlyMap<string, Payload>, rules, trail);
    default:
      return decodePrimitive(shape.kind, type, payload, trail);
  }
}

function decodeObject(shape: ObjectShape, type: Type, slots: readonly Payload[], rules: ViewRules, trail: Trail): object {
  const attributes = (type as Type & { kind: "object" }).attributes;
  const result: Record<string, unknown> = {};
  for (const entry of shape.entries) {
    if (!rules.has(entry)) continue;
    trail.enter(entry.step);
    // Members have no flags: the rules of the view decide for them.
    const unknown = entry.kind === "member" ? mayBeUnknown(rules) : rules.unknown(entry);
    const nullable = entry.kind === "member" ? mayBeNull(entry.shape, rules) : rules.nullable(entry);
    const payload = entry.writeOnly && rules === views.planned ? null : slots[entry.slot]!;
    const part = decodePart(entry.shape, attributes[entry.name]!, payload, rules.inside(entry), unknown, nullable, trail);
    put(result, entry.name, part);
    trail.leave();
  }
  return result;
}

/** Whether the view allows unknown elements and members. */
function mayBeUnknown(rules: ViewRules): boolean {
  return rules === draft || rules === views.configDraft;
}

/** Whether the view allows a null element or member. Recorded state always may have them, so that its resource can still be deleted. */
function mayBeNull(shape: Shape, rules: ViewRules): boolean {
  return shape.nullable || rules === views.recorded;
}

function decodeElements(
  element: Shape,
  type: Type & { kind: "list" },
  kind: "list" | "set",
  payloads: readonly Payload[],
  rules: ViewRules,
  trail: Trail,
): readonly unknown[] {
  const unknown = mayBeUnknown(rules);
  return payloads.map((payload, index) => {
    if (kind === "set") trail.enterElement(type.element, payload);
    else trail.enter(index);
    const part = decodePart(element, type.element, payload, rules, unknown, mayBeNull(element, rules), trail);
    trail.leave();
    return part;
  });
}

function decodeMap(
  element: Shape,
  type: Type & { kind: "map" },
  payloads: ReadonlyMap<string, Payload>,
  rules: ViewRules,
  trail: Trail,
): Readonly<Record<string, unknown>> {
  const unknown = mayBeUnknown(rules);
  const result: Record<string, unknown> = {};
  for (const [key, payload] of payloads) {
    trail.enter(key);
    put(result, key, decodePart(element, type.element, payload, rules, unknown, mayBeNull(element, rules), trail));
    trail.leave();
  }
  return result;
}

function decodePrimitive(kind: PrimitiveShape["kind"], type: Type, payload: Payload, trail: Trail): unknown {
  switch (kind) {
    case "number": {
      const double = nearestDouble(payload as NumberPayload);
      if (double === undefined)
        trail.add("is not exactly representable as a JavaScript number; the provider must declare it as attr.bigint or attr.decimal");
      return double ?? Number.NaN;
    }
    case "bigint": {
      const integer = numberToBigint(payload as NumberPayload);
      if (integer === undefined) trail.add("must be a whole number");
      return integer ?? 0n;
    }
    case "decimal":
      return numberText(payload as NumberPayload);
    case "dynamic":
      return valueOf(type, payload);
    default:
      return payload;
  }
}
