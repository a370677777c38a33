// SPDX-License-Identifier: Apache-2.0
// The types that TypeScript infers, and the data that it rejects. Compiling this file checks them.
import {
  bool,
  capsule,
  dynamic,
  get,
  list,
  map,
  number,
  object,
  of,
  optional,
  set,
  string,
  toJs,
  tuple,
  unknown,
  type BigFloat,
  type BoolType,
  type Data,
  type Infer,
  type ListType,
  type NumberType,
  type ObjectType,
  type StringType,
  type Value,
} from "../../src/index.ts";
import { convert } from "../../src/convert/index.ts";
import { decode } from "../../src/msgpack/index.ts";

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const is = <A, B>(same: Same<A, B>): void => void same;

const Nested = object({
  name: string,
  port: optional(number),
  tags: map(string),
  rules: list(object({ from: number, cidrs: set(string) })),
  pair: tuple(string, bool),
  anything: dynamic,
  when: capsule<Date>("date"),
});

type Num = number | bigint | BigFloat;
is<
  Infer<typeof Nested>,
  {
    readonly name: string | null;
    readonly port: Num | null;
    readonly tags: Readonly<Record<string, string | null>> | null;
    readonly rules: readonly ({ readonly from: Num | null; readonly cidrs: readonly (string | null)[] | null } | null)[] | null;
    readonly pair: readonly [string | null, boolean | null] | null;
    readonly anything: Data | null;
    readonly when: Date | null;
  } | null
>(true);

const value = of(Nested, {
  name: "web",
  tags: new Map([["a", unknown(string)]]),
  rules: [{ from: 80n, cidrs: new Set(["10.0.0.0/8"]) }],
  pair: ["a", true],
  anything: { x: [1, "a"] },
  when: new Date(0),
});
is<typeof value, Value<typeof Nested>>(true);

const name = get(value, "name");
is<typeof name, Value<StringType>>(true);
const rules = get(value, "rules");
is<typeof rules, Value<ListType<ObjectType<{ readonly from: NumberType; readonly cidrs: ReturnType<typeof set<StringType>> }, never>>>>(
  true,
);
is<ReturnType<typeof toJs<BoolType>>, boolean | null>(true);

const converted = convert(value, list(string));
is<typeof converted, Value<ListType<StringType>>>(true);
const decoded = decode(new Uint8Array(), Nested);
is<typeof decoded, Value<typeof Nested>>(true);

// @ts-expect-error there is no such attribute
get(value, "nope");
// @ts-expect-error a required attribute is missing
of(object({ a: string }), {});
// @ts-expect-error an attribute has another type
of(object({ a: string }), { a: 1 });
// @ts-expect-error there is no such attribute
of(object({ a: string }), { a: "x", b: "y" });
// @ts-expect-error an element has another type
of(list(number), ["1"]);
// @ts-expect-error a value of another type
of(string, of(number, 1));
// @ts-expect-error too few elements
of(tuple(string, bool), ["a"]);
// @ts-expect-error `undefined` is no value: null is
of(string, undefined);
// @ts-expect-error an object is made of types
object({ a: "string" });
// @ts-expect-error an optional attribute is no type by itself
list(optional(string));
// @ts-expect-error values never change
value.payload = "x";
// @ts-expect-error nor do types
Nested.names.push("x");
// @ts-expect-error no attribute of a list
get(of(list(string), []), "a");
// @ts-expect-error the result may be null
void toJs(of(string, "a")).length;
