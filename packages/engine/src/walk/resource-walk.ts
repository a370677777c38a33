// SPDX-License-Identifier: Apache-2.0
import { dynamic, nullOf, objectOf, tupleOf, unknown, unmarkDeep, type Value } from "@tenon/cty";
import type { CtyFunction } from "@tenon/cty/function";
import type { Traversal } from "@tenon/hcl/syntax";
import { hasErrors, impliedType, ProviderError, type Block, type Provider } from "@tenon/schema";
import { resourceType, type ResourceType } from "@tenon/schema/lifecycle";
import { instanceKeyOf, type InstanceKey } from "../address/instance-key.ts";
import { formatInModulePath, modulePathOf, rootModule, type ModuleInstance } from "../address/module.ts";
import { formatProviderConfig, formatProviderConfigInstance, type ProviderConfigInstance } from "../address/provider-config.ts";
import { formatProvider, formatProviderForDisplay, type ProviderAddress } from "../address/provider.ts";
import { formatReferenceSubject, type Reference } from "../address/reference.ts";
import { formatResource, formatResourceInstance, type ResourceInstance } from "../address/resource.ts";
import { allModules, descendant, type Configuration } from "../configuration/configuration.ts";
import { providerConfigOfResource, providerOfLocalName, resourceBlock, resourcesIn } from "../configuration/module.ts";
import { type Report } from "../configuration/report.ts";
import type { ResourceBlock } from "../configuration/resource.ts";
import type { GivenVariable } from "../configuration/variable-values.ts";
import { Cell, settleAll, UpstreamError } from "../evaluation/cell.ts";
import { CheckLog } from "../evaluation/check-log.ts";
import { checkCondition, isComplete, type ConditionKind } from "../evaluation/condition.ts";
import { providerBlockOf } from "../evaluation/dependency-graph.ts";
import { ModuleScope } from "../evaluation/module-scope.ts";
import { decoderSpec } from "../evaluation/decoder-spec.ts";
import { referencesOfBody, referencesOfTraversals } from "../evaluation/references.ts";
import type { RunContext } from "../evaluation/run-context.ts";
import { noScopeData, type ScopeData } from "../evaluation/scope-data.ts";
import { expansionOf } from "../expansion/expansion.ts";
import { instancesOf, type Expansion } from "../expansion/repetition.ts";
import { failedCall, locateDiagnostics } from "../provider/provider-diagnostic.ts";
import type { Gate } from "../provider/gate.ts";
import { ProviderFunctionCalls, type PendingCalls } from "../provider/provider-function.ts";
import type { ProviderPool } from "../provider/provider-pool.ts";
import { configureProvider, evaluateProviderConfiguration } from "./provider-configuration.ts";
import { PacedStarts } from "./paced-starts.ts";
import { resourceSchemas } from "../provider/provider-schemas.ts";
import { resolveProviderConfig, type ResolvedProvider } from "../provider/provider-resolution.ts";

/** One instance of a resource that the configuration declares. */
export interface InstanceNode {
  readonly scope: ModuleScope;
  readonly block: ResourceBlock;
  readonly address: ResourceInstance;
  /** The address as text, for maps and diagnostics. */
  readonly text: string;
  /** The address of the block, which all instances have in common, as text. */
  readonly configText: string;
  /** The values of `count` and `each`. */
  readonly data: ScopeData;
}

/** The declared instances of a resource in a module instance. */
export interface ExpandedResource {
  readonly block: ResourceBlock;
  readonly expansion: Expansion;
  /** The value of each instance, with marks. */
  readonly instances: ReadonlyMap<InstanceKey, Cell<Value | undefined>>;
}

/** Options of a {@link ResourceWalk}. */
export interface WalkOptions {
  readonly configuration: Configuration;
  readonly functions: ReadonlyMap<string, CtyFunction>;
  readonly variables: ReadonlyMap<string, GivenVariable | Value>;
  readonly workspace: string;
  readonly workingFolder: string;
  readonly isApplying: boolean;
  readonly conditionsWarn: boolean;
  readonly pool: ProviderPool;
  /** Limits what the instances of resources do at once. Default: the limit of the pool's calls. */
  readonly gate?: Gate;
  readonly report: Report;
  /** Whether providers may defer. Default: false. */
  readonly allowsDeferral?: boolean;
  /** Whether the configurations of providers must be wholly known. Default: false. */
  readonly requiresKnownProviders?: boolean;
  /** Whether providers are configured before their functions are called. Default: true. */
  readonly configuresProviders?: boolean;
  /** Whether a block takes part, by its address in its module: `var.a`, `test.b`, `module.c (expand)`. */
  readonly includes: (path: Configuration["path"], local: string) => boolean;
  /** Handles an instance: plans or applies it, and returns its value; undefined if it has no object, and none is planned. */
  readonly instance: (node: InstanceNode) => Promise<Value | undefined>;
}

/** A provider instance, and the address of its configuration. */
export interface ConfiguredProvider {
  readonly provider: Provider;
  readonly address: ProviderConfigInstance;
}

/** The type of a resource's objects, and the configured provider that manages them. */
export interface TypedProvider {
  readonly type: ResourceType;
  readonly provider: ConfiguredProvider;
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
  readonly report: Report;
  readonly checks: CheckLog = new CheckLog();
  readonly pool: ProviderPool;
  readonly allowsDeferral: boolean;
  readonly root: ModuleScope;
  readonly requiresKnownProviders: boolean;
  readonly #configuresProviders: boolean;
  readonly #instance: WalkOptions["instance"];
  readonly #includes: WalkOptions["includes"];
  readonly #resources = new Map<string, Cell<ExpandedResource>>();
  readonly #values = new Map<string, Cell<Value>>();
  readonly #functionCalls = new ProviderFunctionCalls();
  readonly #starts: PacedStarts;
  /** The types of the resources of which all instances have one provider. */
  readonly #types = new WeakMap<ModuleScope, Map<ResourceBlock, Cell<TypedProvider>>>();
  readonly #hasProviderMetas: boolean;

  constructor(options: WalkOptions) {
    this.functions = options.functions;
    this.variables = options.variables;
    this.workspace = options.workspace;
    this.workingFolder = options.workingFolder;
    this.isApplying = options.isApplying;
    this.conditionsWarn = options.conditionsWarn;
    this.report = options.report;
    this.pool = options.pool;
    this.allowsDeferral = options.allowsDeferral === true;
    this.requiresKnownProviders = options.requiresKnownProviders === true;
    this.#configuresProviders = options.configuresProviders !== false;
    this.#starts = new PacedStarts(options.gate ?? options.pool.gate);
    this.#instance = options.instance;
    this.#includes = options.includes;
    this.root = new ModuleScope(this, options.configuration, rootModule);
    this.checks.expectConfiguration(options.configuration);
    this.#hasProviderMetas = [...allModules(options.configuration)].some(({ module }) => module.providerMetas.size > 0);
  }

  /** Evaluates all blocks. Returns whether there was no error; errors are in the report. */
  async evaluateAll(): Promise<boolean> {
    return settleAll(this.#module(this.root));
  }

  /** The declared instances of a resource. */
  resource(scope: ModuleScope, block: ResourceBlock): Promise<ExpandedResource> {
    const id = scope.addressOf(formatResource(block.address));
    let cell = this.#resources.get(id);
    if (cell === undefined) this.#resources.set(id, (cell = new Cell(() => this.#expand(scope, block))));
    return cell.get();
  }

  /** The value of an instance. @throws UpstreamError if the configuration does not declare its resource. */
  async instance({ module, resource, key }: ResourceInstance): Promise<Value | undefined> {
    const scope = await this.scopeOf(module);
    const block = scope && resourceBlock(scope.configuration.module, resource);
    if (block === undefined) throw new UpstreamError();
    return (await this.resource(scope!, block)).instances.get(key)?.get();
  }

  resourceValue = (scope: ModuleScope, block: ResourceBlock): Promise<Value> => {
    const id = scope.addressOf(formatResource(block.address));
    let cell = this.#values.get(id);
    if (cell === undefined) this.#values.set(id, (cell = new Cell(() => this.#wholeValue(scope, block))));
    return cell.get();
  };

  providerFunction = async (scope: ModuleScope, { subject, range }: Reference, pending: PendingCalls): Promise<CtyFunction> => {
    if (subject.kind !== "providerFunction") throw new RangeError("the reference is not one of a provider's function");
    const { provider: localName, alias, name } = subject;
    const source = providerOfLocalName(scope.configuration.module, localName);
    const id = formatReferenceSubject(subject);
    const { config } = resolveProviderConfig(scope.configuration, { localName, ...(alias !== undefined && { alias }) }, source);
    const isConfigured =
      this.#configuresProviders &&
      providerBlockOf((await this.scopeAt(config.module))?.configuration ?? this.root.configuration, config) !== undefined;
    const provider = isConfigured ? (await this.configuredProvider({ config })).provider : await this.pool.unconfigured(source);
    const signature = (await this.providerSchemas(source)).functions.get(name) ?? (await provider.getFunctions({})).functions.get(name);
    if (signature === undefined) {
      const detail = `Function ${JSON.stringify(id)} was not registered by provider`;
      return scope.settle(undefined as never, [{ severity: "error", summary: "Function not found in provider", detail, subject: range }]);
    }
    return this.#functionCalls.create(`${formatProviderConfig(config)} ${id}`, name, signature, provider, pending);
  };

  /**
   * Waits for the explicit dependencies of a resource: its own `depends_on`, and those of the calls of its module.
   *
   * @throws UpstreamError if one of them has errors.
   */
  async dependenciesDone(scope: ModuleScope, block: ResourceBlock): Promise<void> {
    await this.#done(scope, block.dependsOn);
    for (let { caller } = scope; caller !== undefined; caller = caller.scope.caller) {
      if (caller.call.dependsOn !== undefined) await this.#done(caller.scope, caller.call.dependsOn);
    }
  }

  /** Whether all that a block refers to has values, and the calls of its module are evaluated. A module instance need not exist any more. */
  async hasSoundDependencies(module: ModuleInstance, block: ResourceBlock): Promise<boolean> {
    try {
      let scope: ModuleScope | undefined = this.root;
      for (const { name, key } of module) {
        if (scope?.configuration.children.has(name) !== true) return true;
        scope = (await scope.call(name)).instances.get(key);
      }
      if (scope === undefined) return true;
      await this.dependenciesDone(scope, block);
      await scope.scopeFor(referencesOfBody(block.config, decoderSpec(await this.resourceSchema(block))), noScopeData, []);
      return true;
    } catch (error) {
      if (!(error instanceof UpstreamError)) throw error;
      return false;
    }
  }

  /** The configured provider of a resource instance. */
  async providerOf(node: Pick<InstanceNode, "scope" | "block" | "data">): Promise<ConfiguredProvider> {
    return this.#providerAt(node, this.#resolvedProvider(node));
  }

  #resolvedProvider({ scope, block }: Pick<InstanceNode, "scope" | "block">): ResolvedProvider {
    if (block.provider === undefined) throw new UpstreamError();
    return resolveProviderConfig(scope.configuration, providerConfigOfResource(block), block.provider, block.providerReference?.key);
  }

  async #providerAt({ scope, data }: Pick<InstanceNode, "scope" | "data">, { config, key }: ResolvedProvider): Promise<ConfiguredProvider> {
    if (key === undefined) return this.configuredProvider({ config });
    let [at, atData]: [ModuleScope, ScopeData] = [scope, data];
    for (let step = 0; step < key.callsAbove; step++) [at, atData] = [at.caller!.scope, at.caller!.data];
    const { value, diagnostics } = await at.evaluate(key.expression, atData);
    scope.settle(undefined, diagnostics);
    const result = instanceKeyOf(unmarkDeep(value)[0]);
    if (result.key === undefined) {
      const detail = `Invalid provider instance key: ${result.reason}.`;
      return scope.settle(undefined as never, [
        { severity: "error", summary: "Invalid provider instance key", detail, subject: key.expression.range },
      ]);
    }
    return this.configuredProvider({ config, key: result.key });
  }

  /** The instance for a provider configuration: opened and configured when it is first needed. */
  async configuredProvider(address: ProviderConfigInstance): Promise<ConfiguredProvider> {
    const provider = await this.pool.configured(formatProviderConfigInstance(address), address.config.provider, {
      evaluate: () => evaluateProviderConfiguration(this, address),
      configure: (instance, settings) => configureProvider(this, instance, address, settings),
    });
    return { provider, address };
  }

  /** The type of a resource, of its configured provider. An unknown type is reported. */
  async resourceType(node: Pick<InstanceNode, "scope" | "block" | "data">): Promise<TypedProvider> {
    const { scope, block } = node;
    const resolved = this.#resolvedProvider(node);
    // The instances of a resource can only have different providers if the resource chooses them by a key.
    if (resolved.key?.callsAbove === 0) return this.#typeAt(node, resolved);
    let ofScope = this.#types.get(scope);
    if (ofScope === undefined) this.#types.set(scope, (ofScope = new Map()));
    let cell = ofScope.get(block);
    if (cell === undefined) ofScope.set(block, (cell = new Cell(() => this.#typeAt(node, resolved))));
    return cell.get();
  }

  async #typeAt(node: Pick<InstanceNode, "scope" | "block" | "data">, resolved: ResolvedProvider): Promise<TypedProvider> {
    const provider = await this.#providerAt(node, resolved);
    await this.resourceSchema(node.block);
    const providerAddress = formatProviderConfig(provider.address.config);
    return { type: await resourceType(provider.provider, node.block.address.type, { providerAddress }), provider };
  }

  /** The schema of a resource's type. A type that the provider does not have is reported. */
  async resourceSchema(block: ResourceBlock): Promise<Block> {
    if (block.provider === undefined) throw new UpstreamError();
    const schemas = await this.providerSchemas(block.provider);
    const { mode, type } = block.address;
    const schema = resourceSchemas(schemas, mode).get(type);
    if (schema !== undefined) return schema.block;
    const noun = { managed: "resource type", data: "data source", ephemeral: "ephemeral resource type" }[mode];
    const summary = { managed: "Invalid resource type", data: "Invalid data source", ephemeral: "Invalid ephemeral resource type" }[mode];
    const detail = `The provider ${formatProviderForDisplay(block.provider)} does not support ${noun} "${type}".`;
    return this.root.settle(undefined as never, [{ severity: "error", summary, detail, subject: block.typeRange }]);
  }

  /**
   * The value of the `provider_meta` block for a provider in the module of an instance, as an option of lifecycle operations. Absent for an
   * instance of a resource that the configuration no longer declares.
   *
   * @see OpenTofu transform_attach_config_resource.go
   */
  async providerMeta({ module, resource }: ResourceInstance, provider: ProviderAddress): Promise<{ readonly providerMeta?: Value }> {
    if (!this.#hasProviderMetas) return {};
    const configuration = descendant(this.root.configuration, modulePathOf(module));
    const block = configuration?.module.providerMetas.get(formatProvider(provider));
    if (block === undefined || resourceBlock(configuration!.module, resource) === undefined) return {};
    const scope = await this.scopeOf(module);
    if (scope === undefined) return {};
    const { providerMeta: schema } = await this.providerSchemas(provider);
    if (schema === undefined) {
      const summary = `Provider ${formatProvider(provider)} doesn't support provider_meta`;
      const name = formatResource(resource);
      const detail = `The resource ${name} belongs to a provider that doesn't support provider_meta blocks`;
      return scope.settle({}, [{ severity: "error", summary, detail, subject: block.range }]);
    }
    const { value, diagnostics } = await scope.decode(block.config, schema.block);
    return { providerMeta: scope.settle(unmarkDeep(value)[0], diagnostics) };
  }

  /** The schemas of a provider. Its errors are reported. */
  async providerSchemas(provider: ProviderAddress): ReturnType<ProviderPool["schemas"]> {
    const response = await this.pool.schemas(provider);
    if (hasErrors(response.diagnostics))
      this.root.settle(undefined, locateDiagnostics(response.diagnostics, undefined, formatProvider(provider)));
    return response;
  }

  /**
   * Evaluates the assertions of all `check` blocks. Failures are warnings.
   *
   * @param options.readsData Whether data sources of `check` blocks are read; if not, the blocks that have one are left out. Default: true.
   * @see OpenTofu node_check.go
   */
  async checkBlocks({ readsData = true }: { readonly readsData?: boolean } = {}): Promise<void> {
    for await (const scope of this.scopes()) {
      const { module, path } = scope.configuration;
      for (const { name, assertions, data } of module.checks.values()) {
        if (!this.#includes(path, `check.${name}`)) continue;
        const address = scope.addressOf(`check.${name}`);
        const configAddress = formatInModulePath(path, `check.${name}`);
        this.expectCheckable(scope, `check.${name}`);
        const source = data && resourceBlock(module, data.address);
        if (source !== undefined && !readsData) continue;
        if (source !== undefined) await this.resourceValue(scope, source).catch(() => undefined);
        for (const rule of assertions) {
          if (!isComplete(rule)) continue;
          const own: Report = [];
          try {
            const evaluated = await scope.conditionScope(rule.condition, rule.errorMessage, { check: name });
            this.checks.add(configAddress, address, checkCondition("Check block assertion", rule, evaluated, "warning", own));
          } catch (error) {
            // What it refers to has errors: its result stays unknown.
            if (!(error instanceof UpstreamError)) throw error;
          }
          this.report.push(...own);
        }
      }
    }
  }

  /** Checks the conditions of a resource instance. @throws UpstreamError after a failure that is an error. */
  async checkRules(node: InstanceNode, kind: ConditionKind & `Resource ${string}`, self?: Value): Promise<void> {
    const rules = kind === "Resource precondition" ? node.block.preconditions : node.block.postconditions;
    if (rules.length === 0) return;
    const data = self === undefined ? node.data : { ...node.data, self };
    const own: Report = [];
    for (const rule of rules) {
      if (!isComplete(rule)) continue;
      const scope = await node.scope.conditionScope(rule.condition, rule.errorMessage, data);
      const result = checkCondition(kind, rule, scope, this.conditionsWarn ? "warning" : "error", own);
      this.checks.add(node.configText, node.text, result);
    }
    node.scope.settle(undefined, own);
  }

  /** The scope of a module whose calls are not repeated, such as one that configures a provider. */
  async scopeAt(path: Configuration["path"]): Promise<ModuleScope | undefined> {
    let scope: ModuleScope | undefined = this.root;
    for (const name of path) {
      if (!scope.configuration.children.has(name)) return undefined;
      scope = (await scope.call(name)).instances.get(undefined);
      if (scope === undefined) return undefined;
    }
    return scope;
  }

  /** A module instance; undefined if the configuration does not declare it. */
  async scopeOf(module: ModuleInstance): Promise<ModuleScope | undefined> {
    let scope: ModuleScope | undefined = this.root;
    for (const { name, key } of module) {
      if (!scope.configuration.children.has(name)) return undefined;
      scope = (await scope.call(name).catch(() => undefined))?.instances.get(key);
      if (scope === undefined) return undefined;
    }
    return scope;
  }

  /** Runs a task for an object. A failed call of a provider is reported as an error of the object. */
  async guarded<T>(text: string, task: () => Promise<T>): Promise<T> {
    try {
      return await task();
    } catch (error) {
      if (!(error instanceof ProviderError) || error.code === "CANCELLED") throw error;
      this.report.push(failedCall(text, error));
      throw new UpstreamError();
    }
  }

  /** All module instances, except those of calls that have errors. */
  async *scopes(from: ModuleScope = this.root): AsyncGenerator<ModuleScope> {
    yield from;
    for (const name of from.configuration.module.calls.keys()) {
      const call = await from.call(name).catch(() => undefined);
      for (const scope of call?.instances.values() ?? []) yield* this.scopes(scope);
    }
  }

  /** Adds a variable, output or check of a module instance to those whose conditions are checked. */
  expectCheckable(scope: ModuleScope, local: string): void {
    this.checks.expectObject(formatInModulePath(scope.configuration.path, local), scope.addressOf(local));
  }

  #module(scope: ModuleScope): Promise<unknown>[] {
    const { module, path } = scope.configuration;
    const named = <T>(blocks: ReadonlyMap<string, T>, prefix: string, suffix = ""): string[] =>
      [...blocks.keys()].filter((name) => this.#includes(path, `${prefix}.${name}${suffix}`));
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
      ...named(module.outputs, "output")
        .filter((name) => !this.isApplying || path.length === 0 || module.outputs.get(name)!.preconditions.length > 0)
        .map((name) => scope.output(name)),
      ...resourcesIn(module)
        .filter((block) => this.#includes(path, formatResource(block.address)) && !(this.isApplying && isAppliedOnDemand(block)))
        .map((block) => this.#allInstances(scope, block)),
      ...named(module.calls, "module", " (expand)").map(async (name) => {
        const { instances } = await scope.call(name);
        const called = scope.configuration.children.get(name);
        if (instances.size === 0 && called !== undefined) this.#expectNoObjects(called);
        const results = await Promise.allSettled([...instances.values()].flatMap((child) => this.#module(child)));
        const failure = results.find(({ status }) => status === "rejected");
        if (failure?.status === "rejected") throw failure.reason;
      }),
    ];
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
    for (const local of locals) if (this.#includes(path, local)) this.checks.expectObjects(formatInModulePath(path, local));
    for (const child of configuration.children.values()) this.#expectNoObjects(child);
  }

  async #allInstances(scope: ModuleScope, block: ResourceBlock): Promise<void> {
    const { instances } = await this.resource(scope, block);
    const succeeded = await settleAll([...instances.values()].map((cell) => cell.get()));
    if (!succeeded && block.check === undefined) throw new UpstreamError();
  }

  async #expand(scope: ModuleScope, block: ResourceBlock): Promise<ExpandedResource> {
    const problems: Report = [];
    const text = scope.addressOf(formatResource(block.address));
    const expansion = await expansionOf(block, (expression) => scope.evaluate(expression), text, problems);
    scope.settle(undefined, problems);
    if (expansion === undefined) throw new UpstreamError();
    // A target can leave out a resource although other blocks refer to its recorded values.
    const isChecked = this.#includes(scope.configuration.path, formatResource(block.address));
    const configText = configAddressOf({ scope, block });
    if (isChecked) this.checks.expectObjects(configText);
    const instances = new Map<InstanceKey, Cell<Value | undefined>>();
    for (const { key, data } of instancesOf(expansion)) {
      const address: ResourceInstance = { module: scope.instance, resource: block.address, ...(key !== undefined && { key }) };
      const node: InstanceNode = { scope, block, address, text: formatResourceInstance(address), configText, data };
      if (isChecked) this.checks.expectObject(configText, node.text);
      instances.set(key, new Cell(() => this.guarded(node.text, () => this.#startedInstance(node))));
    }
    return { block, expansion, instances };
  }

  async #startedInstance(node: InstanceNode): Promise<Value | undefined> {
    await this.#starts.next();
    return this.#instance(node);
  }

  /** The value of a resource. It has no instances without objects, but for holes between those of `count`. */
  async #wholeValue(scope: ModuleScope, block: ResourceBlock): Promise<Value> {
    const { expansion, instances } = await this.resource(scope, block);
    const waiting = [...instances.values()].map((cell) => cell.get());
    const values: (Value | undefined)[] = [];
    for (const one of waiting) values.push(await one);
    switch (expansion.kind) {
      case "count": {
        const existing = values.slice(0, values.findLastIndex((value) => value !== undefined) + 1);
        const hole = existing.includes(undefined) ? unknown(await this.#objectType(block)) : undefined;
        return tupleOf(existing.map((value) => value ?? hole!));
      }
      case "forEach": {
        const entries = [...instances.keys()].map((key, index) => [String(key), values[index]] as const);
        return objectOf(new Map(entries.flatMap(([key, value]) => (value === undefined ? [] : [[key, value] as const]))));
      }
      case "enabled":
        return values[0] ?? nullOf(await this.#objectType(block));
      default:
        return values[0] ?? unknown(dynamic);
    }
  }

  async #objectType(block: ResourceBlock): Promise<ReturnType<typeof impliedType> | typeof dynamic> {
    return block.provider === undefined ? dynamic : impliedType(await this.resourceSchema(block));
  }

  async #done(scope: ModuleScope, traversals: readonly Traversal[]): Promise<void> {
    if (traversals.length === 0) return;
    const { references, diagnostics } = referencesOfTraversals(traversals);
    scope.settle(undefined, diagnostics);
    for (const { reference } of references) {
      const { subject } = reference;
      switch (subject.kind) {
        case "resource":
        case "resourceInstance": {
          const block = resourceBlock(scope.configuration.module, subject.resource);
          if (block !== undefined) await this.resourceValue(scope, block);
          break;
        }
        case "moduleCall":
        case "moduleCallInstance":
        case "moduleOutput": {
          const name = subject.kind === "moduleOutput" ? subject.call : subject.name;
          if (!scope.configuration.module.calls.has(name)) break;
          for (const child of (await scope.call(name)).instances.values()) {
            if (!(await settleAll(this.#module(child)))) throw new UpstreamError();
          }
          break;
        }
        case "variable":
          if (scope.configuration.module.variables.has(subject.name)) await scope.variable(subject.name);
          break;
        case "local":
          if (scope.configuration.module.locals.has(subject.name)) await scope.local(subject.name);
          break;
        default:
      }
    }
  }
}

/**
 * Whether an apply evaluates a block only if another block refers to it: ephemeral resources, and the data sources of checks.
 *
 * @see OpenTofu transform_destroy_edge.go, pruneUnusedNodesTransformer
 */
function isAppliedOnDemand({ address, check }: ResourceBlock): boolean {
  return address.mode === "ephemeral" || check !== undefined;
}

/** The address of the block that declares an instance. */
export function configAddressOf({ scope, block }: Pick<InstanceNode, "scope" | "block">): string {
  return formatInModulePath(scope.configuration.path, formatResource(block.address));
}
