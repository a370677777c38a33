// SPDX-License-Identifier: Apache-2.0
// Secrets and write-only values in a full run: they are in no log, no error, no recording, and in no state but as secrets.
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describePeer } from "@tenon/peers/vitest";
import { afterAll, test } from "vitest";
import { PluginProcess, TestEngine } from "./pulumi-plugin.ts";

const signature = "4dabf18193072939515e22adb298388d";
const secretSignature = "1b47061264138c4ac30d75fd1eb44270";
const secret = (value: string): { readonly [name: string]: string } => ({ [signature]: secretSignature, value });

const folder = realpathSync(mkdtempSync(join(tmpdir(), "pulumi-secrets-")));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Values that no text may contain. */
const values = {
  token: "right",
  sensitive: "sensitive-5d1e",
  element: "element-88c0",
  writeOnly: "write-only-71aa",
  marked: "marked-30bf",
} as const;
const searched = [values.sensitive, values.element, values.writeOnly, values.marked];

type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json };

/** Texts in properties that are not in a secret. */
function clearTexts(json: Json | undefined): readonly string[] {
  if (typeof json === "string") return [json];
  if (json === undefined || json === null || typeof json !== "object") return [];
  if (Array.isArray(json)) return (json as readonly Json[]).flatMap(clearTexts);
  const fields = json as { readonly [name: string]: Json };
  return fields[signature] === secretSignature ? [] : Object.values(fields).flatMap(clearTexts);
}

function filesBelow(path: string): readonly string[] {
  if (!existsSync(path)) return [];
  return statSync(path).isDirectory() ? readdirSync(path).flatMap((name) => filesBelow(join(path, name))) : [path];
}

describePeer(["framework-provider"], "a full run with secrets", ({ "framework-provider": peer }) => {
  test("shows none of them", { timeout: 120_000 }, async ({ expect }) => {
    const [home, temporary] = [join(folder, "home"), join(folder, "temporary")];
    mkdirSync(temporary, { recursive: true });
    const shown: string[] = [];
    const states: Json[] = [];
    await using engine = await TestEngine.start();
    const environment = {
      HOME: home,
      XDG_CACHE_HOME: join(home, "cache"),
      TMPDIR: temporary,
      PULUMI_TF_DEBUG_GRPC: join(folder, "grpc.json"),
      PULUMI_TF_RECORD: join(folder, "session.recording"),
    };
    {
      // With the whole log of the provider.
      await using plugin = await PluginProcess.start(["--logtostderr", "-v=9", engine.address], environment);
      const provider = plugin.connect();
      await provider.handshake({ engineAddress: engine.address });
      await provider.parameterize({ parameters: { case: "args", value: { args: [peer.path] } } });
      await provider.configure({ args: { directory: join(folder, "records"), token: secret(values.token) }, acceptSecrets: true });
      const urn = "urn:pulumi:dev::project::framework:index/record:Record::first";
      const news = {
        name: "first",
        kind: "plain",
        tags: ["a", secret(values.element)],
        notes: { a: secret(values.marked) },
        secret: values.sensitive,
        password: secret(values.writeOnly),
        passwordVersion: 1,
      };
      const failing = async (call: Promise<unknown>): Promise<void> => {
        await call.then(
          () => undefined,
          (error: unknown) => shown.push(String(error), JSON.stringify((error as { readonly details?: unknown }).details ?? null)),
        );
      };
      const checked = await provider.check({ urn, news });
      states.push(checked.inputs as Json);
      const inputs = checked.inputs!;
      states.push((await provider.create({ urn, properties: inputs, preview: true })).properties as Json);
      const created = await provider.create({ urn, properties: inputs });
      states.push(created.properties as Json);
      const olds = { urn, id: created.id, olds: created.properties!, oldInputs: inputs };
      const changed = { ...inputs, name: "second", tags: ["b", secret(values.element)], passwordVersion: 2 };
      shown.push(JSON.stringify(await provider.diff({ ...olds, news: changed })));
      const updated = await provider.update({ ...olds, news: changed });
      states.push(updated.properties as Json);
      const read = await provider.read({ urn, id: created.id, properties: updated.properties!, inputs: changed });
      states.push(read.properties as Json, read.inputs as Json);
      // An import knows no inputs: what only the program marked as secret is not marked there.
      const imported = clearTexts((await provider.read({ urn, id: created.id })).properties as Json);
      for (const value of [values.sensitive, values.writeOnly]) expect(imported.filter((text) => text.includes(value))).toEqual([]);
      // Invalid values, and values in invalid places.
      shown.push(JSON.stringify((await provider.check({ urn, news: { ...news, ratio: secret(values.marked) } })).failures));
      shown.push(JSON.stringify((await provider.check({ urn, news: { ...news, secret: [values.sensitive] } })).failures));
      shown.push(JSON.stringify((await provider.check({ urn, news: { ...news, nothing: secret(values.marked) } })).failures));
      await failing(provider.create({ urn, properties: { ...inputs, ratio: secret(values.marked) } }));
      await failing(provider.diff({ ...olds, olds: { ...olds.olds, secret: [values.sensitive] }, news }));
      await provider.delete({ urn, id: created.id, properties: read.properties! });
      await failing(provider.update({ ...olds, news: changed }));
      await provider.cancel({});
      plugin.process.kill("SIGINT");
      await plugin.exit();
    }
    for (const value of searched) {
      expect(
        shown.filter((text) => text.includes(value)),
        `errors and differences with ${value}`,
      ).toEqual([]);
      expect(
        engine.messages.filter(({ message }) => message.includes(value)),
        `messages with ${value}`,
      ).toEqual([]);
      expect(
        states.flatMap(clearTexts).filter((text) => text.includes(value)),
        `states with ${value}`,
      ).toEqual([]);
    }
    expect(engine.messages.length, "the log of the provider").toBeGreaterThan(0);
    // A write-only value is in inputs only, which the engine keeps as secrets.
    const outputs = states.slice(1, 4).map((state) => JSON.stringify(state));
    expect(outputs.filter((text) => text.includes(values.writeOnly))).toEqual([]);
    const recordings = [join(folder, "grpc.json"), join(folder, "session.recording")];
    for (const path of recordings) expect(readFileSync(path).includes("password_version"), path).toBe(true);
    const written = [home, temporary, ...recordings].flatMap(filesBelow);
    for (const path of written) for (const value of searched) expect(readFileSync(path).includes(value), `${path}: ${value}`).toBe(false);
  });
});
