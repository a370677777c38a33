// SPDX-License-Identifier: Apache-2.0
import { indexStep, type Path, type Value } from "@tenon/cty";
import { isUnknownPayload, mapPayload, setPayload, UNKNOWN, valueOf, type Payload } from "@tenon/cty/unstable/payload";
import { objectValue } from "../conversion/encode.ts";
import { bodyOf, hasEntries, type EntryShape, type ObjectShape } from "../schema/shape.ts";
import { isEquivalent } from "./equivalence.ts";
import { elementsOf, hasContent, mapElementsOf, partOf } from "./part.ts";
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
   * to plan. The path ends at a set, as no step leads into one. `isNew`: the object it belongs to is not recorded yet.
   */
  readonly modify?: (entry: EntryShape, path: Path, part: Settled, isNew: boolean) => Value;
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

function settleObject(shape: ObjectShape, parts: Settled, path: Path, settling: Settling): Value {
  return objectValue(
    shape,
    shape.entries.map((entry) => {
      const inside = {
        config: partOf(parts.config, entry),
        prior: partOf(parts.prior, entry),
        planned: partOf(parts.planned, entry),
      };
      const at = [...path, entry.step];
      const settled = settleEntry(entry, inside, at, settling);
      const planned = isEquivalent(entry, inside.prior, settled) ? inside.prior : settled;
      return settling.modify === undefined ? planned : settling.modify(entry, at, { ...inside, planned }, parts.prior.payload === null);
    }),
  );
}

function settleEntry(entry: EntryShape, parts: Settled, path: Path, settling: Settling): Value {
  const { type } = entry.shape;
  if (entry.writeOnly) return valueOf(type, null);
  if (entry.kind !== "block" && parts.config.payload === null) {
    if (entry.default !== undefined) return entry.default;
    return entry.computed && settling.markUnknown ? valueOf(type, UNKNOWN) : parts.planned;
  }
  if (!hasEntries(entry) || !hasContent(parts.planned)) return parts.planned;
  return settleRepeated(entry, parts, path, settling);
}

function settleRepeated(entry: EntryShape, parts: Settled, path: Path, settling: Settling): Value {
  const body = bodyOf(entry);
  const { type } = entry.shape;
  /** An element; null and unknown ones have nothing to settle. Inside a collection nothing is dynamic, so types are the schema's. */
  const element = (config: Payload, prior: Payload, planned: Payload, at: Path): Payload => {
    if (planned === null || isUnknownPayload(planned)) return planned;
    const inside = { config: valueOf(body.type, config), prior: valueOf(body.type, prior), planned: valueOf(body.type, planned) };
    return settleObject(body, inside, at, settling).payload;
  };
  /** What stands beside an element that has no counterpart: an unknown whole has unknown parts. */
  const missing = (whole: Value): Payload => (isUnknownPayload(whole.payload) ? UNKNOWN : null);
  const [noConfig, noPrior] = [missing(parts.config), missing(parts.prior)];
  switch (entry.nesting) {
    case "list": {
      const [config, prior] = [elementsOf(parts.config), elementsOf(parts.prior)];
      const planned = elementsOf(parts.planned);
      return valueOf(
        type,
        planned.map((one, index) => element(config[index] ?? noConfig, prior[index] ?? noPrior, one, [...path, indexStep(index)])),
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
            element(config.get(key) ?? noConfig, prior.get(key) ?? noPrior, one, [...path, indexStep(key)]),
          ]),
        ),
      );
    }
    case "set":
      return valueOf(type, setPayload(body.type, settleSet(body, parts, path, element)));
    default:
      return settleObject(body, parts, path, settling);
  }
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
