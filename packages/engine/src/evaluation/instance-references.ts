// SPDX-License-Identifier: Apache-2.0
import type { InstanceKey } from "../address/instance-key.ts";
import type { ResourceSubject } from "./dependency-builder.ts";
import type { DependencyNode } from "./dependency-node.ts";

/** The instances of resources that blocks refer to. A reference with a literal key is to one instance; others are to the whole resource. */
export class InstanceReferences {
  readonly #keys = new Map<DependencyNode, Map<DependencyNode, Set<InstanceKey>>>();
  readonly #keyed = new Set<DependencyNode>();

  /** Records a reference from a block to a resource. */
  add(from: DependencyNode, to: DependencyNode, subject: ResourceSubject): void {
    const targets = this.#keys.get(from) ?? new Map<DependencyNode, Set<InstanceKey>>();
    this.#keys.set(from, targets);
    const key = subject.kind === "resourceInstance" ? subject.key : undefined;
    targets.set(to, (targets.get(to) ?? new Set<InstanceKey>()).add(key));
    if (key !== undefined) this.#keyed.add(to);
  }

  /** Whether any reference to a resource has a literal key. */
  hasKeysOf(resource: DependencyNode): boolean {
    return this.#keyed.has(resource);
  }

  /** Whether a block of a resource refers to instances of the resource. */
  hasToItself(block: DependencyNode): boolean {
    return this.#keys.get(block)?.has(block) === true;
  }

  /** The keys in references from a block to a resource. The key `undefined` stands for the whole resource. */
  keys(from: DependencyNode, to: DependencyNode): ReadonlySet<InstanceKey> {
    return this.#keys.get(from)?.get(to) ?? wholeResource;
  }
}

const wholeResource: ReadonlySet<InstanceKey> = new Set([undefined]);
