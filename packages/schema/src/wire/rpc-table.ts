// SPDX-License-Identifier: Apache-2.0
import { create, type DescMessage, type DescMethod, type Message, type MessageInitShape, type MessageShape } from "@bufbuild/protobuf";
import type { Diagnostic } from "../diagnostic.ts";
import { diagnostics } from "./kind/diagnostics.ts";
import { greatestNeed, type Kind, type Needs } from "./kind/kind.ts";
import type { Rpc } from "./rpc.ts";
import { noTypes, type Types } from "./types.ts";
import { fieldError } from "./wire-error.ts";

/** A kind for each field of a message. Names are the same in the model and in the message. */
export type Fields<Model> = { readonly [Name in keyof Model]-?: Kind<Model[Name], unknown> };

/**
 * How each field of an RPC travels. Both directions, and both protocol versions, are derived from this.
 *
 * Where a message is shaped differently from its model, one kind of the whole message stands in place of its fields.
 */
export interface RpcTable<Request, Response> {
  /** The field of the request that names the type of the values; absent where there is no such type. */
  readonly named?: TextFields<Request>;
  readonly request: Fields<Request> | Kind<Request, unknown>;
  readonly response: Fields<Response> | Kind<Response, unknown>;
  /** Says that it went wrong, where the response has no diagnostics. */
  readonly refuse?: (reasons: readonly Diagnostic[]) => object;
}

type TextFields<Model> = { [Name in keyof Model]: Model[Name] extends string ? Name : never }[keyof Model];

/**
 * Joins a table with a method of a protocol version, and compiles it.
 *
 * The compiler compares the two, for every version that `method` may be of: all fields of the messages must be in the table, each
 * must be readable by its kind, and what the kind writes must be what the message takes.
 */
export function bind<Table extends AnyTable, Method extends DescMethod>(
  table: Table,
  method: Method & Comparison<Table, Method>,
): Rpc<ModelOf<Table["request"]>, ModelOf<Table["response"]>, Method> {
  const { input, output }: DescMethod = method;
  const request = compile<ModelOf<Table["request"]>>(table.request);
  const response = compile<ModelOf<Table["response"]>>(table.response);
  const { named, refuse } = table;
  return {
    method,
    needs: greatestNeed([request.needs, response.needs]),
    typeName: named === undefined ? () => "" : (message) => (message as Readonly<Record<string, string>>)[named] ?? "",
    readRequest: (message, types) => request.read(message, types),
    writeRequest: (model, types) => createFrom(input, request.write(model, types)),
    readResponse: (message, types) => response.read(message, types),
    writeResponse: (model, types) => createFrom(output, response.write(model, types)),
    // Asked for when something went wrong; to know beforehand would take every message of the protocol apart.
    get refuse() {
      return refuseWith(output, refuse);
    },
  };
}

interface AnyTable {
  readonly named?: string;
  readonly request: AnyFields | AnyKind;
  readonly response: AnyFields | AnyKind;
  readonly refuse?: (reasons: readonly Diagnostic[]) => object;
}
interface AnyKind {
  read(wire: never, types: Types): unknown;
  readonly write: (model: never, types: Types) => unknown;
  readonly needs?: Needs;
}
type AnyFields = Readonly<Record<string, AnyKind>>;

interface MessageCodec<Model> {
  readonly needs?: Needs | undefined;
  read(message: Message, types: Types): Model;
  write(model: Model, types: Types): object;
}

/** The functions that translate a message. Here the types of its fields are let go; `bind` has compared them. */
function compile<Model>(translation: AnyFields | AnyKind): MessageCodec<Model> {
  if (isKind(translation)) return translation as unknown as MessageCodec<Model>;
  const entries = Object.entries(translation as unknown as Readonly<Record<string, Kind<unknown, unknown>>>);
  return {
    needs: greatestNeed(entries.map(([, kind]) => kind.needs)),
    read: (message, types) => translate(entries, message, (kind, wire) => kind.read(wire, types)) as Model,
    write: (model, types) => translate(entries, model as AnyMessage, (kind, field) => kind.write(field, types)),
  };
}

type AnyMessage = Readonly<Record<string, unknown>>;

function translate(
  entries: readonly (readonly [string, Kind<unknown, unknown>])[],
  from: AnyMessage,
  change: (kind: Kind<unknown, unknown>, value: unknown) => unknown,
): AnyMessage {
  const to: Record<string, unknown> = {};
  let field = "";
  try {
    for (const [name, kind] of entries) {
      field = name;
      const value = change(kind, from[name]);
      // Neither a model nor an init may hold undefined: what is absent is left out.
      if (value !== undefined) to[name] = value;
    }
  } catch (cause) {
    throw fieldError(field, cause);
  }
  return to;
}

function isKind(translation: AnyFields | AnyKind): translation is AnyKind {
  return typeof translation.read === "function" && typeof translation.write === "function";
}

/** Created, a message is written faster than a plain object of the same fields. */
function createFrom(desc: DescMessage, init: object): Message {
  return create(desc, init as MessageInitShape<DescMessage>);
}

function refuseWith(output: DescMessage, refuse: AnyTable["refuse"]): Rpc<unknown, unknown>["refuse"] {
  if (refuse !== undefined) return (reasons) => createFrom(output, refuse(reasons));
  if (!output.fields.some((field) => field.localName === "diagnostics")) return undefined;
  return (reasons) => createFrom(output, { diagnostics: diagnostics.write(reasons, noTypes) });
}

/** The model that a table translates: where a kind may read undefined, the field is optional. */
export type ModelOf<F> = F extends AnyKind ? ReadBy<F> : ModelOfFields<F>;
type ModelOfFields<F> = {
  readonly [Name in Exclude<keyof F, OptionalNames<F>>]: ReadBy<F[Name]>;
} & { readonly [Name in OptionalNames<F>]?: Exclude<ReadBy<F[Name]>, undefined> };
type OptionalNames<F> = { [Name in keyof F]: undefined extends ReadBy<F[Name]> ? Name : never }[keyof F];
type ReadBy<K> = K extends { read(wire: never, types: Types): infer Model } ? Model : never;
type WireOf<K> = K extends { read(wire: infer Wire, types: Types): unknown } ? Wire : never;
type InitOf<K> = K extends { readonly write: (model: never, types: Types) => infer Init } ? Init : never;

/** Nothing to add where the table fits the method, and the list of problems where it does not. */
type Comparison<Table extends AnyTable, Method extends DescMethod> = [Problems<Table, Method>] extends [never]
  ? unknown
  : { readonly problems: Problems<Table, Method> };

type Problems<Table extends AnyTable, Method extends DescMethod> = Method extends DescMethod
  ? MessageProblems<Table["request"], Method["input"]> | MessageProblems<Table["response"], Method["output"]>
  : never;

type MessageProblems<F, Desc extends DescMessage> = F extends AnyKind
  ? Misfit<F, "the message", MessageShape<Desc>, InitFields<Desc>>
  :
      | { [Name in FieldNames<Desc>]-?: Name extends keyof F ? FieldMisfit<F[Name], Name, Desc> : { missing: Name } }[FieldNames<Desc>]
      | { [Name in keyof F]-?: Name extends FieldNames<Desc> ? never : { notInMessage: Name } }[keyof F];

type FieldMisfit<K, Name, Desc extends DescMessage> = Misfit<
  K,
  Name,
  MessageShape<Desc>[Name & keyof MessageShape<Desc>],
  InitFields<Desc>[Name & keyof InitFields<Desc>]
>;

type Misfit<K, What, Shape, Init> = [Shape] extends [WireOf<K>]
  ? [InitOf<K>] extends [Init]
    ? never
    : { cannotBeWritten: What }
  : { cannotBeRead: What };

type FieldNames<Desc extends DescMessage> = Exclude<keyof MessageShape<Desc>, "$typeName" | "$unknown">;
/** `MessageInitShape` is a union with the message itself: the branch of plain objects is the one that `create` is given. */
type InitFields<Desc extends DescMessage> = Extract<MessageInitShape<Desc>, { $typeName?: never }>;
