// SPDX-License-Identifier: Apache-2.0
// The providers that the pages about Kubernetes name: `PAGE_PROVIDER=notes`, `net-1` and `net-2`, which is the next version of `net-1`.
import { attr, block, defineProvider, importById, parameter, type ServedProvider } from "@tenon/provider-sdk";
import { requiresReplace, useStateForUnknown } from "@tenon/provider-sdk/plan-modifiers";
import { serve } from "@tenon/provider-sdk/serve";

const id = attr.string({ computed: true, planModifiers: [useStateForUnknown()] });

/** Notes in the memory of the provider. */
function notesProvider(): ServedProvider {
  const notes = defineProvider({
    name: "notes",
    version: "1.0.0",
    schema: { endpoint: attr.string({ optional: true }), token: attr.string({ optional: true, sensitive: true }) },
    configure: () => new Map<string, { readonly title: string; readonly folder: string | null }>(),
  });
  const note = notes.resource("note", {
    schema: {
      id,
      title: attr.string({ required: true }),
      folder: attr.string({ optional: true, planModifiers: [requiresReplace()] }),
    },
    identity: { id: attr.string() },
    create: ({ planned, client }) => {
      const key = `note-${client.size + 1}`;
      client.set(key, planned);
      return { ...planned, id: key };
    },
    read: ({ state, client }) => {
      const found = client.get(state.id);
      return found && { ...found, id: state.id };
    },
    update: ({ planned, client, state }) => {
      client.set(state.id, planned);
      return { ...planned, id: state.id };
    },
    delete: ({ state, client }) => void client.delete(state.id),
    importState: importById("id"),
  });
  const search = notes.dataSource("search", {
    schema: { text: attr.string({ required: true }), ids: attr.list(attr.string(), { computed: true }) },
    read: ({ config, client }) => ({
      ...config,
      ids: [...client].filter(([, { title }]) => title.includes(config.text)).map(([key]) => key),
    }),
  });
  const slug = notes.function("slug", {
    parameters: { title: parameter(attr.string()) },
    returns: attr.string(),
    call: ({ title }) => title.toLowerCase(),
  });
  const list = notes.listResource(note, {
    schema: { folder: attr.string({ optional: true }) },
    list: function* ({ client }) {
      for (const [key, { title }] of client) yield { identity: { id: key }, displayName: title };
    },
  });
  const token = notes.ephemeralResource("token", {
    schema: { scope: attr.string({ required: true }), token: attr.string({ computed: true, sensitive: true }) },
    open: ({ config }) => ({ ...config, token: `token for ${config.scope}` }),
  });
  return notes.with([note, search, slug, list, token]);
}

/** Networks, whose subnets have other fields in the second version. */
function netProvider(version: 1 | 2): ServedProvider {
  const net = defineProvider({ name: "net", version: `${version}.0.0` });
  const handlers = { create: created, read: kept, update: planned, delete: () => undefined };
  const optional = attr.string({ optional: true });
  const name = attr.string({ required: true });
  const subnet =
    version === 1
      ? net.resource("subnet", {
          schema: { id, name, region: optional, comment: optional, routes: block.list({ gateway: name }) },
          ...handlers,
        })
      : net.resource("subnet", { schema: { id, name, zone: optional, routes: block.list({ target: name }) }, ...handlers });
  return net.with([subnet, net.resource("vpc", { schema: { id }, ...handlers })]);
}

function created<Planned extends object>({ planned: value }: { readonly planned: Planned }) {
  return { ...value, id: "1" };
}

function kept<State>({ state }: { readonly state: State }): State {
  return state;
}

function planned<Planned extends object, State extends { readonly id: string }>(call: {
  readonly planned: Planned;
  readonly state: State;
}) {
  return { ...call.planned, id: call.state.id };
}

const name = process.env["PAGE_PROVIDER"];
await serve(() => Promise.resolve({ provider: name === "notes" ? notesProvider() : netProvider(name === "net-2" ? 2 : 1) }));
