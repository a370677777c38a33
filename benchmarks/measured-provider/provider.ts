// SPDX-License-Identifier: Apache-2.0
// The counterpart of tests/peers/framework-provider/measured.go: two resources that only compute.
import { attr, defineProvider, isUnknown, type ServedProvider } from "@tenon/provider-sdk";
import { useStateForUnknown } from "@tenon/provider-sdk/plan-modifiers";
import { stringLength } from "@tenon/provider-sdk/validators";

const bench = defineProvider({ name: "bench", version: "1.0.0", configure: () => undefined });

const note = bench.resource("note", {
  schema: {
    id: attr.string({ computed: true, planModifiers: [useStateForUnknown()] }),
    title: attr.string({ required: true, validators: [stringLength({ min: 1, max: 80 })] }),
    body: attr.string({ optional: true }),
    tags: attr.map(attr.string(), { optional: true }),
    pinned: attr.bool({ default: false }),
    priority: attr.number({ default: 0 }),
    revision: attr.number({ computed: true }),
  },
  create: ({ planned }) => ({ ...planned, id: `note-${planned.title}`, revision: 1 }),
  read: ({ state }) => state,
  update: ({ planned, state }) => ({ ...planned, id: state.id, revision: state.revision + 1 }),
  delete: () => {},
});

/** Creates a number of attributes of one kind, named by kind and number. */
function numbered<const Prefix extends string, Kind>(prefix: Prefix, count: number, kind: Kind): Record<`${Prefix}_${number}`, Kind> {
  const entries = Array.from({ length: count }, (_, number) => [`${prefix}_${String(number).padStart(2, "0")}`, kind]);
  return Object.fromEntries(entries) as Record<`${Prefix}_${number}`, Kind>;
}

const wide = bench.resource("wide60", {
  schema: {
    ...numbered("text", 20, attr.string({ optional: true })),
    ...numbered("default", 10, attr.string({ default: "as usual" })),
    ...numbered("known", 10, attr.string({ computed: true, planModifiers: [useStateForUnknown()] })),
    ...numbered("count", 10, attr.number({ optional: true })),
    ...numbered("flag", 5, attr.bool({ optional: true })),
    ...numbered("list", 3, attr.list(attr.string(), { optional: true })),
    ...numbered("map", 2, attr.map(attr.string(), { optional: true })),
  },
  create: ({ planned }) => filled(planned),
  read: ({ state }) => state,
  update: ({ planned }) => filled(planned),
  delete: () => {},
});

/** Fills in a text for each unknown attribute. */
function filled<State extends object>(planned: object): State {
  const entries = Object.entries(planned).map(([name, value]: [string, unknown]) => [name, isUnknown(value) ? "computed" : value]);
  return Object.fromEntries(entries) as State;
}

export const provider: ServedProvider = bench.with([note, wide]);
