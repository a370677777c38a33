// SPDX-License-Identifier: Apache-2.0
import type { DescEnum, DescMessage } from "@bufbuild/protobuf";
import { ProtocolError } from "../error.ts";
import { LeanField, LeanOneof } from "./lean-field.ts";

/** Where descriptors find those they name. */
export interface LeanHome {
  message(typeName: string): DescMessage;
  enum(typeName: string): DescEnum;
}

/** What there is of every descriptor, and what there is not. */
abstract class LeanDescriptor {
  /** How messages are made hangs on it: 999 is proto3. */
  readonly file = { kind: "file", edition: 999 };
  readonly deprecated = false;

  get proto(): never {
    throw new ProtocolError(
      "NO_REFLECTION",
      `the ${String(this)} is described for reading and writing only; for reflection, take it from the module without "lean" in its name`,
    );
  }

  abstract toString(): string;
}

/** Describes a message: see `DescMessage` of protobuf-es. */
export class LeanMessage extends LeanDescriptor {
  readonly kind = "message";
  readonly typeName: string;
  readonly #lines: string;
  readonly #home: LeanHome;
  #parts: ReturnType<typeof partsOf> | undefined;

  constructor(typeName: string, lines: string, home: LeanHome) {
    super();
    this.typeName = typeName;
    this.#lines = lines;
    this.#home = home;
  }

  get #all(): ReturnType<typeof partsOf> {
    return (this.#parts ??= partsOf(this, this.#lines, this.#home));
  }

  get fields(): readonly LeanField[] {
    return this.#all.fields;
  }

  /** By the name it has in a message. */
  get field(): Readonly<Record<string, LeanField>> {
    return this.#all.field;
  }

  get oneofs(): readonly LeanOneof[] {
    return this.#all.oneofs;
  }

  /** Fields that stand for themselves, and oneofs where their first field stands. */
  get members(): readonly (LeanField | LeanOneof)[] {
    return this.#all.members;
  }

  override toString(): string {
    return `message ${this.typeName}`;
  }
}

function partsOf(
  parent: LeanMessage,
  lines: string,
  home: LeanHome,
): {
  readonly fields: readonly LeanField[];
  readonly field: Readonly<Record<string, LeanField>>;
  readonly oneofs: readonly LeanOneof[];
  readonly members: readonly (LeanField | LeanOneof)[];
} {
  const oneofs = new Map<string, LeanOneof>();
  const oneofOf = (name: string): LeanOneof => {
    let oneof = oneofs.get(name);
    if (oneof === undefined) oneofs.set(name, (oneof = new LeanOneof(name)));
    return oneof;
  };
  const fields = lines === "" ? [] : lines.split("\n").map((line) => new LeanField(parent, line, home, oneofOf));
  return {
    fields,
    field: Object.fromEntries(fields.map((field) => [field.localName, field])),
    oneofs: [...oneofs.values()],
    members: [...new Set(fields.map((field) => field.oneof ?? field))],
  };
}

/** Describes an enum: see `DescEnum` of protobuf-es. */
export class LeanEnum extends LeanDescriptor {
  readonly kind = "enum";
  readonly open = true;
  readonly typeName: string;
  /** Only the first is known here: it is what a field has when nothing is said. */
  readonly values: readonly { readonly kind: "enum_value"; readonly number: number }[];

  constructor(typeName: string, first: number) {
    super();
    this.typeName = typeName;
    this.values = [{ kind: "enum_value", number: first }];
  }

  override toString(): string {
    return `enum ${this.typeName}`;
  }
}

/** Describes a service: see `DescService` of protobuf-es. */
export class LeanService extends LeanDescriptor {
  readonly kind = "service";
  readonly typeName: string;
  readonly methods: readonly LeanMethod[];
  /** By the name it has in a client. */
  readonly method: Readonly<Record<string, LeanMethod>>;

  constructor(typeName: string, lines: string, home: LeanHome) {
    super();
    this.typeName = typeName;
    this.methods = lines.split("\n").map((line) => new LeanMethod(this, line, home));
    this.method = Object.fromEntries(this.methods.map((method) => [method.localName, method]));
  }

  override toString(): string {
    return `service ${this.typeName}`;
  }
}

/** Describes a method: see `DescMethod` of protobuf-es. */
export class LeanMethod extends LeanDescriptor {
  readonly kind = "rpc";
  readonly parent: LeanService;
  readonly name: string;
  readonly localName: string;
  readonly methodKind: string;
  /** Nothing is said of it. */
  readonly idempotency = 0;
  // Own properties: who changes a method spreads it.
  readonly input: DescMessage;
  readonly output: DescMessage;

  constructor(parent: LeanService, line: string, home: LeanHome) {
    super();
    const [name = "", methodKind = "", input = "", output = ""] = line.split(" ");
    this.parent = parent;
    this.name = name;
    this.localName = `${name.charAt(0).toLowerCase()}${name.slice(1)}`;
    this.methodKind = methodKind;
    this.input = home.message(input);
    this.output = home.message(output);
  }

  override toString(): string {
    return `rpc ${this.parent.typeName}.${this.name}`;
  }
}
