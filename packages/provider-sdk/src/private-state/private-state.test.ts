// SPDX-License-Identifier: Apache-2.0
import { randomBytes } from "node:crypto";
import { afterEach, describe, test } from "vitest";
import { startLife, texts, type ResourceLife } from "../../test/resource-life.ts";
import { attr, defineProvider, type JsonValue, type PrivateStateOptions, type ServedProvider, type UpdateContext } from "../index.ts";

/** A provider whose resource stores in its private state what its attribute says. */
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

/** A life that goes on with what another one recorded. */
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
  test("data is stored as terraform-plugin-framework stores it", async ({ expect }) => {
    const life = await recorded(undefined);
    expect(text(life)).toBe(`{"kept":"${Buffer.from('{"value":"hush","list":[1,null,true]}').toString("base64")}"}`);
  });

  test("a value that is set again keeps the bytes it came in, whoever wrote them", async ({ expect }) => {
    const life = await recorded(undefined);
    const theirs = Buffer.from(`{ "kept": "${Buffer.from('{"list": [1, null, true], "value":"hush"}').toString("base64")}" }`);
    life.object = { ...life.object!, private: theirs };
    expect(await life.refresh()).toEqual([]);
    expect(life.object.private).toEqual(theirs);
  });

  test("the last name that goes leaves nothing", async ({ expect }) => {
    const life = await recorded(undefined);
    await life.apply({ value: "nothing" });
    expect(text(life)).toBe("");
  });

  test("where there has to be one, storing fails and what was made is kept", async ({ expect }) => {
    const life = await startLife(served({ required: true }), "store_thing");
    expect(texts((await life.apply({ value: "hush" })).diagnostics)).toEqual([
      "error: Cannot store the private data of store_thing: What the provider stores with it is not usable: it has to be encrypted, and there is no key: set STORE_PRIVATE_STATE_KEYS.",
    ]);
    expect(life.state()).toEqual({ value: "hush" });
  });

  test("encrypted data is refused, and not taken for none", async ({ expect }) => {
    const life = await continued(await recorded({ keys: [raw("a")] }), undefined);
    const before = life.object;
    expect(texts(await life.refresh())).toEqual([
      "error: Cannot read the private data of store_thing: What the provider stores with it is not usable: it is encrypted with key a, and there is no key: set STORE_PRIVATE_STATE_KEYS.",
    ]);
    expect(life.object).toEqual(before);
  });
});

describe("with a key", () => {
  test("nothing that is stored can be read without it", async ({ expect }) => {
    const life = await recorded({ keys: [raw("a")] });
    const { ".sealed": sealed, ...rest } = JSON.parse(text(life)) as Record<string, string>;
    expect(rest).toEqual({});
    const parts = JSON.parse(Buffer.from(sealed!, "base64").toString()) as { readonly key: string; readonly data: string };
    expect(parts.key).toBe("a");
    expect(Buffer.from(parts.data, "base64").toString("latin1")).not.toMatch(/hush|kept/);
  });

  test("two that store the same store other bytes", async ({ expect }) => {
    expect(text(await recorded({ keys: [raw("a")] }))).not.toBe(text(await recorded({ keys: [raw("a")] })));
  });

  test("unchanged data keeps its very bytes through plan, apply and read, in another process's instance too", async ({ expect }) => {
    const life = await continued(await recorded({ keys: [raw("a")] }), { keys: [raw("a")] });
    const before = text(life);
    expect(await life.refresh()).toEqual([]);
    const { planned } = await life.plan({ value: "hush" });
    expect([text(life), planned?.action]).toEqual([before, "noOp"]);
    expect(new TextDecoder().decode(planned?.private)).toBe(before);
    await life.apply({ value: "other" });
    expect(text(life)).not.toBe(before);
  });

  test("an older key reads, and the first one writes what changes", async ({ expect }) => {
    const life = await continued(await recorded({ keys: [raw("a")] }), { keys: [raw("b"), raw("a")] });
    const before = text(life);
    expect(await life.refresh()).toEqual([]);
    expect(text(life)).toBe(before);
    await life.apply({ value: "other" });
    const without = await continued(life, { keys: [raw("b")] });
    expect(await without.refresh()).toEqual([]);
  });

  test("rewriting takes unchanged data to the first key, once", async ({ expect }) => {
    const options = { keys: [raw("b"), raw("a")], rewrite: true } as const;
    const life = await continued(await recorded({ keys: [raw("a")] }), options);
    await life.refresh();
    const rewritten = text(life);
    await life.refresh();
    expect(text(life)).toBe(rewritten);
    expect(await (await continued(life, { keys: [raw("b")] })).refresh()).toEqual([]);
  });

  test("plain text is refused, and read where the provider says so", async ({ expect }) => {
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

describe("what is not right is said", () => {
  const fault = async (life: ResourceLife): Promise<string> => texts(await life.refresh()).join("\n");

  test("another key of the same id", async ({ expect }) => {
    const life = await continued(await recorded({ keys: [raw("a")] }), { keys: [{ id: "a", secret: randomBytes(32) }] });
    expect(await fault(life)).toContain("it is encrypted with another key than the one that is called a here");
  });

  test("a key that is not there any more", async ({ expect }) => {
    const life = await continued(await recorded({ keys: [raw("a")] }), { keys: [raw("b"), raw("c")] });
    expect(await fault(life)).toContain("it is encrypted with key a, and the keys are b, c");
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

  test("data of another type, and of another provider", async ({ expect }) => {
    const life = await recorded({ keys: [raw("a")] });
    for (const [type, provider] of [
      ["other", "store"],
      ["thing", "shop"],
    ] as const) {
      const elsewhere = await startLife(served({ keys: [raw("a")] }, type, provider), `${provider}_${type}`);
      elsewhere.object = life.object;
      expect(await fault(elsewhere)).toContain("it was changed since it was written, or it belongs to something else");
    }
  });

  test("keys that cannot be found", async ({ expect }) => {
    const life = await continued(await recorded({ keys: [raw("a")] }), { keys: () => Promise.reject(new Error("the vault is closed")) });
    expect(await fault(life)).toContain("the vault is closed");
  });
});

describe("where keys come from", () => {
  test("the environment, as passphrases and as bytes", async ({ expect }) => {
    process.env[variable] = `new=${"p".repeat(20)}, old=base64:${Buffer.alloc(32, "a").toString("base64")}`;
    const life = await continued(await recorded({ keys: [{ id: "old", secret: Buffer.alloc(32, "a") }] }), undefined);
    expect(await life.refresh()).toEqual([]);
    await life.apply({ value: "other" });
    // The same passphrase in a definition is the same key.
    expect(await (await continued(life, { keys: [{ id: "new", secret: "p".repeat(20) }] })).refresh()).toEqual([]);
  });

  test("a function, asked once, and not before there is something to store", async ({ expect }) => {
    let asked = 0;
    const life = await startLife(served({ keys: async () => (asked++, [raw("a")]) }), "store_thing");
    expect(asked).toBe(0);
    await life.apply({ value: "hush" });
    await life.refresh();
    expect(asked).toBe(1);
  });

  test.for([
    ["a=short", "private state key a is neither 32 bytes nor a passphrase of at least 12 characters"],
    ["a=base64:AAAA", "private state key a is neither 32 bytes"],
    ["a passphrase alone", "key 1 is not written id=passphrase"],
    ["a=long enough to be,a=long enough to be", "two private state keys have the id a"],
  ])("refuses %j", async ([value, why], { expect }) => {
    const life = await recorded(undefined);
    process.env[variable] = value;
    const [said] = texts(await (await continued(life, undefined)).refresh());
    expect(said).toContain(why);
    expect(said).not.toContain("long enough");
  });

  test("keys that are wrong in a definition are a fault of the definition", ({ expect }) => {
    expect(() => defineProvider({ name: "store", version: "1", privateState: { keys: [{ id: "a", secret: "short" }] } })).toThrow(
      expect.objectContaining({ code: "INVALID_DEFINITION", message: expect.stringContaining("private state key a is neither 32 bytes") }),
    );
  });
});

test("a passphrase costs one derivation a process, a raw key none", async ({ expect }) => {
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
