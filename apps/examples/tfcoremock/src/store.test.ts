// SPDX-License-Identifier: Apache-2.0
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, test } from "vitest";
import { Store } from "./store.ts";

const noExceptions = { create: [], read: [], update: [], delete: [], defer: [] };

describe("Store", () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "tfcoremock-"));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  test("creates objects while deletions remove the folder of all objects", async ({ expect }) => {
    const store = new Store({ resources: join(folder, "objects"), data: folder }, noExceptions);
    const createAndDelete = async (id: string): Promise<void> => {
      for (let round = 0; round < 500; round++) {
        await store.create(id, { resource_type: "tfcoremock_simple_resource", values: {} });
        await store.delete(id);
      }
    };
    await Promise.all(["a", "b", "c", "d"].map(createAndDelete));
    expect(readdirSync(folder)).toEqual([]);
  });
});
