// SPDX-License-Identifier: Apache-2.0
import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import * as tfplugin5 from "@tenon/protocol/tfplugin5";
import * as tfplugin6 from "@tenon/protocol/tfplugin6";
import fc from "fast-check";
import { describe, test } from "vitest";
import { readSchema } from "./block.ts";
import { decodeSchema } from "./schema-bytes.ts";

const text = fc.string({ unit: "grapheme", maxLength: 30 });
const flags = {
  required: fc.boolean(),
  optional: fc.boolean(),
  computed: fc.boolean(),
  sensitive: fc.boolean(),
  deprecated: fc.boolean(),
  writeOnly: fc.boolean(),
};
const texts = { description: text, descriptionKind: fc.constantFrom(0, 1), deprecationMessage: text };
const type = fc.constantFrom('"string"', '["list","number"]', '"dynamic"').map((json) => new TextEncoder().encode(json));

/** Schemas of a protocol version: version 5 has no nested attributes. */
function schemas(version: 5 | 6): fc.Arbitrary<object> {
  const { block } = fc.letrec<Readonly<Record<"attribute" | "attributes" | "block" | "nested", unknown>>>((tie) => {
    const plain = fc.record({ name: text, type, ...texts, ...flags });
    const nestedType = fc.record({ attributes: tie("attributes"), nesting: fc.integer({ min: 1, max: 4 }) });
    const ofObjects = fc.record({ name: text, nestedType, ...texts, ...flags });
    return {
      attribute: version === 5 ? plain : fc.oneof({ maxDepth: 3, withCrossShrink: true }, plain, ofObjects),
      attributes: fc.array(tie("attribute"), { maxLength: 4 }),
      block: fc.record({
        attributes: tie("attributes"),
        blockTypes: fc.oneof({ maxDepth: 3 }, fc.constant([]), fc.array(tie("nested"), { maxLength: 2 })),
        ...texts,
        deprecated: fc.boolean(),
      }),
      nested: fc.record({
        typeName: text,
        block: tie("block"),
        nesting: fc.integer({ min: 1, max: 5 }),
        minItems: fc.bigInt({ min: 0n, max: 9n }),
        maxItems: fc.bigInt({ min: 0n, max: 9n }),
      }),
    };
  });
  return fc.record({ version: fc.bigInt({ min: 0n, max: 1n << 40n }), block });
}

describe.each([
  { version: 6 as const, desc: tfplugin6.SchemaSchema },
  { version: 5 as const, desc: tfplugin5.SchemaSchema },
])("a schema of protocol $version", ({ version, desc }) => {
  test("is decoded as by protobuf-es", ({ expect }) => {
    fc.assert(
      fc.property(schemas(version), (init) => {
        const bytes = toBinary(desc, create(desc as typeof tfplugin6.SchemaSchema, init as never) as never);
        expect(readSchema(decodeSchema(bytes, version))).toEqual(readSchema(fromBinary(desc as typeof tfplugin6.SchemaSchema, bytes)));
      }),
    );
  });

  test("may repeat a field and have unknown fields", ({ expect }) => {
    const part = (init: object): Uint8Array => toBinary(desc, create(desc as typeof tfplugin6.SchemaSchema, init as never) as never);
    const bytes = Buffer.concat([
      part({ version: 1n, block: { description: "first", attributes: [{ name: "a", type: Buffer.from('"string"') }] } }),
      part({ version: 2n, block: { deprecated: true, attributes: [{ name: "b", type: Buffer.from('"bool"') }] } }),
      // Field 99 with a length.
      Buffer.from([0x9a, 0x06, 0x02, 1, 2]),
    ]);
    expect(readSchema(decodeSchema(bytes, version))).toEqual(readSchema(fromBinary(desc as typeof tfplugin6.SchemaSchema, bytes)));
    expect(() => decodeSchema(bytes.subarray(0, 20), version)).toThrow("premature EOF");
  });
});
