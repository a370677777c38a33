// SPDX-License-Identifier: Apache-2.0
import type { DescEnum, DescMessage } from "@bufbuild/protobuf";
import type { LeanHome, LeanMessage } from "./lean-descriptor.ts";

/** Numbers of the scalar types, as descriptors have them. */
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

/** Where a field is there, or not, in its own right; and where it is there when it is not zero. */
const [explicit, implicit] = [1, 2];

/** Describes a oneof: see `DescOneof` of protobuf-es. */
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

/** Describes a field: see `DescField` of protobuf-es. */
export class LeanField {
  readonly kind = "field";
  readonly parent: LeanMessage;
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
  // What proto3 says of all fields alike.
  readonly utf8Validation = true;
  readonly delimitedEncoding = false;
  readonly longAsString = false;
  readonly #typeName: string;
  readonly #home: LeanHome;

  /** @param line `number name type`, the type as in `LeanTables` */
  constructor(parent: LeanMessage, line: string, home: LeanHome, oneofOf: (name: string) => LeanOneof) {
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
    // Strings and bytes stand one by one, numbers together.
    this.packed = repeated !== undefined && of !== "message" && type !== "string" && type !== "bytes";
    this.#typeName = type;
    this.#home = home;
  }

  get message(): DescMessage | undefined {
    return this.#is("message") ? this.#home.message(this.#typeName) : undefined;
  }

  get enum(): DescEnum | undefined {
    return this.#is("enum") ? this.#home.enum(this.#typeName) : undefined;
  }

  #is(kind: string): boolean {
    return this.fieldKind === kind || this.listKind === kind || this.mapKind === kind;
  }

  /** There are none in proto3. */
  getDefaultValue(): undefined {
    return undefined;
  }

  toString(): string {
    return `field ${this.parent.typeName}.${this.name}`;
  }
}

/** The name a field has in a message, as protobuf-es has it. */
function localNameOf(name: string): string {
  return name.replaceAll(/_+([^_])/g, (_, next: string) => next.toUpperCase());
}
