// SPDX-License-Identifier: Apache-2.0
import { readFileSync } from "node:fs";

/** File of cases: `README.md` describes the form. */
export interface DiffCaseFile {
  /** Schemas that cases name. */
  readonly schemas?: Readonly<Record<string, CaseBlock>>;
  readonly cases: readonly DiffCase[];
}

/** One change of one resource, and the detailed difference it must give. */
export interface DiffCase {
  readonly name: string;
  /** Name of a schema of the file, or a schema. */
  readonly schema: string | CaseBlock;
  /** Configuration that the resource is created from. */
  readonly old: CaseObject;
  /** Configuration that it changes to. */
  readonly new: CaseObject;
  /** Kinds of change by property path, in the notation of the engine. */
  readonly expected: Readonly<Record<string, CaseChange>>;
  /** Default: `none` where nothing is expected. */
  readonly changes?: "none" | "some";
  /** State that the provider returns for the create. Default: the planned state, with values for what is unknown. */
  readonly state?: CaseObject;
  /** State that the provider plans for the change. Default: by the rules of the schema. */
  readonly planned?: CaseObject;
  /** Paths that the provider says require the replacement. Default: by the rules of the schema. */
  readonly requiresReplace?: readonly (readonly (string | number | { readonly key: string })[])[];
  /** Property paths whose changes the program ignores. */
  readonly ignoreChanges?: readonly string[];
  /** Kinds that Pulumi's own bridge gives, where they differ; `note` has the reason. */
  readonly theirs?: Readonly<Record<string, CaseChange>>;
  readonly note?: string;
}

/** Kind of change of a property. */
export type CaseChange = "add" | "delete" | "update" | "add-replace" | "delete-replace" | "update-replace";

/** Values by the provider's attribute names. `{"$unknown": true}` is an unknown value, `{"$secret": value}` a secret one. */
export type CaseObject = Readonly<Record<string, unknown>>;

/** Block in the form of `tofu providers schema -json`, with the rules of {@link CaseRules}. */
export interface CaseBlock {
  readonly attributes?: Readonly<Record<string, CaseAttribute>>;
  readonly block_types?: Readonly<Record<string, CaseNestedBlock>>;
  /** Whether the provider is built on the legacy SDK, whose plans may break the rules. */
  readonly legacy?: boolean;
}

/** What the provider does with an attribute, beyond its schema. */
export interface CaseRules {
  /** Value where the configuration has none. */
  readonly default?: unknown;
  /** Whether the prior value of a computed attribute is planned, instead of an unknown one. */
  readonly keeps?: boolean;
  /** Value of a computed attribute that was unknown. Default: one of its type. */
  readonly made?: unknown;
  /** Whether a change replaces the resource: any change, or for `count` one of the number of elements. */
  readonly replace?: boolean | "count";
}

/** Attribute of a {@link CaseBlock}. */
export interface CaseAttribute extends CaseRules {
  readonly type?: unknown;
  readonly nested_type?: {
    readonly nesting_mode: "single" | "list" | "set" | "map";
    readonly attributes: Readonly<Record<string, CaseAttribute>>;
  };
  readonly required?: boolean;
  readonly optional?: boolean;
  readonly computed?: boolean;
  readonly sensitive?: boolean;
  readonly write_only?: boolean;
}

/** Nested block of a {@link CaseBlock}. */
export interface CaseNestedBlock extends Pick<CaseRules, "replace"> {
  readonly nesting_mode: "single" | "group" | "list" | "set" | "map";
  readonly block: CaseBlock;
  readonly min_items?: number;
  readonly max_items?: number;
}

/** Reads a file of cases. */
export function readDiffCases(file: string): DiffCaseFile {
  return JSON.parse(readFileSync(file, "utf8")) as DiffCaseFile;
}

/** Schema of a case. @throws Error where the file has no schema of the name. */
export function schemaOf({ schemas }: DiffCaseFile, { name, schema }: DiffCase): CaseBlock {
  if (typeof schema !== "string") return schema;
  const named = schemas?.[schema];
  if (named === undefined) throw new Error(`case ${JSON.stringify(name)}: the file has no schema ${JSON.stringify(schema)}`);
  return named;
}

/** Resource type of a case: each has its own, so that the provider knows what to plan. */
export function typeNameOf(index: number): string {
  return `case_n${index}`;
}
