// SPDX-License-Identifier: Apache-2.0
// The laws of every resource, checked with the types that the provider always has, and with one that a file declares.
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { checkResource } from "@tenon/testing/laws";
import { afterEach, beforeEach, describe, test } from "vitest";
import type { ResourceDeclaration } from "./declaration.ts";
import { tfcoremock } from "./provider.ts";
import { complexResource } from "./static-resources.ts";

const host: ResourceDeclaration = {
  attributes: {
    name: { type: "string", required: true, replace: true },
    address: { type: "string", computed: true, value: { string: "192.0.2.1" } },
    disks: { type: "list", optional: true, list: { type: "object", object: { size: { type: "integer", optional: true } } } },
  },
  blocks: { rule: { mode: "set", attributes: { port: { type: "number", required: true } } } },
};

/** The names that lead to each integer of a resource type, at every depth: `object.list.integer`. */
function integersOf({ attributes = {}, blocks = {} }: ResourceDeclaration): readonly string[] {
  const inside = (name: string, body: ResourceDeclaration): readonly string[] => integersOf(body).map((at) => `${name}.${at}`);
  return [
    ...Object.entries(attributes).flatMap(([name, declared]) => {
      const object = (declared.list ?? declared.map ?? declared.set ?? declared).object;
      if (declared.type === "integer") return [name];
      return object === undefined ? [] : inside(name, { attributes: object });
    }),
    ...Object.entries(blocks).flatMap(([name, block]) => inside(name, block)),
  ];
}

describe("the resources of tfcoremock follow the laws", () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "tfcoremock-"));
    writeFileSync(join(folder, "dynamic_resources.json"), JSON.stringify({ tfcoremock_host: host }));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const files = (): readonly string[] =>
    existsSync(join(folder, "terraform.resource")) ? readdirSync(join(folder, "terraform.resource")) : [];
  // The id is the name of a file.
  const values = { id: ["one", "two"] };

  test("tfcoremock_simple_resource", async () => {
    await checkResource(tfcoremock({ folder }), "tfcoremock_simple_resource", { values, remaining: files });
  });

  test("tfcoremock_complex_resource", async () => {
    const integers = Object.fromEntries(integersOf(complexResource).map((at) => [at, [1, 2, 3]]));
    await checkResource(tfcoremock({ folder }), "tfcoremock_complex_resource", {
      // Its objects have hundreds of attributes.
      cases: 3,
      values: { ...values, ...integers },
      remaining: files,
    });
  });

  test("tfcoremock_host, which a file declares", async () => {
    await checkResource(tfcoremock({ folder }), "tfcoremock_host", { values, remaining: files });
  });

  test("tfcoremock_simple_resource, with the state as the only record", async () => {
    await checkResource(tfcoremock({ folder }), "tfcoremock_simple_resource", {
      config: { use_only_state: true },
      values,
      // An import finds an object without values.
      except: ["import-equals-state"],
      remaining: files,
    });
  });
});
