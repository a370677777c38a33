// SPDX-License-Identifier: Apache-2.0
import { CtyError, isKnown, isNull, mapOf, pathEquals, same, unmark, withMarks, type Path, type Value } from "@tenon/cty";
import { applyPath, transform } from "@tenon/cty/paths";
import { elements } from "@tenon/cty/operators";
import { valueOf } from "@tenon/cty/unstable/payload";
import { attributeAt, type Block } from "@tenon/schema";
import type { IgnoreChanges } from "../configuration/lifecycle.ts";
import { pathOfTraversal } from "./traversal-path.ts";

/**
 * The value of a configuration, or of a plan, in which the attributes of `ignore_changes` keep their prior values.
 *
 * @param schema Schema of a configuration, which must not set computed attributes. Absent for a plan.
 * @see OpenTofu node_resource_abstract_instance.go, processIgnoreChanges
 */
export function withIgnoredChanges({ all, paths }: IgnoreChanges, prior: Value, value: Value, schema: Block | undefined): Value {
  if ((!all && paths.length === 0) || isNull(prior)) return value;
  if (!isKnown(value) || isNull(value)) return value;
  if (!all) return withPriorParts(prior, value, paths.map(pathOfTraversal));
  if (schema === undefined) return prior;
  // Attributes that the configuration cannot set are not taken from the prior value.
  return transform(prior, (path, part) => {
    if (path.length === 0) return part;
    const attribute = attributeAt(schema, path);
    return attribute !== undefined && attribute.computed && !attribute.optional ? valueOf(part.type, null) : part;
  });
}

interface Ignored {
  readonly path: Path;
  readonly prior: Value;
  /** The element of a map that is ignored; absent: the whole value. */
  readonly key?: string;
}

function withPriorParts(prior: Value, value: Value, paths: readonly Path[]): Value {
  const ignored = paths.flatMap((path) => ignoredAt(prior, value, path));
  if (ignored.length === 0) return value;
  return transform(value, (path, part) => {
    const here = ignored.filter((one) => pathEquals(one.path, path));
    if (here.length === 0) return part;
    const whole = here.find(({ key }) => key === undefined);
    if (whole !== undefined) return whole.prior;
    return part.type.kind === "map" ? withPriorElements(part, here) : part;
  });
}

function ignoredAt(prior: Value, value: Value, path: Path): readonly Ignored[] {
  const last = path.at(-1);
  const key = last?.kind === "index" && typeof last.key.payload === "string" ? last.key.payload : undefined;
  const at = key === undefined ? path : path.slice(0, -1);
  const [before, now] = [partAt(prior, at), partAt(value, at)];
  if (before === undefined || now === undefined || same(before, now)) return [];
  return [{ path: at, prior: before, ...(key !== undefined && { key }) }];
}

function partAt(value: Value, path: Path): Value | undefined {
  try {
    return applyPath(path, value);
  } catch (error) {
    if (error instanceof CtyError) return undefined;
    throw error;
  }
}

/** A map with single elements of the prior map. */
function withPriorElements(part: Value, ignored: readonly Ignored[]): Value {
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
