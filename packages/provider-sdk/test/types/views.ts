// SPDX-License-Identifier: Apache-2.0
/* oxlint-disable typescript/no-unnecessary-type-parameters, no-unused-vars -- an exact comparison of types needs both */
// The inferred types, written out. A wrong line does not compile.
import {
  attr,
  block,
  isUnknown,
  isWhollyKnown,
  nested,
  type Result,
  type Config,
  type Planned,
  type State,
  type Schema,
  type Unknown,
} from "../../src/index.ts";
import type { Views } from "../../src/definition/schema.ts";
import type { Value } from "@tenon/cty";

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : { readonly got: A };
const same = <A, B>(_: Same<A, B>): void => {};

const schema = {
  required: attr.string({ required: true, sensitive: true }),
  optional: attr.number({ optional: true }),
  computed: attr.bigint({ computed: true }),
  maybe: attr.bool({ computed: true, nullable: true }),
  both: attr.decimal({ optional: true, computed: true }),
  preset: attr.list(attr.string(), { default: ["a"] }),
  secret: attr.string({ required: true, writeOnly: true }),
  hint: attr.string({ optional: true, writeOnly: true }),
  any: attr.dynamic({ optional: true }),
  members: attr.object({ host: attr.string(), ports: attr.set(attr.number()), zone: attr.string({ nullable: true }) }, { required: true }),
  answers: attr.map(attr.object({ ok: attr.bool() }), { computed: true }),
  one: nested.single({ a: attr.string({ required: true }), b: attr.string({ computed: true }) }, { optional: true }),
  many: nested.map(
    { a: attr.string({ default: "x" }), deep: nested.list({ c: attr.string({ computed: true }) }, { optional: true }) },
    { required: true },
  ),
  filled: nested.list(
    { a: attr.string({ required: true }), b: attr.string({ optional: true }), c: attr.string({ computed: true }) },
    { default: [{ a: "x", b: null }] },
  ),
  rule: block.list(
    { from: attr.number({ required: true }), id: attr.string({ computed: true }), token: attr.string({ optional: true, writeOnly: true }) },
    { min: 1 },
  ),
  box: block.single({ size: attr.number({ optional: true }) }),
  group: block.group({ size: attr.number({ optional: true }) }),
} satisfies Schema;
type S = typeof schema;
type Members = { readonly host: string; readonly ports: readonly number[]; readonly zone: string | null };

same<
  Config<S>,
  {
    readonly required: string;
    readonly optional: number | null;
    readonly both: string | null;
    readonly preset: readonly string[] | null;
    readonly secret: string;
    readonly hint: string | null;
    readonly any: Value | null;
    readonly members: Members;
    readonly one: { readonly a: string } | null;
    readonly many: Readonly<Record<string, { readonly a: string | null; readonly deep: readonly {}[] | null }>>;
    readonly filled: readonly { readonly a: string; readonly b: string | null }[] | null;
    readonly rule: readonly { readonly from: number; readonly token: string | null }[];
    readonly box: { readonly size: number | null } | null;
    readonly group: { readonly size: number | null };
  }
>(true);

same<
  Planned<S>,
  {
    readonly required: string;
    readonly optional: number | null;
    readonly computed: bigint | Unknown;
    readonly maybe: boolean | null | Unknown;
    readonly both: string | Unknown;
    readonly preset: readonly string[];
    readonly secret: null;
    readonly hint: null;
    readonly any: Value | null;
    readonly members: Members;
    readonly answers: Readonly<Record<string, { readonly ok: boolean | Unknown } | Unknown>> | Unknown;
    readonly one: { readonly a: string; readonly b: string | Unknown } | null;
    readonly many: Readonly<Record<string, { readonly a: string; readonly deep: readonly { readonly c: string | Unknown }[] | null }>>;
    readonly filled: readonly { readonly a: string; readonly b: string | null; readonly c: string | Unknown }[];
    readonly rule: readonly { readonly from: number; readonly id: string | Unknown; readonly token: null }[];
    readonly box: { readonly size: number | null } | null;
    readonly group: { readonly size: number | null };
  }
>(true);

same<
  State<S>,
  {
    readonly required: string;
    readonly optional: number | null;
    readonly computed: bigint;
    readonly maybe: boolean | null;
    readonly both: string;
    readonly preset: readonly string[];
    readonly any: Value | null;
    readonly members: Members;
    readonly answers: Readonly<Record<string, { readonly ok: boolean }>>;
    readonly one: { readonly a: string; readonly b: string } | null;
    readonly many: Readonly<Record<string, { readonly a: string; readonly deep: readonly { readonly c: string }[] | null }>>;
    readonly filled: readonly { readonly a: string; readonly b: string | null; readonly c: string }[];
    readonly rule: readonly { readonly from: number; readonly id: string }[];
    readonly box: { readonly size: number | null } | null;
    readonly group: { readonly size: number | null };
  }
>(true);

same<Result<S>["rule"][number]["token"], null | undefined>(true);
same<Result<S>["secret"], null | undefined>(true);

type Draft = Views<S>["configDraft"];
same<
  Draft["members"],
  | Unknown
  | { readonly host: string | Unknown; readonly ports: readonly (number | Unknown)[] | Unknown; readonly zone: string | null | Unknown }
>(true);
same<Draft["rule"], Unknown | readonly (Unknown | { readonly from: number | Unknown; readonly token: string | null | Unknown })[]>(true);

const small = { title: attr.string({ required: true }), sizes: attr.list(attr.number(), { optional: true }) } satisfies Schema;
// Not exported: with isolatedDeclarations an exported signature may not use an inferred schema type.
function narrow(draft: Views<typeof small>["configDraft"]): number {
  // @ts-expect-error an element may still be unknown
  if (!isUnknown(draft.title) && !isUnknown(draft.sizes)) return draft.title.length + (draft.sizes?.[0] ?? 0);
  if (isWhollyKnown(draft)) return draft.title.length + (draft.sizes?.[0] ?? 0);
  return 0;
}
void narrow;

// Flags that are false, or that the compiler does not know.
declare const flag: boolean;
const flagged = {
  off: attr.string({ required: true, optional: false, computed: false, sensitive: flag, writeOnly: false, nullable: false }),
  either: attr.number({ required: flag, optional: !flag }),
  provided: attr.bool({ optional: true, computed: flag }),
  missing: attr.string({ computed: true, nullable: flag }),
  preset: attr.string({ optional: flag, default: "x" }),
  box: block.single({ size: attr.number({ optional: true }) }, { required: flag }),
} satisfies Schema;
same<
  Planned<typeof flagged>,
  {
    readonly off: string;
    readonly either: number | null;
    readonly provided: boolean | Unknown | null;
    readonly missing: string | Unknown | null;
    readonly preset: string;
    readonly box: { readonly size: number | null } | null;
  }
>(true);
same<
  State<typeof flagged>,
  {
    readonly off: string;
    readonly either: number | null;
    readonly provided: boolean | null;
    readonly missing: string | null;
    readonly preset: string;
    readonly box: { readonly size: number | null } | null;
  }
>(true);
