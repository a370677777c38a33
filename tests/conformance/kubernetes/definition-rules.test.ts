// SPDX-License-Identifier: Apache-2.0
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { dynamic, list, string } from "@tenon/cty";
import {
  configurationOf,
  customResourceDefinition,
  mapKinds,
  manifestText,
  type DefinitionOptions,
  type JsonObject,
  type KindMapping,
  type KindOptions,
  type ResourceRules,
} from "@tenon/bridge/kubernetes";
import { KubernetesServer, type KubernetesResponse } from "@tenon/peers/kubernetes";
import { describePeer } from "@tenon/peers/vitest";
import { createAttribute, createBlock, createNestedBlock, createSchema, type Attribute, type Block, type Schema } from "@tenon/schema";
import { afterAll, beforeAll, test } from "vitest";
import { ServedDefinitions } from "./served-definitions.ts";

const required = createAttribute({ type: string, required: true });
const optional = createAttribute({ type: string, optional: true });

type ServedOptions = Partial<KindOptions> & DefinitionOptions;

describePeer(["kube-apiserver", "etcd"], "a definition", (programs) => {
  let server: KubernetesServer;
  let definitions: ServedDefinitions;
  let groups = 0;
  beforeAll(async () => {
    server = await KubernetesServer.start(programs);
    definitions = new ServedDefinitions(server);
  });
  afterAll(() => server?.[Symbol.asyncDispose]());

  /** Serves the kind of one resource type, `x_thing`. */
  async function serve(block: Partial<Block>, rules: ResourceRules = {}, options: ServedOptions = {}): Promise<KindMapping> {
    const [kind] = await serveAll({ x_thing: createSchema(block) }, { rules: { x_thing: rules }, ...options });
    return kind!;
  }

  async function serveAll(resources: Readonly<Record<string, Schema>>, options: ServedOptions = {}): Promise<readonly KindMapping[]> {
    const schemas = { resources: new Map(Object.entries(resources)) };
    const kinds = mapKinds({ schemas }, { group: `g${(groups += 1)}.tenon.test`, ...options });
    const refusals = await Promise.all(kinds.map((kind) => definitions.add(customResourceDefinition(kind, options))));
    const [refusal] = refusals.filter((one) => one !== undefined);
    if (refusal !== undefined) throw new Error(refusal);
    return kinds;
  }

  function pathOf({ group, names, scope }: KindMapping, name?: string): string {
    const where = scope === "Namespaced" ? "namespaces/default/" : "";
    return `/apis/${group}/v1alpha1/${where}${names.plural}${name === undefined ? "" : `/${name}`}`;
  }

  /** Creates an object, and returns the response. */
  async function create(kind: KindMapping, spec: JsonObject, name = "one"): Promise<KubernetesResponse> {
    const object = { apiVersion: `${kind.group}/v1alpha1`, kind: kind.names.kind, metadata: { name }, spec };
    return await server.request("POST", `${pathOf(kind)}?fieldValidation=Strict`, object);
  }

  const message = ({ status, body }: KubernetesResponse): unknown => (status === 422 || status === 400 ? body.message : status);

  test.concurrent("requires fields in one of both parts, unless the policies exclude changes", async ({ expect }) => {
    const attributes: Record<string, Attribute> = {
      name: required,
      in: required,
      any: createAttribute({ type: dynamic, required: true }),
      // No rule can select a list of values without a type.
      anys: createAttribute({ type: list(dynamic), required: true }),
      "3x": required,
      secret: createAttribute({ type: string, required: true, sensitive: true }),
    };
    const kind = await serve({ attributes });
    const complete = { name: "a", in: "b", any: 1, anys: ["a"], "3x": "c", secretSecretRef: { name: "s", key: "k" } };
    expect((await create(kind, { forProvider: complete }, "complete")).status).toBe(201);
    for (const name of Object.keys(complete)) {
      const { [name as "name"]: value, ...rest } = complete;
      const text = message(await create(kind, { forProvider: rest }, "incomplete"));
      expect(text, name).toContain(`spec.forProvider.${name}`);
      const split = { forProvider: rest, initProvider: { [name]: value } };
      expect((await create(kind, split, `split-${name.toLowerCase()}`)).status, name).toBe(201);
      const observed = { forProvider: rest, managementPolicies: ["Observe"] };
      expect((await create(kind, observed, `observed-${name.toLowerCase()}`)).status, name).toBe(201);
      expect(message(await create(kind, { forProvider: rest, managementPolicies: ["Observe", "Plan"] })), name).toContain(name);
    }
  });

  test.concurrent("requires hundreds of fields within the cost that the API server allows", async ({ expect }) => {
    const names = Array.from({ length: 350 }, (_, at) => `field_${at}`);
    const kind = await serve({ attributes: Object.fromEntries(names.map((name) => [name, required])) });
    const complete = Object.fromEntries(names.map((_, at) => [`field${at}`, "x"]));
    expect((await create(kind, { forProvider: complete }, "complete")).status).toBe(201);
    for (const name of ["field7", "field349"]) {
      const { [name]: _, ...rest } = complete;
      expect(message(await create(kind, { forProvider: rest })), name).toContain(name);
    }
  });

  test.concurrent("refuses changes of immutable fields, and their removal, but not that they are set later", async ({ expect }) => {
    const kind = await serve(
      {
        attributes: { name: required, zone: optional, tags: createAttribute({ type: list(string), optional: true }), free: optional },
        blocks: { disk: createNestedBlock("list", { attributes: { size: optional } }) },
      },
      { immutable: ["name", "zone", "tags", "disk.size"] },
    );
    const created = await create(kind, { forProvider: { name: "a", tags: ["x"], free: "1" } });
    expect(created.status).toBe(201);
    const patch = async (forProvider: JsonObject): Promise<unknown> =>
      message(await server.request("PATCH", pathOf(kind, "one"), { spec: { forProvider } }));
    expect(await patch({ free: "2" })).toBe(200);
    expect(await patch({ name: "b" })).toContain("name is immutable");
    expect(await patch({ tags: ["y"] })).toContain("tags is immutable");
    expect(await patch({ tags: null })).toContain("tags is immutable, and cannot be removed");
    expect(await patch({ zone: "here" })).toBe(200);
    expect(await patch({ zone: "there" })).toContain("zone is immutable");
  });

  test.concurrent("has references and selectors, and does not require what may refer", async ({ expect }) => {
    const kinds = await serveAll(
      {
        x_net: createSchema({ attributes: { id: createAttribute({ type: string, computed: true }) } }),
        x_host: createSchema({
          attributes: { net_id: required, net_ids: createAttribute({ type: list(string), optional: true }) },
          blocks: { port: createNestedBlock("list", { attributes: { net_id: required } }) },
        }),
      },
      { rules: { x_host: { references: { net_id: { type: "x_net" }, net_ids: { type: "x_net" }, "port.net_id": { type: "x_net" } } } } },
    );
    const host = kinds.find(({ typeName }) => typeName === "x_host")!;
    const selector = { matchLabels: { a: "b" }, policy: { resolution: "Optional", resolve: "Always" } };
    const forProvider = {
      netIdRef: { name: "n", namespace: "other" },
      netIdsRefs: [{ name: "n" }],
      netIdsSelector: selector,
      port: [{ netIdSelector: selector }, { netId: "7" }],
    };
    const { status, body } = await create(host, { forProvider });
    expect({ status, port: body.spec?.forProvider?.port }).toEqual({ status: 201, port: forProvider.port });
    expect(body.spec.forProvider.netIdRef).toEqual({ name: "n", namespace: "other" });
  });

  test.concurrent("has Crossplane's defaults, and refuses unknown policies", async ({ expect }) => {
    const kind = await serve({ attributes: { name: optional } });
    const { body } = await create(kind, { forProvider: {} });
    expect(body.spec).toEqual({
      forProvider: {},
      managementPolicies: ["*"],
      providerConfigRef: { kind: "ClusterProviderConfig", name: "default" },
    });
    expect(message(await create(kind, { forProvider: {}, managementPolicies: ["Everything"] }))).toContain("managementPolicies");
  });

  test.concurrent("has no external name among the fields, when it is an argument", async ({ expect }) => {
    const kind = await serve({ attributes: { name: required } }, { externalName: { attribute: "name", isArgument: true } });
    expect((await create(kind, { forProvider: {} })).status).toBe(201);
    expect(message(await create(kind, { forProvider: { name: "a" } }, "two"))).toContain('unknown field "spec.forProvider.name"');
  });

  test.concurrent("describes objects without a namespace on request", async ({ expect }) => {
    const kind = await serve(
      { attributes: { password: createAttribute({ type: string, optional: true, sensitive: true }) } },
      {},
      { scope: "Cluster" },
    );
    const reference = { name: "s", key: "k" };
    expect(message(await create(kind, { forProvider: { passwordSecretRef: reference } }))).toContain("namespace");
    const { status, body } = await create(kind, { forProvider: { passwordSecretRef: { ...reference, namespace: "n" } } });
    expect({ status, policy: body.spec.deletionPolicy }).toEqual({ status: 201, policy: "Delete" });
  });

  test.concurrent("is established for types whose names are plurals of each other, or equal apart from underscores", async ({ expect }) => {
    const schema = createSchema({ attributes: { name: optional } });
    const kinds = await serveAll({ x_label: schema, x_labels: schema, x_foo_bar: schema, x_foobar: schema });
    expect(kinds.map(({ names }) => names.kind)).toEqual(["FooBar", "FoobarX89aef", "Label", "Labels"]);
  });

  test.concurrent("loses detail instead of exceeding a limit: descriptions, then the schemas of deep values", async ({ expect }) => {
    const description = "What the field is for. Another sentence that says more about it. ".repeat(5);
    const deep = (depth: number): Block =>
      createBlock({
        attributes: { [`name_${depth}`]: createAttribute({ type: string, optional: true, description }) },
        blocks:
          depth === 0
            ? {}
            : {
                [`list${depth}`]: createNestedBlock("list", deep(depth - 1)),
                [`single${depth}`]: createNestedBlock("single", deep(depth - 1)),
              },
      });
    const sizeOf = (limits: DefinitionOptions): number =>
      JSON.stringify(
        customResourceDefinition(
          mapKinds({ schemas: { resources: new Map([["x_thing", createSchema(deep(6))]]) } }, { group: "a.b" })[0]!,
          limits,
        ),
      ).length;
    const full = sizeOf({});
    const sentence = sizeOf({ preferredBytes: full - 1000 });
    const none = sizeOf({ preferredBytes: sentence - 1000 });
    expect([full > sentence, sentence > none, sizeOf({ preferredBytes: 1000 })]).toEqual([true, true, none]);
    const kind = await serve(deep(6), {}, { maxBytes: none / 2 });
    expect(sizeOf({ maxBytes: none / 2 })).toBeLessThan(none / 2 + 1000);
    // The API server keeps values below the levels with a schema, and checks those above.
    const below = (list1: unknown): JsonObject =>
      ({ list6: [{ list5: [{ list4: [{ list3: [{ list2: [{ list1 }] }] }] }] }] }) as unknown as JsonObject;
    const forProvider = below([{ name0: 7 }]);
    const { status, body } = await create(kind, { forProvider });
    expect({ status, forProvider: body.spec?.forProvider }).toEqual({ status: 201, forProvider });
    expect(message(await create(kind, { forProvider: { list6: [{ name5: 7 }] } }))).toContain("spec.forProvider.list6[0].name5");
    const problems = configurationOf(kind, { forProvider, secret: () => undefined }).problems;
    const path = "spec.forProvider.list6[0].list5[0].list4[0].list3[0].list2[0].list1[0].name0";
    expect(problems).toEqual([{ path, reason: "must be a string, but is a number" }]);
  });

  describePeer(["kubectl"], "applied by kubectl", ({ kubectl }) => {
    test("is printed with its columns and by its category", async ({ expect }) => {
      const schemas = { resources: new Map([["x_thing", createSchema({ attributes: { name: optional } })]]) };
      const [kind] = mapKinds({ schemas }, { group: "kubectl.tenon.test" });
      const folder = mkdtempSync(join(tmpdir(), "kubectl-"));
      try {
        const config = join(folder, "config");
        writeFileSync(config, server.kubeconfig());
        const run = async (...args: readonly string[]): Promise<string> =>
          (await promisify(execFile)(kubectl.path, ["--kubeconfig", config, "--cache-dir", folder, ...args])).stdout;
        writeFileSync(join(folder, "definition.yaml"), manifestText([customResourceDefinition(kind!, { categories: ["tenon-columns"] })]));
        await run("apply", "-f", join(folder, "definition.yaml"));
        await run("wait", "--for=condition=Established", "crd/thing.kubectl.tenon.test");
        const object = {
          apiVersion: "kubectl.tenon.test/v1alpha1",
          kind: "Thing",
          metadata: { name: "one", annotations: { "crossplane.io/external-name": "outside" } },
          spec: { forProvider: {} },
        };
        writeFileSync(join(folder, "object.yaml"), manifestText([object]));
        await run("apply", "-f", join(folder, "object.yaml"));
        const lines = (await run("get", "tenon-columns")).split("\n").map((line) => line.split(/\s+/));
        expect(lines[0]).toEqual(["NAME", "SYNCED", "READY", "EXTERNAL-NAME", "AGE"]);
        expect(lines[1]!.slice(0, 2)).toEqual(["one", "outside"]);
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    });
  });
});
