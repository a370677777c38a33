// SPDX-License-Identifier: Apache-2.0
import type { Provider } from "@tenon/schema";
import { describe, test } from "vitest";
import { seen, texts } from "../../test/resource-life.ts";
import { attr, createProvider, defineProvider, identityUpgrader, replaceInstead, type IdentityUpgraders } from "../index.ts";

const lake = defineProvider({ name: "lake", version: "1.0.0" });
const handlers = { create: () => ({ id: 1 }), read: () => undefined, update: replaceInstead, delete: () => {} };

const upgraders: IdentityUpgraders = {
  0: identityUpgrader({ upgrade: ({ identity }) => ({ name: String(identity["label"]), dropped: true }) }),
  1: identityUpgrader({
    identity: { name: attr.string(), zone: attr.string({ nullable: true }) },
    upgrade: ({ identity, warn }) => {
      warn("Old", `${identity.name.length} letters, zone ${identity.zone}`);
      if (identity.name === "lost") throw new Error("nobody knows its id");
      return { id: identity.name === "odd" ? "x" : Number(identity.name.slice(1)) };
    },
  }),
};

function boat(upgradeIdentity: IdentityUpgraders = upgraders, identityVersion = 2): Provider {
  const one = lake.resource("boat", {
    schema: { id: attr.number({ computed: true }) },
    identity: { id: attr.number() },
    identityVersion,
    upgradeIdentity,
    ...handlers,
  });
  return createProvider(lake.with([one]));
}

describe("an identity that was recorded before its types changed", () => {
  const upgrade = async (version: number, recorded: object, provider = boat()): Promise<unknown> => {
    const rawIdentity = { json: Buffer.from(JSON.stringify(recorded)) };
    const { upgradedIdentity, diagnostics } = await provider.upgradeResourceIdentity({ typeName: "lake_boat", version, rawIdentity });
    return [upgradedIdentity === undefined ? undefined : seen(upgradedIdentity), ...texts(diagnostics)];
  };

  test("goes through every version", async ({ expect }) => {
    expect(await upgrade(0, { label: "b7" })).toEqual([{ id: 7 }, "warning: Old: 2 letters, zone null"]);
    expect(await upgrade(1, { name: "b8", zone: "n" })).toEqual([{ id: 8 }, "warning: Old: 2 letters, zone n"]);
    expect(await upgrade(2, { id: "9", more: 1 })).toEqual([{ id: 9 }]);
    const { identitySchemas } = await boat().getResourceIdentitySchemas({});
    expect(identitySchemas.get("lake_boat")!.version).toBe(2);
  });

  test("that cannot be upgraded says why", async ({ expect }) => {
    expect(await upgrade(1, { name: "lost" })).toEqual([
      undefined,
      expect.stringContaining("warning: Old"),
      expect.stringContaining("version 1: nobody knows its id"),
    ]);
    expect(await upgrade(1, { name: "odd" })).toEqual([
      undefined,
      expect.any(String),
      expect.stringContaining("id is a string, and must be a number"),
    ]);
    expect(await upgrade(1, { zone: "n" })).toEqual([undefined, expect.stringContaining("name is null, and must not be")]);
    expect(await upgrade(3, { id: 1 })).toEqual([undefined, expect.stringContaining("use a newer one")]);
    expect(await upgrade(0, { name: "b1" }, boat({ 1: upgraders[1]! }, 2))).toEqual([
      undefined,
      expect.stringContaining("no upgrader from version 0 to 1"),
    ]);
  });

  test("has a chain without a gap, found when it is defined", ({ expect }) => {
    expect(() => boat({ 0: upgraders[0]! }, 2)).toThrow(
      "upgradeIdentity has no upgrader from version 1: each leads to the next, up to version 2",
    );
    expect(() => boat({}, 1)).toThrow("upgradeIdentity has no upgrader from version 0");
    expect(() => boat({}, -1)).toThrow("identityVersion is a whole number");
  });
});
