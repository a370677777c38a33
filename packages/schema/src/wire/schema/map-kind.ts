// SPDX-License-Identifier: Apache-2.0
import { compareCodePoints } from "@tenon/cty/unstable/payload";
import type { Kind } from "../kind/kind.ts";
import { fieldError } from "../wire-error.ts";

/** Creates the kind of a map with elements of one kind. It is written in code point order. */
export function mapKind<Model, Wire, Init>(
  read: (wire: Wire) => Model,
  write: (model: Model) => Init,
): Kind<ReadonlyMap<string, Model>, Readonly<Record<string, Wire>>, Record<string, Init>> {
  return {
    read: (wire) => new Map(Object.keys(wire).map((name) => [name, naming(name, () => read(wire[name]!))])),
    write: (model) =>
      Object.fromEntries([...model.keys()].sort(compareCodePoints).map((name) => [name, naming(name, () => write(model.get(name)!))])),
  };
}

function naming<Result>(name: string, translate: () => Result): Result {
  try {
    return translate();
  } catch (cause) {
    throw fieldError(`[${JSON.stringify(name)}]`, cause);
  }
}
