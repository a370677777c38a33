// SPDX-License-Identifier: Apache-2.0
import type { Provider } from "@tenon/schema";
import { describe, test } from "vitest";
import { toPlain, texts } from "../../../test/resource-life.ts";
import { attr, createProvider, defineProvider, identityUpgrader, replaceInstead } from "../../index.ts";
import type { IdentityUpgraders } from "../../definition/index.ts";

const lake = defineProvider({ name: "lake", version: "1.0.0" });
const handlers = { create: () => ({ id: 1 }), read: () => undefined, update: replaceInstead, delete: () => {} };

const upgraders: IdentityUpgraders = {
  0: identityUpgrader({ upgrade: ({ identity }) => ({ name: String(identity["label"]), dropped: true }) }),
  1: identityUpgrader({
    identity: { name: attr.string(), zone: attr.string({ nullable: true }) },
    upgrade: ({ identity, warn }) => {
      warn("Old", `${identity.name.length} letters, zone ${identity.zone}`);
      if (identity.name === "lost") throw new Error("its id is lost");
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

describe("upgrading an identity", () => {
  const upgrade = async (version: number, recorded: object, provider = boat()): Promise<unknown> => {
    const rawIdentity = { json: Buffer.from(JSON.stringify(recorded)) };
    const { upgradedIdentity, diagnostics } = await provider.upgradeResourceIdentity({ typeName: "lake_boat", version, rawIdentity });
    return [upgradedIdentity === undefined ? undefined : toPlain(upgradedIdentity), ...texts(diagnostics)];
  };

  test("runs the upgrader of every version", async ({ expect }) => {
    expect(await upgrade(0, { label: "b7" })).toEqual([{ id: 7 }, "warning: Old: 2 letters, zone null"]);
    expect(await upgrade(1, { name: "b8", zone: "n" })).toEqual([{ id: 8 }, "warning: Old: 2 letters, zone n"]);
    expect(await upgrade(2, { id: "9", more: 1 })).toEqual([{ id: 9 }]);
    const { identitySchemas } = await boat().getResourceIdentitySchemas({});
    expect(identitySchemas.get("lake_boat")!.version).toBe(2);
  });

  test("reports why it fails", async ({ expect }) => {
    expect(await upgrade(1, { name: "lost" })).toEqual([
      undefined,
      expect.stringContaining("warning: Old"),
      expect.stringContaining("version 1: its id is lost"),
    ]);
    expect(await upgrade(1, { name: "odd" })).toEqual([
      undefined,
      expect.any(String),
      expect.stringContaining("id is a string, but must be a number"),
    ]);
    expect(await upgrade(1, { zone: "n" })).toEqual([undefined, expect.stringContaining("name is null, but must not be")]);
    expect(await upgrade(3, { id: 1 })).toEqual([undefined, expect.stringContaining("use a newer one")]);
    expect(await upgrade(0, { name: "b1" }, boat({ 1: upgraders[1]! }, 2))).toEqual([
      undefined,
      expect.stringContaining("no upgrader from version 0 to 1"),
    ]);
  });

  test("requires a chain without gaps when the resource is defined", ({ expect }) => {
    expect(() => boat({ 0: upgraders[0]! }, 2)).toThrow(
      "upgradeIdentity has no upgrader from version 1: every version below the current version 2 needs one",
    );
    expect(() => boat({}, 1)).toThrow("upgradeIdentity has no upgrader from version 0");
    expect(() => boat({}, -1)).toThrow("identityVersion must be an integer");
  });
});
