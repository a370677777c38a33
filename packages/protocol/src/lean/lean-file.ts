// SPDX-License-Identifier: Apache-2.0
import type { DescEnum, DescMessage, DescService } from "@bufbuild/protobuf";
import { LeanEnum, type LeanHome, LeanMessage, LeanService } from "./lean-descriptor.ts";

/**
 * What a file of proto3 says, in few words:
 *
 * - of each message a line a field, `number name type`. A type is the name of a scalar, `.package.Message` or `=package.Enum`; before it may
 *   stand `*` (repeated), `?` (optional), `string:` (a map with such keys) or `name|` (one of a oneof of that name);
 * - of each enum its first number, what a field of it is when nothing is said;
 * - of each service a line a method, `Name kind package.Input package.Output`.
 */
export interface LeanTables {
  readonly messages: Readonly<Record<string, string>>;
  readonly enums: Readonly<Record<string, number>>;
  readonly services: Readonly<Record<string, string>>;
}

/**
 * The descriptors of a file of proto3, each made when it is first looked at.
 *
 * protobuf-es makes all of a file at once, from its encoded description, when the module loads, and before the first one the description of
 * descriptions: a good part of the time that a provider takes to its first answer. These have what it takes to create, read and write
 * messages, in binary; for reflection there is the generated module itself. Messages are the same.
 */
export class LeanFile implements LeanHome {
  readonly #name: string;
  readonly #tables: LeanTables;
  readonly #imports: readonly LeanFile[];
  readonly #made = new Map<string, LeanMessage | LeanEnum | LeanService>();

  constructor(name: string, tables: LeanTables, imports: readonly LeanFile[] = []) {
    this.#name = name;
    this.#tables = tables;
    this.#imports = imports;
  }

  /** @throws TypeError where neither this file nor one that it imports has the message. */
  message(typeName: string): DescMessage {
    const holder = this.#tables.messages[typeName] === undefined ? this.#importOf(typeName) : this;
    return holder.#once(typeName, () => new LeanMessage(typeName, holder.#tables.messages[typeName]!, holder)) as unknown as DescMessage;
  }

  /** @throws TypeError where the file has no such enum. */
  enum(typeName: string): DescEnum {
    const first = this.#tables.enums[typeName];
    if (first === undefined) throw new TypeError(`${this.#name} has no enum ${typeName}`);
    return this.#once(typeName, () => new LeanEnum(typeName, first)) as unknown as DescEnum;
  }

  /** @throws TypeError where the file has no such service. */
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
    let made = this.#made.get(typeName);
    if (made === undefined) this.#made.set(typeName, (made = make()));
    return made;
  }
}
