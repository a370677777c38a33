// SPDX-License-Identifier: Apache-2.0
import { compareCodePoints } from "@tenon/cty/unstable/payload";
import { fieldError } from "../wire-error.ts";

/** Reads a record in code point order. An error names the attribute or block that it is about. */
export function byName<Wire, Model>(
  wire: readonly Wire[],
  nameOf: (wire: Wire) => string,
  read: (wire: Wire) => Model,
): Readonly<Record<string, Model>> {
  // Without a prototype, since a name may equal one of its properties.
  const record = Object.create(null) as Record<string, Model>;
  for (const one of isSorted(wire, nameOf) ? wire : sorted(wire, nameOf)) {
    const name = nameOf(one);
    try {
      record[name] = read(one);
    } catch (cause) {
      throw fieldError(name, cause);
    }
  }
  return record;
}

/** Whether the names are in order, as providers usually send them. */
function isSorted<Wire>(wire: readonly Wire[], nameOf: (wire: Wire) => string): boolean {
  for (let index = 1; index < wire.length; index++) if (compareCodePoints(nameOf(wire[index - 1]!), nameOf(wire[index]!)) > 0) return false;
  return true;
}

function sorted<Wire>(wire: readonly Wire[], nameOf: (wire: Wire) => string): readonly Wire[] {
  return wire.toSorted((left, right) => compareCodePoints(nameOf(left), nameOf(right)));
}

/** Writes the elements of a record in code point order. */
export function inOrder<Model, Init>(record: Readonly<Record<string, Model>>, write: (name: string, model: Model) => Init): Init[] {
  return Object.keys(record)
    .sort(compareCodePoints)
    .map((name) => write(name, record[name]!));
}
