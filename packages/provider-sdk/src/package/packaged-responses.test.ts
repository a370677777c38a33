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

/** Source of a provider: `before` precedes its definition, `hooks` are options of it, and `description` is that of its only resource. */
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
    folder = mkdtempSync(join(tmpdir(), "tenon responses "));
    const packaged = { main: join(fixtures, "main.ts"), out: join(folder, "fixture"), name: "fixture", version: "1.0.0" };
    fixture = (await packageProvider(packaged)).devFolder;
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const responseFiles = (dev: string): readonly string[] => readdirSync(dev).filter((name) => name.endsWith(".bin"));
  const start = (dev: string, name: string, environment: NodeJS.ProcessEnv = {}): Promise<HostedProvider> =>
    host([join(dev, `terraform-provider-${name}`)], { environment });
  const contentOf = ({ resources, diagnostics }: GetProviderSchemaResponse): unknown => [[...resources], diagnostics];

  /** Packages a program with this provider module. */
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
  ])("equal the live responses, and other calls work: $versions $carrier", async ({ versions, carrier }, { expect }) => {
    const environment = { PLUGIN_PROTOCOL_VERSIONS: versions, TENON_CARRIER: carrier };
    await using live = await start(fixture, "fixture", { ...environment, TENON_PROVIDER_RESPONSES: "none" });
    await using hosted = await start(fixture, "fixture", environment);
    expect(hosted.handshake.protocolVersion).toBe(versions === "5" ? 5 : 6);
    const schema = await hosted.provider.getProviderSchema({});
    expect([...schema.resources.keys()]).toEqual(["fixture_task"]);
    expect(contentOf(schema)).toEqual(contentOf(await live.provider.getProviderSchema({})));
    const identities = await hosted.provider.getResourceIdentitySchemas({});
    expect([...identities.identitySchemas]).toEqual([...(await live.provider.getResourceIdentitySchemas({})).identitySchemas]);
    const [made, other] = [await hosted.create("log"), await live.create("log")];
    expect([made.newState.payload, made.diagnostics]).toEqual([other.newState.payload, []]);
    expect([...(await hosted.provider.getProviderSchema({})).resources.keys()]).toEqual(["fixture_task"]);
    await hosted.shutDown();
    expect(await hosted.process.ended).toEqual({ code: 0, signal: null });
  });

  test("are returned before the provider's code is loaded", async ({ expect }) => {
    const dev = await packaged("unloaded", programOf({ description: '"only in this file"' }));
    const late = readdirSync(dev).filter(
      (name) => name.endsWith(".mjs") && readFileSync(join(dev, name), "utf8").includes("only in this file"),
    );
    expect(late).toHaveLength(1);
    rmSync(join(dev, late[0]!));
    await using hosted = await start(dev, "demo");
    const { resources, diagnostics } = await hosted.provider.getProviderSchema({});
    expect([resources.get("demo_thing")?.block.description, diagnostics]).toEqual(["only in this file", []]);
    // The provider is loaded after a delay, or with the next call. That call reports the load error, and the process keeps running.
    await new Promise((resolve) => setTimeout(resolve, 200));
    for (let time = 0; time < 2; time++) {
      const metadata = await hosted.provider.getMetadata({});
      expect(metadata.diagnostics.map(({ severity, detail }) => [severity, detail.includes(late[0]!)])).toEqual([["error", true]]);
    }
  });

  test("are returned with only the carrier loaded", async ({ expect }) => {
    const dev = await packaged("lean", programOf({ description: '"only in this file"' }));
    const texts = readdirSync(dev).map((name) => [name, readFileSync(join(dev, name), "utf8")] as const);
    // Texts that occur in the author's code, in cty, in the SDK's server, and in the translation of messages.
    for (const marker of [
      "only in this file",
      "a number is required",
      "create an entry of a schema with",
      "a message with values was translated",
    ]) {
      const names = texts.flatMap(([name, text]) => (name.endsWith(".mjs") && text.includes(marker) ? [name] : []));
      expect(names.length, marker).toBeGreaterThan(0);
      for (const name of names) rmSync(join(dev, name), { force: true });
    }
    await using hosted = await start(dev, "demo");
    expect([...(await hosted.provider.getProviderSchema({})).resources.keys()]).toEqual(["demo_thing"]);
    expect([...(await hosted.provider.getResourceIdentitySchemas({})).identitySchemas]).toEqual([]);
    await hosted.shutDown();
    expect(await hosted.process.ended).toEqual({ code: 0, signal: null });
  });

  test("are reproducible byte for byte", async ({ expect }) => {
    const [one, other] = [await packaged("one", programOf({})), await packaged("other", programOf({}))];
    expect(responseFiles(one)).toEqual(["provider-responses-5.bin", "provider-responses-6.bin"]);
    for (const file of responseFiles(one)) expect(readFileSync(join(other, file))).toEqual(readFileSync(join(one, file)));
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
    ["random numbers", programOf({ description: "String(Math.random())" })],
    ["the time zone", programOf({ description: "new Date(0).toString()" })],
  ] as const)("are not packaged if they may depend on %s", async ([name, source], { expect }) => {
    const dev = await packaged(`not ${name}`, source);
    expect(responseFiles(dev)).toEqual([]);
    expect(readFileSync(join(dev, "terraform-provider-demo"), "utf8")).not.toContain("TENON_PROVIDER_RESPONSES");
    await using hosted = await start(dev, "demo");
    expect([...(await hosted.provider.getProviderSchema({})).resources.keys()]).toEqual(["demo_thing"]);
  });

  test("are not packaged with liveSchema", async ({ expect }) => {
    expect(responseFiles(await packaged("live", programOf({}), true))).toEqual([]);
  });

  test("are computed live only when a variable is set that was not set at packaging", async ({ expect }) => {
    const source = programOf({ description: `process.env.DEMO_TEXT ?? "none"` });
    const dev = await packaged("variable", source);
    expect(responseFiles(dev)).toHaveLength(2);
    for (const text of [undefined, "set"]) {
      await using hosted = await start(dev, "demo", text === undefined ? {} : { DEMO_TEXT: text });
      const { resources } = await hosted.provider.getProviderSchema({});
      expect(resources.get("demo_thing")?.block.description).toBe(text ?? "none");
    }
  });

  test("are computed live when the file is damaged or of another platform, and when logs or checks are enabled", async ({ expect }) => {
    const dev = await packaged("damaged", programOf({}));
    const file = join(dev, "provider-responses-6.bin");
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
    await watched.process.waitForOutput(/"tf_rpc":"GetProviderSchema"/);
  });

  test("are not passed to child processes of the provider", async ({ expect }) => {
    const before = `import { execFileSync } from "node:child_process";`;
    const hooks = `configure: () => { throw new Error("env " + execFileSync("/bin/sh", ["-c", "echo $TENON_PROVIDER_RESPONSES."])); },`;
    const dev = await packaged("children", programOf({ before, hooks }));
    expect(responseFiles(dev)).toHaveLength(2);
    await using hosted = await start(dev, "demo");
    const { provider } = await hosted.provider.getProviderSchema({});
    const config = of(impliedType(provider!.block), {} as never);
    const { diagnostics } = await hosted.provider.configureProvider({ terraformVersion: "1.12.6", config });
    expect(diagnostics[0]?.detail).toContain("env .");
  });
});
