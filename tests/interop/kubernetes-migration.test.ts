// SPDX-License-Identifier: Apache-2.0
// Changes of a provider's schema, on the definitions and objects of a real API server.
import { list, number, string, type Type } from "@tenon/cty";
import {
  mapKinds,
  mapProviderConfig,
  migrateConfigDefinitions,
  migrateDefinition,
  type KindMapping,
  type MigrationClient,
  type ProviderConfigMapping,
  type ResourceRules,
} from "@tenon/bridge/kubernetes";
import { KubernetesServer } from "@tenon/peers/kubernetes";
import { describePeer } from "@tenon/peers/vitest";
import { createAttribute, createSchema, type Attribute } from "@tenon/schema";
import { adminClient, until } from "./kubernetes-setup.ts";
import { afterAll, beforeAll, test } from "vitest";

const optional = (type: Type): Attribute => createAttribute({ type, optional: true });
const name = createAttribute({ type: string, required: true });

describePeer(["kube-apiserver", "etcd"], "the migration of a definition", (programs) => {
  let server: KubernetesServer;
  let groups = 0;
  let api: MigrationClient;
  beforeAll(async () => {
    server = await KubernetesServer.start(programs);
    api = await adminClient(server);
  });
  afterAll(() => server?.[Symbol.asyncDispose]());

  const newGroup = (): string => `g${(groups += 1)}.tenon.test`;

  function kindOf(group: string, attributes: Readonly<Record<string, Attribute>>, rules: ResourceRules = {}): KindMapping {
    const schemas = { resources: new Map([["x_thing", createSchema({ attributes })]]) };
    return mapKinds({ schemas }, { group, rules: { x_thing: rules } })[0]!;
  }

  const pathOf = ({ group, names }: KindMapping, version: string, rest = ""): string =>
    `/apis/${group}/${version}/namespaces/default/${names.plural}${rest}`;

  /** Whether a request is to be repeated: the server creates its handlers and its storage again after a change of the definition. */
  const isTransient = (status: number): boolean => [404, 429, 503].includes(status);

  /** Creates an object. */
  async function post(path: string, object: object): Promise<void> {
    const { status, text } = await server.request("POST", path, object);
    if (isTransient(status)) await post(path, object);
    else if (status !== 201) throw new Error(text);
  }

  async function create(kind: KindMapping, version: string, objectName: string, forProvider: object): Promise<void> {
    const object = { apiVersion: `${kind.group}/${version}`, kind: kind.names.kind, metadata: { name: objectName }, spec: { forProvider } };
    await post(pathOf(kind, version), object);
    const observed = { status: { atProvider: forProvider, conditions: [] } };
    await server.request("PATCH", pathOf(kind, version, `/${objectName}/status`), observed);
  }

  async function parametersOf(kind: KindMapping, version: string): Promise<Readonly<Record<string, unknown>>> {
    const { status, body, text } = await server.request("GET", pathOf(kind, version));
    if (isTransient(status)) return await parametersOf(kind, version);
    if (status !== 200) throw new Error(text);
    const items = body.items as readonly { metadata: { name: string }; spec: { forProvider: unknown } }[];
    return Object.fromEntries(items.map(({ metadata, spec }) => [metadata.name, spec.forProvider]));
  }

  async function definitionOf({ group, names }: KindMapping) {
    const { body } = await server.request("GET", `/apis/apiextensions.k8s.io/v1/customresourcedefinitions/${names.plural}.${group}`);
    const versions = (body.spec.versions as readonly { name: string }[]).map((version) => version.name);
    return { resourceVersion: body.metadata.resourceVersion as string, versions, stored: body.status.storedVersions as string[] };
  }

  /** A client whose process ends at a change: the change may be carried out, and its response be lost. */
  function mortalClient(at: number, isCarriedOut: boolean): MigrationClient {
    let changes = 0;
    const mortal = <Args extends readonly never[], Result>(change: (...args: Args) => Promise<Result>) => {
      return async (...args: Args): Promise<Result> => {
        changes += 1;
        if (changes <= at) return await change(...args);
        if (isCarriedOut && changes === at + 1) await change(...args);
        throw new Error("interrupted");
      };
    };
    return {
      find: api.find.bind(api),
      list: api.list.bind(api),
      create: mortal(api.create.bind(api) as never),
      replace: mortal(api.replace.bind(api) as never),
      mergePatch: mortal(api.mergePatch.bind(api) as never),
    } as unknown as MigrationClient;
  }

  const before = { name, size: optional(string), tags: optional(string), region: optional(string) };
  const after = { name, size: optional(number), tags: optional(list(string)), zone: optional(string) };
  const moves = { renamed: { region: "zone" } };

  test.concurrent("keeps the version when the change is compatible", async ({ expect }) => {
    const group = newGroup();
    const old = kindOf(group, before);
    expect(await migrateDefinition(api, old)).toEqual({ version: "v1alpha1", action: "created", converted: 0 });
    await create(old, "v1alpha1", "a", { name: "a", size: "7" });
    const later = kindOf(group, { ...before, more: optional(string) });
    expect(await migrateDefinition(api, later)).toEqual({ version: "v1alpha1", action: "updated", converted: 0 });
    await create(later, "v1alpha1", "b", { name: "b", more: "x" });
    expect(await parametersOf(later, "v1alpha1")).toEqual({ a: { name: "a", size: "7" }, b: { name: "b", more: "x" } });
  });

  test.concurrent("converts every object to a new version, and removes the old one", async ({ expect }) => {
    const group = newGroup();
    const old = kindOf(group, before, { immutable: ["size"] });
    await migrateDefinition(api, old);
    await create(old, "v1alpha1", "a", { name: "a", size: "7", tags: "x", region: "here" });
    await create(old, "v1alpha1", "b", { name: "b" });
    const later = kindOf(group, after, { immutable: ["size"] });
    expect(await migrateDefinition(api, later, { moves })).toEqual({ version: "v1alpha2", action: "migrated", converted: 2 });
    expect(await parametersOf(later, "v1alpha2")).toEqual({ a: { name: "a", size: 7, tags: ["x"], zone: "here" }, b: { name: "b" } });
    expect(await definitionOf(later)).toMatchObject({ versions: ["v1alpha2"], stored: ["v1alpha2"] });
    // The API server enforces the rules of a version a moment after it has accepted them.
    const patch = { spec: { forProvider: { size: 8 } } };
    const refusal = async () => (await server.request("PATCH", pathOf(later, "v1alpha2", "/a?dryRun=All"), patch)).text;
    await until(async () => (await refusal()).includes("size is immutable"));
  });

  test.concurrent("rejects objects that cannot be converted, before it changes anything", async ({ expect }) => {
    const group = newGroup();
    const old = kindOf(group, before);
    await migrateDefinition(api, old);
    await create(old, "v1alpha1", "a", { name: "a", size: "7" });
    await create(old, "v1alpha1", "b", { name: "b", size: "large", region: "here" });
    const installed = await definitionOf(old);
    const failed = migrateDefinition(api, kindOf(group, { ...after, kind: name }));
    await expect(failed).rejects.toMatchObject({ code: "INCOMPATIBLE_SCHEMA" });
    await expect(failed).rejects.toThrow("default/b: spec.forProvider.size cannot be converted to a number");
    await expect(failed).rejects.toThrow("default/b: spec.forProvider.region is removed, and the object sets it");
    await expect(failed).rejects.toThrow("default/a: spec.forProvider.kind is required");
    expect(await definitionOf(old)).toEqual(installed);
    expect(await parametersOf(old, "v1alpha1")).toMatchObject({ b: { size: "large" } });
  });

  test.concurrent("rejects the definition of another resource type", async ({ expect }) => {
    const group = newGroup();
    await migrateDefinition(api, kindOf(group, before));
    const schemas = { resources: new Map([["y_thing", createSchema({ attributes: before })]]) };
    const [other] = mapKinds({ schemas }, { group });
    await expect(migrateDefinition(api, other!)).rejects.toThrow("belongs to the resource type x_thing, and not to y_thing");
  });

  // A migration of two objects makes seven changing requests.
  const interruptions = Array.from({ length: 8 }, (_, at) => at).flatMap((at) => [
    { at, isCarriedOut: false },
    { at, isCarriedOut: true },
  ]);

  test.concurrent("is completed by the next one, whichever change interrupted it", async ({ expect }) => {
    const interrupted = await Promise.all(
      interruptions.map(async ({ at, isCarriedOut }) => {
        const group = newGroup();
        const old = kindOf(group, before);
        await migrateDefinition(api, old);
        await create(old, "v1alpha1", "a", { name: "a", size: "7", tags: "x", region: "here" });
        await create(old, "v1alpha1", "b", { name: "b", size: "8" });
        const later = kindOf(group, after);
        const isInterrupted = await migrateDefinition(mortalClient(at, isCarriedOut), later, { moves }).then(
          () => false,
          () => true,
        );
        const situation = `interrupted at change ${at}, which is ${isCarriedOut ? "" : "not "}carried out`;
        const { version } = await migrateDefinition(api, later, { moves });
        expect(version, situation).toBe("v1alpha2");
        expect(await definitionOf(later), situation).toMatchObject({ versions: ["v1alpha2"], stored: ["v1alpha2"] });
        expect(await parametersOf(later, "v1alpha2"), situation).toEqual({
          a: { name: "a", size: 7, tags: ["x"], zone: "here" },
          b: { name: "b", size: 8 },
        });
        return isInterrupted;
      }),
    );
    // The last ones are not interrupted: every change that a migration makes is among the others.
    expect([interrupted[0], interrupted.at(-1)]).toEqual([true, false]);
  });

  const configOf = (group: string, attributes: Readonly<Record<string, Attribute>>, rules: ResourceRules = {}): ProviderConfigMapping =>
    mapProviderConfig(createSchema({ attributes }), { group, rules: { ProviderConfig: rules } });

  /** Creates an object of a configuration or usage. */
  async function createConfig(group: string, plural: string, kind: string, content: object): Promise<void> {
    const place = plural === "clusterproviderconfigs" ? "" : "namespaces/default/";
    const object = { apiVersion: `${group}/v1alpha1`, kind, metadata: { name: "one" }, ...content };
    await post(`/apis/${group}/v1alpha1/${place}${plural}`, object);
  }

  /** The configurations of all kinds, by plural name. */
  async function configurations(group: string, version: string): Promise<Readonly<Record<string, unknown>>> {
    const read = async (plural: string): Promise<unknown> => {
      const { status, body } = await server.request("GET", `/apis/${group}/${version}/${plural}`);
      if (isTransient(status)) return await read(plural);
      return (body.items as readonly { spec?: { configuration: unknown }; resourceRef?: unknown }[]).map(
        ({ spec, resourceRef }) => spec?.configuration ?? resourceRef,
      );
    };
    const plurals = ["providerconfigs", "clusterproviderconfigs", "providerconfigusages"];
    return Object.fromEntries(await Promise.all(plurals.map(async (plural) => [plural, await read(plural)] as const)));
  }

  const user = { apiVersion: "any/v1", kind: "Thing", name: "one", uid: "1" };

  async function installConfigs(group: string, mapping: ProviderConfigMapping): Promise<void> {
    await migrateConfigDefinitions(api, mapping);
    const spec = { configuration: { size: "7", region: "here" } };
    await createConfig(group, "providerconfigs", "ProviderConfig", { spec });
    await createConfig(group, "clusterproviderconfigs", "ClusterProviderConfig", { spec });
    const providerConfigRef = { kind: "ProviderConfig", name: "one" };
    await createConfig(group, "providerconfigusages", "ProviderConfigUsage", { providerConfigRef, resourceRef: user });
  }

  const migratedConfigs = { providerconfigs: [{ size: 7, zone: "here" }], clusterproviderconfigs: [{ size: 7, zone: "here" }] };

  test.concurrent("keeps the version of configurations when the change is compatible", async ({ expect }) => {
    const group = newGroup();
    await installConfigs(group, configOf(group, before));
    const results = await migrateConfigDefinitions(api, configOf(group, { ...before, more: optional(string) }));
    expect(results.map(({ version, action }) => `${version} ${action}`)).toEqual(Array(3).fill("v1alpha1 updated"));
  });

  test.concurrent("gives all kinds of configurations the version that one of them needs", async ({ expect }) => {
    const group = newGroup();
    await installConfigs(group, configOf(group, before));
    const results = await migrateConfigDefinitions(api, configOf(group, after, { moves }));
    expect(results.map(({ version, converted }) => `${version} ${converted}`)).toEqual(Array(3).fill("v1alpha2 1"));
    expect(await configurations(group, "v1alpha2")).toEqual({ ...migratedConfigs, providerconfigusages: [user] });
  });

  test.concurrent("gives all kinds of configurations the version of the rules", async ({ expect }) => {
    const group = newGroup();
    await installConfigs(group, configOf(group, before));
    const results = await migrateConfigDefinitions(api, configOf(group, before, { version: "v1" }));
    expect(results.map(({ version, converted }) => `${version} ${converted}`)).toEqual(Array(3).fill("v1 1"));
    expect(await configurations(group, "v1")).toMatchObject({ providerconfigusages: [user] });
  });

  // A migration of three kinds with one object each makes twelve changing requests.
  test.concurrent("of configurations is completed by the next one, whichever change interrupted it", async ({ expect }) => {
    const interrupted = await Promise.all(
      Array.from({ length: 13 }, async (_, at) => {
        const group = newGroup();
        await installConfigs(group, configOf(group, before));
        const later = configOf(group, after, { moves });
        const isInterrupted = await migrateConfigDefinitions(mortalClient(at, at % 2 === 0), later).then(
          () => false,
          () => true,
        );
        const results = await migrateConfigDefinitions(api, later);
        expect(
          results.map(({ version }) => version),
          `interrupted at change ${at}`,
        ).toEqual(Array(3).fill("v1alpha2"));
        expect(await configurations(group, "v1alpha2"), `interrupted at change ${at}`).toEqual({
          ...migratedConfigs,
          providerconfigusages: [user],
        });
        return isInterrupted;
      }),
    );
    expect([interrupted[0], interrupted[11], interrupted[12]]).toEqual([true, true, false]);
  });
});
