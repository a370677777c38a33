// SPDX-License-Identifier: Apache-2.0
// The calls of `npm run bench -- provider`: those of a core about the resources of measured-provider.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { create, type DescMessage, fromBinary, type MessageInitShape, toBinary, toJson } from "@bufbuild/protobuf";
import { nullOf, object, of, type Type, type Value } from "@tenon/cty";
import * as msgpack from "@tenon/cty/msgpack";
import * as tfplugin6 from "@tenon/protocol/tfplugin6";
import { createProvider } from "@tenon/provider-sdk";
import { impliedType, type Schema } from "@tenon/schema";
import { proposedNew } from "@tenon/schema/change";
import { observe, type Observation, type ProviderCommand } from "./launched-provider.ts";
import { provider } from "./measured-provider/provider.ts";

/** A step of a script for plugin-client, as defined in tests/peers/plugin-client/script.go. */
export interface Step {
  readonly name: string;
  readonly rpc: string;
  readonly request: Uint8Array;
  readonly inFlight?: number;
  readonly calls?: number;
  readonly seconds?: number;
  readonly warmup?: number;
  readonly sameLength?: boolean;
}

const folder = mkdtempSync(join(tmpdir(), "tenon-script-"));
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
let scripts = 0;

/** Configures a provider and runs the steps of a script. */
export function follow(command: ProviderCommand, steps: readonly Step[]): Promise<Observation> {
  const path = join(folder, `${++scripts}.json`);
  const script = [configure, ...steps].map((step) => ({ ...step, request: Buffer.from(step.request).toString("base64") }));
  writeFileSync(path, JSON.stringify(script));
  return observe(command, ["-script", path]);
}

const schemas = (await createProvider(provider).getProviderSchema({})).resources;

/** Calls of a core about one resource. */
export interface ResourceCalls {
  /** Type of its values. */
  readonly type: Type;
  readonly validate: Step;
  readonly plan: Step;
  readonly planUpdate: Step;
  readonly apply: Step;
  readonly read: Step;
}

const tags = { team: "platform", stage: "production", owner: "somebody at example.com" };

/** Calls about a resource of 7 attributes. */
export const note: ResourceCalls = callsOf("bench_note", {
  config: { title: "What there is to buy", body: "Bread, butter, and cheese of the mountain kind; two bottles of milk.", tags },
  created: { id: "note-What there is to buy", pinned: false, priority: 0, revision: 1 },
  changed: { title: "What there is to buy today" },
});

/** Calls about a resource of 60 attributes. */
export const wide60: ResourceCalls = callsOf("bench_wide60", {
  config: {
    ...numbered("text", 20, (number) => `The text of attribute ${number}, of a length as texts have it in practice`),
    ...numbered("count", 10, (number) => number * 1000),
    ...numbered("flag", 5, (number) => number % 2 === 0),
    ...numbered("list", 3, () => ["eu-central-1", "eu-west-1", "us-east-1"]),
    ...numbered("map", 2, () => tags),
  },
  created: { ...numbered("default", 10, () => "as usual"), ...numbered("known", 10, () => "computed") },
  changed: { text_00: "Another text" },
});

function numbered<Part>(prefix: string, count: number, value: (number: number) => Part): Record<string, Part> {
  return Object.fromEntries(Array.from({ length: count }, (_, number) => [`${prefix}_${String(number).padStart(2, "0")}`, value(number)]));
}

type Attributes = Readonly<Record<string, unknown>>;

function callsOf(
  typeName: string,
  { config, created, changed }: { readonly config: Attributes; readonly created: Attributes; readonly changed: Attributes },
): ResourceCalls {
  const { block } = schemas.get(typeName) as Schema;
  const type = impliedType(block);
  const value = (attributes: Attributes): Value => of(type, withNulls(type, attributes) as never) as Value;
  const absent = nullOf(type);
  const configured = value(config);
  const state = value({ ...config, ...created });
  const next = value({ ...config, ...changed });
  const named = (what: string, rpc: string, request: Uint8Array): Step => ({ name: `${what} of ${typeName}`, rpc, request });
  const plan = (prior: Value, wanted: Value): Uint8Array =>
    encode(tfplugin6.PlanResourceChange_RequestSchema, {
      typeName,
      priorState: dynamic(prior),
      proposedNewState: dynamic(proposedNew(block, prior, wanted)),
      config: dynamic(wanted),
    });
  const unknownUntilApplied = msgpack.encode(state, type);
  return {
    type,
    validate: named(
      "validation",
      "ValidateResourceConfig",
      encode(tfplugin6.ValidateResourceConfig_RequestSchema, { typeName, config: dynamic(configured) }),
    ),
    plan: named("plan", "PlanResourceChange", plan(absent, configured)),
    planUpdate: named("planned update", "PlanResourceChange", plan(state, next)),
    apply: named(
      "apply",
      "ApplyResourceChange",
      encode(tfplugin6.ApplyResourceChange_RequestSchema, {
        typeName,
        priorState: dynamic(absent),
        plannedState: { msgpack: unknownUntilApplied },
        config: dynamic(configured),
      }),
    ),
    read: named("read", "ReadResource", encode(tfplugin6.ReadResource_RequestSchema, { typeName, currentState: dynamic(state) })),
  };
}

function withNulls(type: Type, attributes: Attributes): Attributes {
  const names = type.kind === "object" ? type.names : [];
  return Object.fromEntries(names.map((name) => [name, attributes[name] ?? null]));
}

function dynamic(value: Value): { readonly msgpack: Uint8Array } {
  return { msgpack: msgpack.encode(value, value.type) };
}

function encode<Desc extends DescMessage>(desc: Desc, message: MessageInitShape<Desc>): Uint8Array {
  return toBinary(desc, create(desc, message));
}

const configure: Step = {
  name: "configure",
  rpc: "ConfigureProvider",
  request: encode(tfplugin6.ConfigureProvider_RequestSchema, { terraformVersion: "1.12.6", config: dynamic(of(object({}), {})) }),
};

const responseTypes: Readonly<Record<string, DescMessage>> = {
  PlanResourceChange: tfplugin6.PlanResourceChange_ResponseSchema,
  ApplyResourceChange: tfplugin6.ApplyResourceChange_ResponseSchema,
  ReadResource: tfplugin6.ReadResource_ResponseSchema,
};

/** Returns a provider's response to each call as text, for comparison. @throws Error when one has diagnostics. */
export async function responsesOf(command: ProviderCommand): Promise<readonly string[]> {
  const steps = [note, wide60].flatMap(({ type, plan, planUpdate, apply, read }) =>
    [plan, planUpdate, apply, read].map((step) => ({ type, step })),
  );
  const { steps: reports = [] } = await follow(
    command,
    steps.map(({ step }) => ({ ...step, calls: 1 })),
  );
  return steps.map(({ type, step: { name, rpc } }, index) => {
    const desc = responseTypes[rpc]!;
    // Go encodes maps in any order.
    const sorted = (key: string, field: unknown): unknown =>
      key === "msgpack" ? msgpack.encode(msgpack.decode(Buffer.from(field as string, "base64"), type), type) : field;
    const message = toJson(desc, fromBinary(desc, Buffer.from(reports[index + 1]!.response, "base64"))) as Readonly<
      Record<string, unknown>
    >;
    if (message["diagnostics"] !== undefined) throw new Error(`${name}: ${JSON.stringify(message["diagnostics"])}`);
    return `${name}: ${JSON.stringify(message, sorted)}`;
  });
}
