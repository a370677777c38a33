// SPDX-License-Identifier: Apache-2.0
// A second peer beside the engine's client in Go: the generated client and the serialisers of Pulumi's SDK for Node.
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describePeer } from "@tenon/peers/vitest";
import { afterAll, test } from "vitest";
import { deserialized, message, PulumiNodeClient, serialized, unwrapped } from "./pulumi-node-client.ts";
import { PluginProcess, TestEngine } from "./pulumi-plugin.ts";

const folder = realpathSync(mkdtempSync(join(tmpdir(), "pulumi-node-client-")));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const urn = "urn:pulumi:dev::project::framework:index/record:Record::first";

describePeer(["framework-provider"], "the client of Pulumi's SDK for Node", ({ "framework-provider": peer }) => {
  test("leads a resource through its life, with the SDK's serialisers", { timeout: 90_000 }, async ({ expect }) => {
    await using engine = await TestEngine.start();
    await using plugin = await PluginProcess.start([engine.address]);
    using client = new PulumiNodeClient(plugin.port);
    const secret = (value: unknown): object => ({
      "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270",
      value,
    });

    const handshake = await client.call("handshake", "ProviderHandshakeRequest", { engineAddress: engine.address });
    expect(handshake).toMatchObject({ acceptSecrets: true, acceptResources: true, supportsAutonamingConfiguration: true });
    const args = message("ParameterizeRequest.ParametersArgs", { args: [peer.path] });
    expect(await client.call("parameterize", "ParameterizeRequest", { args })).toMatchObject({ name: "framework", version: "0.0.0" });
    const { schema } = await client.call("getSchema", "GetSchemaRequest", { version: 0 });
    expect(JSON.parse(schema as string)).toMatchObject({ name: "framework" });
    await client.call("configure", "ConfigureRequest", { args: { directory: join(folder, "records") }, acceptSecrets: true });

    const news = await serialized({
      name: "first",
      kind: Promise.resolve("plain"),
      ratio: 0.5,
      flag: true,
      tags: ["a", "b"],
      notes: { "k.1": "v" },
      anything: { deep: [1, "two", null] },
    });
    const checked = await client.call("check", "CheckRequest", { urn, olds: {}, news: { ...news, secret: secret("hunter2") } });
    expect(checked["failuresList"]).toEqual([]);
    const created = await client.call("create", "CreateRequest", { urn, properties: checked["inputs"] });
    const outputs = deserialized(created["properties"]);
    expect(outputs).toMatchObject({ name: "first", ratio: 0.5, flag: true, tags: ["a", "b"], notes: { "k.1": "v" } });
    expect(outputs["anything"]).toEqual({ deep: [1, "two", null] });
    expect(unwrapped(outputs["secret"])).toEqual(["hunter2", true]);
    expect(unwrapped(outputs["name"])).toEqual(["first", false]);

    const change = { urn, id: created["id"], olds: created["properties"], oldInputs: checked["inputs"] };
    const changed = { ...(checked["inputs"] as object), name: "second" };
    const diff = await client.call("diff", "DiffRequest", { ...change, news: changed });
    expect(diff).toMatchObject({ changes: 2, diffsList: ["name"], replacesList: [] });
    const updated = await client.call("update", "UpdateRequest", { ...change, news: changed });
    const current = { urn, id: created["id"], properties: updated["properties"] };
    const read = await client.call("read", "ReadRequest", { ...current, inputs: changed });
    expect(deserialized(read["properties"])).toMatchObject({ name: "second" });
    expect(await client.call("read", "ReadRequest", { urn, id: created["id"] })).toMatchObject({ id: created["id"] });

    const token = "framework:index/join:join";
    const invoked = await client.call("invoke", "InvokeRequest", {
      tok: token,
      args: await serialized({ separator: "-", parts: ["a", "b"] }),
    });
    expect(deserialized(invoked["return"])).toEqual({ result: "a-b" });

    await client.call("delete", "DeleteRequest", current);
    expect(await client.call("read", "ReadRequest", { ...current, inputs: changed })).toMatchObject({ id: "" });
    const error: unknown = await client.call("check", "CheckRequest", { urn: "nonsense" }).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 9, details: '"nonsense" is not a URN' });
    expect(await client.call("construct", "ConstructRequest").catch((thrown: unknown) => thrown)).toMatchObject({ code: 12 });
  });
});
