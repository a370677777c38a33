// SPDX-License-Identifier: Apache-2.0
import { indexStep, type Path, type PathStep, type Value } from "@tenon/cty";
import { isUnknownPayload, mapPayload, payloadsSame, setPayload, UNKNOWN, valueOf, type Payload } from "@tenon/cty/unstable/payload";
import { objectValue } from "../conversion/encode.ts";
import { bodyOf, hasEntries, type EntryShape, type ObjectShape } from "../shape/shape.ts";
import { isEquivalent } from "./equivalence.ts";
import { elementsOf, hasContent, mapElementsOf, partOf } from "../shape/part.ts";
import type { ChangeParts, ElementChange } from "./change-parts.ts";
import { matchElements } from "./set-element-matching.ts";

/** Options of {@link plannedState}. */
export interface PlannedStateOptions {
  /** Whether computed values become unknown, as they must if anything in the resource changes. */
  readonly markUnknown: boolean;
  /**
   * Called for every existing attribute, nested attribute and block that has plan modifiers, inner ones before outer ones; returns the value to
   * plan. In an element of a set, the path ends at the set, and `element` is the element. `isNew`: whether the object that contains the entry is not recorded
   * yet.
   */
  readonly modify?: (entry: EntryShape, path: Path, part: ChangeParts, isNew: boolean, element: ElementChange | undefined) => Value;
  /** Called with the path of a set in which elements that differ in the configuration have become equal. */
  readonly onMerged?: (path: Path) => void;
}

/** Options for a part of the resource. */
interface PartOptions extends PlannedStateOptions {
  /** Whether the part is inside an element of a set, for which the core may have missed recorded values. */
  readonly insideSet?: true;
  /** The innermost element of a set that contains the part, for plan modifiers. */
  readonly element?: ElementChange;
  /** Whether the part is inside a default: the configuration does not contain it, and the core has proposed no value for it. */
  readonly insideDefault?: true;
  /** Whether recorded values must not replace equivalent ones, because two elements of a set would become equal. */
  readonly withoutEquivalence?: true;
}

/**
 * Derives the planned value from the core's proposal: fills in defaults, removes write-only values, marks computed values unknown, and
 * keeps recorded values that are equivalent. Elements of a set are matched with their configuration before any value in them is replaced,
 * because a default changes the values by which they are matched.
 *
 * @param parts objects of the shape; `planned` is the core's proposal, and is neither null nor unknown.
 * @see rules 15 to 18 in test/rules; terraform-plugin-framework internal/fwserver/server_planresourcechange.go, which looks up the
 * configuration by path after it has filled in the defaults, and therefore does not find elements of sets.
 */
export function plannedState(shape: ObjectShape, parts: ChangeParts, options: PlannedStateOptions): Value {
  return plannedObject(shape, parts, [], options);
}

function plannedObject(shape: ObjectShape, parts: ChangeParts, path: Path, options: PartOptions): Value {
  return objectValue(
    shape,
    shape.entries.map((entry) => {
      const inside = {
        config: partOf(parts.config, entry),
        prior: partOf(parts.prior, entry),
        planned: partOf(parts.planned, entry),
      };
      const at = below(path, entry.step, options);
      const own = within(options, entry.step);
      const derived = plannedEntry(entry, inside, at, own);
      const planned = options.withoutEquivalence !== true && isEquivalent(entry, inside.prior, derived) ? inside.prior : derived;
      if (options.modify === undefined || entry.planModifiers.length === 0) return planned;
      const config = options.insideDefault ? valueOf(entry.shape.type, null) : inside.config;
      return options.modify(entry, at, { ...inside, config, planned }, parts.prior.payload === null, own.element);
    }),
  );
}

/** Appends a step to a path. A path ends at a set, because the cores cannot resolve a longer one. */
function below(path: Path, step: PathStep, { insideSet }: PartOptions): Path {
  return insideSet ? path : [...path, step];
}

/** Returns the options for a part of the current part. */
function within(options: PartOptions, step: PathStep): PartOptions {
  const { element } = options;
  return element === undefined ? options : { ...options, element: { ...element, path: [...element.path, step] } };
}

/** Returns the options for an element of a set. */
function withinElement(body: ObjectShape, parts: ChangeParts, set: Path, { element, ...options }: PartOptions): PartOptions {
  if (options.modify === undefined) return { ...options, insideSet: true };
  const { modify: _, ...plain } = options;
  const derived = (): ChangeParts => ({ ...parts, planned: plannedObject(body, parts, set, { ...plain, insideSet: true }) });
  const around: ElementChange = { shape: body, parts: derived, path: [], set: element?.path ?? set, outer: element };
  return { ...options, insideSet: true, element: around };
}

function plannedEntry(entry: EntryShape, parts: ChangeParts, path: Path, options: PartOptions): Value {
  const { type } = entry.shape;
  if (entry.writeOnly) return valueOf(type, null);
  if (entry.kind !== "block" && parts.config.payload === null) {
    if (entry.default !== undefined && hasEntries(entry)) return plannedDefault(entry, entry.default, parts.prior, path, options);
    if (entry.default !== undefined) return entry.default;
    if (entry.computed && options.markUnknown) return valueOf(type, UNKNOWN);
    if (entry.computed && options.insideDefault) return parts.prior;
    return entry.computed && options.insideSet ? recordedOrPlanned(entry, parts) : parts.planned;
  }
  if (!hasEntries(entry) || !hasContent(parts.planned)) return parts.planned;
  return plannedElements(entry, parts, path, options);
}

/** Returns the planned value of a default with attributes, as if the configuration contained it. */
function plannedDefault(entry: EntryShape, written: Value, prior: Value, path: Path, options: PartOptions): Value {
  return plannedElements(entry, { config: written, prior, planned: written }, path, { ...options, insideDefault: true });
}

/**
 * Returns the recorded value in an element of a set that the core could not match, because a set inside the element differs from the
 * configured one once its elements have defaults. An optional value with attributes may be null on purpose, so it is not replaced.
 *
 * @see OpenTofu objchange validPriorFromConfig, optionalValueNotComputable
 */
function recordedOrPlanned(entry: EntryShape, { prior, planned }: ChangeParts): Value {
  return planned.payload === null && !(entry.optional && hasEntries(entry)) ? prior : planned;
}

function plannedElements(entry: EntryShape, parts: ChangeParts, path: Path, options: PartOptions): Value {
  const body = bodyOf(entry);
  const { type } = entry.shape;
  // Null and unknown elements stay as they are. A collection contains no dynamic types, so its types are those of the schema.
  const element = (config: Payload, prior: Payload, planned: Payload, at: Path, own: PartOptions = options): Payload => {
    if (planned === null || isUnknownPayload(planned)) return planned;
    const inside = { config: valueOf(body.type, config), prior: valueOf(body.type, prior), planned: valueOf(body.type, planned) };
    return plannedObject(body, inside, at, entry.nesting === "set" ? withinElement(body, inside, at, own) : own).payload;
  };
  // The counterpart of an element that the other collection lacks: unknown if that collection is unknown, otherwise null.
  const missing = (whole: Value): Payload => (isUnknownPayload(whole.payload) ? UNKNOWN : null);
  const [noConfig, noPrior] = [missing(parts.config), missing(parts.prior)];
  switch (entry.nesting) {
    case "list": {
      const [config, prior] = [elementsOf(parts.config), elementsOf(parts.prior)];
      const planned = elementsOf(parts.planned);
      const before = priorPositions(entry, config, prior);
      return valueOf(
        type,
        planned.map((one, index) =>
          element(
            config[index] ?? noConfig,
            prior[before?.[index] ?? index] ?? noPrior,
            one,
            below(path, indexStep(index), options),
            within(options, indexStep(index)),
          ),
        ),
      );
    }
    case "map": {
      const [config, prior] = [mapElementsOf(parts.config), mapElementsOf(parts.prior)];
      const planned = [...mapElementsOf(parts.planned)];
      return valueOf(
        type,
        mapPayload(
          planned.map(([key, one]) => [
            key,
            element(
              config.get(key) ?? noConfig,
              prior.get(key) ?? noPrior,
              one,
              below(path, indexStep(key), options),
              within(options, indexStep(key)),
            ),
          ]),
        ),
      );
    }
    case "set": {
      const set = (own: PartOptions): readonly [readonly Payload[], isMerged: boolean] => {
        const elements = plannedSetElements(body, parts, path, (config, prior, planned, at) => element(config, prior, planned, at, own));
        const payload = setPayload(body.type, elements);
        return [payload, payload.length < elements.length];
      };
      const [kept, isMerged] = set(options);
      if (!isMerged) return valueOf(type, kept);
      const [written, isStillMerged] = set({ ...options, withoutEquivalence: true });
      if (isStillMerged) options.onMerged?.(path);
      return valueOf(type, written);
    }
    default:
      return plannedObject(body, parts, path, options);
  }
}

/**
 * Returns for each configured element the position of the recorded element with the same key, or -1. Each recorded element is used once.
 * An element after one with an unknown key has none: the unknown key may become the same key, and take the recorded element. Returns
 * undefined if the elements are matched by position.
 */
function priorPositions({ elementKey }: EntryShape, config: readonly Payload[], prior: readonly Payload[]): readonly number[] | undefined {
  if (elementKey === undefined) return undefined;
  const { slot, shape } = elementKey;
  const keyOf = (element: Payload): Payload =>
    element === null || isUnknownPayload(element) ? UNKNOWN : (element as readonly Payload[])[slot]!;
  const taken = new Set<number>();
  let isUncertain = false;
  return config.map((element) => {
    const key = keyOf(element);
    if (isUnknownPayload(key)) isUncertain = true;
    if (isUncertain) return -1;
    const at = prior.findIndex((candidate, index) => !taken.has(index) && payloadsSame(shape.type, keyOf(candidate), key));
    if (at >= 0) taken.add(at);
    return at;
  });
}

type PlannedElement = (config: Payload, prior: Payload, planned: Payload, at: Path) => Payload;

function plannedSetElements(body: ObjectShape, parts: ChangeParts, path: Path, element: PlannedElement): readonly Payload[] {
  const [planned, prior] = [elementsOf(parts.planned), elementsOf(parts.prior)];
  // A set that only the provider sets has no configuration to match with.
  if (!hasContent(parts.config)) return planned.map((one) => element(null, one, one, path));
  const config = elementsOf(parts.config);
  const fromPlanned = matchElements(body, config, planned);
  const fromPrior = matchElements(body, config, prior);
  return config.map((one, index) => {
    const proposed = planned[fromPlanned[index]!] ?? one;
    return element(one, prior[fromPrior[index]!] ?? null, proposed, path);
  });
}
