// SPDX-License-Identifier: Apache-2.0
import { upperFirst, withDigest } from "../names/identifier.ts";
import { singularOf } from "../names/inflection.ts";
import { nameOfToken } from "../names/token-name.ts";
import type { FunctionMapping, ObjectMapping, PackageMapping, PropertyMapping, ValueMapping } from "./mapping.ts";
import type { NameRegister } from "./name-register.ts";

/** The scope in which types of properties are named: the module, and the resource, function or type that has the properties. */
export interface TypeScope {
  readonly module: "index" | "config";
  readonly name: string;
  /** Identifies the scope: the token of the component, and the properties that lead to the type. */
  readonly path: string;
  /** The component, and the attributes that lead to the type, for {@link NameRegister}. */
  readonly subject: { readonly component: string; readonly attributes: readonly string[] };
}

/** Scope of the provider's configuration as a module of SDKs. */
export const configScope: TypeScope = scope("config", "", "configuration", "provider configuration");

/** Scope of the provider's configuration as arguments of the provider's class. */
export const providerScope: TypeScope = scope("index", "Provider", "provider", "provider");

/** Scope of a resource type, data source, ephemeral resource, or of the parameters of a function. */
export function componentScope(token: string, component: string): TypeScope {
  return scope("index", nameOfToken(token), token, component);
}

/** Scope of the result of a function. */
export function resultScope(token: string, component: string): TypeScope {
  return scope("index", nameOfToken(token), `result of ${token}`, `result of ${component}`);
}

function scope(module: TypeScope["module"], name: string, path: string, component: string): TypeScope {
  return { module, name, path, subject: { component, attributes: [] } };
}

/** Scope of the object in a property. Types of the configuration begin with the name of the property. */
export function nestedScope(
  { module, name, path, subject }: TypeScope,
  { property, attribute, value }: Pick<PropertyMapping, "property" | "attribute" | "value">,
): TypeScope {
  const part = value.kind === "list" || value.kind === "set" ? singularOf(property) : property;
  return {
    module,
    name: name === "" ? property : name + upperFirst(part),
    path: `${path}.${property}`,
    subject: { ...subject, attributes: [...subject.attributes, attribute] },
  };
}

/** The object in a value, such as the elements of a list; undefined for a value that needs no named type. */
export function objectIn(value: ValueMapping): ObjectMapping | undefined {
  switch (value.kind) {
    case "object":
      return value.object;
    case "list":
    case "set":
      return objectIn(value.elements[0]!);
    case "map":
    case "only":
      return objectIn(value.element);
    default:
      return undefined;
  }
}

/**
 * Names the types of nested objects after the path to them, with the singulars of lists and sets, as in Pulumi's own bridge. Two paths can lead to
 * one name: those of `a_b` in `c` and of `b` in `c_a`. That bridge has one type for both; here the second one has a suffix that depends on its
 * path.
 *
 * @returns the names by the paths of their scopes.
 */
export function nameTypes({ config, resources, functions }: NamedPackage, register: NameRegister): ReadonlyMap<string, string> {
  const naming = new TypeNaming(register);
  naming.object(configScope, config.object);
  naming.object(providerScope, config.object);
  for (const { token, typeName, object } of resources.values()) naming.object(componentScope(token, `resource ${typeName}`), object);
  for (const mapped of functions.values()) {
    const component = functionSubject(mapped);
    const own = componentScope(mapped.token, component);
    if (mapped.kind !== "function") {
      naming.object(own, mapped.object);
      continue;
    }
    for (const { property, value } of mapped.parameters) naming.property(own, { property, attribute: property, value });
    const result = resultScope(mapped.token, component);
    if (mapped.result.kind === "object") naming.object(result, mapped.result.object);
    else naming.property(result, { property: "result", attribute: "result", value: mapped.result });
  }
  return naming.names;
}

type NamedPackage = Pick<PackageMapping, "config" | "resources" | "functions">;

/** Text for a function of a package in {@link NameRegister}. */
export function functionSubject(mapped: FunctionMapping): string {
  if (mapped.kind === "function") return `function ${mapped.name}`;
  return `${mapped.kind === "dataSource" ? "data source" : "ephemeral resource"} ${mapped.typeName}`;
}

class TypeNaming {
  readonly names = new Map<string, string>();
  readonly #register: NameRegister;
  readonly #taken = new Set<string>();

  constructor(register: NameRegister) {
    this.#register = register;
  }

  object(parent: TypeScope, { properties }: ObjectMapping): void {
    for (const property of properties) this.property(parent, property);
  }

  property(parent: TypeScope, property: Pick<PropertyMapping, "property" | "attribute" | "value">): void {
    const object = objectIn(property.value);
    if (object === undefined) return;
    const own = nestedScope(parent, property);
    const name = this.#name(own);
    this.names.set(own.path, name);
    this.object({ ...own, name }, object);
  }

  #name({ module, name, path, subject: { component, attributes } }: TypeScope): string {
    const subject = `${module === "config" ? "config type" : "type"} of attribute ${attributes.join(".")} of ${component}`;
    const tokenOf = (candidate: string): string => `${module}/${candidate}`;
    const isFree = (candidate: string): boolean => !this.#taken.has(tokenOf(candidate)) && !this.#register.isReserved(candidate, subject);
    const proposal = this.#register.recorded(subject) ?? name;
    const chosen = isFree(proposal) ? proposal : withDigest(name, path, isFree);
    this.#taken.add(tokenOf(chosen));
    this.#register.add({ subject, theirs: name, ours: chosen });
    return chosen;
  }
}
