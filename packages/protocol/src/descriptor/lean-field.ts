// SPDX-License-Identifier: Apache-2.0
import type { DescEnum, DescMessage } from "@bufbuild/protobuf";
import type { DescriptorScope } from "./descriptor-scope.ts";

/** Numbers of the scalar types. @see google.protobuf.FieldDescriptorProto.Type */
const scalars: Readonly<Record<string, number>> = {
  double: 1,
  float: 2,
  int64: 3,
  uint64: 4,
  int32: 5,
  fixed64: 6,
  fixed32: 7,
  bool: 8,
  string: 9,
  bytes: 12,
  uint32: 13,
  sfixed32: 15,
  sfixed64: 16,
  sint32: 17,
  sint64: 18,
};

/** Kinds of field presence. @see google.protobuf.FeatureSet.FieldPresence */
const [explicit, implicit] = [1, 2];

/** Message that a field belongs to; a `LeanMessage`. */
export interface FieldParent {
  readonly typeName: string;
}

/** Descriptor of a oneof; see `DescOneof` of protobuf-es. */
export class LeanOneof {
  readonly kind = "oneof";
  readonly name: string;
  readonly localName: string;
  readonly fields: LeanField[] = [];

  constructor(name: string) {
    this.name = name;
    this.localName = localNameOf(name);
  }
}

/** Descriptor of a field; see `DescField` of protobuf-es. */
export class LeanField {
  readonly kind = "field";
  readonly parent: FieldParent;
  readonly name: string;
  readonly localName: string;
  readonly number: number;
  readonly fieldKind: "scalar" | "enum" | "message" | "list" | "map";
  readonly listKind: "scalar" | "enum" | "message" | undefined;
  readonly mapKind: "scalar" | "enum" | "message" | undefined;
  readonly mapKey: number | undefined;
  readonly scalar: number | undefined;
  readonly oneof: LeanOneof | undefined;
  readonly presence: number;
  readonly packed: boolean;
  // The same for all fields of proto3.
  readonly utf8Validation = true;
  readonly delimitedEncoding = false;
  readonly longAsString = false;
  readonly #typeName: string;
  readonly #scope: DescriptorScope;

  /** @param line - `number name type`, with the type as in `LeanTables`. */
  constructor(parent: FieldParent, line: string, scope: DescriptorScope, oneofOf: (name: string) => LeanOneof) {
    const [, number, name = "", oneof, repeated, optional, key, kind, type = ""] =
      /^(\d+) (\w+) (?:(\w+)\|)?(\*)?(\?)?(?:(\w+):)?([.=])?([\w.]+)$/.exec(line) ?? [];
    const of = kind === "." ? "message" : kind === "=" ? "enum" : "scalar";
    this.parent = parent;
    this.name = name;
    this.localName = localNameOf(name);
    this.number = Number(number);
    this.fieldKind = repeated !== undefined ? "list" : key !== undefined ? "map" : of;
    this.listKind = repeated === undefined ? undefined : of;
    this.mapKind = key === undefined ? undefined : of;
    this.mapKey = key === undefined ? undefined : scalars[key];
    this.scalar = of === "scalar" ? scalars[type] : undefined;
    this.oneof = oneof === undefined ? undefined : oneofOf(oneof);
    this.oneof?.fields.push(this);
    this.presence = oneof !== undefined || optional !== undefined || this.fieldKind === "message" ? explicit : implicit;
    // Repeated numbers are packed; repeated strings and bytes are not.
    this.packed = repeated !== undefined && of !== "message" && type !== "string" && type !== "bytes";
    this.#typeName = type;
    this.#scope = scope;
  }

  get message(): DescMessage | undefined {
    return this.#is("message") ? this.#scope.message(this.#typeName) : undefined;
  }

  get enum(): DescEnum | undefined {
    return this.#is("enum") ? this.#scope.enum(this.#typeName) : undefined;
  }

  #is(kind: string): boolean {
    return this.fieldKind === kind || this.listKind === kind || this.mapKind === kind;
  }

  /** Default value: always undefined, because proto3 has none. */
  getDefaultValue(): undefined {
    return undefined;
  }

  toString(): string {
    return `field ${this.parent.typeName}.${this.name}`;
  }
}

/** Name of the property that protobuf-es gives a field. */
function localNameOf(name: string): string {
  return name.replaceAll(/_+([^_])/g, (_, next: string) => next.toUpperCase());
}
