// SPDX-License-Identifier: Apache-2.0
import type { IdentitySchema } from "@tenon/schema";
import type { Faults } from "./fault.ts";
import type { ObjectShape } from "../shape/shape.ts";
import { similarName } from "./similar-name.ts";
import type { CompiledUpgrader } from "./upgraders.ts";
import { isWrittenType, valueShape, type WrittenType } from "./value-shape.ts";

/** A resource's identity, checked. */
export interface CompiledIdentity {
  readonly shape: ObjectShape;
  readonly protocol: IdentitySchema;
  readonly mutable: boolean;
  readonly upgraders: ReadonlyMap<number, CompiledUpgrader>;
}

/** The options of an identity besides its types. */
export interface IdentityHead {
  readonly mutable: boolean;
  readonly version: number;
  readonly upgraders: ReadonlyMap<number, CompiledUpgrader>;
}

const primitives: ReadonlySet<string> = new Set(["string", "number", "bigint", "decimal", "bool"]);

/**
 * Compiles the identity of a resource.
 *
 * An identity attribute without an attribute of the same name is allowed, as in terraform-plugin-framework: handlers set it by
 * `setIdentity`. A change whose handler does not set it fails with "Missing identity". A name that differs from an attribute of the same
 * type in one character is rejected as a misspelling.
 *
 * @param state the resource's shape: an identity attribute must have the type of the resource's attribute of the same name, if any.
 */
export function compileIdentity(
  written: Readonly<Record<string, unknown>>,
  { mutable, version, upgraders }: IdentityHead,
  state: ObjectShape,
  faults: Faults,
): CompiledIdentity {
  const shape = identityShape(written, faults);
  for (const entry of shape.entries) {
    const attribute = state.byName.get(entry.name);
    // `setIdentity` may set attributes that the schema lacks, such as `zone` beside a list `zones`.
    const sameType = state.entries.filter(({ shape: { type } }) => type === entry.shape.type).map(({ name }) => name);
    const meant = attribute === undefined ? similarName(entry.name, sameType, 1) : undefined;
    if (meant !== undefined) {
      faults.add(["identity", entry.name], `the schema has no attribute of that name: did you mean ${JSON.stringify(meant)}?`);
    }
    if (attribute !== undefined && attribute.shape.type !== entry.shape.type) {
      faults.add(["identity", entry.name], "its type differs from that of the attribute of the same name");
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

/** Compiles the types of an identity, of the current or of an older version. */
export function identityShape(written: Readonly<Record<string, unknown>>, faults: Faults): ObjectShape {
  const members: Record<string, WrittenType> = {};
  for (const [name, member] of Object.entries(written)) {
    const known =
      isWrittenType(member) && (primitives.has(member.kind) || (member.kind === "list" && primitives.has(member.element?.kind ?? "")));
    if (!known)
      faults.add(
        ["identity", name],
        "an identity can only contain primitive types and lists of them, without flags: attr.string(), attr.list(attr.number())",
      );
    else members[name] = member;
  }
  if (Object.keys(written).length === 0) faults.add(["identity"], "an identity must have attributes");
  const object: WrittenType = { kind: "object", options: {}, members };
  const empty: WrittenType = { kind: "object", options: {}, members: { id: { kind: "string", options: {} } } };
  return valueShape(Object.keys(members).length === 0 ? empty : object, ["identity"], faults, false) as ObjectShape;
}
