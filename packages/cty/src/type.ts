// SPDX-License-Identifier: Apache-2.0
import type { CapsuleOps } from "./capsule.ts";
import { sortByCodePoint } from "./code-point-order.ts";
import { normalizeString } from "./ctystrings/normalize.ts";
import { CtyError } from "./error.ts";
import { perType } from "./per-type.ts";
import { registry } from "./registry.ts";
import { typeGoString } from "./type-names.ts";

export interface StringType {
  readonly kind: "string";
}
export interface NumberType {
  readonly kind: "number";
}
export interface BoolType {
  readonly kind: "bool";
}
/** The type of a value whose type is not known yet, and the constraint that every type meets. */
export interface DynamicType {
  readonly kind: "dynamic";
}
export interface ListType<Element extends Type = Type> {
  readonly kind: "list";
  readonly element: Element;
}
export interface SetType<Element extends Type = Type> {
  readonly kind: "set";
  readonly element: Element;
}
export interface MapType<Element extends Type = Type> {
  readonly kind: "map";
  readonly element: Element;
}
export interface ObjectType<
  Attributes extends Readonly<Record<string, Type>> = Readonly<Record<string, Type>>,
  Optional extends string = string,
> {
  readonly kind: "object";
  /** Without a prototype, in the order of {@link names}. */
  readonly attributes: Attributes;
  /** Attribute names by code point: the order of the slots of a value's payload. */
  readonly names: readonly string[];
  /** Where each attribute stands in {@link names}. */
  readonly slots: ReadonlyMap<string, number>;
  /** Attributes a conversion may leave out, by code point. They matter for conversion and for the type's identity only. */
  readonly optionalNames: readonly string[];
  /** Exists in the types only: which attributes are optional. */
  readonly optionals?: () => Optional;
}
export interface TupleType<Elements extends readonly Type[] = readonly Type[]> {
  readonly kind: "tuple";
  readonly elements: Elements;
}
/** A type of opaque native values, identical only to itself. */
export interface CapsuleType<Native = unknown> {
  readonly kind: "capsule";
  readonly name: string;
  /** What natives of the type can do; they take natives of this type only. */
  readonly ops: CapsuleOps;
  /** Exists in the types only. */
  readonly native?: () => Native;
}

/** A type. Equal types are the same object: compare them with `===`. */
export type Type = StringType | NumberType | BoolType | DynamicType | ListType | SetType | MapType | ObjectType | TupleType | CapsuleType;

export type PrimitiveType = StringType | NumberType | BoolType;
export type CollectionType = ListType | SetType | MapType;

/** An attribute that a conversion to the object type may leave out. */
export interface OptionalAttribute<T extends Type = Type> {
  readonly kind: "optional";
  readonly type: T;
}

const inspect: unique symbol = Symbol.for("nodejs.util.inspect.custom") as never;
const descriptor = {
  [inspect](this: Type): string {
    return typeGoString(this);
  },
};

function intern<T extends Type>(key: string, create: () => Omit<T, never>): T {
  const known = registry.types.get(key)?.deref();
  if (known !== undefined) return known as T;
  const type = Object.assign(Object.create(descriptor), create()) as T;
  registry.types.set(key, new WeakRef<Type>(type));
  registry.ids.set(type, registry.nextId++);
  registry.collected.register(type, key);
  return type;
}

/** A number for the type, the same as long as the type is alive. */
function idOf(type: Type): number {
  const id = registry.ids.get(type);
  if (id === undefined) throw new CtyError("INVALID_TYPE", "not a type: use the functions of this package to make types");
  return id;
}

/** Unicode text, in normal form C. */
export const string: StringType = intern("string", () => ({ kind: "string" }));
/** Numbers: 512 bits of mantissa, no NaN. */
export const number: NumberType = intern("number", () => ({ kind: "number" }));
export const bool: BoolType = intern("bool", () => ({ kind: "bool" }));
/** Any type: as a constraint, or as the type of a value nothing is known about. */
export const dynamic: DynamicType = intern("dynamic", () => ({ kind: "dynamic" }));

export function list<Element extends Type>(element: Element): ListType<Element> {
  return collection("list", element) as ListType<Element>;
}

export function set<Element extends Type>(element: Element): SetType<Element> {
  return collection("set", element) as SetType<Element>;
}

export function map<Element extends Type>(element: Element): MapType<Element> {
  return collection("map", element) as MapType<Element>;
}

/** {@link list}, {@link set} or {@link map}. */
export function collection(kind: CollectionType["kind"], element: Type): CollectionType {
  return intern(`${kind}:${idOf(element)}`, () => ({ kind, element }));
}

export function tuple<const Elements extends readonly Type[]>(...elements: Elements): TupleType<Elements> {
  return tupleFromArray(elements) as TupleType<Elements>;
}

/** {@link tuple} for more elements than a call may have arguments. */
export function tupleFromArray(elements: readonly Type[]): TupleType {
  return intern(`tuple:${elements.map(idOf).join()}`, () => ({ kind: "tuple", elements: Object.freeze([...elements]) }));
}

/** Marks an attribute of {@link object} as one that a conversion may leave out. */
export function optional<T extends Type>(type: T): OptionalAttribute<T> {
  idOf(type);
  return { kind: "optional", type };
}

type AttributeSpecs = Readonly<Record<string, Type | OptionalAttribute>>;
type AttributesOf<Specs extends AttributeSpecs> = {
  readonly [Name in keyof Specs]: Specs[Name] extends OptionalAttribute<infer T> ? T : Specs[Name] extends Type ? Specs[Name] : never;
};
type OptionalsOf<Specs extends AttributeSpecs> = {
  [Name in keyof Specs & string]: Specs[Name] extends OptionalAttribute ? Name : never;
}[keyof Specs & string];

/** The object type that {@link object} makes of the given attributes. */
export type ObjectTypeOf<Specs extends AttributeSpecs> = ObjectType<AttributesOf<Specs>, OptionalsOf<Specs>>;

/**
 * An object type.
 *
 * @throws CtyError `INVALID_TYPE` for an attribute that is no type, and for two names that are the same in normal form C.
 *
 * @example
 * object({ name: string, port: optional(number) }).names
 * // => ["name", "port"]
 */
export function object<const Specs extends AttributeSpecs>(attributes: Specs): ObjectTypeOf<Specs> {
  const specs = new Map<string, Type | OptionalAttribute>();
  for (const name of Object.keys(attributes)) {
    const normal = normalizeString(name);
    if (specs.has(normal)) throw new CtyError("INVALID_TYPE", `duplicate attribute ${JSON.stringify(normal)}`);
    specs.set(normal, attributes[name]!);
  }
  return objectFromMap(specs) as unknown as ObjectTypeOf<Specs>;
}

/** {@link object} for attribute names that are only known at run time and in normal form already. */
export function objectFromMap(attributes: ReadonlyMap<string, Type | OptionalAttribute>): ObjectType {
  const names = sortByCodePoint([...attributes.keys()]);
  const types = names.map((name) => {
    const spec = attributes.get(name)!;
    return spec.kind === "optional" ? spec.type : spec;
  });
  const optionalNames = names.filter((name) => attributes.get(name)!.kind === "optional");
  const key = `object:${JSON.stringify(names)}:${types.map(idOf).join()}:${JSON.stringify(optionalNames)}`;
  return intern(key, () => {
    const record = Object.create(null) as Record<string, Type>;
    for (const [index, name] of names.entries()) record[name] = types[index]!;
    return {
      kind: "object",
      attributes: Object.freeze(record),
      names: Object.freeze(names),
      slots: new Map(names.map((name, index) => [name, index])),
      optionalNames: Object.freeze(optionalNames),
    };
  });
}

/** A new capsule type, different from every other. `name` is how messages call it. */
export function capsule<Native>(name: string, ops: CapsuleOps<Native> = {}): CapsuleType<Native> {
  const type = Object.assign(Object.create(descriptor), { kind: "capsule", name, ops }) as CapsuleType<Native>;
  registry.ids.set(type, registry.nextId++);
  return type;
}

/** Is this a type, and not some other object with a `kind`? */
export function isType(value: unknown): value is Type {
  return typeof value === "object" && value !== null && registry.ids.has(value as Type);
}

export function isPrimitiveType(type: Type): type is PrimitiveType {
  return type === string || type === number || type === bool;
}

export function isCollectionType(type: Type): type is CollectionType {
  return type.kind === "list" || type.kind === "set" || type.kind === "map";
}

/** The type of what stands at a position in a compound payload; in one of dynamic type, anything. */
export function partType(type: Type, position: number): Type {
  if (type.kind === "object") return type.attributes[type.names[position]!]!;
  return type.kind === "tuple" ? type.elements[position]! : isCollectionType(type) ? type.element : dynamic;
}

/** The types directly inside a type, those of attributes in the order of their names. */
export function childTypes(type: Type): readonly Type[] {
  switch (type.kind) {
    case "list":
    case "set":
    case "map":
      return [type.element];
    case "object":
      return type.names.map((name) => type.attributes[name]!);
    case "tuple":
      return type.elements;
    default:
      return [];
  }
}

/** Is the type, or any type inside it, {@link dynamic}? */
export const hasDynamic: (type: Type) => boolean = perType((type) => type === dynamic || childTypes(type).some(hasDynamic));

const exactInside: (type: Type) => boolean = perType(
  (type) => type.kind !== "dynamic" && !(type.kind === "object" && type.optionalNames.length > 0) && childTypes(type).every(isExact),
);

/** Do all values of the type have this very type? Not where parts are dynamic, nor with optional attributes, which null alone keeps. */
export function isExact(type: Type): boolean {
  return exactInside(type);
}

/** The type with the same structure in which `change` has replaced every direct child; the same object if nothing changed. */
export function mapChildTypes(type: Type, change: (child: Type) => Type): Type {
  switch (type.kind) {
    case "list":
    case "set":
    case "map":
      return collection(type.kind, change(type.element));
    case "tuple":
      return tupleFromArray(type.elements.map(change));
    case "object": {
      const isOptional = new Set(type.optionalNames);
      return objectFromMap(
        new Map(
          type.names.map((name) => {
            const child = change(type.attributes[name]!);
            return [name, isOptional.has(name) ? optional(child) : child];
          }),
        ),
      );
    }
    default:
      return type;
  }
}

/** The type with no attribute optional, at any depth: what a value of it has. */
export const withoutOptionalAttributes: (type: Type) => Type = perType((type) => {
  const inner = mapChildTypes(type, withoutOptionalAttributes);
  return inner.kind === "object" && inner.optionalNames.length > 0
    ? objectFromMap(new Map(inner.names.map((name) => [name, inner.attributes[name]!])))
    : inner;
});
