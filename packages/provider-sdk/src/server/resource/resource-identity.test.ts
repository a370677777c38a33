// SPDX-License-Identifier: Apache-2.0
import { of, type Type } from "@tenon/cty";
import { identityType } from "@tenon/schema";
import { importObject, readObject } from "@tenon/schema/lifecycle";
import { describe, test } from "vitest";
import { toPlain, startLife, texts, type ResourceLife } from "../../../test/resource-life.ts";
import { attr, defineProvider, importById, type ServedProvider } from "../../index.ts";

interface Site {
  readonly project: string;
  readonly name: string;
  readonly url: string;
}

/** Sites by project and name; a read returns them with the attributes of `moved`. */
function cloud(moved?: Partial<Site>, mutableIdentity?: true): ServedProvider {
  const sites = new Map<string, Site>();
  const provider = defineProvider({ name: "cloud", version: "1.0.0", configure: () => sites });
  const site = provider.resource("site", {
    schema: { project: attr.string({ required: true }), name: attr.string({ required: true }), url: attr.string({ computed: true }) },
    identity: { project: attr.string({ description: "Whose it is." }), name: attr.string(), region: attr.string({ nullable: true }) },
    ...(mutableIdentity === undefined ? {} : { mutableIdentity }),
    create: ({ planned, client, setIdentity }) => {
      const made = { ...planned, url: `https://${planned.name}` };
      client.set(`${planned.project}/${planned.name}`, made);
      if (planned.name === "eu") setIdentity({ project: planned.project, name: planned.name, region: "eu" });
      return made;
    },
    read: ({ state, client, identity }) => {
      if (identity !== null && identity.name !== state.name) throw new Error("two names");
      const found = client.get(`${state.project}/${state.name}`);
      return found === undefined ? undefined : { ...found, ...moved };
    },
    update: ({ planned }) => ({ ...planned, url: "" }),
    delete: ({ client, identity }) => void client.delete(`${identity?.project}/${identity?.name}`),
    importState: importById("project", "name"),
  });
  return provider.with([site]);
}

const data = { project: "demo", name: "site" };
const identity = (life: ResourceLife): unknown => (life.object?.identity === undefined ? undefined : toPlain(life.object.identity));

describe("resource identity", () => {
  test("comes from the state's attributes of the same names, or from the handler", async ({ expect }) => {
    const life = await startLife(cloud(), "cloud_site");
    expect(life.type.identitySchema).toMatchObject({
      version: 0,
      attributes: {
        project: { requiredForImport: true, description: "Whose it is." },
        region: { requiredForImport: false, optionalForImport: true },
      },
    });
    expect((await life.apply(data)).diagnostics).toEqual([]);
    expect(identity(life)).toEqual({ ...data, region: null });
    await life.refresh();
    expect(identity(life)).toEqual({ ...data, region: null });
    const other = await startLife(cloud(), "cloud_site");
    await other.apply({ project: "demo", name: "eu" });
    expect(identity(other)).toEqual({ project: "demo", name: "eu", region: "eu" });
  });

  test("names the resource to import", async ({ expect }) => {
    const life = await startLife(cloud(), "cloud_site");
    await life.apply(data);
    const type = identityType(life.type.identitySchema!) as Type;
    const { object, diagnostics } = await importObject(life.type, { identity: of(type, { ...data, region: null } as never) });
    expect(texts(diagnostics)).toEqual([]);
    expect(toPlain(object!.value)).toEqual({ ...data, url: "https://site" });
    expect(toPlain(object!.identity!)).toEqual({ ...data, region: null });
    expect(await life.import("demo/site")).toEqual([]);
    expect(identity(life)).toEqual({ ...data, region: null });
    await life.destroy();
    expect(texts(await life.import("demo/site"))[0]).toContain("Cannot import non-existent remote object");
  });

  test("does not change, unless it is mutable", async ({ expect }) => {
    const life = await startLife(cloud({ name: "other" }), "cloud_site");
    await life.apply(data);
    expect(texts((await readObject(life.type, life.object!)).diagnostics)).toEqual([
      "error: Unexpected identity change: read of cloud_site: the identity changed, but this resource does not have mutableIdentity. This is a bug in the provider.",
    ]);
    const mutable = await startLife(cloud({ name: "other" }, true), "cloud_site");
    await mutable.apply(data);
    await mutable.refresh();
    expect(identity(mutable)).toMatchObject({ name: "other" });
  });

  test("is final before an update, which does not fill in nulls", async ({ expect }) => {
    const provider = defineProvider({ name: "cloud", version: "1.0.0" });
    const site = provider.resource("site", {
      schema: { name: attr.string({ required: true }), region: attr.string({ optional: true }) },
      identity: { name: attr.string(), region: attr.string({ nullable: true }) },
      create: ({ planned }) => planned,
      read: ({ state }) => state,
      update: ({ planned }) => planned,
      delete: () => {},
    });
    const life = await startLife(provider.with([site]), "cloud_site", null);
    await life.apply({ name: "a" });
    expect(texts((await life.apply({ name: "a", region: "eu" })).diagnostics)).toEqual([
      expect.stringContaining("Unexpected identity change"),
    ]);
    expect(identity(life)).toEqual({ name: "a", region: null });
  });

  test("is kept with the state that a failed create saved", async ({ expect }) => {
    const provider = defineProvider({ name: "cloud", version: "1.0.0" });
    const half = (name: string): ServedProvider => {
      const site = provider.resource("site", {
        schema: { name: attr.string({ required: true }), url: attr.string({ computed: true }) },
        identity: { name: attr.string() },
        create: ({ planned, saveState, error }) => {
          if (name === "answered") error("name", "is not right");
          else saveState({ name: planned.name });
          if (name === "answered") return { ...planned, url: "x" };
          throw new Error("connection lost");
        },
        read: ({ state }) => ({ name: state.name, url: "" }),
        update: ({ planned }) => ({ ...planned, url: "" }),
        delete: () => {},
        importState: importById("name"),
      });
      return provider.with([site]);
    };
    for (const name of ["answered", "saved"]) {
      const life = await startLife(half(name), "cloud_site", null);
      await life.apply({ name });
      expect(life.object?.status).toBe("tainted");
      expect(identity(life), name).toEqual({ name });
    }
  });

  test("of the current version is read unchanged", async ({ expect }) => {
    const life = await startLife(cloud(), "cloud_site");
    const upgrade = (version: number, json: string): ReturnType<typeof life.provider.upgradeResourceIdentity> =>
      life.provider.upgradeResourceIdentity({ typeName: "cloud_site", version, rawIdentity: { json: new TextEncoder().encode(json) } });
    expect(toPlain((await upgrade(0, '{"project":"demo","name":"site","gone":1}')).upgradedIdentity!)).toEqual({ ...data, region: null });
    expect(texts((await upgrade(1, "{}")).diagnostics)).toEqual([
      expect.stringContaining("It has version 1, and this provider knows version 0"),
    ]);
  });

  test("may have an attribute that the schema lacks, beside one with a similar name and another type", ({ expect }) => {
    const provider = defineProvider({ name: "cloud", version: "1.0.0" });
    const schema = { zones: attr.list(attr.string(), { optional: true }) };
    const handlers = { create: () => ({ zones: null }), read: () => undefined, update: () => ({ zones: null }), delete: () => {} };
    const site = provider.resource("site", { schema, ...handlers, identity: { zone: attr.string() } });
    expect(site.name).toBe("site");
  });

  test("is an error when it is missing, or has another type than the state's attribute", async ({ expect }) => {
    const provider = defineProvider({ name: "cloud", version: "1.0.0" });
    const handlers = { create: () => ({ id: "1" }), read: () => undefined, update: () => ({ id: "1" }), delete: () => {} };
    const schema = { id: attr.string({ computed: true }) };
    expect(() => provider.resource("site", { schema, ...handlers, identity: { id: attr.number() } })).toThrow(
      "its type differs from that of the attribute of the same name",
    );
    expect(() => provider.resource("site", { schema, ...handlers, identity: { id: attr.map(attr.string()) } })).toThrow(
      "an identity can only contain primitive types",
    );
    const life = await startLife(
      provider.with([provider.resource("site", { schema, ...handlers, identity: { arn: attr.string() } })]),
      "cloud_site",
      null,
    );
    expect(texts((await life.apply({})).diagnostics)).toEqual([
      expect.stringContaining("create of cloud_site: in the identity, arn is missing"),
    ]);
    expect(life.object?.status).toBe("tainted");
  });
});

describe("an identity that a handler does not set", () => {
  const provider = defineProvider({ name: "cloud", version: "1.0.0" });
  const schema = { name: attr.string({ required: true }), url: attr.string({ computed: true }) };
  const types = { account: attr.string(), name: attr.string() };
  const site = (handlers: object): Promise<ResourceLife> => {
    const definition = {
      schema,
      identity: types,
      create: ({ planned }: { readonly planned: { readonly name: string } }) => ({ ...planned, url: "" }),
      read: ({ state }: { readonly state: object }) => state,
      update: ({ planned }: { readonly planned: object }) => ({ ...planned, url: "" }),
      delete: () => {},
      ...handlers,
    };
    return startLife(provider.with([provider.resource("site", definition as never)]), "cloud_site", null);
  };
  const setting =
    (account: string) =>
    ({ planned, setIdentity }: { planned: { name: string }; setIdentity: (one: object) => void }) => {
      setIdentity({ account, name: planned.name });
      return { ...planned, url: "" };
    };

  test("stays as recorded after a read and an update", async ({ expect }) => {
    const life = await site({ create: setting("a") });
    expect(texts((await life.apply({ name: "n" })).diagnostics)).toEqual([]);
    expect(texts(await life.refresh())).toEqual([]);
    expect(identity(life)).toEqual({ account: "a", name: "n" });
    const { diagnostics } = await life.apply({ name: "n" });
    expect([texts(diagnostics), identity(life)]).toEqual([[], { account: "a", name: "n" }]);
  });

  test("is the planned one after a create, unless create corrects it", async ({ expect }) => {
    const plan = setting("planned");
    const silent = await site({ plan });
    expect(texts((await silent.apply({ name: "n" })).diagnostics)).toEqual([]);
    expect([silent.object?.status, identity(silent)]).toEqual(["ready", { account: "planned", name: "n" }]);
    const correcting = await site({ plan, create: setting("made") });
    expect(texts((await correcting.apply({ name: "n" })).diagnostics)).toEqual([]);
    expect(identity(correcting)).toEqual({ account: "made", name: "n" });
  });

  test("is the one in the import request", async ({ expect }) => {
    const life = await site({ importState: ({ identity: one }: { identity: { name: string } }) => ({ name: one.name, url: "" }) });
    const given = of(identityType(life.type.identitySchema!) as Type, { account: "a", name: "n" } as never);
    const { object, diagnostics } = await importObject(life.type, { identity: given });
    expect(texts(diagnostics)).toEqual([]);
    expect(toPlain(object!.identity!)).toEqual({ account: "a", name: "n" });
  });

  test("is kept by a deferred import, with private data", async ({ expect }) => {
    const life = await site({
      importState: (context: {
        setIdentity: (one: object) => void;
        defer: (why: string) => never;
        privateState: { set: (k: string, v: number) => void };
      }) => {
        context.setIdentity({ account: "a", name: "n" });
        context.privateState.set("seen", 1);
        context.defer("absentPrerequisite");
      },
    });
    const { importedResources, deferred, diagnostics } = await life.provider.importResourceState({
      typeName: "cloud_site",
      id: "n",
      clientCapabilities: { deferralAllowed: true, writeOnlyAttributesAllowed: true },
    });
    expect([texts(diagnostics), deferred]).toEqual([[], { reason: "absentPrerequisite" }]);
    expect(toPlain(importedResources[0]!.identity!)).toEqual({ account: "a", name: "n" });
    expect(new TextDecoder().decode(importedResources[0]!.private)).toContain("seen");
  });
});
