// SPDX-License-Identifier: Apache-2.0
import type { CtyFunction } from "@tenon/cty/function";
import { hasErrors, type Block, type Provider } from "@tenon/schema";
import { resourceType, type ResourceType } from "@tenon/schema/lifecycle";
import {
  formatProviderConfig,
  formatProviderConfigInstance,
  type ProviderConfig,
  type ProviderConfigInstance,
} from "../address/provider-config.ts";
import { formatProvider, formatProviderForDisplay, type ProviderAddress } from "../address/provider.ts";
import { formatReferenceSubject, type Reference } from "../address/reference.ts";
import { formatResourceInstance, type ResourceInstance, type ResourceInstanceObject } from "../address/resource.ts";
import { allModules, descendant } from "../configuration/configuration.ts";
import { providerConfigOfResource, providerOfLocalName } from "../configuration/module.ts";
import type { ResourceBlock } from "../configuration/resource.ts";
import { Cell, settleAll, UpstreamError } from "../evaluation/cell.ts";
import type { ModuleScope } from "../evaluation/module-scope.ts";
import type { ScopeData } from "../evaluation/scope-data.ts";
import type { Substitutions } from "../evaluation/substitutions.ts";
import { locateDiagnostics } from "../provider/provider-diagnostic.ts";
import { ProviderFunctionCalls, type PendingCalls } from "../provider/provider-function.ts";
import type { ProviderPool } from "../provider/provider-pool.ts";
import { providerBlockOf, resolveProviderConfig, type ResolvedProvider } from "../provider/provider-resolution.ts";
import { resourceSchemas } from "../provider/provider-schemas.ts";
import { absentProviderInstance, providerInstancesOf } from "./absent-provider-instance.ts";
import type { InstanceNode } from "./instance-node.ts";
import { scopeAt } from "./module-lookup.ts";
import { evaluateProviderMeta } from "./provider-meta.ts";
import { configureProvider, evaluateProviderConfiguration, type ProviderConfigurationContext } from "./provider-configuration.ts";
import { providerInstanceKey } from "./provider-instance-key.ts";

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

/** Options of {@link WalkProviders}. */
export interface WalkProvidersOptions {
  readonly pool: ProviderPool;
  /** Whether providers may defer. Default: false. */
  readonly allowsDeferral?: boolean;
  /** Whether the configurations of providers must be wholly known. Default: false. */
  readonly requiresKnownProviders?: boolean;
  /** Whether providers are configured before their functions are called. Default: true. */
  readonly configuresProviders?: boolean;
  /** What takes the place of providers. Default: nothing. */
  readonly substitutions?: Substitutions | undefined;
}

/** The providers of a walk: which one an object has, its configuration, its schemas and its functions. */
export class WalkProviders implements ProviderConfigurationContext {
  readonly root: ModuleScope;
  readonly allowsDeferral: boolean;
  readonly requiresKnownProviders: boolean;
  readonly #pool: ProviderPool;
  readonly #configuresProviders: boolean;
  readonly #substitutions: Substitutions | undefined;
  readonly #functionCalls = new ProviderFunctionCalls();
  /** The types of the resources of which all instances have one provider. */
  readonly #types = new WeakMap<ModuleScope, Map<ResourceBlock, Cell<TypedProvider>>>();
  /** The configurations with `for_each` whose instances are configured, by address. */
  readonly #repeated = new Map<string, Cell<void>>();
  readonly #hasProviderMetas: boolean;

  constructor(root: ModuleScope, options: WalkProvidersOptions) {
    this.root = root;
    this.allowsDeferral = options.allowsDeferral === true;
    this.requiresKnownProviders = options.requiresKnownProviders === true;
    this.#pool = options.pool;
    this.#hasProviderMetas = [...allModules(root.configuration)].some(({ module }) => module.providerMetas.size > 0);
    this.#configuresProviders = options.configuresProviders !== false;
    this.#substitutions = options.substitutions;
  }

  /** The configured provider of a resource instance. */
  async providerOf(node: InstanceNode): Promise<ConfiguredProvider> {
    return this.#providerAt(node, this.#resolvedProvider(node));
  }

  /** The provider configuration of a resource instance, without the key of its instance. */
  providerConfigOf(node: InstanceNode): ProviderConfigInstance {
    return { config: this.#resolvedProvider(node).config };
  }

  /** The type of a resource, of an instance of its provider that need not be configured. An unknown type is reported. */
  async unconfiguredType(node: InstanceNode): Promise<ResourceType> {
    const { block } = node;
    await this.resourceSchema(block);
    const providerAddress = formatProviderConfig(this.providerConfigOf(node).config);
    return resourceType(await this.#pool.unconfigured(block.provider!), block.address.type, { providerAddress });
  }

  #resolvedProvider({ scope, block }: Pick<InstanceNode, "scope" | "block">): ResolvedProvider {
    if (block.provider === undefined) throw new UpstreamError();
    return resolveProviderConfig(scope.configuration, providerConfigOfResource(block), block.provider, block.providerReference?.key);
  }

  async #providerAt({ scope, data, address }: InstanceNode, { config, key }: ResolvedProvider): Promise<ConfiguredProvider> {
    if (key === undefined) return this.configuredProvider({ config }, { instance: address });
    let [at, atData]: [ModuleScope, ScopeData] = [scope, data];
    for (let step = 0; step < key.callsAbove; step++) [at, atData] = [at.caller!.scope, at.caller!.data];
    const providerKey = await providerInstanceKey(key.expression, { scope: at, data: atData, address: formatResourceInstance(address) });
    return this.configuredProvider({ config, key: providerKey }, { instance: address });
  }

  /**
   * The instance for a provider configuration: opened and configured when it is first needed. As in OpenTofu, the instances of a configuration
   * with `for_each` are all configured together, and an error of one is an error of all.
   *
   * @param object The object that needs it. An error about it says that the configuration has no such instance. The provider may be a
   *   substitute for its calls.
   */
  async configuredProvider(address: ProviderConfigInstance, object?: ResourceInstanceObject): Promise<ConfiguredProvider> {
    const absent = object && absentProviderInstance(this.root.configuration, address, object);
    if (absent !== undefined) this.root.settle(undefined, [absent]);
    if (address.key !== undefined) await this.#configureAll(address.config);
    const provider = await this.#configure(address);
    return { provider: object === undefined ? provider : this.providerFor(object.instance, address, provider), address };
  }

  /** Configures all instances of a provider configuration. */
  #configureAll(config: ProviderConfig): Promise<void> {
    const id = formatProviderConfig(config);
    let all = this.#repeated.get(id);
    if (all === undefined) {
      const declaring = descendant(this.root.configuration, config.module);
      const keys = [...((declaring && providerInstancesOf(declaring, config)?.keys()) ?? [])];
      all = new Cell(async () => {
        if (!(await settleAll(keys.map((key) => this.#configure({ config, key }))))) throw new UpstreamError();
      });
      this.#repeated.set(id, all);
    }
    return all.get();
  }

  async #configure(address: ProviderConfigInstance): Promise<Provider> {
    const isMocked = this.#substitutions?.isMocked(address.config) === true;
    try {
      return await this.#pool.configured(formatProviderConfigInstance(address), address.config.provider, {
        evaluate: async () => (isMocked ? undefined : evaluateProviderConfiguration(this, address)),
        configure: (instance, settings) => configureProvider(this, instance, address, settings),
        repeat: (warnings) => this.root.settle(undefined, warnings),
      });
    } catch (error) {
      this.root.context.faults.add(formatProviderConfig(address.config), error);
      throw error;
    }
  }

  /** Evaluates a provider configuration again if this stage of the run needs it anew: it had warnings, ephemeral values or unknown ones. */
  async evaluateAgain(config: ProviderConfig): Promise<void> {
    const declaring = descendant(this.root.configuration, config.module);
    const keys = (declaring && providerInstancesOf(declaring, config)?.keys()) ?? [undefined];
    for (const key of keys) {
      const instance: ProviderConfigInstance = { config, ...(key !== undefined && { key }) };
      if (this.#pool.isOfEarlierStage(formatProviderConfigInstance(instance))) await this.configuredProvider(instance);
    }
  }

  /** The provider that is called for the objects of an instance: the given one, or a substitute for it. */
  providerFor(instance: ResourceInstance, { config }: ProviderConfigInstance, provider: Provider): Provider {
    const schemas = (): ReturnType<ProviderPool["schemas"]> => this.#pool.schemas(config.provider);
    return this.#substitutions?.providerFor(instance, config, { provider, schemas }) ?? provider;
  }

  /** The type of a resource, of its configured provider. An unknown type is reported. */
  resourceType(node: InstanceNode): Promise<TypedProvider> {
    const { scope, block } = node;
    let ofScope = this.#types.get(scope);
    const known = ofScope?.get(block);
    if (known !== undefined) return known.get();
    const resolved = this.#resolvedProvider(node);
    // The instances of a resource can have different providers only if the resource selects them by a key. Where the call of its module does, each
    // instance has an error of its own if there is no such provider.
    if (resolved.key !== undefined) return this.#typeAt(node, resolved);
    const cell = new Cell(() => this.#typeAt(node, resolved));
    if (ofScope === undefined) this.#types.set(scope, (ofScope = new Map()));
    ofScope.set(block, cell);
    return cell.get();
  }

  async #typeAt(node: InstanceNode, resolved: ResolvedProvider): Promise<TypedProvider> {
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

  /** The value of a `provider_meta` block, as {@link evaluateProviderMeta} gives it. Undefined if the configuration has no such block. */
  providerMeta(instance: ResourceInstance, provider: ProviderAddress): ReturnType<typeof evaluateProviderMeta> | undefined {
    if (!this.#hasProviderMetas) return undefined;
    return evaluateProviderMeta(this.root, instance, provider, async () => (await this.providerSchemas(provider)).providerMeta?.block);
  }

  /** The schemas of a provider. Its errors are reported. */
  async providerSchemas(provider: ProviderAddress): ReturnType<ProviderPool["schemas"]> {
    const response = await this.#pool.schemas(provider);
    if (hasErrors(response.diagnostics))
      this.root.settle(undefined, locateDiagnostics(response.diagnostics, undefined, formatProvider(provider)));
    return response;
  }

  /**
   * The function of a provider that an expression calls.
   *
   * @param pending Receives the calls of the function that have no response yet.
   */
  async function(scope: ModuleScope, { subject, range }: Reference, pending: PendingCalls): Promise<CtyFunction> {
    if (subject.kind !== "providerFunction") throw new RangeError("the reference is not one of a provider's function");
    const { provider: localName, alias, name } = subject;
    const source = providerOfLocalName(scope.configuration.module, localName);
    const id = formatReferenceSubject(subject);
    const { config } = resolveProviderConfig(scope.configuration, { localName, ...(alias !== undefined && { alias }) }, source);
    const isConfigured =
      this.#configuresProviders &&
      providerBlockOf((await scopeAt(this.root, config.module))?.configuration ?? this.root.configuration, config) !== undefined;
    const provider = isConfigured ? (await this.configuredProvider({ config })).provider : await this.#pool.unconfigured(source);
    const signature = (await this.providerSchemas(source)).functions.get(name) ?? (await provider.getFunctions({})).functions.get(name);
    if (signature === undefined) {
      const detail = `Function ${JSON.stringify(id)} was not registered by provider`;
      return scope.settle(undefined as never, [{ severity: "error", summary: "Function not found in provider", detail, subject: range }]);
    }
    return this.#functionCalls.create(`${formatProviderConfig(config)} ${id}`, name, signature, provider, pending);
  }
}
