// SPDX-License-Identifier: Apache-2.0
import { of, type Type } from "@tenon/cty";
import { identityType } from "@tenon/schema";
import { importObject, readObject } from "@tenon/schema/lifecycle";
import { describe, test } from "vitest";
import { seen, startLife, texts, type ResourceLife } from "../../test/resource-life.ts";
import { attr, defineProvider, importById, type ServedProvider } from "../index.ts";

interface Site {
  readonly project: string;
  readonly name: string;
  readonly url: string;
}

/** Sites by project and name; `moved` says what a read finds instead. */
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
const identity = (life: ResourceLife): unknown => (life.object?.identity === undefined ? undefined : seen(life.object.identity));

describe("resource identity", () => {
  test("is what its attributes are in the state, or what the handler gives", async ({ expect }) => {
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

  test("names what is imported", async ({ expect }) => {
    const life = await startLife(cloud(), "cloud_site");
    await life.apply(data);
    const type = identityType(life.type.identitySchema!) as Type;
    const { object, diagnostics } = await importObject(life.type, { identity: of(type, { ...data, region: null } as never) });
    expect(texts(diagnostics)).toEqual([]);
    expect(seen(object!.value)).toEqual({ ...data, url: "https://site" });
    expect(seen(object!.identity!)).toEqual({ ...data, region: null });
    expect(await life.import("demo/site")).toEqual([]);
    expect(identity(life)).toEqual({ ...data, region: null });
    await life.destroy();
    expect(texts(await life.import("demo/site"))[0]).toContain("Cannot import non-existent remote object");
  });

  test("does not change, unless it may", async ({ expect }) => {
    const life = await startLife(cloud({ name: "other" }), "cloud_site");
    await life.apply(data);
    expect(texts((await readObject(life.type, life.object!)).diagnostics)).toEqual([
      "error: Unexpected identity change: read of cloud_site: the identity changed, and is not one that may. This is a bug in the provider.",
    ]);
    const mutable = await startLife(cloud({ name: "other" }, true), "cloud_site");
    await mutable.apply(data);
    await mutable.refresh();
    expect(identity(mutable)).toMatchObject({ name: "other" });
  });

  test("is complete before an update, and does not grow with it", async ({ expect }) => {
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

  test("of what a failed create left behind is kept with it", async ({ expect }) => {
    const provider = defineProvider({ name: "cloud", version: "1.0.0" });
    const half = (name: string): ServedProvider => {
      const site = provider.resource("site", {
        schema: { name: attr.string({ required: true }), url: attr.string({ computed: true }) },
        identity: { name: attr.string() },
        create: ({ planned, saveState, error }) => {
          if (name === "answered") error("name", "is not right");
          else saveState({ name: planned.name });
          if (name === "answered") return { ...planned, url: "x" };
          throw new Error("broken off");
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

  test("that is recorded is read as it is", async ({ expect }) => {
    const life = await startLife(cloud(), "cloud_site");
    const upgrade = (version: number, json: string): ReturnType<typeof life.provider.upgradeResourceIdentity> =>
      life.provider.upgradeResourceIdentity({ typeName: "cloud_site", version, rawIdentity: { json: new TextEncoder().encode(json) } });
    expect(seen((await upgrade(0, '{"project":"demo","name":"site","gone":1}')).upgradedIdentity!)).toEqual({ ...data, region: null });
    expect(texts((await upgrade(1, "{}")).diagnostics)).toEqual([
      expect.stringContaining("It has version 1, and this provider knows version 0"),
    ]);
  });

  test("that is missing, or of another type than the state's, is the author's mistake", async ({ expect }) => {
    const provider = defineProvider({ name: "cloud", version: "1.0.0" });
    const handlers = { create: () => ({ id: "1" }), read: () => undefined, update: () => ({ id: "1" }), delete: () => {} };
    const schema = { id: attr.string({ computed: true }) };
    expect(() => provider.resource("site", { schema, ...handlers, identity: { id: attr.number() } })).toThrow(
      "it has another type than the attribute of the same name",
    );
    expect(() => provider.resource("site", { schema, ...handlers, identity: { id: attr.map(attr.string()) } })).toThrow(
      "an identity is of primitive types",
    );
    const life = await startLife(
      provider.with([provider.resource("site", { schema, ...handlers, identity: { arn: attr.string() } })]),
      "cloud_site",
      null,
    );
    expect(texts((await life.apply({})).diagnostics)).toEqual([
      expect.stringContaining("create of cloud_site: of its identity, arn is missing"),
    ]);
    expect(life.object?.status).toBe("tainted");
  });
});
