// SPDX-License-Identifier: Apache-2.0
import { compareCodePoints } from "@tenon/cty/unstable/payload";
import { fieldError } from "../wire-error.ts";

/** Reads a record in code point order. An error names the attribute or block that it is about. */
export function byName<Wire, Model>(
  wire: readonly Wire[],
  nameOf: (wire: Wire) => string,
  read: (wire: Wire) => Model,
): Readonly<Record<string, Model>> {
  const entries = wire.map((one): [string, Model] => {
    try {
      return [nameOf(one), read(one)];
    } catch (cause) {
      throw fieldError(nameOf(one), cause);
    }
  });
  // Without a prototype, since a name may equal one of its properties.
  const record = Object.create(null) as Record<string, Model>;
  for (const [name, model] of entries.sort(([left], [right]) => compareCodePoints(left, right))) record[name] = model;
  return record;
}

/** Writes the elements of a record in code point order. */
export function inOrder<Model, Init>(record: Readonly<Record<string, Model>>, write: (name: string, model: Model) => Init): Init[] {
  return Object.keys(record)
    .sort(compareCodePoints)
    .map((name) => write(name, record[name]!));
}
