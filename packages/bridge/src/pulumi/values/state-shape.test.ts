// SPDX-License-Identifier: Apache-2.0
import { bool, number, object, string } from "@tenon/cty";
import { structMapOf } from "@tenon/protocol/carrier";
import { createAttribute, createBlock } from "@tenon/schema";
import { describe, test } from "vitest";
import { mapBlock } from "../mapping/object-mapping.ts";
import type { Json, JsonObject } from "../property/json.ts";
import { signatureKey, signatures } from "../property/signature.ts";
import { decodeProperties } from "./decode-properties.ts";
import { shapeProblem } from "./state-shape.ts";

const mapping = mapBlock(
  createBlock({
    attributes: {
      name: createAttribute({ type: string, optional: true }),
      size: createAttribute({ type: number, optional: true }),
      origin: createAttribute({ type: object({ host: string, open: bool }), optional: true }),
    },
  }),
);

const secret = (value: Json): JsonObject => ({ [signatureKey]: signatures.secret, value });

describe("the properties of a state", () => {
  test.for<[title: string, state: JsonObject, problem: { readonly property: string; readonly reason: string } | undefined]>([
    ["of their types fit", { name: "a", size: 1, origin: { host: "h", open: true } }, undefined],
    ["of types that convert to each other fit", { name: 1, size: "2", origin: { host: true, open: "false" } }, undefined],
    ["that are secret fit", { origin: secret({ host: secret("h") }) }, undefined],
    ["that are arrays do not fit an object", { origin: ["h"] }, { property: "origin", reason: "expected an object" }],
    ["that are objects do not fit a text", { name: { host: "h" } }, { property: "name", reason: "expected a string" }],
    ["are looked at inside of an object", { origin: { host: ["h"] } }, { property: "origin.host", reason: "expected a string" }],
  ])("%s", ([, state, problem], { expect }) => {
    expect(shapeProblem(mapping, decodeProperties(structMapOf(state)))).toEqual(problem);
  });
});
