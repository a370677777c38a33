// SPDX-License-Identifier: Apache-2.0
/* oxlint-disable typescript/restrict-template-expressions -- one of the mistakes */
// Code that must not compile. Every `@ts-expect-error` is a test: if the next line compiles, the directive itself is an error.
import {
  attr,
  block,
  identityUpgrader,
  importById,
  isUnknown,
  nested,
  parameter,
  replaceInstead,
  unknownValue,
  defineProvider,
  type Component,
  type ProviderDefinition,
} from "../../src/index.ts";
import { conflicting, exactlyOneOf, requires } from "../../src/rules/index.ts";
import { oneOf, stringLength, type StandardSchema } from "../../src/validators/index.ts";
import { jsonText, timeouts } from "../../src/values/index.ts";
import { openNotebook, type Notebook } from "./client.ts";

// `configure` is written before `schema`: inference must not depend on the order of properties.
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

// --- flags of type boolean ---
declare const isNew: boolean;
notebook.dataSource("d", {
  schema: { a: attr.string({ required: isNew, optional: !isNew }) },
  // @ts-expect-error the attribute may be optional, so its value may be null
  read: ({ config }) => ({ a: config.a.trim() }),
});
notebook.resource("r", {
  ...rest,
  schema: { a: attr.string({ optional: true, computed: isNew }) },
  // @ts-expect-error the attribute may be computed, so its value may be unknown
  create: ({ planned }) => ({ a: planned.a }),
});
notebook.resource("r", {
  ...rest,
  schema: { a: attr.string({ computed: true, nullable: isNew }) },
  create: () => ({ a: "x" }),
  // @ts-expect-error the attribute may be nullable
  delete: ({ state }) => void state.a.trim(),
});
// @ts-expect-error a flag that is false is the same as none
block.list({ a: attr.string({ required: false }) });

// --- results of handlers ---
// @ts-expect-error wrong attribute name (title is missing)
notebook.resource("r", { ...rest, create: () => ({ id: "1", titel: "t", size: null }) });
// @ts-expect-error missing computed attribute
notebook.resource("r", { ...rest, create: ({ planned }) => ({ title: planned.title, size: null }) });
// @ts-expect-error missing optional attribute: it must be null, not omitted
notebook.resource("r", { ...rest, create: () => ({ id: "1", title: "t" }) });
// @ts-expect-error wrong type
notebook.resource("r", { ...rest, create: () => ({ ...whole, title: 5 }) });
// @ts-expect-error wrong type in a promise
notebook.resource("r", { ...rest, create: async () => ({ ...whole, title: 5 }) });
// @ts-expect-error the planned state is returned with an unknown id
notebook.resource("r", { ...rest, create: ({ planned }) => ({ ...planned }) });
// @ts-expect-error null for an attribute that is never null
notebook.resource("r", { ...rest, create: () => ({ ...whole, id: null }) });
// @ts-expect-error a write-only value in the state
notebook.resource("r", { ...rest, create: ({ config }) => ({ ...whole, token: config.token }) });
// @ts-expect-error only read may return undefined
notebook.resource("r", { ...rest, create: () => undefined });
notebook.resource("r", {
  ...rest,
  create: async ({ result }) => {
    // @ts-expect-error `result` also refuses unknown names
    return result({ ...whole, colour: "red" });
  },
});
notebook.resource("r", { ...rest, create: ({ planned }) => ({ ...planned, id: "1" }) }); // token: null is fine
notebook.resource("r", { ...rest, create: () => ({ ...whole, colour: "red" }) }); // accepted: TypeScript does not check excess properties in a returned object here

// --- contexts of handlers ---
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

// --- missing handlers ---
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
  // @ts-expect-error the result lacks an attribute of the schema
  read: ({ config }) => config,
});
const text = { text: parameter(attr.string()), limit: parameter(attr.number(), { allowNull: true }) };
// @ts-expect-error a handler with another parameter type
notebook.function("f", { parameters: text, returns: attr.string(), call: ({ text }: { text: number }) => String(text) });
// @ts-expect-error null is allowed, and the handler does not handle it
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
// @ts-expect-error a component for another client, loaded lazily
notebook.with([async () => ({ default: pinging })]);
// @ts-expect-error a module that has no default export and no component picked from it
notebook.with([() => import("./multi/page.ts")]);
defineProvider({
  name: "p",
  version: "1.0.0",
  unknownConfig: "pass",
  schema: { path: attr.string({ required: true }) },
  // @ts-expect-error with "pass", configure may receive unknown values
  configure: ({ config }): Promise<Notebook> => openNotebook(config.path),
});

// --- options and defaults of blocks, nested attributes and parameters ---
// @ts-expect-error an option that does not exist
block.single({ a: attr.string({ optional: true }) }, { requierd: true });
// @ts-expect-error an option that does not exist
parameter(attr.string(), { allowNul: true });
// @ts-expect-error a map block has no max
block.map({ a: attr.string({ optional: true }) }, { max: 3 });
// @ts-expect-error a default of another type for a nested attribute
nested.single({ a: attr.string({ default: "x" }) }, { default: { a: 5 } });
// @ts-expect-error a single object as the default of a list
nested.list({ a: attr.string({ default: "x" }) }, { default: { a: "x" } });
// @ts-expect-error an extra name in the default of an object
attr.object({ a: attr.string() }, { default: { a: "x", b: "y" } });
// @ts-expect-error an extra name in the default of a list of objects
attr.list(attr.object({ a: attr.string() }), { default: [{ a: "x", b: "y" }] });
// @ts-expect-error an extra name in the default of a nested attribute
nested.single({ a: attr.string({ default: "x" }) }, { default: { a: "x", b: "y" } });
// @ts-expect-error an extra name in the default of a nested list
nested.list({ a: attr.string({ default: "x" }) }, { default: [{ a: "x", b: "y" }] });
// @ts-expect-error a default without a required attribute
nested.map({ a: attr.string({ required: true }) }, { default: { k: {} } });
// @ts-expect-error a required nested attribute cannot have a default
nested.single({ a: attr.string({ default: "x" }) }, { required: true, default: { a: "x" } });
// @ts-expect-error a validator that allows a set of strings, on a number
attr.number({ required: true, validators: [oneOf(["a", "b"])] });
// @ts-expect-error importing by two attributes, one of which does not exist
notebook.resource("r", { ...rest, create: () => whole, importState: importById("id", "idd") });
notebook.resource("r", {
  ...rest,
  create: ({ saveState }) => {
    saveState({ id: "1" });
    // @ts-expect-error saved state must contain the attributes that importById names
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
    // @ts-expect-error an identity must be complete
    setIdentity({ project: "p" });
    // @ts-expect-error the identity has no such attribute
    setIdentity({ project: "p", region: null, zone: "z" });
    return whole;
  },
  delete: ({ identity }) => {
    // @ts-expect-error the identity may be null: older state has none
    void identity.project;
    void identity?.project.length;
    // @ts-expect-error a nullable attribute may be null
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
    // @ts-expect-error an optional attribute may be null
    void config.folder.length;
    // @ts-expect-error the limit may be undefined
    void limit.toFixed();
    // @ts-expect-error the client has no such method
    void client.nope;
    yield found;
  },
});
// @ts-expect-error an identity of another resource
notebook.listResource(listed, { list: () => [{ identity: { name: "1" }, displayName: "one" }] });
// @ts-expect-error a missing displayName
notebook.listResource(listed, { list: () => [{ identity: { id: "1" } }] });
// @ts-expect-error state of another resource
notebook.listResource(listed, { list: () => [{ ...found, resource: { id: "1" } }] });
notebook.action("act", {
  schema: { to: attr.string({ required: true }), key: attr.string({ optional: true, writeOnly: true }) },
  plan: ({ config, error }) => {
    // @ts-expect-error a value may be unknown during planning
    void config.to.length;
    // @ts-expect-error no such attribute
    error("too", "wrong");
  },
  invoke: ({ config, progress }) => {
    progress(config.to);
    // @ts-expect-error an optional attribute may be null
    void config.key.length;
    // @ts-expect-error a progress message must be a string
    progress(5);
  },
});
// @ts-expect-error a missing invoke handler
notebook.action("act", { schema: { to: attr.string({ required: true }) } });
const store = {
  open: () => new Map<string, Uint8Array>(),
  write: () => {},
  list: () => [],
  delete: () => {},
};
notebook.stateStore("store", { ...store, read: ({ store: states, stateId }) => states.get(stateId) });
// @ts-expect-error a state must be bytes
notebook.stateStore("store", { ...store, read: () => "{}" });
notebook.stateStore("store", {
  ...store,
  // @ts-expect-error the store that open returned has no such method
  read: ({ store: states, stateId }) => states.load(stateId),
});

// --- rules ---
const pairs = { a: attr.string({ optional: true }), b: attr.string({ optional: true }) };
nested.list(pairs, { optional: true, rules: [exactlyOneOf("a", "b")] });
// @ts-expect-error no such attribute
nested.list(pairs, { optional: true, rules: [exactlyOneOf("a", "c")] });
// @ts-expect-error no such attribute
block.list(pairs, { rules: [requires("c", "a")] });
// @ts-expect-error exactlyOneOf needs at least two attributes
exactlyOneOf("a");
notebook.dataSource("d", {
  schema: { query: attr.string({ required: true }), text: attr.string({ optional: true }) },
  // @ts-expect-error no such attribute
  rules: [conflicting("query", "regex")],
  read: ({ config }) => config,
});

// --- text types, timeouts, schemas of other libraries ---
const limits = timeouts({ create: "20m" });
limits.milliseconds(null, "create");
// @ts-expect-error no such operation
limits.milliseconds(null, "delete");
// @ts-expect-error flags are checked as with attr.string
jsonText({ required: true, computed: true });
// @ts-expect-error an attribute of a block must have flags
block.list({ a: jsonText() });
declare const ofText: StandardSchema<string>;
attr.string({ required: true, validators: [ofText, stringLength({ max: 3 })] });
// @ts-expect-error a Standard Schema for strings, on a number
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
