// SPDX-License-Identifier: Apache-2.0
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, beforeEach, describe, test } from "vitest";
import { configOf, texts } from "../../test/resource-life.ts";
import { createProvider, type Lazy, type ServedProvider } from "../index.ts";
import { describe as described } from "../describe/index.ts";
import { collectComponents } from "./collect-components.ts";

const sdk = join(import.meta.dirname, "../index.ts");
const cty = join(import.meta.dirname, "../../../cty/src/index.ts");
let project = "";
beforeEach(async () => {
  project = mkdtempSync(join(tmpdir(), "tenon-collect-"));
  await mkdir(join(project, "components", "more"), { recursive: true });
  await write("farm.ts", `export const farm = defineProvider({ name: "farm", version: "1.0.0", configure: () => "client" });`);
  await write(
    "components/field.ts",
    `console.log("loaded field");
     const schema = { type: attr.string({ required: true }), sub: nested.list({ n: attr.list(attr.number(), { optional: true }) }, { optional: true }) };
     export const field = farm.resource("field", { schema, identity: { type: attr.string() },
       create: ({ planned }) => planned, read: () => undefined, update: ({ planned }) => planned, delete: () => {} });
     export default field;`,
    "../farm.ts",
  );
  await write(
    "components/more/others.ts",
    `console.log("loaded others");
     export const double = farm.function("double", { parameters: { of: parameter(attr.number()) }, returns: attr.number(), call: ({ of }) => of * 2 });
     export const weather = farm.dataSource("weather", { schema: { warm: attr.bool({ computed: true }) }, read: () => ({ warm: true }) });
     export const unrelated = 5;`,
    "../../farm.ts",
  );
  await writeFile(join(project, "package.json"), '{ "type": "module" }');
  await write("components/field.test.ts", `throw new Error("a test file was loaded");`);
});
afterEach(() => rmSync(project, { recursive: true, force: true }));

async function write(name: string, source: string, farm?: string): Promise<void> {
  const imports = `import { attr, defineProvider, nested, parameter } from ${JSON.stringify(sdk)};\n${farm === undefined ? "" : `import { farm } from "${farm}";\n`}`;
  await writeFile(join(project, name), `${imports}${source}\n`);
}

/** Loads the provider with the components that `components.ts` exports. */
async function served(): Promise<ServedProvider> {
  const { components } = (await import(pathToFileURL(join(project, "components.ts")).href)) as { components: readonly Lazy<unknown>[] };
  const { farm } = (await import(pathToFileURL(join(project, "farm.ts")).href)) as {
    farm: { with: (parts: readonly Lazy<unknown>[]) => ServedProvider };
  };
  return farm.with(components);
}

describe("components of a folder", () => {
  test("have schemas before their code is loaded, and are loaded at their first use", async ({ expect }) => {
    const names = await collectComponents({ folder: join(project, "components"), into: join(project, "components.ts"), sdk });
    expect(names).toEqual(["farm_weather", "double", "farm_field"]);
    await writeFile(
      join(project, "main.ts"),
      `import { createProvider } from ${JSON.stringify(sdk)};
       import { number, of } from ${JSON.stringify(cty)};
       import { components } from "./components.ts";
       import { farm } from "./farm.ts";
       const provider = createProvider(farm.with(components));
       const { resources, dataSources, functions } = await provider.getProviderSchema({});
       const { identitySchemas } = await provider.getResourceIdentitySchemas({});
       await provider.getMetadata({});
       console.log([resources, dataSources, functions, identitySchemas].map((map) => [...map.keys()].join()).join(" "));
       console.log((await provider.callFunction({ name: "double", arguments: [of(number, 2)] })).result.payload);`,
    );
    const printed = execFileSync(process.execPath, [join(project, "main.ts")], { encoding: "utf8" });
    expect(printed.trim().split("\n")).toEqual(["farm_field farm_weather double farm_field", "loaded others", "4"]);
  });

  test("are equal to components that are loaded eagerly", async ({ expect }) => {
    await collectComponents({ folder: join(project, "components"), into: join(project, "components.ts"), sdk });
    const lazy = await served();
    const provider = createProvider(lazy);
    const schema = await provider.getProviderSchema({});
    const { block } = schema.resources.get("farm_field")!;
    const config = configOf(block, { type: "x", sub: [{ n: [1] }] });
    expect((await provider.validateResourceConfig({ typeName: "farm_field", config })).diagnostics).toEqual([]);
    expect(await provider.getProviderSchema({})).toEqual(schema);
    expect((await described(lazy)).resources.map(({ typeName }) => typeName)).toEqual(["farm_field"]);
  });

  test("that differ from the written file make only the calls that need them fail", async ({ expect }) => {
    const into = join(project, "components.ts");
    await collectComponents({ folder: join(project, "components"), into, sdk });
    const source = await readFile(into, "utf8");
    await writeFile(into, source.replace('\\"required\\":true', '\\"required\\":false'));
    const provider = createProvider(await served());
    const { block } = (await provider.getProviderSchema({})).resources.get("farm_field")!;
    const { diagnostics } = await provider.validateResourceConfig({ typeName: "farm_field", config: configOf(block, { type: "x" }) });
    expect(texts(diagnostics)[0]).toContain("farm_field differs from its entry in the manifest");
    const weather = (await provider.getProviderSchema({})).dataSources.get("farm_weather")!;
    const { diagnostics: none } = await provider.validateDataResourceConfig({
      typeName: "farm_weather",
      config: configOf(weather.block, {}),
    });
    expect(none).toEqual([]);
  });

  test("are rejected when there are none, or when two have one name", async ({ expect }) => {
    const into = join(project, "components.ts");
    await expect(collectComponents({ folder: join(project, "components", "none"), into, sdk })).rejects.toThrow();
    await mkdir(join(project, "empty"));
    await expect(collectComponents({ folder: join(project, "empty"), into, sdk })).rejects.toMatchObject({ code: "INVALID_DEFINITION" });
    await write(
      "components/again.ts",
      `export const double = farm.function("double", { parameters: {}, returns: attr.number(), call: () => 2 });`,
      "../farm.ts",
    );
    await expect(collectComponents({ folder: join(project, "components"), into, sdk })).rejects.toThrow("function double is in");
  });
});
