// SPDX-License-Identifier: Apache-2.0
import { openWorkspace, type Plan, type Workspace } from "@tenon/engine";
import { objectFiles } from "@tenon/engine/configuration";
import { renderPlan } from "@tenon/engine/documents";
import { memoryState, type StateStore } from "@tenon/engine/state/stores";
import type { ConfigurationFiles } from "../../configuration/configuration-source.ts";
import type { PlanDocument } from "../../documents/plan-document.ts";
import type { StateDocument } from "../../documents/state-document.ts";
import { errorTextsOf } from "../diagnostic-text.ts";
import type { Outcome, RunnerSession, SessionPlan, SessionPlanOptions, SessionSetup, Variables } from "../runner.ts";

const noSources: ReadonlyMap<string, string> = new Map();

/** A configuration and a state in memory. */
export class InProcessSession implements RunnerSession {
  readonly #setup: SessionSetup;
  readonly #state: StateStore = memoryState();
  #workspace: Workspace;
  #variables: Variables = {};

  constructor(setup: SessionSetup) {
    this.#setup = setup;
    this.#workspace = this.#open(new Map());
  }

  async configure(files: ConfigurationFiles, variables: Variables): Promise<Outcome> {
    await this.#workspace.close();
    this.#workspace = this.#open(files);
    this.#variables = variables;
    return { errors: [] };
  }

  async plan(options: SessionPlanOptions = {}): Promise<SessionPlan> {
    return sessionPlan(await this.#workspace.plan({ ...options, ...this.#run() }));
  }

  async refresh(): Promise<Outcome> {
    const { diagnostics } = await this.#workspace.refresh(this.#run());
    return { errors: errorTextsOf(diagnostics, noSources) };
  }

  async taint(address: string): Promise<Outcome> {
    const { diagnostics } = await this.#workspace.stored(this.#run()).taint(address);
    return { errors: errorTextsOf(diagnostics, noSources) };
  }

  async importObject(address: string, id: string): Promise<Outcome> {
    const { diagnostics, sources } = await this.#workspace.importObject(address, { id }, this.#run());
    return { errors: errorTextsOf(diagnostics, sources) };
  }

  async state(): Promise<StateDocument> {
    return this.#workspace.stateJson(this.#run());
  }

  async fork(): Promise<RunnerSession> {
    return new InProcessSession(this.#setup);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#workspace.close();
  }

  #open(files: ConfigurationFiles): Workspace {
    const { providers, externalProviders } = this.#setup;
    return openWorkspace({
      configuration: objectFiles(Object.fromEntries(files)),
      state: this.#state,
      providers,
      installProviders: Object.keys(externalProviders).length > 0,
    });
  }

  #run(): { readonly variables: Variables; readonly signal?: AbortSignal } {
    const { signal } = this.#setup;
    return { variables: this.#variables, ...(signal && { signal }) };
  }
}

function sessionPlan(plan: Plan): SessionPlan {
  let read: Promise<PlanDocument> | undefined;
  const document = (): Promise<PlanDocument> => (read ??= plan.toJson() as Promise<PlanDocument>);
  return {
    errors: errorTextsOf(plan.diagnostics, plan.sources),
    hasChanges: plan.hasChanges,
    document,
    text: async () => renderPlan(plan),
    generatedConfiguration: plan.generatedConfiguration,
    apply: async () => {
      // A failure after the apply shows the plan, too.
      await document();
      return { errors: errorTextsOf((await plan.apply()).diagnostics, plan.sources) };
    },
    [Symbol.asyncDispose]: () => plan.close(),
  };
}
