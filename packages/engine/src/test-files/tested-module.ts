// SPDX-License-Identifier: Apache-2.0
import { randomBytes } from "node:crypto";
import type { Value } from "@tenon/cty";
import { configResourceOf, formatConfigResource, type ResourceInstance } from "../address/resource.ts";
import { isSameModulePath } from "../address/module.ts";
import type { ProviderConfig } from "../address/provider-config.ts";
import type { TargetSubject } from "../address/target.ts";
import { applyPlan, type AppliedChanges } from "../apply/apply-plan.ts";
import type { PlannedChanges, PlanMode } from "../change/planned-changes.ts";
import type { Configuration } from "../configuration/configuration.ts";
import type { CheckRule } from "../configuration/check-rule.ts";
import { providerOfLocalName } from "../configuration/module.ts";
import { isSameProvider } from "../address/provider.ts";
import type { Substitutions, SubstitutedProvider } from "../evaluation/substitutions.ts";
import { createFunctionTable } from "../functions/table.ts";
import { planConfiguration } from "../plan/plan-configuration.ts";
import type { AddressedDiagnostic } from "../provider/provider-diagnostic.ts";
import type { ProviderPool } from "../provider/provider-pool.ts";
import { ProviderSchemas } from "../provider/provider-schemas.ts";
import type { State } from "../state/state.ts";
import { validateConfiguration } from "../validate/validate-configuration.ts";
import type { RunSetup } from "../workspace/run-setup.ts";
import type { WorkspaceContext } from "../workspace/workspace-context.ts";
import { AssertionWalk, type AssertedState } from "./assertion-walk.ts";
import { evaluateAssertion, type AssertionResult } from "./assertion.ts";
import type { MockProvider } from "./mock-provider-block.ts";
import { mockProvider } from "./mock-provider.ts";
import type { SubstitutedValues } from "./override-block.ts";
import type { RunOverrides } from "./run-overrides.ts";
import type { RunProviders } from "./run-providers.ts";

/** How a run block plans. */
export interface TestPlanOptions {
  readonly mode: PlanMode;
  readonly refresh: boolean;
  readonly targets: readonly TargetSubject[];
  readonly replace: readonly ResourceInstance[];
}

/** The parts of a {@link TestedModule}. */
export interface TestedModuleParts extends RunProviders {
  readonly overrides: RunOverrides;
  readonly variables: RunSetup["variables"];
  readonly signal?: AbortSignal | undefined;
}

/** A configuration with the providers, mocks and overrides of a run block. It has provider instances of its own. */
export class TestedModule implements AsyncDisposable {
  readonly configuration: Configuration;
  readonly #context: WorkspaceContext;
  readonly #pool: ProviderPool;
  readonly #parts: TestedModuleParts;
  readonly #substitutions: Substitutions;

  private constructor(context: WorkspaceContext, pool: ProviderPool, parts: TestedModuleParts) {
    this.configuration = parts.configuration;
    this.#context = context;
    this.#pool = pool;
    this.#parts = parts;
    this.#substitutions = substitutionsOf(parts);
  }

  /** @throws EngineError `PROVIDER_INSTALLATION_FAILED`. */
  static async open(context: WorkspaceContext, parts: TestedModuleParts): Promise<TestedModule> {
    return new TestedModule(context, await context.openPool(parts.configuration, { signal: parts.signal }), parts);
  }

  /** Validates the configuration. */
  async validate(): Promise<readonly AddressedDiagnostic[]> {
    const { workspace, workingFolder, environment } = this.#context;
    return validateConfiguration({
      configuration: this.configuration,
      pool: this.#pool,
      workspace,
      workingFolder,
      environment,
      substitutions: this.#substitutions,
      reportsMissingProviders: true,
    });
  }

  /** Plans the configuration for a state. Errors are in the diagnostics of the plan. */
  async plan(state: State, { mode, refresh, targets, replace }: TestPlanOptions): Promise<PlannedChanges> {
    const { changes } = await planConfiguration({
      ...this.#setup(),
      state,
      pool: this.#pool,
      mode,
      refresh,
      targets,
      excludes: [],
      replace,
      generateConfiguration: false,
      allowsDeferral: false,
      emit: () => {},
      signal: this.#parts.signal,
    });
    return changes;
  }

  /**
   * Applies a plan. Errors are in the diagnostics of the result, whose state has all objects that exist.
   *
   * @param targets Those of the plan.
   */
  async apply(planned: PlannedChanges, targets: TestPlanOptions["targets"]): Promise<AppliedChanges> {
    await this.#pool.beginStage("apply");
    return applyPlan({
      ...this.#setup(),
      planned,
      pool: this.#pool,
      targets,
      excludes: [],
      emit: () => {},
      journal: undefined,
      isStopped: () => false,
      signal: this.#parts.signal,
      newDeposedKey: () => randomBytes(4).toString("hex"),
    });
  }

  /**
   * Evaluates the assertions of a run block.
   *
   * @param timestamp The value of `plantimestamp()`.
   * @param variables The values of `var` in the assertions themselves.
   */
  async evaluate(
    rules: readonly CheckRule[],
    asserted: AssertedState & { readonly timestamp: Date; readonly isApplied: boolean },
    variables: ReadonlyMap<string, Value>,
  ): Promise<readonly AssertionResult[]> {
    const { environment, workspace, workingFolder } = this.#context;
    const schemas = await this.schemas(asserted.state);
    const options = { planTime: asserted.timestamp, ...(!asserted.isApplied && { pureOnly: true }) };
    const walk = new AssertionWalk(
      {
        configuration: this.configuration,
        functions: createFunctionTable(environment, options),
        variables: this.#parts.variables,
        workspace,
        workingFolder,
        pool: this.#pool,
        substitutions: this.#substitutions,
        report: [],
      },
      asserted,
      schemas,
    );
    const results: AssertionResult[] = [];
    for (const rule of rules) results.push(await evaluateAssertion(walk, rule, variables));
    return results;
  }

  /** The schemas of all providers of the configuration and of a state. */
  async schemas(state: State): Promise<ProviderSchemas> {
    return ProviderSchemas.load(this.#pool, this.configuration, state);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#pool[Symbol.asyncDispose]();
  }

  #setup(): Omit<RunSetup, "targets" | "excludes" | "sources"> & { readonly substitutions: Substitutions } {
    const { workspace, workingFolder, environment, options } = this.#context;
    return {
      configuration: this.configuration,
      variables: this.#parts.variables,
      workspace,
      workingFolder,
      environment,
      allowsLocalExec: options.localExec !== false,
      substitutions: this.#substitutions,
    };
  }
}

/** The substitutions that the mocks and overrides of a run block cause. @see OpenTofu node_resource_abstract_instance.go, getProvider */
function substitutionsOf({ configuration, mocks, overrides }: TestedModuleParts): Substitutions {
  const mockOf = (config: ProviderConfig): MockProvider | undefined => {
    if (config.module.length > 0) return undefined;
    for (const [key, mock] of mocks) {
      const block = configuration.module.providers.get(key);
      if (block === undefined || block.alias !== config.alias) continue;
      if (isSameProvider(providerOfLocalName(configuration.module, block.localName), config.provider)) return mock;
    }
    return undefined;
  };
  const valuesFor = (instance: ResourceInstance, config: ProviderConfig): SubstitutedValues | undefined => {
    const address = formatConfigResource(configResourceOf(instance));
    const own = overrides.resources.get(address);
    if (own !== undefined) return own;
    const mock = mockOf(config);
    if (mock === undefined) return undefined;
    const { mode, type } = instance.resource;
    const override = mock.overrides.find(({ target }) => formatConfigResource(target) === address);
    const defaults = mock.resources.find((resource) => resource.type === type && resource.mode === mode)?.defaults;
    return override?.values ?? defaults ?? new Map();
  };
  return {
    isMocked: (config) => mockOf(config) !== undefined,
    providerFor: (instance, config, provider: SubstitutedProvider) => {
      const values = valuesFor(instance, config);
      return values === undefined ? provider.provider : mockProvider(provider, values);
    },
    outputsOf: (path) => overrides.modules.find(({ target }) => isSameModulePath(target, path))?.outputs,
  };
}
