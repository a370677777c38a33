// SPDX-License-Identifier: Apache-2.0
import type { ReferenceRule, ResourceRules } from "./resource-rules.ts";

/** The rules of a resource type, as they hold for one object in it. Remembers which paths of the rules exist. */
export class RuleScope {
  readonly #rules: ResourceRules;
  readonly #path: string;
  readonly #found: Set<string>;

  constructor(rules: ResourceRules, path = "", found: Set<string> = new Set()) {
    this.#rules = rules;
    this.#path = path;
    this.#found = found;
  }

  /** Scope of the objects in an attribute or nested block. */
  child(attribute: string): RuleScope {
    return new RuleScope(this.#rules, this.#at(attribute), this.#found);
  }

  /** What an attribute may refer to. */
  reference(attribute: string): ReferenceRule | undefined {
    const path = this.#at(attribute);
    const { references = {} } = this.#rules;
    return Object.hasOwn(references, path) ? references[path] : undefined;
  }

  /** Whether an attribute cannot change. */
  isImmutable(attribute: string): boolean {
    return this.#rules.immutable?.includes(this.#at(attribute)) ?? false;
  }

  /** Whether the configured value of an attribute is the external name. */
  isExternalName(attribute: string): boolean {
    const { externalName } = this.#rules;
    return externalName?.isArgument === true && this.#at(attribute) === (externalName.attribute ?? "id");
  }

  /** Paths of the rules that no attribute or nested block has. Complete after the type has been mapped. */
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
