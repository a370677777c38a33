// SPDX-License-Identifier: Apache-2.0
import type { ObjectType, Type } from "@tenon/cty";
import { attributeType, nestedBlockType, type Attribute, type Block, type NestedAttributes, type NestedBlock } from "@tenon/schema";
import { mapNested, mapTypeIn } from "../../type-mapping.ts";
import { fieldNames, type NamedField } from "../names/field-name.ts";
import type { FieldMapping, ObjectMapping, ReferenceMapping, ValueMapping } from "./mapping.ts";
import type { RuleScope } from "./rule-scope.ts";

/** Maps the attributes and nested blocks of a block. */
export function mapBlock(block: Block, scope: RuleScope): ObjectMapping {
  const members = [
    ...Object.entries(block.attributes).map(([name, attribute]) => attributeMember(name, attribute, scope)),
    ...Object.entries(block.blocks).map(([name, nested]) => blockMember(name, nested, scope)),
  ];
  return objectMapping(members);
}

/** Maps values to fields that only `status` has, by the names of their attributes. */
export function observedFields(values: Readonly<Record<string, ValueMapping>>): ObjectMapping {
  return objectMapping(
    Object.entries(values).map(([attribute, value]) => ({
      field: {
        attribute,
        value,
        parameter: "absent",
        isObserved: true,
        isComputed: true,
        isImmutable: false,
        block: undefined,
        minItems: 0,
        maxItems: 0,
        description: "",
      },
      isSecret: false,
      reference: undefined,
    })),
  );
}

/** A field before it is named. */
interface Member {
  readonly field: Omit<FieldMapping, "name" | "secretName" | "reference">;
  readonly isSecret: boolean;
  readonly reference: Pick<ReferenceMapping, "rule" | "isList"> | undefined;
}

function attributeMember(name: string, attribute: Attribute, scope: RuleScope): Member {
  const type = attributeType(attribute);
  const child = scope.child(name);
  const isSecret = attribute.sensitive || attribute.writeOnly;
  const isInput = (attribute.required || attribute.optional) && !scope.isExternalName(name);
  const rule = scope.reference(name);
  return {
    field: {
      attribute: name,
      value: attribute.nested ? mapNestedAttributes(attribute.nested, type, child) : mapType(type, child),
      // A reference can replace a required value.
      parameter: !isInput ? "absent" : attribute.required && rule === undefined ? "required" : "optional",
      isObserved: !isSecret,
      isComputed: attribute.computed,
      isImmutable: scope.isImmutable(name),
      block: undefined,
      minItems: 0,
      maxItems: 0,
      description: description(attribute),
    },
    isSecret: isSecret && isInput,
    reference: rule && isInput && !isSecret ? { rule, isList: type.kind === "list" || type.kind === "set" } : undefined,
  };
}

function blockMember(name: string, nested: NestedBlock, scope: RuleScope): Member {
  const { nesting, block, minItems, maxItems } = nested;
  const repeated = nesting === "list" || nesting === "set" || nesting === "map";
  return {
    field: {
      attribute: name,
      value: mapNested(nesting, nestedBlockType(nested), mapBlock(block, scope.child(name))),
      parameter: minItems > 0 ? "required" : "optional",
      isObserved: true,
      isComputed: false,
      isImmutable: scope.isImmutable(name),
      block: nesting,
      minItems: repeated ? minItems : 0,
      maxItems: repeated ? maxItems : 0,
      description: description(block),
    },
    isSecret: false,
    reference: undefined,
  };
}

function mapNestedAttributes({ nesting, attributes }: NestedAttributes, type: Type, scope: RuleScope): ValueMapping {
  const members = Object.entries(attributes).map(([name, attribute]) => attributeMember(name, attribute, scope));
  return mapNested(nesting, type, objectMapping(members));
}

/** Maps a type. The attributes of an object type become optional fields. */
export function mapType(type: Type, scope: RuleScope): ValueMapping {
  return mapTypeIn(type, scope, { object: mapObjectType });
}

function mapObjectType(type: ObjectType, scope: RuleScope): ObjectMapping {
  return objectMapping(
    type.names.map((name) => {
      const attribute = type.attributes[name]!;
      const rule = scope.reference(name);
      return {
        field: {
          attribute: name,
          value: mapType(attribute, scope.child(name)),
          parameter: "optional",
          isObserved: true,
          isComputed: false,
          isImmutable: scope.isImmutable(name),
          block: undefined,
          minItems: 0,
          maxItems: 0,
          description: "",
        },
        isSecret: false,
        reference: rule && { rule, isList: attribute.kind === "list" || attribute.kind === "set" },
      };
    }),
  );
}

function objectMapping(members: readonly Member[]): ObjectMapping {
  const wanted = members.map(({ field: { attribute }, isSecret, reference }) => {
    const named = (suffix: string): NamedField => ({ attribute, suffix });
    return {
      name: named(""),
      secret: isSecret ? named("SecretRef") : undefined,
      reference: reference && named(reference.isList ? "Refs" : "Ref"),
      selector: reference && named("Selector"),
    };
  });
  const names = fieldNames(wanted.flatMap((fields) => Object.values(fields).filter((field) => field !== undefined)));
  const fields = members.map(({ field, reference }, at): FieldMapping => {
    const named = wanted[at]!;
    return {
      ...field,
      name: names.get(named.name)!,
      secretName: named.secret && names.get(named.secret),
      reference: reference && { ...reference, referenceName: names.get(named.reference!)!, selectorName: names.get(named.selector!)! },
    };
  });
  return {
    fields,
    byParameter: new Map(fields.filter(({ parameter }) => parameter !== "absent").map((field) => [field.secretName ?? field.name, field])),
    byObservation: new Map(fields.filter(({ isObserved }) => isObserved).map((field) => [field.name, field])),
    referenceNames: new Set(
      fields.flatMap((field) => (field.reference ? [field.reference.referenceName, field.reference.selectorName] : [])),
    ),
  };
}

/** The description of a field, followed by its deprecation. */
function description(part: Pick<Attribute, "description" | "deprecated" | "deprecationMessage">): string {
  const reason = part.deprecationMessage.trim().replace(/\.$/, "");
  const deprecation = part.deprecated ? `Deprecated${reason === "" ? "" : `: ${reason}`}.` : "";
  return [part.description.trim(), deprecation].filter((text) => text !== "").join(" ");
}
