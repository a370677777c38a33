// SPDX-License-Identifier: Apache-2.0
import { create, type DescMessage, fromBinary, type JsonObject, type JsonValue, toBinary } from "@bufbuild/protobuf";
import { Code } from "@connectrpc/connect";
import fc from "fast-check";
import { describe, test } from "vitest";
import { type CheckRequest, CheckRequestSchema, ConfigureRequestSchema, DiffRequestSchema } from "../../gen/pulumi/provider_pb.ts";
import { type RequestStruct, structMapOf } from "../../carrier/struct-map.ts";
import { decodeMessage, decodeMessageWithStructs } from "./decode-message.ts";
import { maxStructDepth } from "./struct-reader.ts";
import { writeMessage } from "./message-writer.ts";

const { json } = fc.letrec<{ readonly json: JsonValue; readonly object: JsonObject }>((tie) => ({
  json: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.constantFrom(null, true, false, "", "text", "ünïcode", -0, 1.5, Number.NaN, Number.POSITIVE_INFINITY),
    fc.double(),
    fc.string({ unit: "grapheme", maxLength: 40 }),
    fc.array(tie("json"), { maxLength: 4 }),
    tie("object"),
  ),
  object: fc.dictionary(fc.oneof(fc.string(), fc.constantFrom("__proto__", "constructor", "")), tie("json"), {
    maxKeys: 4,
    noNullPrototype: true,
  }),
}));
const object = json.map((value): JsonObject => ({ value, "": null }));

const checkRequest = fc.record(
  {
    urn: fc.string(),
    olds: object,
    news: object,
    randomSeed: fc.uint8Array({ maxLength: 4 }),
    autonaming: fc.constant({ proposedName: "p", mode: 1 }),
    oldOutputs: object,
  },
  { requiredKeys: [] },
);

function written(desc: DescMessage, init: object): Uint8Array {
  return writeMessage(desc, create(desc, init as never), 1 << 30).subarray(5);
}

/** A message, or the fact that it is malformed. */
function outcome(decode: () => unknown): unknown {
  try {
    return decode();
  } catch {
    return "malformed";
  }
}

function withMaps(message: CheckRequest): object {
  const { olds, news, oldOutputs } = message;
  const maps = Object.entries({ olds, news, oldOutputs }).map(([name, json]) => [name, json && structMapOf(json)]);
  return { ...message, ...Object.fromEntries(maps) };
}

/** A decoded message whose Structs are read. */
function readStructs(message: CheckRequest): object {
  const { olds, news, oldOutputs } = message as unknown as Record<string, RequestStruct | undefined>;
  return { ...message, ...Object.fromEntries(Object.entries({ olds, news, oldOutputs }).map(([name, struct]) => [name, struct?.read()])) };
}

/** The Struct `olds` of an encoded request. */
function oldsIn(bytes: Uint8Array): RequestStruct {
  return decodeMessageWithStructs(DiffRequestSchema, bytes).olds as unknown as RequestStruct;
}

function nested(levels: number): JsonObject {
  return levels === 1 ? {} : { a: nested(levels - 1) };
}

describe("a Struct in a message", () => {
  test("is encoded and decoded as by protobuf-es", ({ expect }) => {
    fc.assert(
      fc.property(checkRequest, (init) => {
        const expected = toBinary(CheckRequestSchema, create(CheckRequestSchema, init));
        expect(Buffer.from(written(CheckRequestSchema, init)).toString("hex")).toBe(Buffer.from(expected).toString("hex"));
        expect(decodeMessage(CheckRequestSchema, expected)).toEqual(fromBinary(CheckRequestSchema, expected));
        const structs = readStructs(decodeMessageWithStructs(CheckRequestSchema, expected));
        expect(structs).toEqual(withMaps(fromBinary(CheckRequestSchema, expected)));
      }),
    );
  });

  test("is malformed where it is for protobuf-es, when it is truncated", ({ expect }) => {
    fc.assert(
      fc.property(checkRequest, fc.nat(), (init, at) => {
        const bytes = toBinary(CheckRequestSchema, create(CheckRequestSchema, init));
        const truncated = bytes.slice(0, at % (bytes.length + 1));
        const ours = outcome(() => decodeMessage(CheckRequestSchema, truncated));
        const theirs = outcome(() => fromBinary(CheckRequestSchema, truncated));
        expect(ours).toEqual(theirs);
        const structs = outcome(() => readStructs(decodeMessageWithStructs(CheckRequestSchema, truncated)));
        expect(structs).toEqual(theirs === "malformed" ? theirs : withMaps(theirs as CheckRequest));
      }),
      { numRuns: 1000 },
    );
  });

  test("is decoded or malformed when its bytes are changed", ({ expect }) => {
    const change = fc.record({ at: fc.nat(), byte: fc.integer({ min: 0, max: 255 }), length: fc.nat({ max: 3 }) });
    fc.assert(
      fc.property(checkRequest, fc.array(change, { minLength: 1, maxLength: 3 }), (init, changes) => {
        const bytes = [...toBinary(CheckRequestSchema, create(CheckRequestSchema, init))];
        for (const { at, byte, length } of changes) bytes.splice(at % (bytes.length + 1), length, byte);
        const decoded = outcome(() => decodeMessage(CheckRequestSchema, Uint8Array.from(bytes)));
        if (decoded !== "malformed") expect(written(CheckRequestSchema, decoded as object).length).toBeGreaterThanOrEqual(0);
      }),
      { numRuns: 2000 },
    );
  });

  test("stands beside maps, lists and several values of one field", ({ expect }) => {
    const configure = { variables: { "a:config:b": "c" }, args: { x: [1, { y: null }] }, acceptSecrets: true };
    const bytes = written(ConfigureRequestSchema, configure);
    expect(decodeMessage(ConfigureRequestSchema, bytes)).toMatchObject(configure);
    const diff = { olds: { a: 1 }, ignoreChanges: ["a", "b"], news: {} };
    expect(decodeMessage(DiffRequestSchema, written(DiffRequestSchema, diff))).toMatchObject(diff);
    const twice = Buffer.concat([written(DiffRequestSchema, { olds: { a: 1 } }), written(DiffRequestSchema, { olds: { b: 2 } })]);
    expect(decodeMessage(DiffRequestSchema, twice)).toEqual(fromBinary(DiffRequestSchema, twice));
    expect(oldsIn(twice).read()).toEqual(structMapOf({ a: 1, b: 2 }));
    expect(oldsIn(twice).pick(new Set(["b"]))).toEqual(structMapOf({ b: 2 }));
  });

  test("keeps texts of every length, of ASCII and of other characters", ({ expect }) => {
    const texts = [...Array(40).keys(), 1023, 1024, 1025, 70_000].flatMap((length) => ["a".repeat(length), `${"a".repeat(length)}é`]);
    const news = Object.fromEntries(texts.map((text, index) => [`key-${index}`, text]));
    expect(decodeMessage(CheckRequestSchema, written(CheckRequestSchema, { news })).news).toEqual(news);
    const invalid = written(CheckRequestSchema, { news: { a: "abcdefghi" } });
    invalid[invalid.length - 2] = 0xff;
    expect(() => decodeMessage(CheckRequestSchema, invalid)).toThrow("not valid");
  });

  test("keeps keys of every length, and keys that differ in one character", ({ expect }) => {
    const lengths = Array.from({ length: 60 }, (_, length) => ["k".repeat(length), `${"k".repeat(length)}é`]).flat();
    const alike = Array.from({ length: 14 }, (_, at) => `begin__mid__end`.slice(0, at) + "-" + `begin__mid__end`.slice(at + 1));
    const news = Object.fromEntries([...lengths, ...alike].map((key, index) => [key, index]));
    const bytes = written(CheckRequestSchema, { news });
    for (let turn = 0; turn < 2; turn += 1) expect(decodeMessage(CheckRequestSchema, bytes).news).toEqual(news);
  });

  test("has members that are read without the others", ({ expect }) => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), json, { noNullPrototype: true }), fc.array(fc.string()), (olds, others) => {
        const names = new Set([...Object.keys(olds).filter((_, index) => index % 2 === 0), ...others]);
        const picked = oldsIn(written(DiffRequestSchema, { olds, news: { a: 1 } })).pick(names);
        expect(picked).toEqual(structMapOf(Object.fromEntries(Object.entries(olds).filter(([name]) => names.has(name)))));
      }),
    );
  });

  test("has a member whose key follows its value, and of which the last value counts", ({ expect }) => {
    const [one, two, key] = [
      [0x12, 2, 0x20, 0],
      [0x12, 2, 0x20, 1],
      [0x0a, 1, 0x61],
    ];
    const entry = (...fields: readonly number[][]): number[] => [0x0a, fields.flat().length, ...fields.flat()];
    const struct = [...entry(one!, two!, key!), ...entry([0x0a, 1, 0x62])];
    const olds = oldsIn(Uint8Array.from([0x1a, struct.length, ...struct]));
    expect(olds.read()).toEqual(structMapOf({ a: true, b: null }));
    expect(olds.pick(new Set(["a"]))).toEqual(structMapOf({ a: true }));
    expect(olds.pick(new Set(["b"]))).toEqual(structMapOf({ b: null }));
  });

  test("is invalid when it is read, and not when its other members are", ({ expect }) => {
    const olds = oldsIn(written(DiffRequestSchema, { olds: { a: 1, deep: nested(maxStructDepth + 1) } }));
    expect(olds.pick(new Set(["a"]))).toEqual(structMapOf({ a: 1 }));
    for (const read of [() => olds.read(), () => olds.pick(new Set(["deep"]))]) {
      expect(read).toThrow(
        expect.objectContaining({ code: Code.InvalidArgument, message: expect.stringContaining("more than 48 levels") }),
      );
    }
  });

  test("nests 48 levels, and no more", ({ expect }) => {
    const decoded = (levels: number): unknown =>
      decodeMessage(CheckRequestSchema, written(CheckRequestSchema, { news: nested(levels) })).news;
    expect(decoded(maxStructDepth)).toEqual(nested(maxStructDepth));
    expect(() => decoded(maxStructDepth + 1)).toThrow("recursion depth");
  });

  test("leaves out what is undefined, and cannot have a bigint", ({ expect }) => {
    const news = { a: undefined, b: 1 } as unknown as JsonObject;
    expect(decodeMessage(CheckRequestSchema, written(CheckRequestSchema, { news })).news).toEqual({ b: 1 });
    expect(() => written(CheckRequestSchema, { news: { a: 1n } })).toThrow("cannot have a bigint");
    expect(written(CheckRequestSchema, { urn: "x" })).toHaveLength(3);
  });
});
