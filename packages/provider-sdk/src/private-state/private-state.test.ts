// SPDX-License-Identifier: Apache-2.0
import { randomBytes } from "node:crypto";
import { afterEach, describe, test } from "vitest";
import { startLife, texts, type ResourceLife } from "../../test/resource-life.ts";
import { attr, defineProvider, type JsonValue, type ServedProvider, type UpdateContext } from "../index.ts";
import type { PrivateStateOptions } from "../definition/index.ts";

/** A provider with a resource that stores its attribute in its private state. */
function served(privateState: PrivateStateOptions | undefined, type = "thing", name = "store"): ServedProvider {
  const store = defineProvider({ name, version: "1.0.0", ...(privateState === undefined ? {} : { privateState }) });
  const schema = { value: attr.string({ required: true }) };
  const keep = ({
    planned,
    privateState: data,
  }: Pick<UpdateContext<undefined, typeof schema>, "planned" | "privateState">): typeof planned => {
    if (planned.value === "nothing") data.delete("kept");
    else data.set("kept", { value: planned.value, list: [1, null, true] } satisfies JsonValue);
    return planned;
  };
  return store.with([
    store.resource(type, {
      schema,
      create: keep,
      read: ({ state, privateState: data }) => {
        data.set("kept", data.get("kept") ?? null);
        return state;
      },
      update: keep,
      delete: () => {},
    }),
  ]);
}

const raw = (id: string): { readonly id: string; readonly secret: Uint8Array } => ({ id, secret: Buffer.alloc(32, id) });
const text = ({ object }: ResourceLife): string => new TextDecoder().decode(object?.private);

/** A resource life that continues from the recorded state of another one. */
async function continued(life: ResourceLife, options: PrivateStateOptions | undefined): Promise<ResourceLife> {
  const next = await startLife(served(options), "store_thing");
  next.object = life.object;
  return next;
}

async function recorded(options: PrivateStateOptions | undefined): Promise<ResourceLife> {
  const life = await startLife(served(options), "store_thing");
  await life.apply({ value: "hush" });
  return life;
}

const variable = "STORE_PRIVATE_STATE_KEYS";
afterEach(() => {
  delete process.env[variable];
});

describe("without a key", () => {
  test("stores data in terraform-plugin-framework's format", async ({ expect }) => {
    const life = await recorded(undefined);
    expect(text(life)).toBe(`{"kept":"${Buffer.from('{"value":"hush","list":[1,null,true]}').toString("base64")}"}`);
  });

  test("keeps the received bytes when a value is set again, whichever program wrote them", async ({ expect }) => {
    const life = await recorded(undefined);
    const theirs = Buffer.from(`{ "kept": "${Buffer.from('{"list": [1, null, true], "value":"hush"}').toString("base64")}" }`);
    life.object = { ...life.object!, private: theirs };
    expect(await life.refresh()).toEqual([]);
    expect(life.object.private).toEqual(theirs);
  });

  test("stores no bytes after the last name is deleted", async ({ expect }) => {
    const life = await recorded(undefined);
    await life.apply({ value: "nothing" });
    expect(text(life)).toBe("");
  });

  test("fails to store when a key is required, and keeps the created resource", async ({ expect }) => {
    const life = await startLife(served({ required: true }), "store_thing");
    expect(texts((await life.apply({ value: "hush" })).diagnostics)).toEqual([
      "error: Cannot store the private data of store_thing: The private data is not usable: it must be encrypted, but there is no key: set STORE_PRIVATE_STATE_KEYS.",
    ]);
    expect(life.state()).toEqual({ value: "hush" });
  });

  test("rejects encrypted data instead of ignoring it", async ({ expect }) => {
    const life = await continued(await recorded({ keys: [raw("a")] }), undefined);
    const before = life.object;
    expect(texts(await life.refresh())).toEqual([
      "error: Cannot read the private data of store_thing: The private data is not usable: it is encrypted with key a, but there is no key: set STORE_PRIVATE_STATE_KEYS.",
    ]);
    expect(life.object).toEqual(before);
  });
});

describe("with a key", () => {
  test("stores no data that can be read without the key", async ({ expect }) => {
    const life = await recorded({ keys: [raw("a")] });
    const { ".sealed": sealed, ...rest } = JSON.parse(text(life)) as Record<string, string>;
    expect(rest).toEqual({});
    const parts = JSON.parse(Buffer.from(sealed!, "base64").toString()) as { readonly key: string; readonly data: string };
    expect(parts.key).toBe("a");
    expect(Buffer.from(parts.data, "base64").toString("latin1")).not.toMatch(/hush|kept/);
  });

  test("stores equal data of two resources as different bytes", async ({ expect }) => {
    expect(text(await recorded({ keys: [raw("a")] }))).not.toBe(text(await recorded({ keys: [raw("a")] })));
  });

  test("keeps the bytes of unchanged data through plan, apply and read, also in another instance", async ({ expect }) => {
    const life = await continued(await recorded({ keys: [raw("a")] }), { keys: [raw("a")] });
    const before = text(life);
    expect(await life.refresh()).toEqual([]);
    const { planned } = await life.plan({ value: "hush" });
    expect([text(life), planned?.action]).toEqual([before, "noOp"]);
    expect(new TextDecoder().decode(planned?.private)).toBe(before);
    await life.apply({ value: "other" });
    expect(text(life)).not.toBe(before);
  });

  test("reads with an older key, and writes changed data with the first key", async ({ expect }) => {
    const life = await continued(await recorded({ keys: [raw("a")] }), { keys: [raw("b"), raw("a")] });
    const before = text(life);
    expect(await life.refresh()).toEqual([]);
    expect(text(life)).toBe(before);
    await life.apply({ value: "other" });
    const without = await continued(life, { keys: [raw("b")] });
    expect(await without.refresh()).toEqual([]);
  });

  test("rewrite encrypts unchanged data with the first key, once", async ({ expect }) => {
    const options = { keys: [raw("b"), raw("a")], rewrite: true } as const;
    const life = await continued(await recorded({ keys: [raw("a")] }), options);
    await life.refresh();
    const rewritten = text(life);
    await life.refresh();
    expect(text(life)).toBe(rewritten);
    expect(await (await continued(life, { keys: [raw("b")] })).refresh()).toEqual([]);
  });

  test("rejects plain text, unless acceptPlainText is set", async ({ expect }) => {
    const plain = await recorded(undefined);
    const strict = await continued(plain, { keys: [raw("a")] });
    expect(texts(await strict.refresh())[0]).toContain("it is not encrypted, so anyone may have written it");
    expect(strict.object).toEqual(plain.object);
    const migrating = await continued(plain, { keys: [raw("a")], acceptPlainText: true });
    expect(await migrating.refresh()).toEqual([]);
    expect(text(migrating)).toBe(text(plain));
    const rewriting = await continued(plain, { keys: [raw("a")], acceptPlainText: true, rewrite: true });
    expect(await rewriting.refresh()).toEqual([]);
    expect(await (await continued(rewriting, { keys: [raw("a")] })).refresh()).toEqual([]);
  });
});

describe("reports an error for", () => {
  const fault = async (life: ResourceLife): Promise<string> => texts(await life.refresh()).join("\n");

  test("a different key with the same id", async ({ expect }) => {
    const life = await continued(await recorded({ keys: [raw("a")] }), { keys: [{ id: "a", secret: randomBytes(32) }] });
    expect(await fault(life)).toContain("it is encrypted with a different key that has the same id, a");
  });

  test("a key that was removed", async ({ expect }) => {
    const life = await continued(await recorded({ keys: [raw("a")] }), { keys: [raw("b"), raw("c")] });
    expect(await fault(life)).toContain("it is encrypted with key a, but the available keys are b, c");
  });

  test.for(["nonce", "data", "check", "key", "version"])("a changed %s", async (part, { expect }) => {
    const life = await recorded({ keys: [raw("a"), raw("b")] });
    const outer = JSON.parse(text(life)) as { ".sealed": string };
    const inner = JSON.parse(Buffer.from(outer[".sealed"], "base64").toString()) as Record<string, unknown>;
    const flipped = (base64: string): string => {
      const bytes = Buffer.from(base64, "base64");
      bytes[3]! ^= 1;
      return bytes.toString("base64");
    };
    inner[part] = part === "version" ? 2 : part === "key" ? "b" : flipped(inner[part] as string);
    const changed = { ".sealed": Buffer.from(JSON.stringify(inner)).toString("base64") };
    life.object = { ...life.object!, private: Buffer.from(JSON.stringify(changed)) };
    const before = life.object;
    expect(await fault(life)).toMatch(/^error: Cannot read the private data of store_thing: /);
    expect(life.object).toEqual(before);
    expect(texts((await life.plan({ value: "other" })).diagnostics)[0]).toMatch(/^error: Cannot read the private data/);
    await expect(life.destroy()).resolves.toMatchObject({ diagnostics: [{ severity: "error" }] });
  });

  test("data of another type or provider", async ({ expect }) => {
    const life = await recorded({ keys: [raw("a")] });
    for (const [type, provider] of [
      ["other", "store"],
      ["thing", "shop"],
    ] as const) {
      const elsewhere = await startLife(served({ keys: [raw("a")] }, type, provider), `${provider}_${type}`);
      elsewhere.object = life.object;
      expect(await fault(elsewhere)).toContain("it was modified after it was written, or it belongs to another provider or resource type");
    }
  });

  test("keys that cannot be found", async ({ expect }) => {
    const life = await continued(await recorded({ keys: [raw("a")] }), {
      keys: () => Promise.reject(new Error("the key service is unavailable")),
    });
    expect(await fault(life)).toContain("the key service is unavailable");
  });
});

describe("takes keys from", () => {
  test("the environment, as passphrases and as bytes", async ({ expect }) => {
    process.env[variable] = `new=${"p".repeat(20)}, old=base64:${Buffer.alloc(32, "a").toString("base64")}`;
    const life = await continued(await recorded({ keys: [{ id: "old", secret: Buffer.alloc(32, "a") }] }), undefined);
    expect(await life.refresh()).toEqual([]);
    await life.apply({ value: "other" });
    // The same passphrase in a definition is the same key.
    expect(await (await continued(life, { keys: [{ id: "new", secret: "p".repeat(20) }] })).refresh()).toEqual([]);
  });

  test("a function, which is called once, before data is first stored", async ({ expect }) => {
    let calls = 0;
    const life = await startLife(served({ keys: async () => (calls++, [raw("a")]) }), "store_thing");
    expect(calls).toBe(0);
    await life.apply({ value: "hush" });
    await life.refresh();
    expect(calls).toBe(1);
  });

  test.for([
    ["a=short", "private state key a is neither 32 bytes nor a passphrase of at least 12 characters"],
    ["a=base64:AAAA", "private state key a is neither 32 bytes"],
    ["a passphrase alone", "key 1 is not written id=passphrase"],
    ["a=long enough to be,a=long enough to be", "two private state keys have the id a"],
  ])("refuses %j", async ([value, why], { expect }) => {
    const life = await recorded(undefined);
    process.env[variable] = value;
    const [message] = texts(await (await continued(life, undefined)).refresh());
    expect(message).toContain(why);
    expect(message).not.toContain("long enough");
  });

  test("a definition, and rejects invalid keys in it", ({ expect }) => {
    expect(() => defineProvider({ name: "store", version: "1.0.0", privateState: { keys: [{ id: "a", secret: "short" }] } })).toThrow(
      expect.objectContaining({ code: "INVALID_DEFINITION", message: expect.stringContaining("private state key a is neither 32 bytes") }),
    );
  });
});

test("derives a passphrase once per process, and never derives a raw key", async ({ expect }) => {
  const { cipherKey } = await import("./cipher.ts");
  const key = { id: "slow", secret: "correct horse battery" };
  const timed = async (): Promise<number> => {
    const start = performance.now();
    await Promise.all(Array.from({ length: 50 }, () => cipherKey("store", key)));
    return performance.now() - start;
  };
  const first = await timed();
  const second = await timed();
  expect(second).toBeLessThan(first / 5);
});
