// SPDX-License-Identifier: Apache-2.0
/* oxlint-disable typescript/restrict-template-expressions -- one of the mistakes */
// What must not compile. Every `@ts-expect-error` is a test: were the line accepted, the directive itself is an error.
import {
  attr,
  block,
  conflicting,
  exactlyOneOf,
  identityUpgrader,
  importById,
  isUnknown,
  jsonText,
  nested,
  oneOf,
  parameter,
  replaceInstead,
  requires,
  stringLength,
  timeouts,
  unknownValue,
  defineProvider,
  type Component,
  type ProviderDefinition,
  type StandardSchema,
} from "../../src/index.ts";
import { openNotebook, type Notebook } from "./client.ts";

// Everything stands before `schema` here: inference does not depend on the order of properties.
const notebook = defineProvider({
  configure: ({ config }) => openNotebook(config.path),
  schema: { path: attr.string({ required: true }) },
  name: "notebook",
  version: "1.0.0",
});

const schema = {
  id: attr.string({ computed: true }),
  title: attr.string({ required: true }),
  size: attr.number({ optional: true }),
  token: attr.string({ required: true, writeOnly: true }),
};
const whole = { id: "1", title: "t", size: null };
const rest = { read: () => undefined, update: replaceInstead, delete: () => {}, schema };

// --- flags ---
// @ts-expect-error required and computed
attr.string({ required: true, computed: true });
// @ts-expect-error required and optional
attr.string({ required: true, optional: true });
// @ts-expect-error default on a required attribute
attr.number({ required: true, default: 5 });
// @ts-expect-error default of another type
attr.number({ default: "5" });
// @ts-expect-error write-only and computed
attr.string({ optional: true, computed: true, writeOnly: true });
// @ts-expect-error an option that does not exist
attr.string({ required: true, descripton: "x" });
// @ts-expect-error a validator of strings on a number
attr.number({ required: true, validators: [stringLength({ max: 3 })] });
// @ts-expect-error flags on an element type
attr.list(attr.string({ required: true }), { optional: true });
// @ts-expect-error no flags on a nested attribute's attribute
nested.list({ a: attr.string() }, { optional: true });
// @ts-expect-error no flags on an attribute of a block
block.list({ a: attr.string() });

// --- what a handler answers ---
// @ts-expect-error wrong attribute name (title is missing)
notebook.resource("r", { ...rest, create: () => ({ id: "1", titel: "t", size: null }) });
// @ts-expect-error missing computed attribute
notebook.resource("r", { ...rest, create: ({ planned }) => ({ title: planned.title, size: null }) });
// @ts-expect-error missing optional attribute: null is written, never left out
notebook.resource("r", { ...rest, create: () => ({ id: "1", title: "t" }) });
// @ts-expect-error wrong type
notebook.resource("r", { ...rest, create: () => ({ ...whole, title: 5 }) });
// @ts-expect-error wrong type in a promise
notebook.resource("r", { ...rest, create: async () => ({ ...whole, title: 5 }) });
// @ts-expect-error the planned state goes back with an unknown id
notebook.resource("r", { ...rest, create: ({ planned }) => ({ ...planned }) });
// @ts-expect-error null for an attribute that is never null
notebook.resource("r", { ...rest, create: () => ({ ...whole, id: null }) });
// @ts-expect-error a write-only value in the state
notebook.resource("r", { ...rest, create: ({ config }) => ({ ...whole, token: config.token }) });
// @ts-expect-error undefined is an answer of read only
notebook.resource("r", { ...rest, create: () => undefined });
notebook.resource("r", {
  ...rest,
  create: async ({ answer }) => {
    // @ts-expect-error through `answer` an unknown name is refused too
    return answer({ ...whole, colour: "red" });
  },
});
notebook.resource("r", { ...rest, create: ({ planned }) => ({ ...planned, id: "1" }) }); // token: null is fine
notebook.resource("r", { ...rest, create: () => ({ ...whole, colour: "red" }) }); // accepted: see README, traps

// --- what a handler reads ---
notebook.resource("r", {
  ...rest,
  create: ({ planned, config, client }) => {
    // @ts-expect-error no such attribute
    void planned.nope;
    // @ts-expect-error unknown in a template literal
    void `/notes/${planned.id}`;
    // @ts-expect-error unknown in +
    void ("/notes/" + planned.id);
    // @ts-expect-error unknown has no string methods
    void planned.id.length;
    // @ts-expect-error null is possible
    void planned.size.toFixed();
    // @ts-expect-error a computed attribute is never in the configuration
    void config.id;
    // @ts-expect-error the client has no such method
    void client.nope;
    const id: string = isUnknown(planned.id) ? "new" : planned.id;
    const token: string = config.token;
    // @ts-expect-error write-only is null in the plan
    const none: string = planned.token;
    return { ...whole, id: id + token + none };
  },
  read: ({ state }) => {
    // @ts-expect-error write-only is not in the state
    void state.token;
    // @ts-expect-error only `id` is certain after importById("id")
    void state.title.length;
    return { ...whole, id: state.id };
  },
  validate: ({ config, error }) => {
    // @ts-expect-error anything may be unknown during validation
    void config.title.length;
    if (!isUnknown(config.title) && config.title.length > 3) error("title", "too long");
    // @ts-expect-error no such attribute
    error("titel", "too long");
  },
  plan: ({ set, requireReplace }) => {
    set({ id: unknownValue });
    // @ts-expect-error no such attribute
    set({ id: "1", idd: "1" });
    // @ts-expect-error no such attribute
    requireReplace("titel");
  },
  importState: importById("id"),
});

// --- handlers that are missing ---
// @ts-expect-error no update, and not replaceInstead either
notebook.resource("r", { schema, create: () => whole, read: () => whole, delete: () => {} });
// @ts-expect-error no delete
notebook.resource("r", { schema, create: () => whole, read: () => whole, update: replaceInstead });
// @ts-expect-error import by an attribute that does not exist
notebook.resource("r", { ...rest, create: () => whole, importState: importById("idd") });
notebook.resource("r", {
  // @ts-expect-error an attribute without flags
  schema: { id: attr.string() },
  create: () => ({ id: "1" }),
  read: () => undefined,
  update: replaceInstead,
  delete: () => {},
});

// --- data sources and functions ---
notebook.dataSource("d", {
  schema: { query: attr.string({ required: true }), total: attr.number({ computed: true }) },
  // @ts-expect-error answers less than its schema
  read: ({ config }) => config,
});
const text = { text: parameter(attr.string()), limit: parameter(attr.number(), { allowNull: true }) };
// @ts-expect-error a handler of other parameters
notebook.function("f", { parameters: text, returns: attr.string(), call: ({ text }: { text: number }) => String(text) });
// @ts-expect-error null is allowed, so it has to be handled
notebook.function("f", { parameters: text, returns: attr.string(), call: ({ text, limit }) => text.slice(0, limit) });
// @ts-expect-error a result of another type
notebook.function("f", { parameters: text, returns: attr.number(), call: ({ text }) => text });
notebook.function("f", {
  parameters: text,
  variadic: parameter(attr.number()),
  returns: attr.string(),
  // @ts-expect-error a variadic parameter of another type
  call: (_, rest) => rest.map((one) => one.trim()).join(),
});

// --- providers ---
const other: ProviderDefinition<{ ping(): void }> = defineProvider({ name: "other", version: "1.0.0", configure: () => ({ ping() {} }) });
const pinging: Component<{ ping(): void }> = other.dataSource("p", {
  schema: { n: attr.number({ computed: true }) },
  read: () => ({ n: 1 }),
});
// @ts-expect-error a component for another client
notebook.with([pinging]);
// @ts-expect-error the same, imported when used
notebook.with([async () => ({ default: pinging })]);
// @ts-expect-error a module that has no default export and no component picked from it
notebook.with([() => import("./multi/page.ts")]);
defineProvider({
  name: "p",
  version: "1",
  unknownConfig: "pass",
  schema: { path: attr.string({ required: true }) },
  // @ts-expect-error with "pass", configure may meet unknown values
  configure: ({ config }): Promise<Notebook> => openNotebook(config.path),
});

// --- what the constructors for blocks and parameters used to let through ---
// @ts-expect-error an option that does not exist
block.single({ a: attr.string({ optional: true }) }, { requierd: true });
// @ts-expect-error an option that does not exist
parameter(attr.string(), { allowNul: true });
// @ts-expect-error a map block has no max
block.map({ a: attr.string({ optional: true }) }, { max: 3 });
// @ts-expect-error a default of a nested attribute that is of another type
nested.single({ a: attr.string({ default: "x" }) }, { default: { a: 5 } });
// @ts-expect-error a default of one object, for a list of them
nested.list({ a: attr.string({ default: "x" }) }, { default: { a: "x" } });
// @ts-expect-error a default that leaves out what is required
nested.map({ a: attr.string({ required: true }) }, { default: { k: {} } });
// @ts-expect-error a required nested attribute never takes its default
nested.single({ a: attr.string({ default: "x" }) }, { required: true, default: { a: "x" } });
// @ts-expect-error one of these strings, on a number
attr.number({ required: true, validators: [oneOf(["a", "b"])] });
// @ts-expect-error importing by two attributes, one of which does not exist
notebook.resource("r", { ...rest, create: () => whole, importState: importById("id", "idd") });
notebook.resource("r", {
  ...rest,
  create: ({ saveState }) => {
    saveState({ id: "1" });
    // @ts-expect-error what importById names is certain, so it is saved
    saveState({ title: "t" });
    return whole;
  },
  validate: ({ error }) => error(["title", 0], "too long"),
  importState: importById("id"),
});

// --- identity ---
notebook.resource("r", {
  ...rest,
  identity: { project: attr.string(), region: attr.string({ nullable: true }) },
  create: ({ setIdentity }) => {
    setIdentity({ project: "p", region: null });
    // @ts-expect-error an identity is given whole
    setIdentity({ project: "p" });
    // @ts-expect-error no such part of the identity
    setIdentity({ project: "p", region: null, zone: "z" });
    return whole;
  },
  delete: ({ identity }) => {
    // @ts-expect-error older resources have none
    void identity.project;
    void identity?.project.length;
    // @ts-expect-error it may have been left out
    void identity?.region.length;
  },
});

// --- list resources, actions and state stores ---
const listed = notebook.resource("listed", { ...rest, identity: { id: attr.string() }, create: () => whole });
const found = { identity: { id: "1" }, displayName: "one" };
notebook.listResource(listed, { list: () => [{ ...found, resource: whole }] });
notebook.listResource(listed, {
  schema: { folder: attr.string({ optional: true }) },
  list: async function* list({ config, limit, client }) {
    // @ts-expect-error it may be left out
    void config.folder.length;
    // @ts-expect-error there may be no limit
    void limit.toFixed();
    // @ts-expect-error the client has no such method
    void client.nope;
    yield found;
  },
});
// @ts-expect-error an identity of another resource
notebook.listResource(listed, { list: () => [{ identity: { name: "1" }, displayName: "one" }] });
// @ts-expect-error no name
notebook.listResource(listed, { list: () => [{ identity: { id: "1" } }] });
// @ts-expect-error state of another resource
notebook.listResource(listed, { list: () => [{ ...found, resource: { id: "1" } }] });
notebook.action("act", {
  schema: { to: attr.string({ required: true }), key: attr.string({ optional: true, writeOnly: true }) },
  plan: ({ config, error }) => {
    // @ts-expect-error not known while a plan is made
    void config.to.length;
    // @ts-expect-error no such attribute
    error("too", "wrong");
  },
  invoke: ({ config, progress }) => {
    progress(config.to);
    // @ts-expect-error it may be left out
    void config.key.length;
    // @ts-expect-error a message is text
    progress(5);
  },
});
// @ts-expect-error no invoke
notebook.action("act", { schema: { to: attr.string({ required: true }) } });
const store = {
  open: () => new Map<string, Uint8Array>(),
  write: () => {},
  list: () => [],
  delete: () => {},
};
notebook.stateStore("store", { ...store, read: ({ store: states, stateId }) => states.get(stateId) });
// @ts-expect-error a state is bytes
notebook.stateStore("store", { ...store, read: () => "{}" });
notebook.stateStore("store", {
  ...store,
  // @ts-expect-error what open answered has no such method
  read: ({ store: states, stateId }) => states.load(stateId),
});

// --- rules ---
const pairs = { a: attr.string({ optional: true }), b: attr.string({ optional: true }) };
nested.list(pairs, { optional: true, rules: [exactlyOneOf("a", "b")] });
// @ts-expect-error no such attribute
nested.list(pairs, { optional: true, rules: [exactlyOneOf("a", "c")] });
// @ts-expect-error no such attribute
block.list(pairs, { rules: [requires("c", "a")] });
// @ts-expect-error there is nothing to choose from
exactlyOneOf("a");
notebook.dataSource("d", {
  schema: { query: attr.string({ required: true }), text: attr.string({ optional: true }) },
  // @ts-expect-error no such attribute
  rules: [conflicting("query", "regex")],
  read: ({ config }) => config,
});

// --- kinds of text, timeouts, schemas of other libraries ---
const limits = timeouts({ create: "20m" });
limits.milliseconds(null, "create");
// @ts-expect-error no such operation
limits.milliseconds(null, "delete");
// @ts-expect-error flags are checked as with attr.string
jsonText({ required: true, computed: true });
// @ts-expect-error an attribute of a schema has flags
block.list({ a: jsonText() });
declare const ofText: StandardSchema<string>;
attr.string({ required: true, validators: [ofText, stringLength({ max: 3 })] });
// @ts-expect-error a schema of text, on a number
attr.number({ required: true, validators: [ofText] });
notebook.resource("r", {
  schema: { id: attr.string({ required: true }), timeouts: limits.attribute },
  create: ({ planned }) => {
    void planned.timeouts?.create?.length;
    // @ts-expect-error no such operation
    void planned.timeouts?.delete;
    return planned;
  },
  read: ({ state }) => state,
  update: replaceInstead,
  delete: () => {},
});

// --- deferral and upgrades of identities ---
notebook.resource("r", {
  ...rest,
  create: () => whole,
  read: ({ defer }) => defer("absentPrerequisite"),
  // @ts-expect-error no such reason
  plan: ({ defer }) => defer("later"),
});
identityUpgrader({
  identity: { name: attr.string() },
  // @ts-expect-error the identity of that version has no id
  upgrade: ({ identity }) => ({ id: identity.id }),
});
