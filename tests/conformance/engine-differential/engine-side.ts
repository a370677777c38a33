// SPDX-License-Identifier: Apache-2.0
import { join } from "node:path";
import { openWorkspace, type AddressedDiagnostic } from "@tenon/engine";
import { objectFiles } from "@tenon/engine/configuration";
import { renderPlan } from "@tenon/engine/documents";
import { localStore } from "@tenon/engine/state/stores";
import { tfcoremock } from "@tenon/example-tfcoremock";
import { createProvider } from "@tenon/provider-sdk";
import type { ProviderFactory } from "@tenon/schema";
import type { Json, Outcome, OutcomeDiagnostic, StepOptions } from "./outcome.ts";
import { stateOf } from "./tofu-side.ts";

/** Runs steps with the engine, in this process. */
export class EngineSide {
  readonly #providers: Readonly<Record<string, ProviderFactory>>;

  constructor(declarations: string) {
    const definition = tfcoremock({ dynamicResources: declarations });
    this.#providers = { "hashicorp/tfcoremock": async () => createProvider(definition) };
  }

  /** Plans, and applies the plan. */
  async run(folder: string, files: Readonly<Record<string, string>>, { apply, ...options }: StepOptions): Promise<Outcome> {
    const workspace = openWorkspace({
      configuration: objectFiles(files),
      state: localStore({ path: join(folder, "terraform.tfstate") }),
      providers: this.#providers,
      workingFolder: folder,
    });
    await using plan = await workspace.plan(options);
    const planDiagnostics = plan.diagnostics.map(plainDiagnostic);
    if (plan.errored) {
      await plan.close();
      return { planDiagnostics, applyDiagnostics: [], ...stateOf(folder) };
    }
    const document = (await plan.toJson()) as Json;
    const planText = renderPlan(plan.changes);
    const applied = apply ? await plan.apply() : undefined;
    await plan.close();
    return {
      plan: document,
      planText,
      planDiagnostics,
      applyDiagnostics: applied?.diagnostics.map(plainDiagnostic) ?? [],
      ...stateOf(folder),
    };
  }
}

function plainDiagnostic({ severity, summary, detail, address = "", subject }: AddressedDiagnostic): OutcomeDiagnostic {
  if (subject === undefined) return { severity, summary, detail, address, range: "" };
  const { filename, start, end } = subject;
  // tofu's log makes an empty range one character long.
  const isEmpty = start.line === end.line && start.column === end.column;
  return {
    severity,
    summary,
    detail,
    address,
    range: `${filename}:${start.line},${start.column}-${end.line},${end.column + (isEmpty ? 1 : 0)}`,
  };
}
