// SPDX-License-Identifier: Apache-2.0
import type { ProviderFactory } from "@tenon/schema";
import type { Feature } from "../checks/check.ts";
import type { ConfigurationFiles } from "../configuration/configuration-source.ts";
import type { ExternalProvider } from "../configuration/required-providers.ts";
import type { PlanDocument } from "../documents/plan-document.ts";
import type { StateDocument } from "../documents/state-document.ts";

/** A provider of a case: a definition of `@tenon/provider-sdk`, or a factory such as `providerFactory` of `@tenon/plugin-host`. */
export type TestedProvider = ProviderFactory | { readonly open: ProviderFactory };

/** The factory of a provider. */
export function factoryOf(provider: TestedProvider): ProviderFactory {
  return typeof provider === "function" ? provider : provider.open;
}

/** The core that a runner uses. */
export interface Core {
  readonly product: "opentofu" | "terraform";
  /** Its version: `1.12.6`. */
  readonly version: string;
}

/** Runs the steps of cases. */
export interface Runner {
  /** The runner in failures and reasons: `in process`, `tofu 1.12.6`. */
  readonly name: string;
  /** The core. The runner in process follows a version of OpenTofu. */
  readonly core: Core;
  /** Why the runner lacks a feature; undefined if it has it. */
  readonly lacks: (feature: Feature) => string | undefined;
  /** Opens a session with an empty state. */
  readonly open: (setup: SessionSetup) => Promise<RunnerSession>;
}

/** What a session needs of its case. */
export interface SessionSetup {
  /** Providers by source address. */
  readonly providers: Readonly<Record<string, ProviderFactory>>;
  /** The same providers, for callers that need only their schemas. */
  readonly describedProviders: Readonly<Record<string, ProviderFactory>>;
  /** Providers that the runner installs, by local name. */
  readonly externalProviders: Readonly<Record<string, ExternalProvider>>;
  /** Cancels the session. */
  readonly signal?: AbortSignal;
}

/** Values of the root module's variables. */
export type Variables = Readonly<Record<string, unknown>>;

/** The outcome of an operation: the texts of its errors, as the core shows them. Empty if it succeeded. */
export interface Outcome {
  readonly errors: readonly string[];
}

/** How a session plans. */
export interface SessionPlanOptions {
  /** Default: `normal`. */
  readonly mode?: "normal" | "destroy";
  /** Whether objects are read first. Default: true. */
  readonly refresh?: boolean;
  /** Whether configuration is generated for imported objects. Default: false. */
  readonly generateConfiguration?: boolean;
  /** Whether providers may defer changes. Default: false. */
  readonly allowDeferral?: boolean;
}

/** A configuration and a state, which a case changes step by step. */
export interface RunnerSession extends AsyncDisposable {
  /** Replaces the configuration, and the values of its variables. */
  readonly configure: (files: ConfigurationFiles, variables: Variables) => Promise<Outcome>;
  readonly plan: (options?: SessionPlanOptions) => Promise<SessionPlan>;
  /** Reads all objects and stores their current values. */
  readonly refresh: () => Promise<Outcome>;
  /** Marks an object so that the next plan replaces it. */
  readonly taint: (address: string) => Promise<Outcome>;
  /** Imports an object by its ID, as the command `import` does. */
  readonly importObject: (address: string, id: string) => Promise<Outcome>;
  readonly state: () => Promise<StateDocument>;
  /** Opens a session with the same providers and an empty state. */
  readonly fork: () => Promise<RunnerSession>;
}

/** A plan, which can be applied once. */
export interface SessionPlan extends Outcome, AsyncDisposable {
  /** Whether applying the plan would change anything. A plan that only reads data sources, for example, may have changes and count as empty. */
  readonly hasChanges: boolean;
  /** Returns the plan, before and after its apply. Only for a plan without errors; later calls return the same. */
  readonly document: () => Promise<PlanDocument>;
  /** The plan as the core prints it. */
  readonly text: () => Promise<string>;
  /** The generated configuration, if it was requested and there is some. */
  readonly generatedConfiguration: string | undefined;
  readonly apply: () => Promise<Outcome>;
}
