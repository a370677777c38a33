// SPDX-License-Identifier: Apache-2.0
import { describe, test } from "vitest";
import { objectFiles } from "../configuration/file-system.ts";
import { renderPlan } from "../documents/plan-text.ts";
import { memoryState } from "../state/stores/memory-store.ts";
import { openWorkspace } from "./workspace.ts";

const configuration = objectFiles({ "main.tf": 'resource "terraform_data" "a" {}\n' });

describe("a workspace", () => {
  test("closes its plans and consoles at the end, so that the lock is released", async ({ expect }) => {
    const state = memoryState();
    {
      await using workspace = openWorkspace({ configuration, state });
      await workspace.plan();
      await workspace.console();
    }
    await using plan = await openWorkspace({ configuration, state }).plan();
    expect(plan.errored).toBe(false);
  });

  test("that is closed makes no plans and opens no consoles", async ({ expect }) => {
    const workspace = openWorkspace({ configuration });
    await workspace.close();
    await expect(workspace.plan()).rejects.toMatchObject({ code: "INVALID_OPTIONS" });
    await expect(workspace.console()).rejects.toMatchObject({ code: "INVALID_OPTIONS" });
  });

  test("has plans that are rendered like their changes", async ({ expect }) => {
    await using plan = await openWorkspace({ configuration }).plan();
    expect(renderPlan(plan)).toBe(renderPlan(plan.changes));
  });

  test("ends each operation with the reason of its signal", async ({ expect }) => {
    const controller = new AbortController();
    const state = memoryState();
    const resolving = objectFiles({ "main.tf": 'module "m" {\n  source = "./m"\n}\n', "m/main.tf": "" });
    const resolveModule = (): never => {
      controller.abort(new Error("enough"));
      return { folder: "m", diagnostics: [] } as never;
    };
    await expect(openWorkspace({ configuration: resolving, resolveModule }).plan({ signal: controller.signal })).rejects.toThrow("enough");
    const workspace = openWorkspace({ configuration, state });
    const { signal } = controller;
    for (const run of [
      () => workspace.plan({ signal }),
      () => workspace.refresh({ signal }),
      () => workspace.validate({ signal }),
      () => workspace.console({ signal }),
      () => workspace.evaluate("1", { signal }),
      () => workspace.graph({ signal }),
      () => workspace.importObject("terraform_data.a", { id: "1" }, { signal }),
      () => workspace.state({ signal }),
      () => workspace.outputs({ signal }),
      () => workspace.stateJson({ signal }),
      () => workspace.stored({ signal }).list(),
      () => workspace.stored({ signal }).taint("terraform_data.a"),
      () => workspace.recover({ signal }),
    ]) {
      await expect(run(), run.toString()).rejects.toThrow("enough");
    }
    await using plan = await workspace.plan();
    expect(plan.errored).toBe(false);
  });

  test("rejects limits that are not positive integers", ({ expect }) => {
    expect(() => openWorkspace({ configuration, parallelism: 0 })).toThrow("parallelism is 0");
    expect(() => openWorkspace({ configuration, providerParallelism: { "acme/notebook": 1.5 } })).toThrow("acme/notebook is 1.5");
    expect(() => openWorkspace({ configuration, providerParallelism: { "a/b/c/d": 1 } })).toThrow("not the address of a provider");
  });
});
