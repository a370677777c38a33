// SPDX-License-Identifier: Apache-2.0
import { describe, test } from "vitest";
import { objectFiles } from "../../configuration/file-system.ts";
import { openWorkspace, type Workspace } from "../workspace.ts";

const main = 'resource "terraform_data" "a" {\n  input = "x"\n}\n';

function workspaceOf(text = main, workspace = "default"): Workspace {
  return openWorkspace({ configuration: objectFiles({ "main.tf": text }), providers: {}, workspace });
}

async function savedPlan(): Promise<Uint8Array> {
  await using plan = await workspaceOf().plan();
  return await plan.save();
}

describe("a saved plan", () => {
  test.for([
    ["empty", () => new Uint8Array(), "it is not a plan that was saved with save()"],
    ["another file", () => Buffer.from("PK\x03\x04 and so on\n"), "it is not a plan that was saved with save()"],
    [
      "of another format",
      (plan: Uint8Array) => Buffer.from(Buffer.from(plan).toString("latin1").replace(/ \d+ /, " 99 "), "latin1"),
      "format 99",
    ],
    ["cut", (plan: Uint8Array) => plan.subarray(0, plan.length - 5), "its content does not match its checksum"],
    [
      "changed",
      (plan: Uint8Array) => plan.map((byte, at) => (at === plan.length - 20 ? byte ^ 1 : byte)),
      "its content does not match its checksum",
    ],
  ] as const)("that is %s is refused", async ([, change, reason], { expect }) => {
    const opening = workspaceOf().openPlan(change(await savedPlan()));
    await expect(opening).rejects.toMatchObject({ code: "PLAN_MALFORMED", message: expect.stringContaining(reason) as string });
  });

  test("of another workspace is refused", async ({ expect }) => {
    const opening = workspaceOf(main, "other").openPlan(await savedPlan());
    await expect(opening).rejects.toThrow("the saved plan is for the workspace default, and not for other");
  });

  test("is not made of a plan with errors, or of one that is applied", async ({ expect }) => {
    await using failed = await workspaceOf('output "a" {\n  value = 1 + "x"\n}\n').plan();
    await expect(failed.save()).rejects.toThrow("a plan with errors cannot be saved");
    await using plan = await workspaceOf().plan();
    await plan.apply();
    await expect(plan.save()).rejects.toThrow("the plan is being applied, or was");
  });

  test("can be shown and saved again after it is opened", async ({ expect }) => {
    const bytes = await savedPlan();
    await using opened = await workspaceOf().openPlan(bytes);
    expect(opened.changes.resources.map(({ action }) => action)).toEqual(["create"]);
    expect(Buffer.from(await opened.save()).equals(Buffer.from(bytes))).toBe(true);
  });
});
