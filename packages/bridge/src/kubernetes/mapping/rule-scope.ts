// SPDX-License-Identifier: Apache-2.0
import type { ReferenceRule, ResourceRules } from "./resource-rules.ts";

/** The rules of a resource type for one object at a path in it. Records which paths exist, to find rules about paths that do not. */
export class RuleScope {
  readonly #rules: ResourceRules;
  readonly #path: string;
  readonly #found: Set<string>;

  constructor(rules: ResourceRules, path = "", found: Set<string> = new Set()) {
    this.#rules = rules;
    this.#path = path;
    this.#found = found;
  }

  /** The scope of the objects in an attribute or nested block. */
  child(attribute: string): RuleScope {
    return new RuleScope(this.#rules, this.#at(attribute), this.#found);
  }

  /** The rule about references of an attribute; undefined if there is none. */
  reference(attribute: string): ReferenceRule | undefined {
    const path = this.#at(attribute);
    const { references = {} } = this.#rules;
    return Object.hasOwn(references, path) ? references[path] : undefined;
  }

  /** Whether an attribute is immutable. */
  isImmutable(attribute: string): boolean {
    return this.#rules.immutable?.includes(this.#at(attribute)) ?? false;
  }

  /** Whether the external name configures an attribute. */
  isExternalName(attribute: string): boolean {
    const { externalName } = this.#rules;
    return externalName?.isArgument === true && this.#at(attribute) === (externalName.attribute ?? "id");
  }

  /** Paths in the rules that do not exist in the type. Valid after the type was mapped. */
  unknownPaths(): readonly string[] {
    const { references = {}, immutable = [], skipLateInitialization = [], externalName } = this.#rules;
    const named = externalName?.isArgument === true || externalName?.attribute !== undefined ? [externalName.attribute ?? "id"] : [];
    return [...Object.keys(references), ...immutable, ...skipLateInitialization, ...named].filter((path) => !this.#found.has(path));
  }

  #at(attribute: string): string {
    const path = this.#path === "" ? attribute : `${this.#path}.${attribute}`;
    this.#found.add(path);
    return path;
  }
}
