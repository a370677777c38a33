// SPDX-License-Identifier: Apache-2.0
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { dynamic, get, nullOf, objectOf, of, string, toJs, tupleOf, type Value } from "@tenon/cty";
import { positiveInfinity } from "@tenon/cty/operators";
import { hasErrors, type Provider } from "@tenon/schema";
import {
  applyChange,
  callFunction,
  dataSourceType,
  importObject,
  moveObject,
  planChange,
  readDataSource,
  resourceType,
  type ResourceObject,
  type ResourceType,
} from "@tenon/schema/lifecycle";
import { describe, test } from "vitest";
import { parseResourceInstance, requireAddress } from "../../address/index.ts";
import { memoryState } from "../../state/stores/memory-store.ts";
import type { BackendType } from "../../state/backends/backend.ts";
import { localBackend } from "../../state/backends/local-backend.ts";
import { builtInProviderFactory, type BuiltInEnvironment } from "./built-in-provider.ts";
import { readRemoteState } from "./remote-state.ts";

const environment: BuiltInEnvironment = {
  variables: {},
  workingDirectory: tmpdir(),
  randomBytes: (count) => Uint8Array.from({ length: count }, (_, index) => index),
};
const firstId = "00010203-0405-0607-0809-0a0b0c0d0e0f";

function dataConfig(given: Readonly<Record<string, Value>>): Value {
  const names = ["id", "input", "output", "triggers_replace"];
  return objectOf(new Map(names.map((name) => [name, given[name] ?? nullOf(name === "id" ? string : dynamic)])));
}

async function change(
  type: ResourceType,
  config: Value,
  prior?: ResourceObject,
): Promise<{ readonly action: string; readonly object: ResourceObject }> {
  const { planned, diagnostics } = await planChange(type, { config, ...(prior && { prior }) });
  if (planned === undefined) throw new Error(JSON.stringify(diagnostics));
  if (planned.action === "noOp") return { action: "noOp", object: prior! };
  const applied = await applyChange(type, planned, { config });
  if (applied.object === undefined || hasErrors(applied.diagnostics)) throw new Error(JSON.stringify(applied.diagnostics));
  return { action: planned.action, object: applied.object };
}

describe("terraform_data", () => {
  const open = async (): Promise<ResourceType> => resourceType(await builtInProviderFactory(environment)(), "terraform_data");

  test("keeps its input as output, and is updated with it", async ({ expect }) => {
    const type = await open();
    const created = await change(type, dataConfig({ input: of(string, "a") }));
    expect(created.action).toBe("create");
    expect(toJs(created.object.value)).toEqual({ id: firstId, input: "a", output: "a", triggers_replace: null });
    expect((await change(type, dataConfig({ input: of(string, "a") }), created.object)).action).toBe("noOp");
    const updated = await change(type, dataConfig({ input: tupleOf([of(string, "b")]) }), created.object);
    expect(updated.action).toBe("update");
    expect(toJs(updated.object.value)).toMatchObject({ id: firstId, output: ["b"] });
  });

  test("is replaced when its triggers change", async ({ expect }) => {
    const type = await open();
    const created = await change(type, dataConfig({ triggers_replace: of(string, "a") }));
    const { planned } = await planChange(type, { config: dataConfig({ triggers_replace: of(string, "b") }), prior: created.object });
    expect(planned?.action).toBe("replace");
  });

  test("refuses to set computed attributes", async ({ expect }) => {
    const { diagnostics } = await planChange(await open(), { config: dataConfig({ id: of(string, "x") }) });
    expect(diagnostics[0]?.summary).toBe('"id" attribute is read-only');
  });

  test("is imported with its id", async ({ expect }) => {
    const { object, diagnostics } = await importObject(await open(), { id: "x" });
    expect(diagnostics).toEqual([]);
    expect(toJs(object!.value)).toEqual({ id: "x", input: null, output: null, triggers_replace: null });
  });

  test("takes over a null_resource", async ({ expect }) => {
    const { object, diagnostics } = await moveObject(await open(), {
      providerAddress: "registry.opentofu.org/hashicorp/null",
      typeName: "null_resource",
      stored: {
        schemaVersion: 0,
        state: { json: Buffer.from('{"id":"7","triggers":{"a":"b"}}') },
        private: new Uint8Array(),
        status: "ready",
      },
    });
    expect(diagnostics).toEqual([]);
    expect(toJs(object!.value)).toEqual({ id: "7", input: null, output: null, triggers_replace: { a: "b" } });
  });
});

function remoteConfig(given: Readonly<Record<string, Value>>): Value {
  const types = { backend: string, config: dynamic, defaults: dynamic, outputs: dynamic, workspace: string };
  return objectOf(new Map(Object.entries(types).map(([name, type]) => [name, given[name] ?? nullOf(type)])));
}

function stateText(outputs: Readonly<Record<string, unknown>>): string {
  return JSON.stringify({ version: 4, terraform_version: "1.12.6", serial: 1, lineage: "x", outputs, resources: [] });
}

describe("terraform_remote_state", () => {
  test("has the outputs of a local state, and defaults for absent ones", async ({ expect }) => {
    const folder = mkdtempSync(join(tmpdir(), "remote-state-"));
    try {
      writeFileSync(join(folder, "other.tfstate"), stateText({ a: { value: "x", type: "string" } }));
      const provider = await builtInProviderFactory({ ...environment, workingDirectory: folder })();
      const config = remoteConfig({
        backend: of(string, "local"),
        config: objectOf(new Map([["path", of(string, "other.tfstate")]])),
        defaults: objectOf(
          new Map([
            ["a", of(string, "-")],
            ["b", of(string, "default")],
          ]),
        ),
      });
      const { value, diagnostics } = await readDataSource(await dataSourceType(provider, "terraform_remote_state"), config);
      expect(diagnostics).toEqual([]);
      expect(toJs(get(value!, "outputs"))).toEqual({ a: "x", b: "default" });
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  test("reads stores of further backends, and names outputs that are deprecated", async ({ expect }) => {
    const store = memoryState();
    const written = stateText({ old: { value: 1, type: "number", deprecated: "use new" } });
    await store.workspace("other").write(Buffer.from(written), { expected: undefined });
    const memory: BackendType = { ...localBackend, open: () => store };
    const config = remoteConfig({ backend: of(string, "memory"), workspace: of(string, "other") });
    const { value, diagnostics, deprecated } = await readRemoteState(config, { ...environment, backends: new Map([["memory", memory]]) });
    expect(diagnostics).toEqual([]);
    expect(toJs(get(value, "outputs"))).toEqual({ old: 1 });
    expect([...deprecated]).toEqual([["old", "use new"]]);
  });

  test("reports an absent state with the address of the data source", async ({ expect }) => {
    const address = "data.terraform_remote_state.other";
    const config = remoteConfig({
      backend: of(string, "local"),
      config: objectOf(new Map([["path", of(string, "/absent/terraform.tfstate")]])),
    });
    const { diagnostics } = await readRemoteState(config, environment, {}, requireAddress(address, parseResourceInstance(address)));
    expect(diagnostics.map(({ summary }) => summary)).toEqual([
      "Unable to find remote state",
      "data.terraform_remote_state.other: Unable to read remote state",
    ]);
  });

  test("refuses a backend of OpenTofu that is not available, by its name", async ({ expect }) => {
    // The difference `absent-backend`.
    const { diagnostics } = await readRemoteState(remoteConfig({ backend: of(string, "gcs") }), environment);
    expect(diagnostics[0]?.detail).toBe(
      'The backend type "gcs" of OpenTofu is not available here. The available types are "http", "inmem", "local", "pg", "s3".',
    );
  });
});

describe("built-in provider", () => {
  test("encodes and decodes files of variables", async ({ expect }) => {
    const provider: Provider = await builtInProviderFactory(environment)();
    const { functions } = await provider.getFunctions({});
    const call = async (name: string, argument: Value) => callFunction(provider, name, functions.get(name)!, [argument]);
    const { result } = await call("decode_tfvars", of(string, 'a = 1\nlonger = ["x"]\n'));
    expect(toJs(result!)).toEqual({ a: 1, longer: ["x"] });
    expect((await call("encode_tfvars", result!)).result).toEqual(of(string, 'a      = 1\nlonger = ["x"]\n'));
    expect((await call("encode_expr", result!)).result).toEqual(of(string, '{\n  a      = 1\n  longer = ["x"]\n}'));
    // The difference `infinite-expression`.
    expect((await call("encode_expr", positiveInfinity)).result).toEqual(of(string, "1e999999999"));
    expect((await call("decode_tfvars", of(string, "a = b\n"))).error?.text).toBe(
      "failed to decode tfvars content\n:0,4-5: Variables not allowed; Variables may not be used here.",
    );
  });

  test("rejects calls for types that it does not have, and calls that it does not implement", async ({ expect }) => {
    await using provider = await builtInProviderFactory(environment)();
    const config = dataConfig({});
    await expect(provider.validateResourceConfig({ typeName: "other", config })).rejects.toMatchObject({ code: "INVALID_REQUEST" });
    await expect(provider.getStates({ typeName: "x" })).rejects.toMatchObject({ code: "UNIMPLEMENTED" });
  });
});
