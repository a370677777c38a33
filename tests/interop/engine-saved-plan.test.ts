// SPDX-License-Identifier: Apache-2.0
// Saved plans that cannot be opened, with tofu's errors. engine-tofu.test.ts tests that saved plans are applied as they were planned.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { toJs } from "@tenon/cty";
import { openWorkspace, type Workspace } from "@tenon/engine";
import { objectFiles } from "@tenon/engine/configuration";
import { memoryState, type StateStore } from "@tenon/engine/state/stores";
import { describePeer } from "@tenon/peers/vitest";
import { describe, test } from "vitest";
import { TofuFolder } from "./tofu-folder.ts";

const main = `
variable "size" {
  default = 1
}
variable "token" {
  type      = string
  ephemeral = true
}
resource "terraform_data" "a" {
  input = var.size
}
output "size" { value = terraform_data.a.output }
`;

function workspaceOf(state: StateStore, configuration = main): Workspace {
  return openWorkspace({ configuration: objectFiles({ "main.tf": configuration }), state, providers: {} });
}

/** Plans and saves the plan. */
async function saved(workspace: Workspace, variables: Readonly<Record<string, unknown>>): Promise<Uint8Array> {
  await using plan = await workspace.plan({ variables: { token: "t", ...variables } });
  return await plan.save();
}

async function applied(workspace: Workspace, variables: Readonly<Record<string, unknown>>): Promise<void> {
  await using plan = await workspace.plan({ variables: { token: "t", ...variables } });
  await plan.apply();
}

/** A text that tofu has printed, without frames and line breaks. */
function plain(text: string): string {
  return text.replace(/[│╷╵]/g, " ").replace(/\s+/g, " ");
}

describePeer(["tofu"], "a saved plan", ({ tofu }) => {
  /** The output of the last of several commands of tofu. The others must succeed. */
  async function lastOutput(variables: Readonly<Record<string, string>>, ...commands: readonly (readonly string[])[]): Promise<string> {
    using folder = new TofuFolder(tofu.path, "", variables);
    writeFileSync(join(folder.path, "main.tf"), main);
    const outputs: string[] = [];
    for (const command of commands) {
      const { code, output } = await folder.run(...command);
      if (code !== 0 && command !== commands.at(-1)) throw new Error(output);
      outputs.push(output);
    }
    return plain(outputs.at(-1) ?? "");
  }

  test("that is stale cannot be opened, with tofu's error", async ({ expect }) => {
    const store = memoryState();
    const plan = await saved(workspaceOf(store), {});
    await applied(workspaceOf(store), { size: 2 });
    const error: unknown = await workspaceOf(store)
      .openPlan(plan, { variables: { token: "t" } })
      .catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: "PLAN_STALE" });
    const theirs = await lastOutput({ TF_VAR_token: "t" }, ["plan", "-out=a"], ["apply", "-auto-approve", "-var=size=2"], ["apply", "a"]);
    expect(theirs).toContain(plain((error as Error).message).replace("stale: ", "stale "));
    // The lock was released.
    await applied(workspaceOf(store), { size: 2 });
  });

  test("of another state cannot be opened, with tofu's error", async ({ expect }) => {
    const first = memoryState();
    await applied(workspaceOf(first), {});
    const plan = await saved(workspaceOf(first), { size: 2 });
    const second = memoryState();
    await applied(workspaceOf(second), {});
    const error: unknown = await workspaceOf(second)
      .openPlan(plan, { variables: { token: "t" } })
      .catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: "PLAN_STALE" });
    const theirs = await lastOutput(
      { TF_VAR_token: "t" },
      ["apply", "-auto-approve"],
      ["plan", "-var=size=2", "-out=a"],
      ["apply", "-auto-approve", "-state=other.tfstate"],
      ["apply", "-state=other.tfstate", "a"],
    );
    expect(theirs).toContain(plain((error as Error).message).replace("state: ", "state "));
  });

  describe("has the values of its variables", () => {
    test("and gets those of ephemeral variables when it is opened", async ({ expect }) => {
      const store = memoryState();
      const plan = await saved(workspaceOf(store), { size: 5, token: "not in the plan" });
      expect(Buffer.from(plan).includes("not in the plan")).toBe(false);
      // The apply uses the configuration in the plan, and not a later one.
      const later = workspaceOf(store, "resource");
      await using opened = await later.openPlan(plan, { variables: { token: "t" } });
      const { outputs } = await opened.apply();
      expect(toJs(outputs.get("size")!.value)).toBe(5);
      await using again = await workspaceOf(store).plan({ variables: { size: 5, token: "t" } });
      expect(again.hasChanges).toBe(false);
    });

    test.for([
      ["without the value of an ephemeral variable", {}, [], "No value for required variable: "],
      ["with another value", { size: 3, token: "t" }, ["-var=size=3"], "Mismatch between input and plan variable value: "],
    ] as const)("and cannot be opened %s, with tofu's error", async ([, variables, flags, summary], { expect }) => {
      const store = memoryState();
      const plan = await saved(workspaceOf(store), { size: 2 });
      const error: unknown = await workspaceOf(store)
        .openPlan(plan, { variables })
        .catch((reason: unknown) => reason);
      expect(error).toMatchObject({ code: "INVALID_OPTIONS" });
      const { message } = error as Error;
      expect(message.startsWith(summary)).toBe(true);
      const planned = ["plan", "-var=size=2", "-var=token=t", "-out=a"];
      const theirs = await lastOutput({}, planned, ["apply", "-input=false", ...flags, ...(flags.length > 0 ? ["-var=token=t"] : []), "a"]);
      expect(theirs).toContain(plain(message.slice(summary.length)));
      expect(theirs).toContain(summary.replace(": ", ""));
    });
  });
});
