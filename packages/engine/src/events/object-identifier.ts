// SPDX-License-Identifier: Apache-2.0
import { get, isKnown, isNull, isWhollyKnown, of, string, type Path, type Value } from "@tenon/cty";
import { hasIndex, index } from "@tenon/cty/operators";
import type { PathMarks } from "@tenon/cty/paths";

/** An attribute that tells people which object is meant, such as its `id`. */
export interface ObjectIdentifier {
  /** The name of the attribute: `id`, `name`, `tags.Name`. */
  readonly key: string;
  readonly value: string;
}

/**
 * The `id` of an object; its `name`, if its type has no `id`. Undefined where that is null, unknown, sensitive or ephemeral.
 *
 * @see OpenTofu format, ObjectValueID
 */
export function objectIdentifier(object: Value | undefined, marks: readonly PathMarks[] = []): ObjectIdentifier | undefined {
  if (object === undefined || isNull(object) || !isKnown(object)) return undefined;
  if (hasText(object, "id")) return textAt(object, "id", marks);
  return hasText(object, "name") ? textAt(object, "name", marks) : undefined;
}

/** As {@link objectIdentifier}, or else the name of the object, which may be a tag. @see OpenTofu format, ObjectValueIDOrName */
export function objectIdentifierOrName(object: Value | undefined, marks: readonly PathMarks[] = []): ObjectIdentifier | undefined {
  const identifier = objectIdentifier(object, marks);
  if (identifier !== undefined || object === undefined || isNull(object) || !isKnown(object)) return identifier;
  if (hasText(object, "name")) return textAt(object, "name", marks);
  const { type } = object;
  const tagsType = type.kind === "object" ? type.attributes["tags"] : undefined;
  if (tagsType?.kind !== "map" || tagsType.element !== string) return undefined;
  const tags = get(object, "tags");
  if (isNull(tags) || !isWhollyKnown(tags) || isHidden(["tags"], marks)) return undefined;
  for (const name of ["name", "Name"]) {
    const key = of(string, name);
    if (hasIndex(tags, key).payload !== true) continue;
    const { payload } = index(tags, key);
    return typeof payload === "string" && !isHidden(["tags", name], marks) ? { key: `tags.${name}`, value: payload } : undefined;
  }
  return undefined;
}

function hasText({ type }: Value, name: string): boolean {
  return type.kind === "object" && type.attributes[name] === string;
}

function textAt(object: Value, key: string, marks: readonly PathMarks[]): ObjectIdentifier | undefined {
  const { payload } = get(object, key);
  return typeof payload === "string" && !isHidden([key], marks) ? { key, value: payload } : undefined;
}

/** Whether a part of the object, or what contains it, has a mark. */
function isHidden(names: readonly string[], marks: readonly PathMarks[]): boolean {
  return marks.some(
    (one) => one.marks.size > 0 && one.path.length <= names.length && one.path.every((step, at) => nameOf(step) === names[at]),
  );
}

function nameOf(step: Path[number]): unknown {
  return step.kind === "attribute" ? step.name : step.key.payload;
}
