// SPDX-License-Identifier: Apache-2.0
import type { Diagnostic, Expression } from "@tenon/hcl";
import type { Block } from "@tenon/schema";
import { formatInModulePath, formatModulePath, type ModulePath } from "../address/module.ts";
import { formatProviderConfig, type ProviderConfig } from "../address/provider-config.ts";
import type { ReferenceSubject } from "../address/reference.ts";
import { formatConfigResource, formatResource, type ConfigResource } from "../address/resource.ts";
import type { Repetition } from "../configuration/block-content.ts";
import type { CheckRule } from "../configuration/check-rule.ts";
import { allModules, type Configuration } from "../configuration/configuration.ts";
import { providerConfigOfResource, resourcesIn } from "../configuration/module.ts";
import type { ResourceBlock } from "../configuration/resource.ts";
import { providerBlockOf, resolveProviderConfig } from "../provider/provider-resolution.ts";
import { decoderSpec } from "./decoder-spec.ts";
import { resourceNodeKey, targetNode, type DependencyNode, type NodePart } from "./dependency-node.ts";
import { referencesOf, referencesOfBody, referencesOfTraversals, type References } from "./references.ts";

/** The schemas that tell which parts of a body are expressions. Undefined if the provider does not have the type. */
export interface SchemaSource {
  readonly resource: (block: ResourceBlock) => Block | undefined;
  readonly provider: (config: ProviderConfig) => Block | undefined;
}

/** A resource that an expression refers to, or one of its instances. */
export type ResourceSubject = Extract<ReferenceSubject, { readonly kind: "resource" | "resourceInstance" }>;

/** What a dependency graph has beside the blocks. */
export interface DependencyOptions {
  /** Provider configurations that become nodes even if no block uses them, because objects of a state need them. */
  readonly providers?: readonly ProviderConfig[];
  /** Resources that only a state has, with their provider configurations: the end of a module waits for those that were in the module. */
  readonly orphans?: readonly { readonly module: ModulePath; readonly provider: ProviderConfig }[];
  /** Called with each reference from a block to a resource: the node of the block, the node of the resource, and what is referred to. */
  readonly onResourceReference?: (from: DependencyNode, to: DependencyNode, subject: ResourceSubject) => void;
}

/** Builds the nodes of a dependency graph: first one for each block, then their dependencies. */
export class DependencyBuilder {
  readonly #nodes = new Map<string, DependencyNode>();
  readonly #root: Configuration;
  readonly #schemas: SchemaSource;
  readonly #options: DependencyOptions;
  readonly #unknownProviders: Diagnostic[] = [];

  constructor(root: Configuration, schemas: SchemaSource, options: DependencyOptions = {}) {
    this.#root = root;
    this.#schemas = schemas;
    this.#options = options;
    for (const configuration of allModules(root)) this.#addModule(configuration);
    for (const configuration of allModules(root)) this.#connectModule(configuration);
    for (const config of options.providers ?? []) this.#provider(config);
    for (const { module, provider } of options.orphans ?? []) {
      for (const [index] of module.entries()) {
        this.#nodes.get(`${formatModulePath(module.slice(0, index + 1))} (close)`)?.dependencies.add(this.#provider(provider));
      }
    }
  }

  /** All nodes. The key is the address of the block, such as `module.a.var.b`, with a suffix for further nodes of a block. */
  get nodes(): ReadonlyMap<string, DependencyNode> {
    return this.#nodes;
  }

  /** Errors about functions of providers that the module does not require. */
  get unknownFunctionProviders(): readonly Diagnostic[] {
    return this.#unknownProviders;
  }

  #add(id: string, details: Omit<DependencyNode, "dependencies">): DependencyNode {
    const node: DependencyNode = { dependencies: new Set(), ...details };
    this.#nodes.set(id, node);
    return node;
  }

  #addModule(configuration: Configuration): void {
    const { path, module } = configuration;
    const named = (part: NodePart, local: string, key: string, suffix = " (expand)", idSuffix = ""): void => {
      const id = formatInModulePath(path, key);
      const isRootOutput = part === "output" && path.length === 0;
      const isValidated = part === "variableValidation" && module.variables.get(local)!.validations.length > 0;
      const facts = { ...(isRootOutput && { isRootOutput }), ...(isValidated && { isValidated }) };
      this.#add(`${id}${idSuffix}`, { name: `${id}${suffix}`, part, local, module: configuration, ...facts });
    };
    for (const name of module.variables.keys()) {
      named("variable", name, `var.${name}`, path.length === 0 ? "" : " (expand, input)");
      named("variableValidation", name, `var.${name}`, " (expand, reference)", " (reference)");
    }
    for (const name of module.locals.keys()) named("local", name, `local.${name}`);
    for (const name of module.outputs.keys()) named("output", name, `output.${name}`);
    for (const name of module.checks.keys()) named("check", name, `check.${name}`);
    for (const name of module.calls.keys()) {
      named("moduleStart", name, `module.${name}`, " (expand)", " (expand)");
      named("moduleEnd", name, `module.${name}`, " (close)", " (close)");
    }
    for (const block of resourcesIn(module)) {
      const resource: ConfigResource = { module: path, resource: block.address };
      const name = formatConfigResource(resource);
      this.#add(resourceNodeKey(resource), { name, part: "resource", module: configuration, resource, block });
    }
  }

  #connectModule(configuration: Configuration): void {
    const { path, module } = configuration;
    const at = (local: string): DependencyNode => this.#nodes.get(formatInModulePath(path, local))!;
    for (const [name, local] of module.locals) this.#connect(at(`local.${name}`), configuration, referencesOf(local.expression));
    for (const [name, output] of module.outputs) {
      const node = at(`output.${name}`);
      if (output.expression !== undefined) this.#connect(node, configuration, referencesOf(output.expression));
      this.#connect(node, configuration, referencesOfTraversals(output.dependsOn));
      this.#connectRules(node, configuration, output.preconditions);
    }
    for (const [name, variable] of module.variables) {
      const node = at(`var.${name}`);
      this.#connectVariable(node, configuration, name);
      const validation = at(`var.${name} (reference)`);
      validation.dependencies.add(node);
      this.#connectRules(validation, configuration, variable.validations);
    }
    for (const [name, check] of module.checks) {
      const node = at(`check.${name}`);
      this.#connectRules(node, configuration, check.assertions);
      if (check.data !== undefined) node.dependencies.add(at(formatResource(check.data.address)));
    }
    for (const block of resourcesIn(module)) this.#connectResource(configuration, block);
    for (const [name, call] of module.calls) {
      const expand = at(`module.${name} (expand)`);
      this.#connectRepetition(expand, configuration, call);
      this.#connect(expand, configuration, referencesOfTraversals(call.dependsOn ?? []));
      for (const { inParent } of call.providers) {
        if (inParent.key !== undefined) this.#connect(expand, configuration, referencesOf(inParent.key));
      }
      const close = at(`module.${name} (close)`);
      close.dependencies.add(expand);
      const child = configuration.children.get(name);
      if (child === undefined) continue;
      // No value of a module depends on its checks, so that what depends on the module need not wait for them.
      for (const node of this.#nodesIn(child)) if (!belongsToCheck(node)) close.dependencies.add(node);
    }
    if (path.length === 0) return;
    const expander = this.#nodes.get(`${formatModulePath(path)} (expand)`);
    if (expander === undefined) return;
    for (const node of this.#nodesIn(configuration)) if (node.part !== "moduleEnd") node.dependencies.add(expander);
  }

  /** The nodes of a module, including the start and end of its calls. */
  *#nodesIn({ path, module }: Configuration): Generator<DependencyNode> {
    const locals = [
      ...[...module.variables.keys()].flatMap((name) => [`var.${name}`, `var.${name} (reference)`]),
      ...[...module.locals.keys()].map((name) => `local.${name}`),
      ...[...module.outputs.keys()].map((name) => `output.${name}`),
      ...[...module.checks.keys()].map((name) => `check.${name}`),
      ...[...module.calls.keys()].flatMap((name) => [`module.${name} (expand)`, `module.${name} (close)`]),
      ...resourcesIn(module).map(({ address }) => formatResource(address)),
    ];
    for (const local of locals) yield this.#nodes.get(formatInModulePath(path, local))!;
  }

  /** The outputs of the module of which a node is the end. */
  *#outputsOf({ module, local }: DependencyNode): Generator<DependencyNode> {
    const child = module?.children.get(local!);
    for (const name of child?.module.outputs.keys() ?? []) yield this.#nodes.get(formatInModulePath(child!.path, `output.${name}`))!;
  }

  #connectVariable(node: DependencyNode, { parent, path }: Configuration, name: string): void {
    if (parent === undefined) return;
    const call = parent.module.calls.get(path.at(-1)!);
    const attribute = call?.config.justAttributes().attributes.get(name);
    if (attribute !== undefined) this.#connect(node, parent, referencesOf(attribute.expression));
  }

  #connectResource(configuration: Configuration, block: ResourceBlock): void {
    const { path } = configuration;
    const node = this.#nodes.get(resourceNodeKey({ resource: block.address, module: path }))!;
    this.#connectRepetition(node, configuration, block);
    const schema = this.#schemas.resource(block);
    if (schema !== undefined) this.#connect(node, configuration, referencesOfBody(block.config, decoderSpec(schema)));
    this.#connect(node, configuration, referencesOfTraversals(block.dependsOn));
    this.#connectRules(node, configuration, [...block.preconditions, ...block.postconditions]);
    const { managed } = block;
    for (const trigger of managed?.replaceTriggers ?? []) this.#connect(node, configuration, referencesOf(trigger));
    for (const expression of [managed?.preventDestroy, managed?.destroy]) {
      if (expression !== undefined) this.#connect(node, configuration, referencesOf(expression));
    }
    for (const provisioner of managed?.provisioners ?? []) {
      for (const body of [provisioner.config, provisioner.connection?.config, managed?.connection?.config]) {
        for (const { expression } of body?.justAttributes().attributes.values() ?? []) {
          this.#connect(node, configuration, referencesOf(expression));
        }
      }
    }
    // Import blocks are in the root module, whatever module their target is in.
    for (const { resource, id, identity, forEach } of this.#root.module.imports) {
      if (resource === undefined || formatConfigResource(resource) !== formatConfigResource(node.resource!)) continue;
      for (const expression of [id, identity, forEach]) {
        if (expression !== undefined) this.#connect(node, this.#root, referencesOf(expression));
      }
    }
    if (block.provider === undefined) return;
    const { config } = resolveProviderConfig(configuration, providerConfigOfResource(block), block.provider);
    node.dependencies.add(this.#provider(config));
    const key = block.providerReference?.key;
    if (key !== undefined) this.#connect(node, configuration, referencesOf(key));
  }

  /** The node of a provider configuration, created when it is first needed. */
  #provider(config: ProviderConfig): DependencyNode {
    const name = formatProviderConfig(config);
    const known = this.#nodes.get(name);
    if (known !== undefined) return known;
    const node = this.#add(name, { name, part: "provider", provider: config });
    let configuration: Configuration | undefined = this.#root;
    for (const step of config.module) configuration = configuration?.children.get(step);
    const call = formatModulePath(config.module);
    const [expand, close] = [this.#nodes.get(`${call} (expand)`), this.#nodes.get(`${call} (close)`)];
    if (expand !== undefined) node.dependencies.add(expand);
    close?.dependencies.add(node);
    const schema = this.#schemas.provider(config);
    const block = configuration && providerBlockOf(configuration, config);
    if (schema === undefined || configuration === undefined || block === undefined) return node;
    this.#connect(node, configuration, referencesOfBody(block.config, decoderSpec(schema)));
    return node;
  }

  #connectRepetition(node: DependencyNode, configuration: Configuration, { count, forEach, enabled }: Repetition): void {
    for (const expression of [count, forEach, enabled]) {
      if (expression !== undefined) this.#connect(node, configuration, referencesOf(expression));
    }
  }

  #connectRules(node: DependencyNode, configuration: Configuration, rules: readonly CheckRule[]): void {
    const expressions = rules.flatMap(({ condition, errorMessage }) => [condition, errorMessage]);
    for (const expression of expressions.filter((one): one is Expression => one !== undefined)) {
      this.#connect(node, configuration, referencesOf(expression));
    }
  }

  /** Adds the targets of references to the dependencies. A node never depends on itself: such references have errors of their own. */
  #connect(node: DependencyNode, configuration: Configuration, { references, providerFunctions }: References): void {
    for (const { reference } of references) {
      const target = targetNode(this.#nodes, configuration, reference);
      if (target === undefined) continue;
      if (target !== node) node.dependencies.add(target);
      // A reference to a whole module is one to each of its outputs.
      if (target.part === "moduleEnd") for (const output of this.#outputsOf(target)) node.dependencies.add(output);
      const { subject } = reference;
      if (subject.kind === "resource" || subject.kind === "resourceInstance") this.#options.onResourceReference?.(node, target, subject);
    }
    for (const { subject, range } of providerFunctions) {
      if (subject.kind !== "providerFunction") continue;
      const { provider: localName, alias } = subject;
      const source = configuration.module.requiredProviders.get(localName)?.provider;
      if (source === undefined) {
        const detail = `Provider ${JSON.stringify(localName)} does not exist within the required_providers of this module`;
        this.#unknownProviders.push({ severity: "error", summary: "Unknown function provider", detail, subject: range });
        continue;
      }
      const local = { localName, ...(alias !== undefined && { alias }) };
      const target = this.#provider(resolveProviderConfig(configuration, local, source).config);
      if (target !== node) node.dependencies.add(target);
    }
  }
}

/** Whether a node is a check, or a data source that only a check uses. */
function belongsToCheck({ part, block }: DependencyNode): boolean {
  return part === "check" || block?.check !== undefined;
}
