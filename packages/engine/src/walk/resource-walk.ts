// SPDX-License-Identifier: Apache-2.0
import type { Value } from "@tenon/cty";
import type { CtyFunction } from "@tenon/cty/function";
import type { Traversal } from "@tenon/hcl/syntax";
import type { Expression } from "@tenon/hcl";
import { ProviderError } from "@tenon/schema";
import type { InstanceKey } from "../address/instance-key.ts";
import { formatInModulePath, rootModule } from "../address/module.ts";
import type { Reference } from "../address/reference.ts";
import { formatResource, formatResourceInstance, type ResourceInstance } from "../address/resource.ts";
import type { Configuration } from "../configuration/configuration.ts";
import type { CheckRule } from "../configuration/check-rule.ts";
import { resourceBlock, resourcesIn } from "../configuration/module.ts";
import type { Report } from "../configuration/report.ts";
import type { ResourceBlock } from "../configuration/resource.ts";
import type { GivenVariable } from "../configuration/variable-values.ts";
import { Cell, settleAll, UpstreamError } from "../evaluation/cell.ts";
import { CheckLog } from "../evaluation/check-log.ts";
import { checkCondition, isComplete, type ConditionKind } from "../evaluation/condition.ts";
import { FaultLog } from "../evaluation/fault-log.ts";
import type { ScopedEvaluation } from "../evaluation/decode-body.ts";
import { ModuleScope } from "../evaluation/module-scope.ts";
import type { RunContext } from "../evaluation/run-context.ts";
import type { Substitutions } from "../evaluation/substitutions.ts";
import { expansionOf } from "../expansion/expansion.ts";
import { instancesOf } from "../expansion/repetition.ts";
import { failedCall } from "../provider/provider-diagnostic.ts";
import type { PendingCalls } from "../provider/provider-function.ts";
import type { Semaphore } from "../provider/semaphore.ts";
import { waitForDependsOn } from "./depends-on.ts";
import { configAddressOf, settleInstance, type InstanceNode } from "./instance-node.ts";
import { scopeOf, scopesFrom } from "./module-lookup.ts";
import { PacedStarts } from "./paced-starts.ts";
import { ResourceValues, type ExpandedResource, type RecordedValues, type UndeclaredValues } from "./resource-values.ts";
import { WalkProviders, type WalkProvidersOptions } from "./walk-providers.ts";

type ResourceConditionKind = ConditionKind & `Resource ${string}`;

/** Options of a {@link ResourceWalk}. */
export interface WalkOptions extends WalkProvidersOptions {
  readonly configuration: Configuration;
  readonly functions: ReadonlyMap<string, CtyFunction>;
  readonly variables: ReadonlyMap<string, GivenVariable | Value>;
  readonly workspace: string;
  readonly workingFolder: string;
  readonly isApplying: boolean;
  readonly conditionsWarn: boolean;
  /** See {@link RunContext.plannedOutputs}. */
  readonly plannedOutputs?: ReadonlyMap<string, Value>;
  /** See {@link RunContext.allowsUnknownRepetition}. Default: false. */
  readonly allowsUnknownRepetition?: boolean;
  /** Limits what the instances of resources do at once. Default: the limit of the pool's calls. */
  readonly concurrency?: Semaphore;
  readonly report: Report;
  /** Whether a block takes part, by its address in its module: `var.a`, `test.b`, `module.c (expand)`. */
  readonly includes: (path: Configuration["path"], local: string) => boolean;
  /** Addresses of ephemeral resources that an apply evaluates although nothing may ask for their values. Default: none. */
  readonly demanded?: ReadonlySet<string>;
  /**
   * Whether a reference to an instance of a resource waits only for this instance, not for the others. The resource is named by its address
   * in the configuration. Default: it waits for all.
   */
  readonly awaitsAlone?: (resource: string, key: InstanceKey) => boolean;
  /** See {@link UndeclaredValues}. Default: references to resources have only what the configuration declares. */
  readonly undeclared?: UndeclaredValues;
  /** What references get to a resource whose instances could not be determined. Default: the error counts. */
  readonly recorded?: RecordedValues;
  /** Handles an instance: plans or applies it, and returns its value; undefined if it has no object, and none is planned. */
  readonly instance: (node: InstanceNode) => Promise<Value | undefined>;
}

/**
 * A walk through all module instances of a configuration. A block is evaluated when all values to which it refers are known. Plan and apply
 * use different handlers for resource instances.
 */
export class ResourceWalk implements RunContext<ModuleScope> {
  readonly functions: ReadonlyMap<string, CtyFunction>;
  readonly variables: ReadonlyMap<string, GivenVariable | Value>;
  readonly workspace: string;
  readonly workingFolder: string;
  readonly isApplying: boolean;
  readonly conditionsWarn: boolean;
  readonly plannedOutputs: ReadonlyMap<string, Value> | undefined;
  readonly allowsUnknownRepetition: boolean;
  readonly substitutions: Substitutions | undefined;
  readonly report: Report;
  readonly faults: FaultLog = new FaultLog();
  readonly checks: CheckLog = new CheckLog();
  readonly root: ModuleScope;
  readonly providers: WalkProviders;
  /** Whether a block takes part, by its address in its module. */
  readonly includes: WalkOptions["includes"];
  readonly #demanded: ReadonlySet<string>;
  readonly #awaitsAlone: WalkOptions["awaitsAlone"];
  readonly #instance: WalkOptions["instance"];
  readonly #resources = new Map<string, Cell<ExpandedResource>>();
  readonly #values: ResourceValues;
  readonly #starts: PacedStarts;
  /** Resources that are evaluated in all module instances, by their address in the configuration. */
  readonly #whole = new Map<string, Cell<void>>();

  constructor(options: WalkOptions) {
    this.functions = options.functions;
    this.variables = options.variables;
    this.workspace = options.workspace;
    this.workingFolder = options.workingFolder;
    this.isApplying = options.isApplying;
    this.conditionsWarn = options.conditionsWarn;
    this.plannedOutputs = options.plannedOutputs;
    this.allowsUnknownRepetition = options.allowsUnknownRepetition === true;
    this.substitutions = options.substitutions;
    this.report = options.report;
    this.includes = options.includes;
    this.#demanded = options.demanded ?? new Set();
    this.#awaitsAlone = options.awaitsAlone;
    this.#instance = options.instance;
    this.#starts = new PacedStarts(options.concurrency ?? options.pool.semaphore);
    this.root = new ModuleScope(this, options.configuration, rootModule);
    this.providers = new WalkProviders(this.root, options);
    this.#values = new ResourceValues(this, options);
    this.checks.expectConfiguration(options.configuration);
  }

  /** Evaluates all blocks. Returns whether there was no error; errors are in the report. */
  evaluateAll(): Promise<boolean> {
    return settleAll(this.#blocksOf(this.root));
  }

  /** Evaluates all blocks of a module instance and of the modules below it, as {@link evaluateAll} does, and all outputs of the instance. */
  async evaluateModule(scope: ModuleScope): Promise<boolean> {
    const { module, path } = scope.configuration;
    const outputs = [...module.outputs.keys()].filter((name) => this.includes(path, `output.${name}`)).map((name) => scope.output(name));
    return settleAll([...outputs, ...this.#blocksOf(scope)]);
  }

  /**
   * Waits until the declared instances of resources are evaluated in all module instances. A block that waits for a resource without instances
   * does not wait for what the resource refers to.
   *
   * @param addresses Addresses in the configuration.
   * @throws UpstreamError if one of them has errors.
   */
  async waitForResources(addresses: readonly string[]): Promise<void> {
    for (const address of addresses) {
      let cell = this.#whole.get(address);
      if (cell === undefined) this.#whole.set(address, (cell = new Cell(() => this.#evaluateWhole(address))));
      await cell.get();
    }
  }

  async #evaluateWhole(address: string): Promise<void> {
    const includes: WalkOptions["includes"] = (path, local) =>
      address.startsWith(`${formatInModulePath(path, local.replace(/ \(expand\)$/, ""))}.`);
    for await (const scope of scopesFrom(this.root, includes)) {
      const block = resourcesOf(scope).find((one) => configAddressOf({ scope, block: one }) === address);
      if (block !== undefined) await this.allInstances(scope, block);
    }
  }

  /** The declared instances of a resource. */
  resource(scope: ModuleScope, block: ResourceBlock): Promise<ExpandedResource> {
    const id = scope.addressOf(formatResource(block.address));
    let cell = this.#resources.get(id);
    if (cell === undefined) {
      const onFailure = (error: unknown): void => this.faults.add(configAddressOf({ scope, block }), error);
      this.#resources.set(id, (cell = new Cell(() => this.#expand(scope, block), onFailure)));
    }
    return cell.get();
  }

  /** The value of an instance. @throws UpstreamError if the configuration does not declare its resource. */
  async instance({ module, resource, key }: ResourceInstance): Promise<Value | undefined> {
    const scope = await scopeOf(this.root, module);
    const block = scope && resourceBlock(scope.configuration.module, resource);
    if (block === undefined) throw new UpstreamError();
    return (await this.resource(scope!, block)).instances.get(key)?.get();
  }

  resourceValue = (scope: ModuleScope, block: ResourceBlock, key?: InstanceKey): Promise<Value> => {
    if (key !== undefined && this.#awaitsAlone?.(configAddressOf({ scope, block }), key) === true)
      return this.#values.single(scope, block, key);
    return this.#values.all(scope, block);
  };

  waitForDependsOn = (scope: ModuleScope, dependsOn: readonly Traversal[]): Promise<void> => waitForDependsOn(this, scope, dependsOn);

  providerFunction = (scope: ModuleScope, reference: Reference, pending: PendingCalls): Promise<CtyFunction> =>
    this.providers.function(scope, reference, pending);

  /**
   * Checks the conditions of a resource instance. Undefined if it has none of the kind.
   *
   * @throws UpstreamError after a failure that is an error.
   */
  checkRules(node: InstanceNode, kind: ResourceConditionKind, self?: Value): Promise<void> | undefined {
    const { preconditions, postconditions } = node.block;
    const rules = kind === "Resource precondition" ? preconditions : postconditions;
    return rules.length === 0 ? undefined : this.#checkRules(node, kind, rules, self);
  }

  async #checkRules(node: InstanceNode, kind: ResourceConditionKind, rules: readonly CheckRule[], self: Value | undefined): Promise<void> {
    const data = self === undefined ? node.data : { ...node.data, self: await this.#values.forReferences(node, self) };
    const own: Report = [];
    for (const rule of rules) {
      if (!isComplete(rule)) continue;
      const scope = await node.scope.conditionScope(rule.condition, rule.errorMessage, data);
      const result = checkCondition(kind, rule, scope, this.conditionsWarn ? "warning" : "error", node.text, own);
      this.checks.add(node.configText, node.text, result);
    }
    settleInstance(node, own);
  }

  /** Runs a task for an object. A failed call of a provider is reported as an error of the object. */
  async guarded<T>(text: string, task: () => Promise<T>): Promise<T> {
    try {
      return await task();
    } catch (error) {
      throw this.#reportedFailure(text, error);
    }
  }

  /** Reports an error if it is a failed call of a provider. Returns the error to throw. */
  #reportedFailure(text: string, error: unknown): unknown {
    if (!(error instanceof ProviderError) || error.code === "CANCELLED") return error;
    const diagnostic = failedCall(text, error);
    this.report.push(diagnostic);
    return new UpstreamError([diagnostic]);
  }

  /** Adds a variable, output or check of a module instance to those whose conditions are checked. */
  expectCheckable(scope: ModuleScope, local: string): void {
    if (!scope.isUnknown) this.checks.expectObject(formatInModulePath(scope.configuration.path, local), scope.addressOf(local));
  }

  /** Starts the evaluation of the blocks of a module instance. */
  #blocksOf(scope: ModuleScope): Promise<unknown>[] {
    const { module, path } = scope.configuration;
    const named = <T>(blocks: ReadonlyMap<string, T>, prefix: string, suffix = ""): string[] =>
      [...blocks.keys()].filter((name) => this.includes(path, `${prefix}.${name}${suffix}`));
    for (const [prefix, blocks] of [
      ["var", module.variables],
      ["output", module.outputs],
    ] as const) {
      for (const name of named<unknown>(blocks, prefix)) this.expectCheckable(scope, `${prefix}.${name}`);
    }
    return [
      ...named(module.variables, "var")
        .filter((name) => !this.isApplying || path.length === 0 || module.variables.get(name)!.validations.length > 0)
        .map((name) => scope.variable(name)),
      ...named(module.locals, "local")
        .filter(() => !this.isApplying)
        .map((name) => scope.local(name)),
      ...this.#outputsOf(scope, named(module.outputs, "output")),
      ...resourcesOf(scope)
        .filter((block) => this.includes(path, formatResource(block.address)))
        .filter((block) => !this.isApplying || !isAppliedOnDemand(block) || this.#demanded.has(configAddressOf({ scope, block })))
        .map((block) => this.allInstances(scope, block)),
      ...named(module.calls, "module", " (expand)").map(async (name) => {
        const { instances } = await scope.call(name);
        const called = scope.configuration.children.get(name);
        if (instances.size === 0 && called !== undefined) this.#expectNoObjects(called);
        const results = await Promise.allSettled([...instances.values()].flatMap((child) => this.#blocksOf(child)));
        const failure = results.find(({ status }) => status === "rejected");
        if (failure?.status === "rejected") throw failure.reason;
      }),
    ];
  }

  /** Evaluates outputs. In an apply, those of called modules have a value only if something refers to them, and their conditions are checked. */
  #outputsOf(scope: ModuleScope, names: readonly string[]): Promise<unknown>[] {
    const { module, path } = scope.configuration;
    if (!this.isApplying || path.length === 0) return names.map((name) => scope.output(name));
    return names.filter((name) => module.outputs.get(name)!.preconditions.length > 0).map((name) => scope.outputConditions(name));
  }

  /** Records that the blocks of a module without instances have no objects. */
  #expectNoObjects(configuration: Configuration): void {
    const { module, path } = configuration;
    const locals = [
      ...[...module.variables.keys()].map((name) => `var.${name}`),
      ...[...module.outputs.keys()].map((name) => `output.${name}`),
      ...[...module.checks.keys()].map((name) => `check.${name}`),
      ...[...resourcesIn(module)].map(({ address }) => formatResource(address)),
    ];
    for (const local of locals) if (this.includes(path, local)) this.checks.expectObjects(formatInModulePath(path, local));
    for (const child of configuration.children.values()) this.#expectNoObjects(child);
  }

  /** Evaluates all instances of a resource. @throws UpstreamError if one of them has errors. */
  async allInstances(scope: ModuleScope, block: ResourceBlock): Promise<void> {
    const { instances } = await this.resource(scope, block);
    const succeeded = await settleAll([...instances.values()].map((cell) => cell.get()));
    if (!succeeded && block.check === undefined) throw new UpstreamError();
  }

  async #expand(scope: ModuleScope, block: ResourceBlock): Promise<ExpandedResource> {
    const problems: Report = [];
    const text = scope.addressOf(formatResource(block.address));
    const evaluate = (expression: Expression): Promise<ScopedEvaluation> => scope.evaluate(expression);
    const expansion = await expansionOf(block, { evaluate, address: text, allowUnknown: this.allowsUnknownRepetition }, problems);
    scope.settleBlock(formatResource(block.address), undefined, problems);
    if (expansion === undefined) throw new UpstreamError();
    // A target can leave out a resource although other blocks refer to its recorded values.
    const isKnown = expansion.kind !== "unknown" && !scope.isUnknown;
    const isChecked = isKnown && this.includes(scope.configuration.path, formatResource(block.address));
    const configText = configAddressOf({ scope, block });
    if (isChecked) this.checks.expectObjects(configText);
    const instances = new Map<InstanceKey, Cell<Value | undefined>>();
    for (const { key, data, isUnknown } of instancesOf(expansion)) {
      const keyed = isUnknown === true ? { isUnknown } : key === undefined ? {} : { key };
      const address: ResourceInstance = { module: scope.instance, resource: block.address, ...keyed };
      const node: InstanceNode = { scope, block, address, text: formatResourceInstance(address), configText, data };
      if (isChecked) this.checks.expectObject(configText, node.text);
      const onFailure = (error: unknown): void => this.faults.add(configText, error, { key });
      instances.set(key, new Cell(() => this.#guardedInstance(node), onFailure));
    }
    return { block, expansion, instances };
  }

  /** Handles an instance in its turn. */
  async #guardedInstance(node: InstanceNode): Promise<Value | undefined> {
    try {
      const turn = this.#starts.next();
      if (turn !== undefined) await turn;
      return await this.#instance(node);
    } catch (error) {
      throw this.#reportedFailure(node.text, error);
    }
  }
}

/** The resources of a module instance that take part in a walk. */
export function resourcesOf(scope: ModuleScope): readonly ResourceBlock[] {
  return scope.isSubstituted ? [] : resourcesIn(scope.configuration.module);
}

/**
 * Whether an apply evaluates a block only if another block refers to it: ephemeral resources, and the data sources of checks.
 *
 * @see OpenTofu transform_destroy_edge.go, pruneUnusedNodesTransformer
 */
function isAppliedOnDemand({ address, check }: ResourceBlock): boolean {
  return address.mode === "ephemeral" || check !== undefined;
}
