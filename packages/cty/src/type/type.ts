// SPDX-License-Identifier: Apache-2.0
import type { CapsuleOps } from "../model/capsule-ops.ts";
import type {
  BoolType,
  CapsuleType,
  CollectionType,
  DynamicType,
  ListType,
  MapType,
  NumberType,
  ObjectType,
  OptionalAttribute,
  PrimitiveType,
  SetType,
  StringType,
  TupleType,
  Type,
} from "../model/type.ts";
import { sortByCodePoint } from "../text/code-point-order.ts";
import { normalizeString } from "../text/normalize.ts";
import { CtyError } from "../error/error.ts";
import { perType } from "./per-type.ts";
import { registry } from "./registry.ts";
import { typeGoString } from "./type-names.ts";

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

/** Returns the number of the type. It does not change while the type is in memory. */
function idOf(type: Type): number {
  const id = registry.ids.get(type);
  if (id === undefined) throw new CtyError("INVALID_TYPE", "not a type of this package");
  return id;
}

/** Unicode text in normal form C. */
export const string: StringType = intern("string", () => ({ kind: "string" }));
/** Numbers with a mantissa of up to 512 bits. There is no NaN. */
export const number: NumberType = intern("number", () => ({ kind: "number" }));
/** Booleans. */
export const bool: BoolType = intern("bool", () => ({ kind: "bool" }));
/** As a constraint, any type. As the type of a value, a type that is not known yet. */
export const dynamic: DynamicType = intern("dynamic", () => ({ kind: "dynamic" }));

/** Returns the type of lists with the given element type. */
export function list<Element extends Type>(element: Element): ListType<Element> {
  return collection("list", element) as ListType<Element>;
}

/** Returns the type of sets with the given element type. */
export function set<Element extends Type>(element: Element): SetType<Element> {
  return collection("set", element) as SetType<Element>;
}

/** Returns the type of maps with the given element type. */
export function map<Element extends Type>(element: Element): MapType<Element> {
  return collection("map", element) as MapType<Element>;
}

/** Returns the collection type of the given kind and element type. */
export function collection(kind: CollectionType["kind"], element: Type): CollectionType {
  return intern(`${kind}:${idOf(element)}`, () => ({ kind, element }));
}

/** Returns the type of tuples with the given element types. */
export function tuple<const Elements extends readonly Type[]>(...elements: Elements): TupleType<Elements> {
  return tupleFromArray(elements) as TupleType<Elements>;
}

/** Like {@link tuple}, for an array of element types. */
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

/** The object type that {@link object} returns for the given attributes. */
export type ObjectTypeOf<Specs extends AttributeSpecs> = ObjectType<AttributesOf<Specs>, OptionalsOf<Specs>>;

/**
 * Returns the type of objects with the given attributes.
 *
 * @throws CtyError `INVALID_TYPE` for an attribute that is not a type, and for two names that are equal in normal form C.
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

/** Like {@link object}, for names that are known only at run time and are in normal form C. */
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

/** Returns a new capsule type, which is equal to no other type. Messages use `name` for it. */
export function capsule<Native>(name: string, ops: CapsuleOps<Native> = {}): CapsuleType<Native> {
  const type = Object.assign(Object.create(descriptor), { kind: "capsule", name, ops }) as CapsuleType<Native>;
  registry.ids.set(type, registry.nextId++);
  return type;
}

/** Whether the value is a type of this package, and not another object with a `kind`. */
export function isType(value: unknown): value is Type {
  return typeof value === "object" && value !== null && registry.ids.has(value as Type);
}

/** Whether the type is a primitive type: string, number or bool. */
export function isPrimitiveType(type: Type): type is PrimitiveType {
  return type === string || type === number || type === bool;
}

/** Whether the type is a collection type: list, set or map. */
export function isCollectionType(type: Type): type is CollectionType {
  return type.kind === "list" || type.kind === "set" || type.kind === "map";
}

/** Returns the type of the part at a position in a compound payload. */
export function partType(type: Type, position: number): Type {
  if (type.kind === "object") return type.attributes[type.names[position]!]!;
  return type.kind === "tuple" ? type.elements[position]! : isCollectionType(type) ? type.element : dynamic;
}

/** Returns the types directly inside a type. Types of attributes are in the order of the names. */
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

/** Whether the type or a type inside it is {@link dynamic}. */
export const hasDynamic: (type: Type) => boolean = perType((type) => type === dynamic || childTypes(type).some(hasDynamic));

const exactInside: (type: Type) => boolean = perType(
  (type) => type.kind !== "dynamic" && !(type.kind === "object" && type.optionalNames.length > 0) && childTypes(type).every(isExact),
);

/** Whether all values of the type have exactly this type: false for types with dynamic parts or optional attributes. */
export function isExact(type: Type): boolean {
  return exactInside(type);
}

/** Returns the type with each direct child replaced by `change`; the same object if nothing changed. */
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

/** Returns the type without optional attributes at any depth, which is the type of known values. */
export const withoutOptionalAttributes: (type: Type) => Type = perType((type) => {
  const inner = mapChildTypes(type, withoutOptionalAttributes);
  return inner.kind === "object" && inner.optionalNames.length > 0
    ? objectFromMap(new Map(inner.names.map((name) => [name, inner.attributes[name]!])))
    : inner;
});
