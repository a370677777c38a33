// SPDX-License-Identifier: Apache-2.0
import { EngineError, openWorkspace, type Plan, type Workspace } from "@tenon/engine";
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
  #files: ConfigurationFiles = new Map();
  #variables: Variables = {};

  constructor(setup: SessionSetup) {
    this.#setup = setup;
    this.#workspace = this.#open(this.#files);
  }

  async configure(files: ConfigurationFiles, variables: Variables): Promise<Outcome> {
    await this.#workspace.close();
    this.#workspace = this.#open(files);
    this.#files = files;
    this.#variables = variables;
    return { errors: [] };
  }

  async plan(options: SessionPlanOptions = {}): Promise<SessionPlan> {
    try {
      return sessionPlan(await this.#workspace.plan({ ...options, ...this.#run() }));
    } catch (error) {
      return failedPlan(outcomeOf(error));
    }
  }

  async refresh(): Promise<Outcome> {
    return outcome(async () => errorTextsOf((await this.#workspace.refresh(this.#run())).diagnostics, noSources));
  }

  async taint(address: string): Promise<Outcome> {
    return outcome(async () => errorTextsOf((await this.#workspace.stored(this.#run()).taint(address)).diagnostics, noSources));
  }

  async importObject(address: string, id: string): Promise<Outcome> {
    return outcome(async () => {
      const { diagnostics, sources } = await this.#workspace.importObject(address, { id }, this.#run());
      return errorTextsOf(diagnostics, sources);
    });
  }

  async state(): Promise<StateDocument> {
    // The document needs only schemas.
    await using workspace = this.#open(this.#files, this.#setup.describedProviders);
    return await workspace.stateJson(this.#run());
  }

  async fork(): Promise<RunnerSession> {
    return new InProcessSession(this.#setup);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#workspace.close();
  }

  #open(files: ConfigurationFiles, providers = this.#setup.providers): Workspace {
    const { externalProviders } = this.#setup;
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

/** The outcome of an operation. */
async function outcome(operation: () => Promise<readonly string[]>): Promise<Outcome> {
  try {
    return { errors: await operation() };
  } catch (error) {
    return outcomeOf(error);
  }
}

/** What a command line reports, too, although the engine throws it: a provider that cannot be installed, for example. Other errors are thrown. */
function outcomeOf(error: unknown): Outcome {
  if (!(error instanceof EngineError)) throw error;
  return { errors: [`Error: ${error.message}`] };
}

function failedPlan({ errors }: Outcome): SessionPlan {
  const unplanned = async (): Promise<never> => {
    throw new Error("a failed plan has no document");
  };
  return {
    errors,
    hasChanges: false,
    document: unplanned,
    text: async () => "",
    generatedConfiguration: undefined,
    apply: async () => ({ errors }),
    [Symbol.asyncDispose]: async () => {},
  };
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
    apply: async () => ({ errors: errorTextsOf((await plan.apply()).diagnostics, plan.sources) }),
    [Symbol.asyncDispose]: () => plan.close(),
  };
}
