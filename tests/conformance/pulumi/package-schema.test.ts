// SPDX-License-Identifier: Apache-2.0
import { join } from "node:path";
import { bridgePackage } from "@tenon/bridge/pulumi";
import { launchProvider } from "@tenon/plugin-host";
import { describePeer } from "@tenon/peers/vitest";
import { createProvider } from "@tenon/provider-sdk";
import { describe, test } from "vitest";
import { randomFor } from "@tenon/testing/generate";
import { makeProvider } from "../provider/generate/schema.ts";
import { madeProvider } from "../provider/made-provider.ts";
import { caseProvider } from "./case-provider.ts";
import { readDiffCases } from "./diff-case.ts";
import { schemaFaults } from "./schema-faults.ts";

const version = "1.2.3";

interface EditableSchema {
  meta?: object;
  readonly types: Record<string, { required?: string[]; readonly properties: Record<string, object> }>;
  readonly resources: Record<string, object>;
}

describe("the schema of a package", () => {
  test("is valid for random providers", async ({ expect }) => {
    for (let index = 0; index < 40; index += 1) {
      const declared = makeProvider(randomFor(14, "package-schema", index), { resources: 6, dataSources: 4 });
      const bridged = await bridgePackage(createProvider(madeProvider(declared)), { name: "made", version });
      expect(schemaFaults(bridged.schema()), `provider ${index}`).toEqual([]);
    }
    const declared = makeProvider(randomFor(14, "package-schema", 0), { resources: 6, dataSources: 4 });
    const exact = await bridgePackage(createProvider(madeProvider(declared)), { name: "made", version, exactNumbers: true });
    expect(exact.schema()).toContain('{"oneOf":[{"type":"number"},{"type":"string"}]');
    expect(schemaFaults(exact.schema())).toEqual([]);
  });

  test("is valid for the resource types of the table of differences", async ({ expect }) => {
    const cases = readDiffCases(join(import.meta.dirname, "diff-cases.json"));
    const bridged = await bridgePackage(caseProvider(cases), { name: "case", version });
    expect(schemaFaults(bridged.schema())).toEqual([]);
  });
});

describe("schemaFaults", () => {
  const valid = async (): Promise<EditableSchema> => {
    const block = {
      block_types: { rule: { nesting_mode: "list" as const, block: { attributes: { port: { type: "number", optional: true } } } } },
    };
    const bridged = await bridgePackage(caseProvider({ cases: [{ name: "a", schema: block, old: {}, new: {}, expected: {} }] }), {
      name: "case",
      version,
    });
    return JSON.parse(bridged.schema()) as EditableSchema;
  };
  const faultsWith = async (change: (schema: EditableSchema) => void): Promise<readonly string[]> => {
    const schema = await valid();
    change(schema);
    return schemaFaults(JSON.stringify(schema));
  };
  const [resource, type] = ["case:index/n0:N0", "case:index/N0Rule:N0Rule"] as const;

  test("finds each kind of fault", async ({ expect }) => {
    expect(await faultsWith(() => undefined)).toEqual([]);
    expect(await faultsWith((schema) => delete schema.meta)).toEqual(["meta/moduleFormat is missing"]);
    expect(await faultsWith((schema) => delete schema.types[type])).toContain(
      `resources/${resource}/properties/rules refers to #/types/${type}, which does not exist`,
    );
    expect(await faultsWith((schema) => (schema.types[`${type}2`] = schema.types[type]!))).toContain(`types/${type}2 is not used`);
    expect(await faultsWith((schema) => (schema.types[type]!.required = ["x"]))).toEqual([
      `types/${type}/properties requires x, which does not exist`,
    ]);
    for (const [name, fault] of [
      ["1x", "is no identifier"],
      ["pulumi", "is reserved"],
      ["Port", "is Port in Go and C#, as port is"],
    ] as const) {
      expect((await faultsWith((schema) => (schema.types[type]!.properties[name] = { type: "string" })))[0]).toBe(
        `types/${type}/properties/${name} ${fault}`,
      );
    }
    expect(await faultsWith((schema) => (schema.types[type]!.properties.port = { type: "int" }))).toEqual([
      `types/${type}/properties/port has the type "int"`,
    ]);
    expect(await faultsWith((schema) => (schema.resources["case:index/n0args:N0Args"] = schema.resources[resource]!))).toContain(
      "case:index/n0args:N0Args has N0Args in SDKs, as case:index/n0:N0 has",
    );
  });
});

describePeer(["provider-time", "framework-provider", "sdkv2-provider", "bare-provider"], "the schema of a published provider", (peers) => {
  for (const [name, peer] of Object.entries(peers)) {
    test(`is valid for ${name}`, async ({ expect }) => {
      await using provider = await launchProvider({ command: [peer.path] });
      const bridged = await bridgePackage(provider, { name: name.replace(/-provider$|^provider-/, ""), version });
      expect(schemaFaults(bridged.schema())).toEqual([]);
    });
  }
});
