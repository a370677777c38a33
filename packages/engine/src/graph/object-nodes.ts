// SPDX-License-Identifier: Apache-2.0
import { formatModulePath, modulePathOf } from "../address/module.ts";
import { formatProviderConfig, type ProviderConfig } from "../address/provider-config.ts";
import { configResourceOf, type ResourceInstance, type ResourceInstanceObject } from "../address/resource.ts";
import { providerConfigOfResource } from "../configuration/module.ts";
import type { DependencyNode } from "../evaluation/dependency-node.ts";
import { resolveProviderConfig } from "../provider/provider-resolution.ts";
import { resourceIn, type State } from "../state/state.ts";
import type { BlockNodes } from "./block-nodes.ts";
import type { DraftNode, GraphDraft, NodeRole } from "./graph-draft.ts";
import type { GraphInput } from "./graph-input.ts";

/** Adds nodes of objects, and connects them with their provider and their module. */
export class ObjectNodes {
  readonly #draft: GraphDraft;
  readonly #input: GraphInput;
  readonly #blocks: BlockNodes;

  constructor(draft: GraphDraft, input: GraphInput, blocks: BlockNodes) {
    this.#draft = draft;
    this.#input = input;
    this.#blocks = blocks;
  }

  /** The resource block of an instance; undefined if the configuration has none. */
  blockOf(instance: ResourceInstance): DependencyNode | undefined {
    return this.#input.graph.resource(configResourceOf(instance));
  }

  /**
   * Adds the node of an object. Its name is the address of the instance, followed by the suffix.
   *
   * @param needsProvider False for an object that is only removed from the state.
   */
  add(
    object: ResourceInstanceObject,
    role: NodeRole,
    suffix: string,
    { needsProvider = true }: { readonly needsProvider?: boolean } = {},
  ): DraftNode {
    const block = this.blockOf(object.instance);
    const node = this.#draft.addObject(object, role, suffix, block);
    if (needsProvider) this.#connectProvider(node, block);
    // Destructions are only ordered relative to other objects.
    if (role !== "destroy") this.#connectModule(node);
    return node;
  }

  #connectProvider(node: DraftNode, block: DependencyNode | undefined): void {
    const config = providerOfBlock(block) ?? recordedProvider(this.#input.state, node.object!.instance);
    const provider = config && this.#blocks.of(this.#input.graph.node(formatProviderConfig(config)));
    if (provider !== undefined) node.dependencies.add(provider);
  }

  #connectModule(node: DraftNode): void {
    const call = formatModulePath(modulePathOf(node.object!.instance.module));
    const [start, end] = ["expand", "close"].map((part) => this.#blocks.of(this.#input.graph.node(`${call} (${part})`)));
    if (start !== undefined) node.dependencies.add(start);
    if (node.block?.block?.check === undefined) end?.dependencies.add(node);
  }
}

function providerOfBlock(node: DependencyNode | undefined): ProviderConfig | undefined {
  if (node?.block?.provider === undefined) return undefined;
  return resolveProviderConfig(node.module!, providerConfigOfResource(node.block), node.block.provider).config;
}

function recordedProvider(state: State, instance: ResourceInstance): ProviderConfig | undefined {
  return resourceIn(state, instance)?.provider;
}
