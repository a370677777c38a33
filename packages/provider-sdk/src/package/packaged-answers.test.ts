// SPDX-License-Identifier: Apache-2.0
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, test } from "vitest";
import { of } from "@tenon/cty";
import { type GetProviderSchemaResponse, impliedType } from "@tenon/schema";
import { host, type HostedProvider } from "../../test/hosted-process.ts";
import { packageProvider } from "./package-provider.ts";

const entry = (name: string): string => JSON.stringify(join(import.meta.dirname, "..", name));
const fixtures = join(import.meta.dirname, "..", "..", "test", "fixtures");

/** A provider with this before its definition, in its definition, and as the description of its one resource. */
function programOf({ before = "", hooks = "", description = '"constant"', components = "[thing]" }): string {
  return `import { attr, defineProvider } from ${entry("index.ts")};
    ${before}
    const demo = defineProvider({ name: "demo", version: "1.0.0", ${hooks} });
    const thing = demo.resource("thing", { description: ${description}, schema: { a: attr.string({ optional: true }) },
      create: ({ planned }) => planned, read: () => undefined, update: ({ planned }) => planned, delete: () => {} });
    export const provider = demo.with(${components});\n`;
}

describe.skipIf(process.platform === "win32")("the schemas of a packaged provider", () => {
  let folder = "";
  let fixture = "";
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "tenon answers "));
    const packaged = { main: join(fixtures, "main.ts"), out: join(folder, "fixture"), name: "fixture", version: "1.0.0" };
    fixture = (await packageProvider(packaged)).devFolder;
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const answerFiles = (dev: string): readonly string[] => readdirSync(dev).filter((name) => name.endsWith(".bin"));
  const start = (dev: string, name: string, environment: NodeJS.ProcessEnv = {}): Promise<HostedProvider> =>
    host([join(dev, `terraform-provider-${name}`)], { environment });
  const said = ({ resources, diagnostics }: GetProviderSchemaResponse): unknown => [[...resources], diagnostics];

  /** Packages a program of which this is the provider's module. */
  async function packaged(name: string, source: string, liveSchema = false): Promise<string> {
    writeFileSync(
      join(folder, "main.ts"),
      `import { serve } from ${entry("serve/index.ts")};\nawait serve(() => import("./provider.ts"));\n`,
    );
    writeFileSync(join(folder, "provider.ts"), source);
    const options = { main: join(folder, "main.ts"), out: join(folder, name), name: "demo", version: "1.0.0", liveSchema };
    return (await packageProvider(options)).devFolder;
  }

  test.for([
    { versions: "5,6", carrier: "" },
    { versions: "5", carrier: "" },
    { versions: "5,6", carrier: "connect-node" },
  ])("are those it says itself, and everything else works: $versions $carrier", async ({ versions, carrier }, { expect }) => {
    const environment = { PLUGIN_PROTOCOL_VERSIONS: versions, TENON_CARRIER: carrier };
    await using asked = await start(fixture, "fixture", { ...environment, TENON_PROVIDER_ANSWERS: "none" });
    await using told = await start(fixture, "fixture", environment);
    expect(told.handshake.protocolVersion).toBe(versions === "5" ? 5 : 6);
    const schema = await told.provider.getProviderSchema({});
    expect([...schema.resources.keys()]).toEqual(["fixture_deed"]);
    expect(said(schema)).toEqual(said(await asked.provider.getProviderSchema({})));
    const identities = await told.provider.getResourceIdentitySchemas({});
    expect([...identities.identitySchemas]).toEqual([...(await asked.provider.getResourceIdentitySchemas({})).identitySchemas]);
    const [made, other] = [await told.create("log"), await asked.create("log")];
    expect([made.newState.payload, made.diagnostics]).toEqual([other.newState.payload, []]);
    expect([...(await told.provider.getProviderSchema({})).resources.keys()]).toEqual(["fixture_deed"]);
    await told.shutDown();
    expect(await told.process.ended).toEqual({ code: 0, signal: null });
  });

  test("are answered before any of its code is loaded", async ({ expect }) => {
    const dev = await packaged("unloaded", programOf({ description: '"only in this file"' }));
    const late = readdirSync(dev).filter(
      (name) => name.endsWith(".mjs") && readFileSync(join(dev, name), "utf8").includes("only in this file"),
    );
    expect(late).toHaveLength(1);
    rmSync(join(dev, late[0]!));
    await using hosted = await start(dev, "demo");
    const { resources, diagnostics } = await hosted.provider.getProviderSchema({});
    expect([resources.get("demo_thing")?.block.description, diagnostics]).toEqual(["only in this file", []]);
    // It is loaded after a while, and with the next call: that says what is wrong, and the process lives on.
    await new Promise((resolve) => setTimeout(resolve, 200));
    for (let time = 0; time < 2; time++) {
      const metadata = await hosted.provider.getMetadata({});
      expect(metadata.diagnostics.map(({ severity, detail }) => [severity, detail.includes(late[0]!)])).toEqual([["error", true]]);
    }
  });

  test("take nothing to answer but what carries them", async ({ expect }) => {
    const dev = await packaged("lean", programOf({ description: '"only in this file"' }));
    const texts = readdirSync(dev).map((name) => [name, readFileSync(join(dev, name), "utf8")] as const);
    // The author's code, values, what providers are made with, and the translation of their messages.
    for (const told of ["only in this file", "a number is required", "an entry of a schema is made with", "a message with values in it"]) {
      const names = texts.flatMap(([name, text]) => (name.endsWith(".mjs") && text.includes(told) ? [name] : []));
      expect(names.length, told).toBeGreaterThan(0);
      for (const name of names) rmSync(join(dev, name), { force: true });
    }
    await using hosted = await start(dev, "demo");
    expect([...(await hosted.provider.getProviderSchema({})).resources.keys()]).toEqual(["demo_thing"]);
    expect([...(await hosted.provider.getResourceIdentitySchemas({})).identitySchemas]).toEqual([]);
    await hosted.shutDown();
    expect(await hosted.process.ended).toEqual({ code: 0, signal: null });
  });

  test("are the same bytes each time", async ({ expect }) => {
    const [one, other] = [await packaged("one", programOf({})), await packaged("other", programOf({}))];
    expect(answerFiles(one)).toEqual(["provider-answers-5.bin", "provider-answers-6.bin"]);
    for (const file of answerFiles(one)) expect(readFileSync(join(other, file))).toEqual(readFileSync(join(one, file)));
  });

  test.for([
    ["setup", programOf({ hooks: "setup: () => {}," })],
    ["a variable that is set", programOf({ before: "void process.env.PATH;" })],
    ["all variables", programOf({ before: "void { ...process.env };" })],
    ["a file", programOf({ before: `import { existsSync } from "node:fs"; existsSync("/");` })],
    ["a file, later", programOf({ before: `import { stat } from "node:fs/promises"; await stat("/");` })],
    ["the machine", programOf({ before: `import { hostname } from "node:os";`, description: "hostname()" })],
    [
      "the network, when components are loaded",
      programOf({ components: `[() => fetch("http://127.0.0.1:9").then(() => thing, () => thing)]` }),
    ],
    ["the folder it runs in", programOf({ description: "process.cwd()" })],
    ["chance", programOf({ description: "String(Math.random())" })],
    ["the time zone", programOf({ description: "new Date(0).toString()" })],
  ] as const)("are not packaged where they may depend on %s", async ([name, source], { expect }) => {
    const dev = await packaged(`not ${name}`, source);
    expect(answerFiles(dev)).toEqual([]);
    expect(readFileSync(join(dev, "terraform-provider-demo"), "utf8")).not.toContain("TENON_PROVIDER_ANSWERS");
    await using hosted = await start(dev, "demo");
    expect([...(await hosted.provider.getProviderSchema({})).resources.keys()]).toEqual(["demo_thing"]);
  });

  test("are not packaged where nobody wants them", async ({ expect }) => {
    expect(answerFiles(await packaged("live", programOf({}), true))).toEqual([]);
  });

  test("are asked for where a variable is set that was not, and only there", async ({ expect }) => {
    const source = programOf({ description: `process.env.DEMO_TEXT ?? "none"` });
    const dev = await packaged("variable", source);
    expect(answerFiles(dev)).toHaveLength(2);
    for (const text of [undefined, "told"]) {
      await using hosted = await start(dev, "demo", text === undefined ? {} : { DEMO_TEXT: text });
      const { resources } = await hosted.provider.getProviderSchema({});
      expect(resources.get("demo_thing")?.block.description).toBe(text ?? "none");
    }
  });

  test("are asked for where the file is damaged or of another platform, and where somebody watches", async ({ expect }) => {
    const dev = await packaged("asked", programOf({}));
    const file = join(dev, "provider-answers-6.bin");
    const whole = readFileSync(file);
    const other = Buffer.concat([Buffer.from(whole.toString("latin1").replace(process.arch, "z80"), "latin1")]);
    for (const content of [whole.subarray(0, -1), whole.subarray(0, 20), other]) {
      writeFileSync(file, content);
      await using hosted = await start(dev, "demo");
      expect([...(await hosted.provider.getProviderSchema({})).resources.keys()]).toEqual(["demo_thing"]);
    }
    writeFileSync(file, whole);
    await using watched = await start(dev, "demo", { TF_LOG: "trace" });
    await watched.provider.getProviderSchema({});
    await watched.process.saying(/"tf_rpc":"GetProviderSchema"/);
  });

  test("do not reach the processes that the provider starts", async ({ expect }) => {
    const before = `import { execFileSync } from "node:child_process";`;
    const hooks = `configure: () => { throw new Error("env " + execFileSync("/bin/sh", ["-c", "echo $TENON_PROVIDER_ANSWERS."])); },`;
    const dev = await packaged("children", programOf({ before, hooks }));
    expect(answerFiles(dev)).toHaveLength(2);
    await using hosted = await start(dev, "demo");
    const { provider } = await hosted.provider.getProviderSchema({});
    const config = of(impliedType(provider!.block), {} as never);
    const { diagnostics } = await hosted.provider.configureProvider({ terraformVersion: "1.12.6", config });
    expect(diagnostics[0]?.detail).toContain("env .");
  });
});
