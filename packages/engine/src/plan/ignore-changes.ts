// SPDX-License-Identifier: Apache-2.0
import { CtyError, isKnown, isNull, mapOf, pathEquals, same, unmark, withMarks, type Path, type Value } from "@tenon/cty";
import { applyPath, transform } from "@tenon/cty/paths";
import { elements } from "@tenon/cty/operators";
import { valueOf } from "@tenon/cty/unstable/payload";
import { attributeAt, type Block } from "@tenon/schema";
import type { IgnoreChanges } from "../configuration/lifecycle.ts";
import { pathOfTraversal } from "./traversal-path.ts";

/**
 * The value of a configuration or of a planned object, with the prior values of the attributes that `ignore_changes` names.
 *
 * @param schema The schema if the value is a configuration, in which computed attributes must stay null. Undefined for a planned object.
 * @see OpenTofu node_resource_abstract_instance.go, processIgnoreChanges
 */
export function withIgnoredChanges({ all, paths }: IgnoreChanges, prior: Value, value: Value, schema: Block | undefined): Value {
  if ((!all && paths.length === 0) || isNull(prior)) return value;
  if (!isKnown(value) || isNull(value)) return value;
  if (!all) return withPriorParts(prior, value, paths.map(pathOfTraversal));
  if (schema === undefined) return prior;
  // The prior values of attributes that a configuration cannot set are left out.
  return transform(prior, (path, part) => {
    if (path.length === 0) return part;
    const attribute = attributeAt(schema, path);
    return attribute !== undefined && attribute.computed && !attribute.optional ? valueOf(part.type, null) : part;
  });
}

/** A part of a value whose change is ignored. */
interface IgnoredPart {
  readonly path: Path;
  readonly prior: Value;
  /** The key of an element of a map. If absent, the change of the whole value at the path is ignored. */
  readonly key?: string;
}

function withPriorParts(prior: Value, value: Value, paths: readonly Path[]): Value {
  const ignored = paths.flatMap((path) => ignoredAt(prior, value, path));
  if (ignored.length === 0) return value;
  return transform(value, (path, part) => {
    const atPath = ignored.filter((one) => pathEquals(one.path, path));
    if (atPath.length === 0) return part;
    const whole = atPath.find(({ key }) => key === undefined);
    if (whole !== undefined) return whole.prior;
    return part.type.kind === "map" ? withPriorElements(part, atPath) : part;
  });
}

/** The part at a path, if it exists in both values and differs. */
function ignoredAt(prior: Value, value: Value, path: Path): readonly IgnoredPart[] {
  const last = path.at(-1);
  const key = last?.kind === "index" && typeof last.key.payload === "string" ? last.key.payload : undefined;
  const parent = key === undefined ? path : path.slice(0, -1);
  const [before, after] = [partAt(prior, parent), partAt(value, parent)];
  if (before === undefined || after === undefined || same(before, after)) return [];
  return [{ path: parent, prior: before, ...(key !== undefined && { key }) }];
}

function partAt(value: Value, path: Path): Value | undefined {
  try {
    return applyPath(path, value);
  } catch (error) {
    if (error instanceof CtyError) return undefined;
    throw error;
  }
}

/** A map in which the ignored elements are those of the prior map. */
function withPriorElements(part: Value, ignored: readonly IgnoredPart[]): Value {
  const [plain, marks] = unmark(part);
  if (!isKnown(plain)) return part;
  const entries = new Map(isNull(plain) ? [] : entriesOf(plain));
  for (const { prior, key } of ignored) {
    const [before] = unmark(prior);
    const element = isNull(before) || !isKnown(before) ? undefined : new Map(entriesOf(before)).get(key!);
    if (element === undefined) entries.delete(key!);
    else entries.set(key!, element);
  }
  if (entries.size === 0 && isNull(plain)) return part;
  const empty = valueOf(part.type, new Map());
  return withMarks(entries.size === 0 ? empty : mapOf(entries), marks);
}

function entriesOf(map: Value): readonly (readonly [string, Value])[] {
  return [...elements(map)].map(([key, value]) => [key.payload as string, value] as const);
}
