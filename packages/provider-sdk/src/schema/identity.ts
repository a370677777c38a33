// SPDX-License-Identifier: Apache-2.0
import type { IdentitySchema } from "@tenon/schema";
import type { Faults } from "./fault.ts";
import type { ObjectShape } from "./shape.ts";
import { isWrittenType, valueShape, type WrittenType } from "./value-shape.ts";

/** A resource's identity, checked. */
export interface CompiledIdentity {
  readonly shape: ObjectShape;
  readonly protocol: IdentitySchema;
  readonly mutable: boolean;
}

const primitives: ReadonlySet<string> = new Set(["string", "number", "bigint", "decimal", "bool"]);

/** @param state the resource's own shape: an identity attribute that has its name has its type. */
export function compileIdentity(
  written: Readonly<Record<string, unknown>>,
  mutable: boolean,
  state: ObjectShape,
  faults: Faults,
): CompiledIdentity {
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
  const shape = valueShape(
    Object.keys(members).length === 0 ? { kind: "object", options: {}, members: { id: { kind: "string", options: {} } } } : object,
    ["identity"],
    faults,
    false,
  );
  const { entries } = shape as ObjectShape;
  for (const entry of entries) {
    const attribute = state.byName.get(entry.name);
    if (attribute !== undefined && attribute.shape.type !== entry.shape.type) {
      faults.add(["identity", entry.name], "it has another type than the attribute of the same name");
    }
  }
  return {
    shape: shape as ObjectShape,
    mutable,
    protocol: {
      version: 0,
      attributes: Object.fromEntries(
        entries.map((entry) => [
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
