// SPDX-License-Identifier: Apache-2.0
import { compareCodePoints } from "@tenon/cty/unstable/payload";
import { fieldError } from "../wire-error.ts";

/** A record in code point order; an error names the attribute or block it is in. */
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
  // Without a prototype, as a name may be that of one of its properties.
  const record = Object.create(null) as Record<string, Model>;
  for (const [name, model] of entries.sort(([left], [right]) => compareCodePoints(left, right))) record[name] = model;
  return record;
}

/** What is written of a record's elements, in code point order. */
export function inOrder<Model, Init>(record: Readonly<Record<string, Model>>, write: (name: string, model: Model) => Init): Init[] {
  return Object.keys(record)
    .sort(compareCodePoints)
    .map((name) => write(name, record[name]!));
}
