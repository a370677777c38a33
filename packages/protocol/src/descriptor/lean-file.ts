// SPDX-License-Identifier: Apache-2.0
import type { DescEnum, DescMessage, DescService } from "@bufbuild/protobuf";
import type { DescriptorScope } from "./descriptor-scope.ts";
import { LeanEnum, LeanMessage, LeanService } from "./lean-descriptor.ts";

/**
 * Contents of a proto3 file in a compact form:
 *
 * - for each message, a line for each field: `number name type`. A type is the name of a scalar, `.package.Message` or `=package.Enum`,
 *   with an optional prefix: `*` (repeated), `?` (optional), `string:` (a map with keys of that type) or `name|` (a member of that oneof);
 * - for each enum, its first number, the default of a field;
 * - for each service, a line for each method: `Name kind package.Input package.Output`.
 */
export interface LeanTables {
  readonly messages: Readonly<Record<string, string>>;
  readonly enums: Readonly<Record<string, number>>;
  readonly services: Readonly<Record<string, string>>;
}

/**
 * The descriptors of a proto3 file, each created on first use.
 *
 * The generated modules of protobuf-es decode the descriptors of the whole file when they load, which takes a large part of the time to a
 * provider's first response. These descriptors support creating, decoding and encoding messages in binary; for reflection, use the
 * generated module. The messages are the same.
 */
export class LeanFile implements DescriptorScope {
  readonly #name: string;
  readonly #tables: LeanTables;
  readonly #imports: readonly LeanFile[];
  readonly #descriptors = new Map<string, LeanMessage | LeanEnum | LeanService>();

  constructor(name: string, tables: LeanTables, imports: readonly LeanFile[] = []) {
    this.#name = name;
    this.#tables = tables;
    this.#imports = imports;
  }

  /** Descriptor of a message of this file or of an imported file. @throws TypeError when there is no such message. */
  message(typeName: string): DescMessage {
    const holder = this.#tables.messages[typeName] === undefined ? this.#importOf(typeName) : this;
    return holder.#once(typeName, () => new LeanMessage(typeName, holder.#tables.messages[typeName]!, holder)) as unknown as DescMessage;
  }

  /** Descriptor of an enum. @throws TypeError when the file does not have it. */
  enum(typeName: string): DescEnum {
    const first = this.#tables.enums[typeName];
    if (first === undefined) throw new TypeError(`${this.#name} has no enum ${typeName}`);
    return this.#once(typeName, () => new LeanEnum(typeName, first)) as unknown as DescEnum;
  }

  /** Descriptor of a service. @throws TypeError when the file does not have it. */
  service(typeName: string): DescService {
    const methods = this.#tables.services[typeName];
    if (methods === undefined) throw new TypeError(`${this.#name} has no service ${typeName}`);
    return this.#once(typeName, () => new LeanService(typeName, methods, this)) as unknown as DescService;
  }

  #importOf(typeName: string): LeanFile {
    const holder = this.#imports.find((file) => file.#tables.messages[typeName] !== undefined);
    if (holder === undefined) throw new TypeError(`${this.#name} has no message ${typeName}`);
    return holder;
  }

  #once(typeName: string, make: () => LeanMessage | LeanEnum | LeanService): LeanMessage | LeanEnum | LeanService {
    let made = this.#descriptors.get(typeName);
    if (made === undefined) this.#descriptors.set(typeName, (made = make()));
    return made;
  }
}
