// SPDX-License-Identifier: Apache-2.0
import { indexStep, type Path, type PathStep, type Value } from "@tenon/cty";
import { isUnknownPayload, mapPayload, payloadsSame, setPayload, UNKNOWN, valueOf, type Payload } from "@tenon/cty/unstable/payload";
import { objectValue } from "../conversion/encode.ts";
import { bodyOf, hasEntries, type EntryShape, type ObjectShape } from "../schema/shape.ts";
import { isEquivalent } from "./equivalence.ts";
import { elementsOf, hasContent, mapElementsOf, partOf } from "./part.ts";
import type { ElementChange } from "./related-changes.ts";
import { correlateElements } from "./set-correlation.ts";

/** One part of a resource, seen from everywhere. */
export interface Settled {
  readonly config: Value;
  readonly prior: Value;
  readonly planned: Value;
}

export interface Settling {
  /** Whether what the provider computes becomes unknown: exactly when anything at all changes. */
  readonly markUnknown: boolean;
  /**
   * Asked about every attribute, nested attribute and block that is there, what is inside before what is around it; answers what
   * to plan. The path ends at a set, as no step leads into one; `element` is the one it is in. `isNew`: the object it belongs to is not
   * recorded yet.
   */
  readonly modify?: (entry: EntryShape, path: Path, part: Settled, isNew: boolean, element: ElementChange | undefined) => Value;
  /** Told where elements of a set, told apart in the configuration, have become the same. */
  readonly onMerged?: (path: Path) => void;
}

/** In an element of a set the core may have missed what is recorded for it. */
interface InsideSet extends Settling {
  readonly insideSet?: true;
  /** The element that it is, for who modifies what is planned. */
  readonly element?: ElementChange;
  /** A default stands for the configuration: neither the practitioner has written it nor has the core proposed anything for it. */
  readonly insideDefault?: true;
  /** What is recorded does not take the place of what means the same: two elements of a set would become one. */
  readonly asWritten?: true;
}

/**
 * What is planned, from what the core proposes: defaults where the configuration has null, write-only values taken out, what is
 * computed unknown, and what is recorded where it means the same. Elements of a set are matched with their configuration before anything in them is replaced, since a
 * default changes what identifies them.
 *
 * @param parts objects of the shape; `planned` is what the core proposes, and is neither null nor unknown.
 * @see framework rules 15 to 18: terraform-plugin-framework internal/fwserver/server_planresourcechange.go, which looks up the
 * configuration by path after the defaults are in, and so misses elements of sets.
 */
export function settle(shape: ObjectShape, parts: Settled, settling: Settling): Value {
  return settleObject(shape, parts, [], settling);
}

function settleObject(shape: ObjectShape, parts: Settled, path: Path, settling: InsideSet): Value {
  return objectValue(
    shape,
    shape.entries.map((entry) => {
      const inside = {
        config: partOf(parts.config, entry),
        prior: partOf(parts.prior, entry),
        planned: partOf(parts.planned, entry),
      };
      const at = below(path, entry.step, settling);
      const own = within(settling, entry.step);
      const settled = settleEntry(entry, inside, at, own);
      const planned = settling.asWritten !== true && isEquivalent(entry, inside.prior, settled) ? inside.prior : settled;
      if (settling.modify === undefined) return planned;
      const config = settling.insideDefault ? valueOf(entry.shape.type, null) : inside.config;
      return settling.modify(entry, at, { ...inside, config, planned }, parts.prior.payload === null, own.element);
    }),
  );
}

/** A path ends at a set: a core finds nothing at a longer one. */
function below(path: Path, step: PathStep, { insideSet }: InsideSet): Path {
  return insideSet ? path : [...path, step];
}

/** The same a step further in an element of a set. */
function within(settling: InsideSet, step: PathStep): InsideSet {
  const { element } = settling;
  return element === undefined ? settling : { ...settling, element: { ...element, path: [...element.path, step] } };
}

/** An element of a set: around it is what is settled now. */
function withinElement(body: ObjectShape, parts: Settled, set: Path, { element, ...settling }: InsideSet): InsideSet {
  if (settling.modify === undefined) return { ...settling, insideSet: true };
  const { modify: _, ...plain } = settling;
  const settled = (): Settled => ({ ...parts, planned: settleObject(body, parts, set, { ...plain, insideSet: true }) });
  const around: ElementChange = { shape: body, parts: settled, path: [], set: element?.path ?? set, outer: element };
  return { ...settling, insideSet: true, element: around };
}

function settleEntry(entry: EntryShape, parts: Settled, path: Path, settling: InsideSet): Value {
  const { type } = entry.shape;
  if (entry.writeOnly) return valueOf(type, null);
  if (entry.kind !== "block" && parts.config.payload === null) {
    if (entry.default !== undefined && hasEntries(entry)) return settleDefault(entry, entry.default, parts.prior, path, settling);
    if (entry.default !== undefined) return entry.default;
    if (entry.computed && settling.markUnknown) return valueOf(type, UNKNOWN);
    if (entry.computed && settling.insideDefault) return parts.prior;
    return entry.computed && settling.insideSet ? recalled(entry, parts) : parts.planned;
  }
  if (!hasEntries(entry) || !hasContent(parts.planned)) return parts.planned;
  return settleRepeated(entry, parts, path, settling);
}

/** A default with attributes inside is settled as if it had been written. */
function settleDefault(entry: EntryShape, written: Value, prior: Value, path: Path, settling: InsideSet): Value {
  return settleRepeated(entry, { config: written, prior, planned: written }, path, { ...settling, insideDefault: true });
}

/**
 * What is recorded for an element of a set that the core did not recognise: it takes sets inside of it for another set as soon as
 * one of their elements has a default. An optional value with attributes may be null on purpose.
 *
 * @see OpenTofu objchange validPriorFromConfig, optionalValueNotComputable
 */
function recalled(entry: EntryShape, { prior, planned }: Settled): Value {
  return planned.payload === null && !(entry.optional && hasEntries(entry)) ? prior : planned;
}

function settleRepeated(entry: EntryShape, parts: Settled, path: Path, settling: InsideSet): Value {
  const body = bodyOf(entry);
  const { type } = entry.shape;
  /** An element; null and unknown ones have nothing to settle. Inside a collection nothing is dynamic, so types are the schema's. */
  const element = (config: Payload, prior: Payload, planned: Payload, at: Path, own: InsideSet = settling): Payload => {
    if (planned === null || isUnknownPayload(planned)) return planned;
    const inside = { config: valueOf(body.type, config), prior: valueOf(body.type, prior), planned: valueOf(body.type, planned) };
    return settleObject(body, inside, at, entry.nesting === "set" ? withinElement(body, inside, at, own) : own).payload;
  };
  /** What stands beside an element that has no counterpart: an unknown whole has unknown parts. */
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
            below(path, indexStep(index), settling),
            within(settling, indexStep(index)),
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
              below(path, indexStep(key), settling),
              within(settling, indexStep(key)),
            ),
          ]),
        ),
      );
    }
    case "set": {
      const set = (own: InsideSet): readonly [readonly Payload[], isMerged: boolean] => {
        const elements = settleSet(body, parts, path, (config, prior, planned, at) => element(config, prior, planned, at, own));
        const payload = setPayload(body.type, elements);
        return [payload, payload.length < elements.length];
      };
      const [kept, isMerged] = set(settling);
      if (!isMerged) return valueOf(type, kept);
      const [written, isStillMerged] = set({ ...settling, asWritten: true });
      if (isStillMerged) settling.onMerged?.(path);
      return valueOf(type, written);
    }
    default:
      return settleObject(body, parts, path, settling);
  }
}

/**
 * For each configured element the position of the recorded one with the same key, or -1; undefined where position is what counts. Each
 * is taken once.
 */
function priorPositions({ elementKey }: EntryShape, config: readonly Payload[], prior: readonly Payload[]): readonly number[] | undefined {
  if (elementKey === undefined) return undefined;
  const { slot, shape } = elementKey;
  const keyOf = (element: Payload): Payload =>
    element === null || isUnknownPayload(element) ? UNKNOWN : (element as readonly Payload[])[slot]!;
  const taken = new Set<number>();
  return config.map((element) => {
    const key = keyOf(element);
    if (isUnknownPayload(key)) return -1;
    const at = prior.findIndex((candidate, index) => !taken.has(index) && payloadsSame(shape.type, keyOf(candidate), key));
    if (at >= 0) taken.add(at);
    return at;
  });
}

type SettleElement = (config: Payload, prior: Payload, planned: Payload, at: Path) => Payload;

function settleSet(body: ObjectShape, parts: Settled, path: Path, element: SettleElement): readonly Payload[] {
  const [planned, prior] = [elementsOf(parts.planned), elementsOf(parts.prior)];
  // A set of which only the provider knows has no configuration to be matched with.
  if (!hasContent(parts.config)) return planned.map((one) => element(null, one, one, path));
  const config = elementsOf(parts.config);
  const fromPlanned = correlateElements(body, config, planned);
  const fromPrior = correlateElements(body, config, prior);
  return config.map((one, index) => {
    const proposed = planned[fromPlanned[index]!] ?? one;
    return element(one, prior[fromPrior[index]!] ?? null, proposed, path);
  });
}
