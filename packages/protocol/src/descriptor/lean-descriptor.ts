// SPDX-License-Identifier: Apache-2.0
import type { DescMessage } from "@bufbuild/protobuf";
import { ProtocolError } from "../error.ts";
import type { DescriptorScope } from "./descriptor-scope.ts";
import { LeanField, LeanOneof } from "./lean-field.ts";

/** Properties that all descriptors share. */
abstract class LeanDescriptor {
  /** The file, as far as protobuf-es needs it to create messages: edition 999 is proto3. */
  readonly file = { kind: "file", edition: 999 };
  readonly deprecated = false;

  get proto(): never {
    throw new ProtocolError(
      "NO_REFLECTION",
      `the descriptor of ${String(this)} does not support reflection: import it from the entry point without "lean" in its name`,
    );
  }

  abstract toString(): string;
}

/** Descriptor of a message; see `DescMessage` of protobuf-es. */
export class LeanMessage extends LeanDescriptor {
  readonly kind = "message";
  readonly typeName: string;
  readonly #lines: string;
  readonly #scope: DescriptorScope;
  #parts: ReturnType<typeof partsOf> | undefined;

  constructor(typeName: string, lines: string, scope: DescriptorScope) {
    super();
    this.typeName = typeName;
    this.#lines = lines;
    this.#scope = scope;
  }

  get #all(): ReturnType<typeof partsOf> {
    return (this.#parts ??= partsOf(this, this.#lines, this.#scope));
  }

  get fields(): readonly LeanField[] {
    return this.#all.fields;
  }

  /** Fields by the name of their property. */
  get field(): Readonly<Record<string, LeanField>> {
    return this.#all.field;
  }

  get oneofs(): readonly LeanOneof[] {
    return this.#all.oneofs;
  }

  /** Fields outside of oneofs, and oneofs in the place of their first field. */
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
  scope: DescriptorScope,
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
  const fields = lines === "" ? [] : lines.split("\n").map((line) => new LeanField(parent, line, scope, oneofOf));
  return {
    fields,
    field: Object.fromEntries(fields.map((field) => [field.localName, field])),
    oneofs: [...oneofs.values()],
    members: [...new Set(fields.map((field) => field.oneof ?? field))],
  };
}

/** Descriptor of an enum; see `DescEnum` of protobuf-es. */
export class LeanEnum extends LeanDescriptor {
  readonly kind = "enum";
  readonly open = true;
  readonly typeName: string;
  /** The first value only: the default of a field. */
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

/** Descriptor of a service; see `DescService` of protobuf-es. */
export class LeanService extends LeanDescriptor {
  readonly kind = "service";
  readonly typeName: string;
  readonly methods: readonly LeanMethod[];
  /** Methods by the name that they have in a client. */
  readonly method: Readonly<Record<string, LeanMethod>>;

  constructor(typeName: string, lines: string, scope: DescriptorScope) {
    super();
    this.typeName = typeName;
    this.methods = lines.split("\n").map((line) => new LeanMethod(this, line, scope));
    this.method = Object.fromEntries(this.methods.map((method) => [method.localName, method]));
  }

  override toString(): string {
    return `service ${this.typeName}`;
  }
}

/** Descriptor of a method; see `DescMethod` of protobuf-es. */
export class LeanMethod extends LeanDescriptor {
  readonly kind = "rpc";
  readonly parent: LeanService;
  readonly name: string;
  readonly localName: string;
  readonly methodKind: string;
  /** Idempotency level: unknown. */
  readonly idempotency = 0;
  // Not getters: callers create modified methods by spreading this object.
  readonly input: DescMessage;
  readonly output: DescMessage;

  constructor(parent: LeanService, line: string, scope: DescriptorScope) {
    super();
    const [name = "", methodKind = "", input = "", output = ""] = line.split(" ");
    this.parent = parent;
    this.name = name;
    this.localName = `${name.charAt(0).toLowerCase()}${name.slice(1)}`;
    this.methodKind = methodKind;
    this.input = scope.message(input);
    this.output = scope.message(output);
  }

  override toString(): string {
    return `rpc ${this.parent.typeName}.${this.name}`;
  }
}
