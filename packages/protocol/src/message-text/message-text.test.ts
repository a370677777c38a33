// SPDX-License-Identifier: Apache-2.0
import { create, type DescMessage, equals, type Message } from "@bufbuild/protobuf";
import fc from "fast-check";
import { describe, test } from "vitest";
import {
  AttributePath_StepSchema,
  CallFunction_ResponseSchema,
  DiagnosticSchema,
  GetProviderSchema_ResponseSchema,
  PlanResourceChange_RequestSchema,
  PlanResourceChange_ResponseSchema,
  UpgradeResourceState_RequestSchema,
} from "../tfplugin6.ts";
import { formatGoJson, formatProtoText, parseGoJson, parseProtoText } from "./index.ts";

const bytes = (text: string): Uint8Array => new Uint8Array(Buffer.from(text, "latin1"));

const plan = create(PlanResourceChange_RequestSchema, {
  typeName: "a_b",
  priorState: { msgpack: bytes("\xc0") },
  config: { msgpack: bytes('\x81\xa1"\\\n') },
  priorPrivate: bytes("\0\x7f\xff"),
  clientCapabilities: { writeOnlyAttributesAllowed: true },
});
const response = create(PlanResourceChange_ResponseSchema, {
  plannedState: { msgpack: bytes("\xc0") },
  requiresReplace: [{ steps: [{ selector: { case: "attributeName", value: "a" } }, { selector: { case: "elementKeyInt", value: 3n } }] }],
  diagnostics: [{ severity: 1, summary: 'ü "quoted"', detail: "line\nline" }],
});
const schema = create(GetProviderSchema_ResponseSchema, {
  provider: { version: 2n, block: { attributes: [{ name: "n", type: bytes('"string"'), optional: true, descriptionKind: 1 }] } },
  resourceSchemas: { b: { version: 1n }, a: { block: { blockTypes: [{ typeName: "t", nesting: 2, maxItems: 1n, block: {} }] } } },
});
const upgrade = create(UpgradeResourceState_RequestSchema, { rawState: { flatmap: { x: "1", "": "2" } }, version: -1n });
const error = create(CallFunction_ResponseSchema, { error: { text: "t", functionArgument: 0n } });

const samples: readonly (readonly [DescMessage, Message])[] = [
  [PlanResourceChange_RequestSchema, plan],
  [PlanResourceChange_ResponseSchema, response],
  [GetProviderSchema_ResponseSchema, schema],
  [UpgradeResourceState_RequestSchema, upgrade],
  [CallFunction_ResponseSchema, error],
  [AttributePath_StepSchema, create(AttributePath_StepSchema)],
];

describe("messages as text", () => {
  test.for(samples)("keep their contents: %s", ([desc, message], { expect }) => {
    expect(equals(desc, parseProtoText(desc, formatProtoText(desc, message)), message)).toBe(true);
    expect(equals(desc, parseGoJson(desc, formatGoJson(desc, message)), message)).toBe(true);
  });

  test("keep every string and byte", ({ expect }) => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.uint8Array(), (text, content) => {
        const message = create(PlanResourceChange_RequestSchema, { typeName: text.toWellFormed(), priorPrivate: content });
        const desc = PlanResourceChange_RequestSchema;
        expect(parseProtoText(desc, formatProtoText(desc, message))).toEqual(message);
        expect(parseGoJson(desc, formatGoJson(desc, message))).toEqual(message);
      }),
      { numRuns: 50 },
    );
  });

  test("have the form that Go gives them", ({ expect }) => {
    expect(formatProtoText(PlanResourceChange_RequestSchema, plan)).toBe(
      String.raw`type_name:"a_b" prior_state:{msgpack:"\xc0"} config:{msgpack:"\x81\xa1\"\\\x0a"} prior_private:"\x00\x7f\xff" client_capabilities:{write_only_attributes_allowed:true}`,
    );
    expect(JSON.parse(formatGoJson(GetProviderSchema_ResponseSchema, schema))).toEqual({
      provider: { version: 2, block: { attributes: [{ name: "n", type: "InN0cmluZyI=", optional: true, description_kind: 1 }] } },
      resource_schemas: { a: { block: { block_types: [{ type_name: "t", block: {}, nesting: 2, max_items: 1 }] } }, b: { version: 1 } },
    });
    expect(JSON.parse(formatGoJson(PlanResourceChange_ResponseSchema, response))).toMatchObject({
      requires_replace: [{ steps: [{ Selector: { AttributeName: "a" } }, { Selector: { ElementKeyInt: 3 } }] }],
    });
    expect(formatGoJson(AttributePath_StepSchema, create(AttributePath_StepSchema))).toBe('{"Selector":null}');
  });

  test("in the text format may be written in other ways", ({ expect }) => {
    const parse = (text: string): Message => parseProtoText(DiagnosticSchema, text);
    const expected = create(DiagnosticSchema, { severity: 2, summary: "aéb😀\n", detail: "it's" });
    expect(parse(String.raw`severity: WARNING; summary: 'a\303\251' "b\U0001F600\n", detail: "it\'s"`)).toEqual(expected);
    expect(parse(`# comment\n severity:2\nsummary:"aéb😀\\n"\ndetail:"it's"  `)).toEqual(expected);
    expect(parse('attribute <steps: [{attribute_name:"a"}, {element_key_int:-0x10}]>')).toEqual(
      create(DiagnosticSchema, {
        attribute: { steps: [{ selector: { case: "attributeName", value: "a" } }, { selector: { case: "elementKeyInt", value: -16n } }] },
      }),
    );
  });

  test.for([
    ["nonsense:1", "has no field"],
    ["summary:1", "is not a string"],
    ["severity:NONE", "has no value"],
    ["attribute:{", "the text ends in a message"],
    ["attribute:1", "a message is expected"],
    ['summary:"a', "a field or value is expected"],
    [String.raw`summary:"\q"`, "malformed escape"],
    [String.raw`summary:"\Uffffffff"`, "malformed escape"],
  ] as const)("in the text format are rejected when malformed: %s", ([text, problem], { expect }) => {
    expect(() => parseProtoText(DiagnosticSchema, text)).toThrow(problem);
  });

  test.for([
    ["[]", "must be an object"],
    ['{"summary":1}', "cannot be number"],
    ['{"severity":"x"}', "cannot be string"],
    ['{"attribute":{"steps":{}}}', "cannot be object"],
  ] as const)("as Go's JSON are rejected when malformed: %s", ([text, problem], { expect }) => {
    expect(() => parseGoJson(DiagnosticSchema, text)).toThrow(problem);
  });
});
