// SPDX-License-Identifier: Apache-2.0
import {
  type CtyError,
  friendlyName,
  friendlyNameForConstraint,
  hasDynamic,
  testConformance,
  withoutOptionalAttributes,
  type Type,
} from "@tenon/cty";
import { decodeType, encodeType } from "@tenon/cty/json";
import { inspect } from "node:util";
import type { Json } from "../notation.ts";
import type { Operation, Operations } from "./operation.ts";
import { readType } from "./read.ts";
import { writePath, writeType } from "./write.ts";

const of =
  (run: (type: Type) => Json): Operation =>
  (type) =>
    run(readType(type!));

/** Sorts by text, as the oracle does, because go-cty returns them in random order. */
function sorted(errors: readonly CtyError[]): Json {
  return errors
    .map(({ message, path }) => JSON.stringify({ msg: message, path: writePath(path) }))
    .sort()
    .map((text) => JSON.parse(text) as Json);
}

export const typeOperations: Operations = {
  "type.equals": (a, b) => readType(a!) === readType(b!),
  "type.friendly": of(friendlyName),
  "type.friendlyConstraint": of(friendlyNameForConstraint),
  "type.gostring": of((type) => inspect(type)),
  "type.hasDynamic": of(hasDynamic),
  "type.withoutOptional": of((type) => writeType(withoutOptionalAttributes(type))),
  "type.conformance": (given, want) => sorted(testConformance(readType(given!), readType(want!))),
  "type.json": of(encodeType),
  "type.parseJson": (text) => writeType(decodeType(text as string)),
};
