// SPDX-License-Identifier: Apache-2.0
import { create, type DescMessage, type DescMethod, type Message, type MessageInitShape, type MessageShape } from "@bufbuild/protobuf";
import type { Diagnostic } from "../diagnostic.ts";
import { diagnostics } from "./kind/diagnostics.ts";
import { greatestNeed, type Kind, type Needs } from "./kind/kind.ts";
import type { Rpc } from "./rpc.ts";
import { noTypes, type Types } from "./types.ts";
import { fieldError } from "./wire-error.ts";

/** Kinds of the fields of a message. Names are the same in the model and in the message. */
export type Fields<Model> = { readonly [Name in keyof Model]-?: Kind<Model[Name], unknown> };

/**
 * Kinds of all fields of an RPC. Reading and writing, in both protocol versions, are derived from the table.
 *
 * For a message with another shape than its model there is one kind of the whole message instead.
 */
export interface RpcTable<Request, Response> {
  /** Field of the request with the type name of the values; absent if the request has no type name. */
  readonly named?: TextFields<Request>;
  readonly request: Fields<Request> | Kind<Request, unknown>;
  readonly response: Fields<Response> | Kind<Response, unknown>;
  /** Creates a response for a failure, where the response has no diagnostics. */
  readonly refuse?: (reasons: readonly Diagnostic[]) => object;
}

type TextFields<Model> = { [Name in keyof Model]: Model[Name] extends string ? Name : never }[keyof Model];

/**
 * Binds a table to a method of a protocol version, and compiles it.
 *
 * TypeScript checks the table against the messages of every version of `method`: all fields must be in the table, a kind must read the
 * type of its field, and write a type that the message accepts.
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
    // Computed on demand: computing it in advance would inspect every message of the protocol.
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

/** Compiles the functions that read and write a message. The types of fields are not used here; `bind` has checked them. */
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
      // Neither models nor messages may hold undefined: absent fields are left out.
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

/** Creates a message. It is encoded faster than a plain object with the same fields. */
function createFrom(desc: DescMessage, init: object): Message {
  return create(desc, init as MessageInitShape<DescMessage>);
}

function refuseWith(output: DescMessage, refuse: AnyTable["refuse"]): Rpc<unknown, unknown>["refuse"] {
  if (refuse !== undefined) return (reasons) => createFrom(output, refuse(reasons));
  if (!output.fields.some((field) => field.localName === "diagnostics")) return undefined;
  return (reasons) => createFrom(output, { diagnostics: diagnostics.write(reasons, noTypes) });
}

/** Model of a table. A field whose kind may return undefined is optional. */
export type ModelOf<F> = F extends AnyKind ? ReadBy<F> : ModelOfFields<F>;
type ModelOfFields<F> = {
  readonly [Name in Exclude<keyof F, OptionalNames<F>>]: ReadBy<F[Name]>;
} & { readonly [Name in OptionalNames<F>]?: Exclude<ReadBy<F[Name]>, undefined> };
type OptionalNames<F> = { [Name in keyof F]: undefined extends ReadBy<F[Name]> ? Name : never }[keyof F];
type ReadBy<K> = K extends { read(wire: never, types: Types): infer Model } ? Model : never;
type WireOf<K> = K extends { read(wire: infer Wire, types: Types): unknown } ? Wire : never;
type InitOf<K> = K extends { readonly write: (model: never, types: Types) => infer Init } ? Init : never;

/** `unknown` where the table fits the method, otherwise the list of mismatches. */
type Comparison<Table extends AnyTable, Method extends DescMethod> = [Problems<Table, Method>] extends [never]
  ? unknown
  : { readonly problems: Problems<Table, Method> };

type Problems<Table extends AnyTable, Method extends DescMethod> = Method extends DescMethod
  ? MessageProblems<Table["request"], Method["input"]> | MessageProblems<Table["response"], Method["output"]>
  : never;

type MessageProblems<F, Desc extends DescMessage> = F extends AnyKind
  ? Mismatch<F, "the message", MessageShape<Desc>, InitFields<Desc>>
  :
      | { [Name in FieldNames<Desc>]-?: Name extends keyof F ? FieldMismatch<F[Name], Name, Desc> : { missing: Name } }[FieldNames<Desc>]
      | { [Name in keyof F]-?: Name extends FieldNames<Desc> ? never : { notInMessage: Name } }[keyof F];

type FieldMismatch<K, Name, Desc extends DescMessage> = Mismatch<
  K,
  Name,
  MessageShape<Desc>[Name & keyof MessageShape<Desc>],
  InitFields<Desc>[Name & keyof InitFields<Desc>]
>;

type Mismatch<K, What, Shape, Init> = [Shape] extends [WireOf<K>]
  ? [InitOf<K>] extends [Init]
    ? never
    : { cannotBeWritten: What }
  : { cannotBeRead: What };

type FieldNames<Desc extends DescMessage> = Exclude<keyof MessageShape<Desc>, "$typeName" | "$unknown">;
/** `MessageInitShape` is a union with the message itself; `create` gets the branch of plain objects. */
type InitFields<Desc extends DescMessage> = Extract<MessageInitShape<Desc>, { $typeName?: never }>;
