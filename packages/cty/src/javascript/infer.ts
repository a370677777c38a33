// SPDX-License-Identifier: Apache-2.0
import type { BigFloat } from "../payload/number-payload.ts";
import type {
  BoolType,
  CapsuleType,
  DynamicType,
  ListType,
  MapType,
  NumberType,
  ObjectType,
  SetType,
  StringType,
  TupleType,
  Type,
} from "../model/type.ts";
import type { Value } from "../model/value.ts";

/** A number that {@link toJs} returns: a bigint or {@link BigFloat} only where a JavaScript number would lose digits. */
export type Num = number | bigint | BigFloat;

/** The data that {@link toJs} returns for a value of the type. */
export type Infer<T extends Type> = Type extends T ? Data : Plain<T>;

type Plain<T extends Type> = T extends StringType
  ? string | null
  : T extends NumberType
    ? Num | null
    : T extends BoolType
      ? boolean | null
      : T extends ListType<infer Element>
        ? readonly Infer<Element>[] | null
        : T extends SetType<infer Element>
          ? readonly Infer<Element>[] | null
          : T extends MapType<infer Element>
            ? Readonly<Record<string, Infer<Element>>> | null
            : T extends ObjectType<infer Attributes>
              ? { readonly [Name in keyof Attributes]: Infer<Attributes[Name]> } | null
              : T extends TupleType<infer Elements>
                ? { readonly [Index in keyof Elements]: Infer<Elements[Index]> } | null
                : T extends CapsuleType<infer Native>
                  ? Native | null
                  : T extends DynamicType
                    ? Data | null
                    : never;

/** The data that {@link toJs} returns for a value whose type is known only at run time. */
export type Data = string | Num | boolean | null | readonly Data[] | { readonly [key: string]: Data } | object;

/** The data that {@link of} accepts for a type. It may contain values. */
export type Input<T extends Type> = Type extends T ? unknown : Value<T> | Value<DynamicType> | null | PlainInput<T>;

type PlainInput<T extends Type> = T extends StringType
  ? string
  : T extends NumberType
    ? Num
    : T extends BoolType
      ? boolean
      : T extends ListType<infer Element>
        ? readonly Input<Element>[]
        : T extends SetType<infer Element>
          ? readonly Input<Element>[] | ReadonlySet<Input<Element>>
          : T extends MapType<infer Element>
            ? ReadonlyMap<string, Input<Element>> | Readonly<Record<string, Input<Element>>>
            : T extends ObjectType<infer Attributes, infer Optional>
              ? ReadonlyMap<string, unknown> | ObjectInput<Attributes, Optional>
              : T extends TupleType<infer Elements>
                ? { readonly [Index in keyof Elements]: Input<Elements[Index]> }
                : T extends CapsuleType<infer Native>
                  ? Native
                  : unknown;

type ObjectInput<Attributes extends Readonly<Record<string, Type>>, Optional extends string> = {
  readonly [Name in Exclude<keyof Attributes, Optional>]: Input<Attributes[Name]>;
} & { readonly [Name in keyof Attributes & Optional]?: Input<Attributes[Name]> | undefined };
