// SPDX-License-Identifier: Apache-2.0
// Runs the commands of an equivalence test in the current folder of the process, and writes the outputs that the test keeps.
import { cpSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openWorkspace, type EngineEvent, type Plan, type PlanOptions } from "@tenon/engine";
import { collectVariables } from "@tenon/engine/configuration";
import { renderPlan, renderProgress, UiLog, type UiMessage } from "@tenon/engine/documents";
import { localState } from "@tenon/engine/state/stores";
import { diskFiles } from "@tenon/hcl/files";
import { defaultCommands, readCommand, type EquivalenceSpec } from "./equivalence-folder.ts";
import { allProviders, type GivenProviders } from "./step-providers.ts";

/** A plan with the documents that later commands show. */
interface MadePlan {
  readonly plan: Plan;
  readonly json: unknown;
}

/** Runs the commands. @throws Error if a plan or an apply fails. */
export async function runEquivalence(spec: EquivalenceSpec, given: GivenProviders, out: string): Promise<void> {
  const collected = await collectVariables({ environment: process.env, folder: ".", files: diskFiles });
  const options = { configuration: ".", state: localState() };
  const { configuration } = await openWorkspace({ ...options, providers: {} }).load(collected.given);
  const workspace = openWorkspace({ ...options, providers: allProviders(given, configuration) });
  const plans = new Map<string, MadePlan>();
  mkdirSync(out, { recursive: true });

  const made = async (mode: NonNullable<PlanOptions["mode"]>, onEvent: (event: EngineEvent) => void): Promise<MadePlan> => {
    const plan = await workspace.plan({ mode, variables: collected.given, onEvent });
    if (!plan.errored) return { plan, json: await plan.toJson() };
    await plan.close();
    throw new Error(plan.diagnostics.map(({ summary, detail }) => `${summary}: ${detail}`).join("\n"));
  };
  const applied = async (plan: Plan, onEvent: (event: EngineEvent) => void): Promise<void> => {
    const { errored, diagnostics } = await plan.apply({ onEvent });
    if (errored) throw new Error(diagnostics.map(({ summary, detail }) => `${summary}: ${detail}`).join("\n"));
  };

  for (const command of spec.commands ?? defaultCommands) {
    const { output_file_name: file, capture_output: isKept = true } = command;
    const keep = (content: unknown): void => {
      if (file === undefined || !isKept) return;
      writeFileSync(join(out, file), typeof content === "string" ? content : `${JSON.stringify(content, undefined, 2)}\n`);
    };
    const read = readCommand(command);
    switch (read.kind) {
      case "plan": {
        const lines: string[] = [];
        const one = await made(read.mode, (event) => void lines.push(...[renderProgress(event)].filter((line) => line !== undefined)));
        if (read.out !== undefined) plans.set(read.out, one);
        const rule = `\n${"─".repeat(77)}\n`;
        const next = `\nSaved the plan to: ${read.out}\n\nTo perform exactly these actions, run the following command to apply:\n    tofu apply "${read.out}"\n`;
        const progress = lines.map((line) => `${line}\n`).join("");
        keep(`${progress}${renderPlan(one.plan.changes)}${read.out !== undefined && isApplyable(one.plan) ? rule + next : ""}`);
        break;
      }
      case "applyPlan": {
        const log = new UiLog();
        const messages: UiMessage[] = [log.version()];
        await applied(plans.get(read.plan)!.plan, (event) => void messages.push(...log.messages(event)));
        keep(messages);
        break;
      }
      case "apply": {
        // A plan that was made before holds the lock.
        for (const { plan } of plans.values()) await plan.close();
        const log = new UiLog({ destroys: read.mode === "destroy" });
        const messages: UiMessage[] = [log.version()];
        const onEvent = (event: EngineEvent): void => void messages.push(...log.messages(event));
        await applied((await made(read.mode, onEvent)).plan, onEvent);
        keep(messages);
        break;
      }
      case "showState":
        keep(read.json ? await workspace.stateJson() : await workspace.stateText());
        break;
      case "showPlan":
        keep(read.json ? plans.get(read.plan)!.json : renderPlan(plans.get(read.plan)!.plan.changes));
        break;
      default:
    }
  }
  for (const { plan } of plans.values()) await plan.close();
  for (const name of spec.include_files ?? []) cpSync(name, join(out, name));
}

/** Whether `tofu plan` says how the plan is applied. It does not for a refresh-only plan that only moves objects. */
function isApplyable({ hasChanges, changes: { mode, drift, outputs } }: Plan): boolean {
  if (mode !== "refreshOnly") return hasChanges;
  return drift.some(({ action }) => action !== "noOp") || outputs.some(({ action }) => action !== "noOp");
}
