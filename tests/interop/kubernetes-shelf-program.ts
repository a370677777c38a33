// SPDX-License-Identifier: Apache-2.0
// A provider for books in two versions, `SHELF_VERSION=1` and `2`: the second has a number of pages instead of a text, and has renamed the shelf. The
// limit of books in its configuration is a number instead of a text, too.
import { attr, defineProvider, upgrader, type ProviderDefinition, type Resource, type ServedProvider } from "@tenon/provider-sdk";
import { serve } from "@tenon/provider-sdk/serve";

const title = attr.string({ required: true });

/** The first version of the provider. */
function firstShelf(): ServedProvider {
  const shelf = defineProvider({
    name: "shelf",
    version: "1.0.0",
    schema: { limit: attr.string({ optional: true }), room: attr.string({ optional: true }) },
    configure: () => undefined,
  });
  const book = shelf.resource("book", {
    schema: { title, pages: attr.string({ optional: true }), shelf: attr.string({ optional: true }) },
    create: ({ planned }) => planned,
    read: ({ state }) => state,
    update: ({ planned }) => planned,
    delete: () => undefined,
  });
  return shelf.with([book, reader(shelf)]);
}

/** The second version. */
function secondShelf(): ServedProvider {
  const shelf = defineProvider({
    name: "shelf",
    version: "2.0.0",
    schema: { limit: attr.number({ optional: true }), hall: attr.string({ optional: true }) },
    configure: () => undefined,
  });
  const book = shelf.resource("book", {
    version: 1,
    schema: { title, pages: attr.number({ optional: true }), place: attr.string({ optional: true }) },
    upgradeState: {
      0: upgrader({
        schema: { title, pages: attr.string({ optional: true }), shelf: attr.string({ optional: true }) },
        upgrade: ({ state }) => ({ title: state.title, pages: state.pages === null ? null : Number(state.pages), place: state.shelf }),
      }),
    },
    create: ({ planned }) => planned,
    read: ({ state }) => state,
    update: ({ planned }) => planned,
    delete: () => undefined,
  });
  return shelf.with([book, reader(shelf)]);
}

/** A resource type that is the same in both versions. */
function reader(shelf: ProviderDefinition<undefined>): Resource<undefined> {
  return shelf.resource("reader", {
    schema: { name: attr.string({ required: true }) },
    create: ({ planned }) => planned,
    read: ({ state }) => state,
    update: ({ planned }) => planned,
    delete: () => undefined,
  });
}

await serve(async () => ({ provider: process.env["SHELF_VERSION"] === "2" ? secondShelf() : firstShelf() }));
