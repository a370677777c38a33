// SPDX-License-Identifier: Apache-2.0
import { type NamedAttribute, propertyNames } from "../names/property-name.ts";
import type { NamedComponent } from "../names/token-name.ts";
import type { NameDeviation } from "./mapping.ts";

/**
 * Names of a package that its parameter records, by the named component or attribute: the last part of the token for `resource random_pet`, and
 * the property name for `attribute 3x of resource random_pet`, and the name of the type for `type of attribute a.b of resource random_pet`.
 */
export type RecordedNames = Readonly<Record<string, string>>;

/** Names that the package has had before, and the names that differ from those of Pulumi's own bridge. */
export class NameRegister {
  readonly #recorded: RecordedNames;
  readonly #isEmpty: boolean;
  readonly #deviations: NameDeviation[] = [];
  /** Subjects of the recorded names of types, by name. */
  readonly #typeSubjects: ReadonlyMap<string, string>;

  constructor(recorded: RecordedNames = {}) {
    this.#recorded = recorded;
    this.#isEmpty = Object.keys(recorded).length === 0;
    const types = Object.entries(recorded).filter(([subject]) => /^(?:config )?type of /.test(subject));
    this.#typeSubjects = new Map(types.map(([subject, name]) => [name, subject]));
  }

  /** The names that differ, for the objects that have been mapped so far. */
  get deviations(): readonly NameDeviation[] {
    return this.#deviations;
  }

  /** Whether the package has had no names before. */
  get isEmpty(): boolean {
    return this.#isEmpty;
  }

  /** Name that the package has had before. */
  recorded(subject: string): string | undefined {
    return Object.hasOwn(this.#recorded, subject) ? this.#recorded[subject] : undefined;
  }

  /** Whether the package has had the name before for another type. */
  isReserved(typeName: string, subject: string): boolean {
    return (this.#typeSubjects.get(typeName) ?? subject) !== subject;
  }

  /** Adds a name, if it differs. */
  add(deviation: NameDeviation): void {
    if (deviation.ours !== deviation.theirs && deviation.theirs !== "") this.#deviations.push(deviation);
  }

  /** Returns the scope of the attributes of a component. */
  scope(component: string, exceptions: ScopeExceptions = {}): NameScope {
    return new NameScope(this, component, "", exceptions);
  }
}

/** Returns the text for a component in {@link RecordedNames} and {@link NameDeviation}. */
export function componentSubject({ kind, name }: NamedComponent): string {
  return `${kind} ${name}`;
}

/** Exceptions from the rules for the names of a component's attributes. */
export interface ScopeExceptions {
  readonly reserved?: ReadonlyMap<string, string>;
  readonly forbidden?: ReadonlySet<string>;
}

const noExceptions: ScopeExceptions = {};

/** Names the attributes of one object of a component. */
export class NameScope {
  readonly #register: NameRegister;
  readonly #component: string;
  /** Names of the attributes that lead to the object, each with a dot after it. */
  readonly #path: string;
  readonly #exceptions: ScopeExceptions;

  constructor(register: NameRegister, component: string, path: string, exceptions: ScopeExceptions) {
    this.#register = register;
    this.#component = component;
    this.#path = path;
    this.#exceptions = exceptions;
  }

  /** Scope of the objects in an attribute. */
  child(attribute: string): NameScope {
    return new NameScope(this.#register, this.#component, `${this.#path}${attribute}.`, noExceptions);
  }

  /** Returns the property names of the attributes of the object, by attribute. */
  names(attributes: readonly NamedAttribute[]): (attribute: string) => string {
    const subject = (attribute: string): string => `attribute ${this.#path}${attribute} of ${this.#component}`;
    const recorded = (attribute: string): string | undefined => this.#register.recorded(subject(attribute));
    const names = propertyNames(attributes, { ...this.#exceptions, ...(this.#register.isEmpty ? {} : { recorded }) });
    names.forEach(({ property, theirs }, attribute) => {
      if (property !== theirs) this.#register.add({ subject: subject(attribute), theirs, ours: property });
    });
    return (attribute) => names.get(attribute)!.property;
  }
}
