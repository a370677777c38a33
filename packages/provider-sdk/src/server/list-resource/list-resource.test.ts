// SPDX-License-Identifier: Apache-2.0
import { bool, number, of } from "@tenon/cty";
import type { ListResourceEvent, Provider } from "@tenon/schema";
import { describe, test } from "vitest";
import { configOf, toPlain, texts, type Data } from "../../../test/resource-life.ts";
import { attr, createProvider, defineProvider, replaceInstead, type Schema } from "../../index.ts";
import type { ListResourceDefinition } from "../../definition/index.ts";

const shelf = defineProvider({ name: "shelf", version: "1.0.0" });
const book = shelf.resource("book", {
  schema: { isbn: attr.string({ required: true }), title: attr.string({ computed: true }) },
  identity: { isbn: attr.string() },
  create: ({ planned }) => ({ ...planned, title: "?" }),
  read: () => undefined,
  update: replaceInstead,
  delete: () => {},
});
const schema = { shelf: attr.string({ required: true }) };

interface Book {
  readonly isbn: string;
  readonly title: string;
}
type Listing = ListResourceDefinition<undefined, typeof schema, Book, { readonly isbn: string }>;

const books = (...isbns: readonly string[]): { identity: { isbn: string }; displayName: string; resource: Book }[] =>
  isbns.map((isbn) => ({ identity: { isbn }, displayName: `book ${isbn}`, resource: { isbn, title: `T${isbn}` } }));

function providerOf(list: Listing["list"], more: Partial<Listing> = {}): Provider {
  return createProvider(shelf.with([book, shelf.listResource(book, { schema, list, ...more })]));
}

async function listed(
  provider: Provider,
  {
    data = { shelf: "a" },
    includeResourceObject = false,
    limit = 0,
  }: { data?: Data; includeResourceObject?: boolean; limit?: number } = {},
): Promise<ListResourceEvent[]> {
  const config = configOf((await provider.getProviderSchema({})).listResources.get("shelf_book")!.block, data);
  return Array.fromAsync(provider.listResource({ typeName: "shelf_book", config, includeResourceObject, limit }));
}

const shown = (events: readonly ListResourceEvent[]): unknown[] =>
  events.map(({ displayName, identity, resourceObject, diagnostics }) => ({
    displayName,
    ...(identity === undefined ? {} : { identity: toPlain(identity) }),
    ...(resourceObject === undefined ? {} : { resource: toPlain(resourceObject) }),
    ...(diagnostics.length === 0 ? {} : { diagnostics: texts(diagnostics) }),
  }));

describe("a list resource", () => {
  test("yields the results, with their state if the caller requests it", async ({ expect }) => {
    const provider = providerOf(({ config, includeResource }) => books(config.shelf, includeResource ? "with" : "without"));
    expect(shown(await listed(provider))).toEqual([
      { displayName: "book a", identity: { isbn: "a" } },
      { displayName: "book without", identity: { isbn: "without" } },
    ]);
    expect(shown(await listed(provider, { includeResourceObject: true }))[1]).toEqual({
      displayName: "book with",
      identity: { isbn: "with" },
      resource: { isbn: "with", title: "Twith" },
    });
    expect((await provider.getMetadata({})).listResources).toEqual(["shelf_book"]);
  });

  test("yields results while the handler produces them, and stops at the limit", async ({ expect }) => {
    const made: string[] = [];
    let ended = false;
    const provider = providerOf(async function* list({ limit }) {
      try {
        for (let isbn = 1; ; isbn++) {
          made.push(`${isbn} of ${limit}`);
          yield* books(String(isbn));
        }
      } finally {
        ended = true;
      }
    });
    expect(await listed(provider, { limit: 2 })).toHaveLength(2);
    expect(made).toEqual(["1 of 2", "2 of 2"]);
    expect(ended).toBe(true);
  });

  test("aborts its signal when the caller stops reading", async ({ expect }) => {
    let signal: AbortSignal | undefined;
    const provider = providerOf(async function* list(context) {
      ({ signal } = context);
      yield* books("1", "2");
    });
    const config = configOf((await provider.getProviderSchema({})).listResources.get("shelf_book")!.block, { shelf: "a" });
    for await (const { displayName } of provider.listResource({ typeName: "shelf_book", config, includeResourceObject: false, limit: 0 })) {
      expect(displayName).toBe("book 1");
      expect(signal?.aborted).toBe(false);
      break;
    }
    expect(signal?.aborted).toBe(true);
  });

  test("is cancelled by the caller's signal, even if the handler never settles", async ({ expect }) => {
    const hanging = Promise.withResolvers<void>();
    const provider = providerOf(async function* list() {
      yield* books("1");
      hanging.resolve();
      await new Promise(() => {});
    });
    const config = configOf((await provider.getProviderSchema({})).listResources.get("shelf_book")!.block, { shelf: "a" });
    const controller = new AbortController();
    const events = provider.listResource(
      { typeName: "shelf_book", config, includeResourceObject: false, limit: 0 },
      { signal: controller.signal },
    );
    const iterator = events[Symbol.asyncIterator]();
    expect((await iterator.next()).done).toBe(false);
    const next = iterator.next();
    void hanging.promise.then(() => controller.abort());
    await expect(next).rejects.toMatchObject({ code: "CANCELLED" });
  });

  test("yields the results before a failure, and then the error", async ({ expect }) => {
    const provider = providerOf(async function* list({ warn }) {
      warn("Slow", "Page 2 took long.");
      yield* books("1");
      throw new Error("page 2 is missing");
    });
    expect(shown(await listed(provider))).toEqual([
      { displayName: "book 1", identity: { isbn: "1" }, diagnostics: ["warning: Slow: Page 2 took long."] },
      { displayName: "", diagnostics: ["error: Cannot list shelf_book: page 2 is missing"] },
    ]);
  });

  test("reports a result without identity, and one whose state is missing", async ({ expect }) => {
    const provider = providerOf(() => [
      { displayName: "odd", identity: {} as never },
      { displayName: "bare", identity: { isbn: "1" } },
    ]);
    expect(shown(await listed(provider, { includeResourceObject: true }))).toEqual([
      {
        displayName: "odd",
        diagnostics: [
          'error: Incomplete list result: list of shelf_book: in the identity of "odd", isbn is missing: the result must contain every attribute, with null for those without a value. This is a bug in the provider.',
          'warning: Incomplete list result: list of shelf_book: the state of "odd" was requested, but is missing.',
        ],
      },
      {
        displayName: "bare",
        identity: { isbn: "1" },
        diagnostics: ['warning: Incomplete list result: list of shelf_book: the state of "bare" was requested, but is missing.'],
      },
    ]);
  });

  test("validates its configuration", async ({ expect }) => {
    const provider = providerOf(() => [], { validate: ({ config, error }) => void (config.shelf === "z" && error("shelf", "no shelf z")) });
    const validate = async (data: Data): Promise<readonly string[]> => {
      const config = configOf((await provider.getProviderSchema({})).listResources.get("shelf_book")!.block, data);
      const request = { typeName: "shelf_book", config, includeResourceObject: of(bool, false), limit: of(number, 3) };
      return texts((await provider.validateListResourceConfig(request)).diagnostics);
    };
    expect(await validate({})).toEqual(["error: Missing required attribute: shelf is required, but not set."]);
    expect(await validate({ shelf: "z" })).toEqual(["error: no shelf z: shelf: no shelf z"]);
    expect(await validate({ shelf: "a" })).toEqual([]);
  });

  test("reports that the provider cannot be loaded", async ({ expect }) => {
    const broken = createProvider(
      defineProvider({
        name: "shelf",
        version: "1.0.0",
        setup: () => {
          throw new Error("no licence");
        },
      }).with([book, shelf.listResource(book, { list: () => [] })]),
    );
    const config = configOf({ attributes: {}, blocks: {} } as never, {});
    const events = await Array.fromAsync(broken.listResource({ typeName: "shelf_book", config, includeResourceObject: false, limit: 0 }));
    expect(shown(events)).toEqual([{ displayName: "", diagnostics: ["error: Provider cannot be loaded: no licence"] }]);
  });
});

describe("an invalid definition of a list resource", () => {
  test("is refused for resources without an identity, or that the provider does not have", async ({ expect }) => {
    const plain = shelf.resource("plain", { schema: {}, create: () => ({}), read: () => ({}), update: replaceInstead, delete: () => {} });
    expect(() => shelf.listResource(plain, { list: () => [] })).toThrow("resource plain has none");
    const alone = createProvider(shelf.with([shelf.listResource(book, { list: () => [] })]));
    expect(texts((await alone.getProviderSchema({})).diagnostics)).toEqual([
      expect.stringContaining("the resource book has a list resource, but is not passed to with()"),
    ]);
  });

  test("is refused with attributes that a configuration cannot set", ({ expect }) => {
    const define = (wrong: Schema): unknown => shelf.listResource(book, { schema: wrong, list: () => [] });
    expect(() => define({ a: attr.string({ computed: true }) })).toThrow(
      "the configuration of a list resource cannot have computed attributes",
    );
    expect(() => define({ a: attr.string({ optional: true, writeOnly: true }) })).toThrow(
      "only a resource or an action can have write-only attributes",
    );
  });
});
