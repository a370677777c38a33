// SPDX-License-Identifier: Apache-2.0
import type { IdentitySchema } from "@tenon/schema";
import type { Faults } from "./fault.ts";
import type { ObjectShape } from "./shape.ts";
import type { CompiledUpgrader } from "./upgraders.ts";
import { isWrittenType, valueShape, type WrittenType } from "./value-shape.ts";

/** A resource's identity, checked. */
export interface CompiledIdentity {
  readonly shape: ObjectShape;
  readonly protocol: IdentitySchema;
  readonly mutable: boolean;
  readonly upgraders: ReadonlyMap<number, CompiledUpgrader>;
}

/** What belongs to an identity besides its types. */
export interface IdentityHead {
  readonly mutable: boolean;
  readonly version: number;
  readonly upgraders: ReadonlyMap<number, CompiledUpgrader>;
}

const primitives: ReadonlySet<string> = new Set(["string", "number", "bigint", "decimal", "bool"]);

/** @param state the resource's own shape: an identity attribute that has its name has its type. */
export function compileIdentity(
  written: Readonly<Record<string, unknown>>,
  { mutable, version, upgraders }: IdentityHead,
  state: ObjectShape,
  faults: Faults,
): CompiledIdentity {
  const shape = identityShape(written, faults);
  for (const entry of shape.entries) {
    const attribute = state.byName.get(entry.name);
    if (attribute !== undefined && attribute.shape.type !== entry.shape.type) {
      faults.add(["identity", entry.name], "it has another type than the attribute of the same name");
    }
  }
  return {
    shape,
    mutable,
    upgraders,
    protocol: {
      version,
      attributes: Object.fromEntries(
        shape.entries.map((entry) => [
          entry.name,
          {
            type: entry.shape.type,
            requiredForImport: !entry.shape.nullable,
            optionalForImport: entry.shape.nullable,
            description: entry.description,
          },
        ]),
      ),
    },
  };
}

/** The types of an identity, of the current version or of one before. */
export function identityShape(written: Readonly<Record<string, unknown>>, faults: Faults): ObjectShape {
  const members: Record<string, WrittenType> = {};
  for (const [name, member] of Object.entries(written)) {
    const known =
      isWrittenType(member) && (primitives.has(member.kind) || (member.kind === "list" && primitives.has(member.element?.kind ?? "")));
    if (!known)
      faults.add(
        ["identity", name],
        "an identity is of primitive types and lists of them, without flags: attr.string(), attr.list(attr.number())",
      );
    else members[name] = member;
  }
  if (Object.keys(written).length === 0) faults.add(["identity"], "an identity has attributes");
  const object: WrittenType = { kind: "object", options: {}, members };
  const empty: WrittenType = { kind: "object", options: {}, members: { id: { kind: "string", options: {} } } };
  return valueShape(Object.keys(members).length === 0 ? empty : object, ["identity"], faults, false) as ObjectShape;
}
