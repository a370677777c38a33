// SPDX-License-Identifier: Apache-2.0
import { describe, test } from "vitest";
import { objectFiles } from "../configuration/file-system.ts";
import { renderPlan } from "../documents/plan-text.ts";
import { memoryStore } from "../state/stores/memory-store.ts";
import { openWorkspace } from "./workspace.ts";

const configuration = objectFiles({ "main.tf": 'resource "terraform_data" "a" {}\n' });

describe("a workspace", () => {
  test("closes its plans and consoles at the end, so that the state is free", async ({ expect }) => {
    const state = memoryStore();
    {
      await using workspace = openWorkspace({ configuration, state });
      await workspace.plan();
      await workspace.console();
    }
    await using plan = await openWorkspace({ configuration, state }).plan();
    expect(plan.errored).toBe(false);
  });

  test("that is closed makes no plans", async ({ expect }) => {
    const workspace = openWorkspace({ configuration });
    await workspace.close();
    await expect(workspace.plan()).rejects.toMatchObject({ code: "INVALID_OPTIONS" });
    await expect(workspace.console()).rejects.toMatchObject({ code: "INVALID_OPTIONS" });
  });

  test("has a plan whose text is that of its changes", async ({ expect }) => {
    await using plan = await openWorkspace({ configuration }).plan();
    expect(renderPlan(plan)).toBe(renderPlan(plan.changes));
  });

  test("refuses limits that are not positive integers", ({ expect }) => {
    expect(() => openWorkspace({ configuration, parallelism: 0 })).toThrow("parallelism is 0");
    expect(() => openWorkspace({ configuration, providerParallelism: { "acme/notebook": 1.5 } })).toThrow("acme/notebook is 1.5");
    expect(() => openWorkspace({ configuration, providerParallelism: { "a/b/c/d": 1 } })).toThrow("not the address of a provider");
  });
});
