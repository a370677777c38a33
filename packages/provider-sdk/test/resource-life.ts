// SPDX-License-Identifier: Apache-2.0
// Plans, applies, reads, imports and destroys a resource of a provider in this process, under the rules of the cores.
import { isWhollyKnown, of, toJs, unknown, type Type, type Value } from "@tenon/cty";
import {
  attributeType,
  hasErrors,
  impliedType,
  nestedBlockType,
  type Block,
  type Diagnostic,
  type NestedBlock,
  type Provider,
} from "@tenon/schema";
import {
  applyChange,
  importObject,
  planChange,
  planDestroy,
  readObject,
  resourceType,
  type ApplyOutcome,
  type PlanOutcome,
  type ResourceObject,
  type ResourceType,
} from "@tenon/schema/lifecycle";
import { createProvider, type LogEntry, type ServedProvider } from "../src/index.ts";

/** Attributes of a configuration; omitted ones are null, or empty. {@link Unknown} stands for an unknown value. */
export type Data = Readonly<Record<string, unknown>>;

/** Stands for an unknown value in {@link Data}. */
export const Unknown: unique symbol = Symbol("unknown");

/** Builds the configuration of a block as a core does. */
export function configOf(block: Block, data: Data): Value {
  return of(impliedType(block) as Type, bodyOf(block, data) as never);
}

function bodyOf(block: Pick<Block, "attributes"> & Partial<Pick<Block, "blocks">>, data: Data): Data {
  const body: Record<string, unknown> = {};
  for (const [name, attribute] of Object.entries(block.attributes)) {
    const given = data[name] ?? null;
    const { nested } = attribute;
    body[name] =
      nested === undefined || given === null || given === Unknown
        ? withUnknowns(given, attributeType(attribute))
        : repeated(nested.nesting, given, (one) => bodyOf(nested, one));
  }
  for (const [name, nested] of Object.entries(block.blocks ?? {})) body[name] = blocksOf(nested, data[name]);
  return body;
}

function blocksOf(nested: NestedBlock, given: unknown): unknown {
  if (given === Unknown) return unknown(nestedBlockType(nested));
  const empty = { single: null, group: {}, list: [], set: [], map: {} }[nested.nesting];
  const present = given ?? empty;
  return present === null ? null : repeated(nested.nesting, present, (one) => bodyOf(nested.block, one));
}

function repeated(nesting: string, given: unknown, body: (one: Data) => Data): unknown {
  if (nesting === "single" || nesting === "group") return body(given as Data);
  if (nesting === "map") return Object.fromEntries(Object.entries(given as Data).map(([key, one]) => [key, body(one as Data)]));
  return (given as readonly Data[]).map(body);
}

function withUnknowns(given: unknown, type: Type): unknown {
  if (given === Unknown) return unknown(type);
  if (Array.isArray(given) && (type.kind === "list" || type.kind === "set")) return given.map((one) => withUnknowns(one, type.element));
  return given;
}

/** Converts a value to JavaScript, with {@link Unknown} for unknown values. */
export function toPlain(value: Value): unknown {
  if (isWhollyKnown(value)) return toJs(value as Value<never>);
  const { type, payload } = value;
  if (type.kind === "object" && Array.isArray(payload)) {
    return Object.fromEntries(
      type.names.map((name, slot) => [name, toPlain({ type: type.attributes[name]!, payload: payload[slot] as never })]),
    );
  }
  if ((type.kind === "list" || type.kind === "set") && Array.isArray(payload)) {
    return payload.map((element) => toPlain({ type: type.element, payload: element as never }));
  }
  if (payload instanceof Map && type.kind === "map") {
    return Object.fromEntries([...payload].map(([key, element]) => [key, toPlain({ type: type.element, payload: element as never })]));
  }
  return Unknown;
}

/** Formats diagnostics as `error: summary: detail`. */
export function texts(diagnostics: readonly Diagnostic[]): readonly string[] {
  return diagnostics.map(({ severity, summary, detail }) => `${severity}: ${summary}: ${detail}`);
}

/** One resource of a provider, from its creation to its destruction. */
export interface ResourceLife {
  readonly provider: Provider;
  readonly type: ResourceType;
  readonly log: readonly LogEntry[];
  /** The recorded object. */
  object: ResourceObject | undefined;
  plan(data: Data): Promise<PlanOutcome>;
  /** Plans and applies a configuration, and records the resulting object. Throws if the plan fails. */
  apply(data: Data): Promise<ApplyOutcome>;
  destroy(): Promise<ApplyOutcome>;
  refresh(): Promise<readonly Diagnostic[]>;
  import(id: string): Promise<readonly Diagnostic[]>;
  /** The recorded state, as JavaScript. */
  state(): unknown;
  config(data: Data): Value;
}

/** Starts with no recorded object. Configures the provider with `providerData`, or not at all if it is null. */
export async function startLife(served: ServedProvider, typeName: string, providerData: Data | null = {}): Promise<ResourceLife> {
  const log: LogEntry[] = [];
  const provider = createProvider(served, { logger: (entry) => log.push(entry) });
  const type = await resourceType(provider, typeName);
  if (providerData !== null) {
    const schema = (await provider.getProviderSchema({})).provider!;
    const { diagnostics } = await provider.configureProvider({ terraformVersion: "1.12.0", config: configOf(schema.block, providerData) });
    if (hasErrors(diagnostics)) throw new Error(texts(diagnostics).join("\n"));
  }
  const config = (data: Data): Value => configOf(type.schema.block, data);
  const life: ResourceLife = {
    provider,
    type,
    log,
    object: undefined,
    config,
    plan: (data) => planChange(type, { prior: life.object, config: config(data) }),
    apply: async (data) => {
      const { planned, diagnostics } = await life.plan(data);
      if (planned === undefined) throw new Error(texts(diagnostics).join("\n"));
      const outcome = await applyChange(type, planned, { config: config(data), replan: true });
      life.object = outcome.object;
      return { ...outcome, diagnostics: [...diagnostics, ...outcome.diagnostics] };
    },
    destroy: async () => {
      const { planned, diagnostics } = await planDestroy(type, life.object!);
      if (planned === undefined) throw new Error(texts(diagnostics).join("\n"));
      const outcome = await applyChange(type, planned);
      life.object = outcome.object;
      return outcome;
    },
    refresh: async () => {
      const outcome = await readObject(type, life.object!);
      life.object = outcome.object;
      return outcome.diagnostics;
    },
    import: async (id) => {
      const outcome = await importObject(type, { id });
      life.object = outcome.object;
      return outcome.diagnostics;
    },
    state: () => (life.object === undefined ? undefined : toPlain(life.object.value)),
  };
  return life;
}
