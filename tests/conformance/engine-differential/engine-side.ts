// SPDX-License-Identifier: Apache-2.0
import { join } from "node:path";
import { openWorkspace, type AddressedDiagnostic, type EngineEvent } from "@tenon/engine";
import { objectFiles } from "@tenon/engine/configuration";
import { renderGraph, renderPlan, UiLog } from "@tenon/engine/documents";
import { localState } from "@tenon/engine/state/stores";
import { tfcoremock } from "@tenon/example-tfcoremock";
import { createProvider } from "@tenon/provider-sdk";
import type { ProviderFactory } from "@tenon/schema";
import type { GraphType, Json, Outcome, OutcomeDiagnostic, StepOptions } from "./outcome.ts";
import { stateOf } from "./tofu-side.ts";

/** Runs steps with the engine, in this process. */
export class EngineSide {
  readonly #providers: Readonly<Record<string, ProviderFactory>>;

  /** @param others Further providers, by their source addresses. */
  constructor(declarations: string, others: Readonly<Record<string, ProviderFactory>>) {
    const definition = tfcoremock({ dynamicResources: declarations });
    this.#providers = { ...others, "hashicorp/tfcoremock": async () => createProvider(definition) };
  }

  /** The diagnostics of `workspace.validate()`. */
  async validate(folder: string, files: Readonly<Record<string, string>>): Promise<readonly OutcomeDiagnostic[]> {
    const workspace = openWorkspace({ configuration: objectFiles(files), providers: this.#providers, workingFolder: folder });
    const { diagnostics } = await workspace.validate();
    return diagnostics.map(plainDiagnostic);
  }

  /** The graph of an operation, or of a planned apply, as DOT; undefined if the configuration has errors. */
  async graph(folder: string, files: Readonly<Record<string, string>>, type: GraphType): Promise<string | undefined> {
    const workspace = openWorkspace({
      configuration: objectFiles(files),
      state: localState({ path: join(folder, "terraform.tfstate") }),
      providers: this.#providers,
      workingFolder: folder,
    });
    if (type !== "planned") {
      const { graph } = await workspace.graph({ type });
      return graph && renderGraph(graph);
    }
    await using plan = await workspace.plan();
    if (plan.errored) return undefined;
    const { graph } = await plan.graph();
    return graph && renderGraph(graph);
  }

  /** Plans, and applies the plan. */
  async run(folder: string, files: Readonly<Record<string, string>>, { apply, documents, ...options }: StepOptions): Promise<Outcome> {
    const workspace = openWorkspace({
      configuration: objectFiles(files),
      state: localState({ path: join(folder, "terraform.tfstate") }),
      providers: this.#providers,
      workingFolder: folder,
    });
    const planLog = new LogRecorder();
    await using plan = await workspace.plan({ ...options, onEvent: planLog.record });
    const planDiagnostics = plan.diagnostics.map(plainDiagnostic);
    if (plan.errored) {
      await plan.close();
      return { isPlanned: false, planDiagnostics, planLog: planLog.messages, applyDiagnostics: [], ...stateOf(folder) };
    }
    const shown = documents.plan ? { plan: (await plan.toJson()) as Json, planText: renderPlan(plan.changes) } : {};
    const applyLog = new LogRecorder();
    const applied = apply ? await plan.apply({ onEvent: applyLog.record }) : undefined;
    await plan.close();
    return {
      isPlanned: true,
      ...shown,
      planDiagnostics,
      planLog: planLog.messages,
      applyDiagnostics: applied?.diagnostics.map(plainDiagnostic) ?? [],
      ...(applied && { applyLog: applyLog.messages }),
      ...stateOf(folder),
      ...(documents.state && { stateJson: (await workspace.stateJson()) as Json, stateText: await workspace.stateText() }),
    };
  }
}

/** Makes the UI log of a plan or an apply from its events. */
class LogRecorder {
  readonly #log = new UiLog();
  readonly #messages = [this.#log.version()];

  readonly record = (event: EngineEvent): void => void this.#messages.push(...this.#log.messages(event));

  get messages(): readonly Json[] {
    const written = JSON.parse(JSON.stringify(this.#messages)) as readonly Json[];
    return written.filter(({ type }) => type !== "diagnostic");
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
