// SPDX-License-Identifier: Apache-2.0

/**
 * A provider as data. The Go program in tests/peers/framework-from-json and `made-provider.ts` both build a provider from it;
 * declaration.go defines the same format for Go.
 */
export interface ProviderDeclaration {
  readonly name: string;
  readonly config: SchemaDeclaration;
  readonly resources: readonly ResourceDeclaration[];
  readonly dataSources: readonly DataSourceDeclaration[];
}

/** A schema, the body of a block, or the object type of a nested attribute. */
export interface SchemaDeclaration {
  readonly attributes: Readonly<Record<string, AttributeDeclaration>>;
  readonly blocks?: Readonly<Record<string, BlockDeclaration>>;
  readonly rules?: readonly RuleDeclaration[];
  readonly deprecated?: string;
}

export interface DataSourceDeclaration extends SchemaDeclaration {
  readonly name: string;
}

/** Every resource has the attributes `mode` (optional text that selects the handlers' behaviour) and `trace` (computed text). */
export interface ResourceDeclaration extends SchemaDeclaration {
  readonly name: string;
  readonly version: number;
  /** Identity attributes by name; the resource has attributes of the same names. */
  readonly identity: Readonly<Record<string, { readonly kind: "string" | "int64" | "bool"; readonly optional?: boolean }>>;
  readonly mutableIdentity: boolean;
  /** Attributes of each earlier version; a version contains those of the version before it. */
  readonly earlier: readonly Readonly<Record<string, AttributeDeclaration>>[];
  /** Attribute that receives the id on import; without it, the whole state is made from the id. */
  readonly importedBy?: string;
  readonly plans: boolean;
  readonly validates: boolean;
}

export type PrimitiveKind = "string" | "caseless" | "bool" | "int32" | "int64" | "float32" | "float64" | "number";

export type TypeDeclaration = (
  | { readonly kind: PrimitiveKind | "dynamic" }
  | { readonly kind: "list" | "set" | "map"; readonly element: TypeDeclaration }
  | { readonly kind: "object"; readonly members: Readonly<Record<string, TypeDeclaration>> }
) & { readonly validators?: readonly ValidatorDeclaration[] };

export type Mode = "required" | "optional" | "computed" | "optionalComputed" | "default" | "writeOnlyRequired" | "writeOnlyOptional";

export type Nesting = "single" | "list" | "set" | "map";

export type ModifierName =
  | "useStateForUnknown"
  | "useNonNullStateForUnknown"
  | "requiresReplace"
  | "requiresReplaceIfConfigured"
  | "fixed"
  | "refuse";

interface Flags {
  readonly mode: Mode;
  readonly sensitive?: true;
  readonly deprecated?: string;
  readonly modifiers?: readonly ModifierName[];
}

export type AttributeDeclaration = Flags &
  (
    | (TypeDeclaration & { readonly default?: unknown })
    | {
        readonly kind: "nested";
        readonly nesting: Nesting;
        readonly body: SchemaDeclaration;
        readonly validators?: readonly ValidatorDeclaration[];
      }
  );

export interface BlockDeclaration {
  readonly nesting: Exclude<Nesting, "map">;
  readonly body: SchemaDeclaration;
  readonly deprecated?: string;
  readonly validators?: readonly ValidatorDeclaration[];
  readonly modifiers?: readonly ModifierName[];
  /** Type of a single element. */
  readonly required?: true;
}

/** A rule; its kind determines the meaning of the arguments. */
export interface ValidatorDeclaration {
  readonly rule:
    | "stringLength"
    | "utf8Length"
    | "matches"
    | "oneOf"
    | "noneOf"
    | "oneOfIgnoringCase"
    | "noneOfIgnoringCase"
    | "between"
    | "size"
    | "uniqueElements"
    | "noNullElements"
    | "eachKey"
    | "anyOf"
    | "allOf";
  readonly min?: number;
  readonly max?: number;
  readonly values?: readonly (string | number | boolean)[];
  readonly pattern?: string;
  readonly among?: readonly ValidatorDeclaration[];
}

export interface RuleDeclaration {
  readonly rule:
    | "exactlyOneOf"
    | "atLeastOneOf"
    | "conflicting"
    | "requiredTogether"
    | "preferWriteOnly"
    | "requires"
    | "atLeastSumOf"
    | "atMostSumOf"
    | "equalToSumOf"
    | "equalToProductOf";
  readonly names: readonly string[];
}

/** Environment variable that names the file, for Go and TypeScript. */
export const declarationVariable = "MADE_PROVIDER_DECLARATION";

export function isWriteOnly({ mode }: AttributeDeclaration): boolean {
  return mode === "writeOnlyRequired" || mode === "writeOnlyOptional";
}

export function isComputed({ mode }: AttributeDeclaration): boolean {
  return mode === "computed" || mode === "optionalComputed" || mode === "default";
}

export function isRequired({ mode }: AttributeDeclaration): boolean {
  return mode === "required" || mode === "writeOnlyRequired";
}
