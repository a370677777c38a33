// SPDX-License-Identifier: Apache-2.0
import { bool, dynamic, list, map, number, object, set, string, tuple } from "@tenon/cty";
import {
  createAttribute,
  createNestedAttributes,
  createNestedBlock,
  createSchema,
  type FunctionParameter,
  type GetProviderSchemaResponse,
} from "@tenon/schema";
import { describe, test } from "vitest";
import { generateTypes } from "./generate-types.ts";

const emptySchema: GetProviderSchemaResponse = {
  resources: new Map(),
  dataSources: new Map(),
  functions: new Map(),
  ephemeralResources: new Map(),
  listResources: new Map(),
  stateStores: new Map(),
  actions: new Map(),
  serverCapabilities: { planDestroy: false, getProviderSchemaOptional: false, moveResourceState: false, generateResourceConfig: false },
  diagnostics: [],
};

function parameter(name: string, parts: Partial<FunctionParameter> = {}): FunctionParameter {
  return { name, type: string, allowNullValue: false, allowUnknownValues: false, description: "", descriptionKind: "plain", ...parts };
}

describe("generateTypes", () => {
  test("generates types for every kind of attribute and block, in configurations and in states", ({ expect }) => {
    const optional = (type: Parameters<typeof createAttribute>[0]["type"] & object) => createAttribute({ type, optional: true });
    const inner = { attributes: { "odd-name": optional(string) }, blocks: {} };
    const resource = createSchema({
      description: "A thing.\n\nWith */ in it.",
      attributes: {
        id: createAttribute({ type: string, computed: true }),
        name: createAttribute({ type: string, required: true, deprecated: true, deprecationMessage: "Use title." }),
        "9lives": optional(number),
        any: optional(dynamic),
        flags: optional(tuple(bool, string)),
        labels: optional(set(string)),
        origin: optional(object({ host: string, ports: list(number) })),
        tags: optional(map(list(string))),
        password: createAttribute({ type: string, optional: true, writeOnly: true }),
        entries: createAttribute({
          optional: true,
          nested: createNestedAttributes("map", {
            key: createAttribute({ type: string, required: true }),
            stamp: createAttribute({ type: string, computed: true }),
          }),
        }),
      },
      blocks: {
        one: createNestedBlock("single", inner),
        must: createNestedBlock("single", inner, { minItems: 1 }),
        group: createNestedBlock("group", inner),
        some: createNestedBlock("list", inner, { minItems: 1 }),
        named: createNestedBlock("map", inner),
      },
    });
    expect(generateTypes({ ...emptySchema, resources: new Map([["a_thing", resource]]) }, { name: "Things", comment: "From a test." }))
      .toMatchInlineSnapshot(`
        "// Written by generateTypes of @tenon/plugin-host: do not edit.
        // From a test.
        import type { Num } from "@tenon/cty";

        /** Types of the provider, for \`openProvider\`. */
        export interface Things {
          readonly config: Readonly<Record<string, never>>;
          readonly resources: {
            readonly a_thing: AThingResource;
          };
          readonly dataSources: {};
          readonly functions: {};
          readonly ephemeralResources: {};
          readonly listResources: {};
          readonly actions: {};
          readonly stateStores: {};
        }

        /**
         * A thing.
         *
         * With *\\/ in it.
         */
        export interface AThingResource {
          readonly typeName: "a_thing";
          readonly config: {
            readonly "9lives"?: Num | null | undefined;
            readonly any?: unknown;
            readonly entries?: Readonly<Record<string, {
              readonly key: string;
            } | null>> | null | undefined;
            readonly flags?: readonly [boolean | null, string | null] | null | undefined;
            readonly group?: {
              readonly "odd-name"?: string | null | undefined;
            } | undefined;
            readonly labels?: readonly (string | null)[] | null | undefined;
            readonly must: {
              readonly "odd-name"?: string | null | undefined;
            };
            /** @deprecated Use title. */
            readonly name: string;
            readonly named?: Readonly<Record<string, {
              readonly "odd-name"?: string | null | undefined;
            }>> | undefined;
            readonly one?: {
              readonly "odd-name"?: string | null | undefined;
            } | null | undefined;
            readonly origin?: {
              readonly host: string | null;
              readonly ports: readonly (Num | null)[] | null;
            } | null | undefined;
            /** Write-only: its value is never stored in a plan or a state. */
            readonly password?: string | null | undefined;
            readonly some: readonly ({
              readonly "odd-name"?: string | null | undefined;
            })[];
            readonly tags?: Readonly<Record<string, readonly (string | null)[] | null>> | null | undefined;
          };
          readonly state: {
            readonly "9lives": Num | null;
            readonly any: unknown;
            readonly entries: Readonly<Record<string, {
              readonly key: string;
              readonly stamp: string | null;
            } | null>> | null;
            readonly flags: readonly [boolean | null, string | null] | null;
            readonly group: {
              readonly "odd-name": string | null;
            };
            readonly id: string | null;
            readonly labels: readonly (string | null)[] | null;
            readonly must: {
              readonly "odd-name": string | null;
            };
            /** @deprecated Use title. */
            readonly name: string;
            readonly named: Readonly<Record<string, {
              readonly "odd-name": string | null;
            }>>;
            readonly one: {
              readonly "odd-name": string | null;
            } | null;
            readonly origin: {
              readonly host: string | null;
              readonly ports: readonly (Num | null)[] | null;
            } | null;
            /** Write-only: its value is never stored in a plan or a state. */
            readonly password: null;
            readonly some: readonly ({
              readonly "odd-name": string | null;
            })[];
            readonly tags: Readonly<Record<string, readonly (string | null)[] | null>> | null;
          };
          readonly identity: undefined;
        }
        "
      `);
  });

  test("generates types for functions, whose parameters may have any name", ({ expect }) => {
    const join = {
      parameters: [parameter("class", { description: "What\nit is." }), parameter("2nd-one", { allowNullValue: true, type: dynamic })],
      variadicParameter: parameter("rest", { type: list(number), allowNullValue: true }),
      returnType: object({ a: string }),
      summary: "Joins.",
      description: "",
      descriptionKind: "plain",
      deprecationMessage: "Do not.",
    } as const;
    const text = generateTypes({ ...emptySchema, functions: new Map([["join", join]]) }, { name: "Things" });
    expect(text.slice(text.indexOf("  readonly functions"), text.indexOf("  readonly ephemeral"))).toMatchInlineSnapshot(`
      "  readonly functions: {
          /**
           * Joins.
           *
           * - \`class\`: What it is.
           * @deprecated Do not.
           */
          readonly join: {
            readonly parameters: readonly [class: string, _2nd_one: unknown, ...rest: (readonly (Num | null)[] | null)[]];
            readonly result: {
              readonly a: string | null;
            } | null;
          };
        };
      "
    `);
  });

  test("gives colliding names a suffix, and does not depend on the order of the schema", ({ expect }) => {
    const schema = createSchema({ attributes: { x: createAttribute({ type: string, optional: true }) } });
    const names = ["a_b", "a__b", "aB", "0"];
    const text = generateTypes({ ...emptySchema, resources: new Map(names.map((name) => [name, schema])) }, { name: "ABResource" });
    expect([...text.matchAll(/export interface (\w+)/g)].map(([, name]) => name)).toEqual([
      "ABResource",
      "_0Resource",
      "ABResource2",
      "ABResource3",
      "ABResource4",
    ]);
    const reversed = new Map(names.toReversed().map((name) => [name, schema]));
    expect(generateTypes({ ...emptySchema, resources: reversed }, { name: "ABResource" })).toBe(text);
  });

  test.for(["", "time", "My Type", "Num", "Readonly"])("rejects %j as a name", (name, { expect }) => {
    expect(() => generateTypes(emptySchema, { name })).toThrow(expect.objectContaining({ code: "INVALID_OPTIONS" }));
  });
});
