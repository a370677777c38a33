// SPDX-License-Identifier: Apache-2.0
import type { CallSite } from "../call-site.ts";
import type { PlanCheck, QueryCheck, QueryResult, StateCheck } from "../checks/check.ts";
import type { ResourceAddress } from "../checks/resource-address.ts";
import type { ConfigurationSource } from "../configuration/configuration-source.ts";
import type { PlanDocument } from "../documents/plan-document.ts";
import type { ResourceDocument, StateDocument } from "../documents/state-document.ts";
import type { ValuePath } from "../documents/value-path.ts";
import type { Variables } from "../runner/runner.ts";

/** A check of a plan: one of this package, or a function that throws. */
export type PlanCheckLike = PlanCheck | ((plan: PlanDocument) => unknown);

/** A check of a state: one of this package, or a function that throws. */
export type StateCheckLike = StateCheck | ((state: StateDocument) => unknown);

/** A check of the results of a query: one of this package, or a function that throws. */
export type QueryCheckLike = QueryCheck | ((results: readonly QueryResult[]) => unknown);

/** The plans of a configuration step, and their checks. */
export interface PlanChecks {
  /** Checks of the plan that is applied. */
  readonly preApply?: readonly PlanCheckLike[];
  /** Checks of the plan after the apply that reads no object. */
  readonly postApplyPreRefresh?: readonly PlanCheckLike[];
  /** Checks of the last plan, which reads all objects again. */
  readonly postApplyPostRefresh?: readonly PlanCheckLike[];
}

/** Options of all steps. */
export interface StepOptions {
  /** Called before the step: to change the remote system, for example. */
  readonly preConfig?: () => unknown;
  /** Whether the step is skipped. Called before the step, before `preConfig`. */
  readonly skip?: () => boolean | Promise<boolean>;
  /** The step must fail with an error of the core or the provider that matches. Line breaks of the error count as spaces, too. */
  readonly expectError?: RegExp;
  /** Values of the root module's variables. Default: those of the step before. */
  readonly variables?: Variables;
}

/** Options of {@link configStep}. */
export interface ConfigStepOptions extends StepOptions {
  /** Checks of the plan that is applied, or of each of the step's plans. */
  readonly planChecks?: readonly PlanCheckLike[] | PlanChecks;
  /** Checks of the state after the apply. */
  readonly stateChecks?: readonly StateCheckLike[];
  /** Called after the apply and the checks of the state, before the plans that must be empty. */
  readonly postApply?: () => unknown;
  /** Addresses of objects that are tainted first, so that the step replaces them. */
  readonly taint?: readonly ResourceAddress[];
  /** Whether the step plans, and applies nothing. The plan must be empty, unless `expectNonEmptyPlan`. Default: false. */
  readonly planOnly?: boolean;
  /** Whether the step destroys all objects. Default: false. */
  readonly destroy?: boolean;
  /** Whether the last plan of the step must have changes, instead of none. Default: false. */
  readonly expectNonEmptyPlan?: boolean;
}

/** Options of {@link refreshStep}. */
export interface RefreshStepOptions extends Omit<StepOptions, "variables"> {
  /** Checks of the plan after the refresh. */
  readonly planChecks?: readonly PlanCheckLike[];
  /** Checks of the refreshed state. */
  readonly stateChecks?: readonly StateCheckLike[];
  /** Whether the plan after the refresh must have changes, instead of none. Default: false. */
  readonly expectNonEmptyPlan?: boolean;
}

/** Options of {@link importStep}. */
export interface ImportStepOptions extends StepOptions {
  /** The command `import` with an ID, an `import` block with an ID, or one with an identity. Default: `command`. */
  readonly kind?: "command" | "block" | "identityBlock";
  /** The ID, or a function that takes it from the state. Default: the attribute `id` of the resource in the state. */
  readonly id?: string | ((state: StateDocument) => string | Promise<string>);
  /** Text before the ID. */
  readonly idPrefix?: string;
  /** The identity, for the kind `identityBlock`. Default: that of the resource in the state. */
  readonly identity?: Readonly<Record<string, unknown>>;
  /** The configuration for the import. Default: that of the step before. */
  readonly config?: ConfigurationSource;
  /** Whether the imported resource must equal the resource in the state. Default: true, unless `persist`. */
  readonly verify?: boolean;
  /** Attributes that {@link verify} ignores, such as those that the remote system does not return. */
  readonly verifyIgnore?: readonly ValuePath[];
  /** Whether the import goes to the state of the case, and not to one of its own. Default: false. */
  readonly persist?: boolean;
  /** Called with the imported resources. Throws to fail the step. */
  readonly check?: (imported: readonly ResourceDocument[]) => unknown;
  /** Checks of the plan that has the import, for blocks. */
  readonly planChecks?: readonly PlanCheckLike[];
  /** Whether the plan may also change the imported object, for blocks. Default: false. */
  readonly expectNonEmptyPlan?: boolean;
  /** Whether the configuration of the imported resource is generated, for blocks. Then `config` must not have it. Default: false. */
  readonly generateConfiguration?: boolean;
  /** Called with the generated configuration. Throws to fail the step. */
  readonly checkGenerated?: (text: string) => unknown;
}

/** A `list` block of a query. */
export interface ListBlock {
  /** The type of the resources: `dns_record`. */
  readonly type: string;
  /** The arguments of the block. */
  readonly config?: Readonly<Record<string, unknown>>;
  /** Maximum number of results. Default: 100, as for Terraform. */
  readonly limit?: number;
  /** Whether results have their resources. Default: false. */
  readonly includeResource?: boolean;
}

/** Options of {@link queryStep}. */
export interface QueryStepOptions extends Omit<StepOptions, "variables"> {
  /** The provider, as the case names it. Default: its only provider. */
  readonly provider?: string;
  /** The configuration of the provider. */
  readonly providerConfig?: Readonly<Record<string, unknown>>;
  readonly queryChecks?: readonly QueryCheckLike[];
}

/** A `state_store` block: a state store of a provider. */
export interface StateStoreBlock {
  /** The type of the state store: `cloud_bucket`. */
  readonly type: string;
  /** The arguments of the block. */
  readonly config?: Readonly<Record<string, unknown>>;
}

/** Options of {@link stateStoreStep}. */
export interface StateStoreStepOptions extends Omit<StepOptions, "variables"> {
  /** The provider, as the case names it. Default: its only provider. */
  readonly provider?: string;
  /** The configuration of the provider. */
  readonly providerConfig?: Readonly<Record<string, unknown>>;
  /** Whether the step uses only the workspace `default`, for a store that has no others. Default: false. */
  readonly defaultWorkspaceOnly?: boolean;
  /** Whether a locked state must refuse a second lock. Default: false. */
  readonly verifyLock?: boolean;
}

/** A step of a case. */
export type Step =
  | { readonly kind: "config"; readonly site: CallSite; readonly source: ConfigurationSource; readonly options: ConfigStepOptions }
  | { readonly kind: "refresh"; readonly site: CallSite; readonly options: RefreshStepOptions }
  | { readonly kind: "import"; readonly site: CallSite; readonly address: string; readonly options: ImportStepOptions }
  | {
      readonly kind: "query";
      readonly site: CallSite;
      readonly lists: Readonly<Record<string, ListBlock>>;
      readonly options: QueryStepOptions;
    }
  | {
      readonly kind: "stateStore";
      readonly site: CallSite;
      readonly store: StateStoreBlock;
      readonly options: StateStoreStepOptions;
    };

/** A step of one kind. */
export type StepOf<K extends Step["kind"]> = Extract<Step, { readonly kind: K }>;
