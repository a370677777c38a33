// SPDX-License-Identifier: Apache-2.0
// A provider for test files. All that it computes follows from the configuration, and it logs each change of an object to a file.
import { appendFileSync } from "node:fs";
import { attr, block, defineProvider, nested, type ServedProvider } from "@tenon/provider-sdk";
import { requiresReplace, useStateForUnknown } from "@tenon/provider-sdk/plan-modifiers";

/** The environment variable with the file of the log. */
export const logVariable = "WORKSHOP_LOG";

const objects = new Map<string, object>();

function log(line: string): void {
  appendFileSync(process.env[logVariable]!, `${line}\n`);
}

/** Fails where the configuration asks for it: `create`, `update`, `delete`, `read`. With `wait`, a creation never ends. */
function failAt(step: string, fail: string | null | undefined): void {
  if (fail === step) throw new Error(`the ${step} was asked to fail`);
}

const workshop = defineProvider({
  name: "workshop",
  version: "1.0.0",
  schema: { region: attr.string({ optional: true }), fail: attr.bool({ optional: true }) },
  configure: ({ config }) => {
    if (config.fail === true) throw new Error("the configuration was asked to fail");
    log(`configure ${config.region ?? "-"}`);
    return { region: config.region ?? "none" };
  },
});

const tool = workshop.resource("tool", {
  schema: {
    id: attr.string({ computed: true, planModifiers: [useStateForUnknown()] }),
    name: attr.string({ required: true, planModifiers: [requiresReplace()] }),
    size: attr.number({ optional: true }),
    label: attr.string({ optional: true, computed: true }),
    region: attr.string({ computed: true, planModifiers: [useStateForUnknown()] }),
    uses: attr.number({ computed: true, planModifiers: [useStateForUnknown()] }),
    ready: attr.bool({ computed: true, planModifiers: [useStateForUnknown()] }),
    tags: attr.list(attr.string(), { computed: true, planModifiers: [useStateForUnknown()] }),
    links: attr.map(attr.string(), { computed: true, planModifiers: [useStateForUnknown()] }),
    secret: attr.string({ computed: true, sensitive: true, planModifiers: [useStateForUnknown()] }),
    fail: attr.string({ optional: true }),
    part: block.list({
      key: attr.string({ required: true }),
      code: attr.string({ computed: true }),
    }),
  },
  create: async ({ planned, client }) => {
    failAt("create", planned.fail);
    if (planned.fail === "wait") {
      log(`wait for ${planned.name}`);
      await new Promise(() => {});
    }
    const { name } = planned;
    log(`create ${name}`);
    const created = {
      ...planned,
      id: `tool-${name}`,
      label: typeof planned.label === "string" ? planned.label : `label-${name}`,
      region: client.region,
      uses: 3,
      ready: true,
      tags: ["a", name],
      links: { self: `/${name}` },
      secret: `secret-${name}`,
      part: planned.part.map((part) => ({ ...part, code: `code-${part.key}` })),
    };
    objects.set(created.id, created);
    return created;
  },
  read: ({ state }) => {
    failAt("read", state.fail);
    return state;
  },
  update: ({ state, planned }) => {
    failAt("update", planned.fail);
    log(`update ${planned.name}`);
    return {
      ...state,
      size: planned.size,
      fail: planned.fail,
      label: typeof planned.label === "string" ? planned.label : `label-${planned.name}`,
      part: planned.part.map((part) => ({ ...part, code: `code-${part.key}` })),
    };
  },
  delete: ({ state }) => {
    failAt("delete", state.fail);
    log(`delete ${state.name}`);
  },
});

const box = workshop.resource("box", {
  schema: {
    id: attr.string({ computed: true, planModifiers: [useStateForUnknown()] }),
    tools: attr.set(attr.string(), { optional: true }),
    password: attr.string({ optional: true, writeOnly: true }),
    lid: nested.single({ color: attr.string({ required: true }), key: attr.string({ optional: true }) }, { optional: true }),
    shape: nested.single({ name: attr.string({ computed: true }), sides: attr.number({ computed: true }) }, { computed: true }),
  },
  create: ({ planned }) => {
    log("create box");
    return { ...planned, id: "box", shape: { name: "cube", sides: 6 } };
  },
  read: ({ state }) => state,
  update: ({ planned, state }) => {
    log("update box");
    return { ...planned, id: state.id, shape: { name: "cube", sides: 6 } };
  },
  delete: () => log("delete box"),
});

const catalog = workshop.dataSource("catalog", {
  schema: {
    name: attr.string({ required: true }),
    price: attr.number({ computed: true }),
    vendor: attr.string({ optional: true, computed: true }),
    entries: attr.list(attr.string(), { computed: true }),
  },
  read: ({ config }) => {
    if (config.name === "absent") throw new Error("the catalog has no such entry");
    return { ...config, price: config.name.length, vendor: config.vendor ?? "acme", entries: [config.name] };
  },
});

const ticket = workshop.ephemeralResource("ticket", {
  schema: { scope: attr.string({ required: true }), value: attr.string({ computed: true }) },
  open: ({ config }) => ({ ...config, value: `ticket-${config.scope}` }),
});

export const provider: ServedProvider = workshop.with([tool, box, catalog, ticket]);
