// SPDX-License-Identifier: Apache-2.0
import { describe, test } from "vitest";
import { provider } from "../../test/notebook.ts";
import { seen, startLife, texts, Unknown } from "../../test/resource-life.ts";

const blank = { tags: null, passphrase: null };

describe("the life of a resource, by the rules of the cores", () => {
  test("is created with defaults, and what is computed is unknown until then", async ({ expect }) => {
    const life = await startLife(provider, "notebook_note");
    const { planned } = await life.plan({ title: "Bread" });
    expect(planned?.action).toBe("create");
    expect(seen(planned!.after)).toEqual({ ...blank, id: Unknown, title: "Bread", folder: "inbox", revision: Unknown });
    expect((await life.apply({ title: "Bread" })).diagnostics).toEqual([]);
    expect(life.state()).toEqual({ ...blank, id: "1", title: "Bread", folder: "inbox", revision: 1 });
  });

  test("the same configuration plans nothing", async ({ expect }) => {
    const life = await startLife(provider, "notebook_note");
    await life.apply({ title: "Bread", tags: { rise: "slow" } });
    expect((await life.plan({ title: "Bread", tags: { rise: "slow" } })).planned?.action).toBe("noOp");
    await life.refresh();
    expect((await life.plan({ title: "Bread", tags: { rise: "slow" } })).planned?.action).toBe("noOp");
  });

  test("an update keeps what a plan modifier keeps, and asks about the rest", async ({ expect }) => {
    const life = await startLife(provider, "notebook_note");
    await life.apply({ title: "Bread" });
    const { planned } = await life.plan({ title: "Rye" });
    expect(planned?.action).toBe("update");
    expect(seen(planned!.after)).toMatchObject({ id: "1", title: "Rye", revision: Unknown });
    await life.apply({ title: "Rye" });
    expect(life.state()).toMatchObject({ id: "1", title: "Rye", revision: 2 });
  });

  test("a change that cannot be made in place replaces", async ({ expect }) => {
    const life = await startLife(provider, "notebook_note");
    await life.apply({ title: "Bread" });
    const { planned } = await life.plan({ title: "Bread", folder: "recipes" });
    expect(planned).toMatchObject({ action: "replace", requiresReplace: [[{ kind: "attribute", name: "folder" }]] });
    await life.apply({ title: "Bread", folder: "recipes" });
    expect(life.state()).toMatchObject({ id: "2", folder: "recipes", revision: 1 });
  });

  test("taking a default's place back is a change like any other", async ({ expect }) => {
    const life = await startLife(provider, "notebook_note");
    await life.apply({ title: "Bread", folder: "recipes" });
    const { planned } = await life.plan({ title: "Bread" });
    expect(planned?.action).toBe("replace");
    expect(seen(planned!.after)).toMatchObject({ folder: "inbox" });
  });

  test("what is gone is read as gone, and what is imported is read in full", async ({ expect }) => {
    const life = await startLife(provider, "notebook_note");
    await life.apply({ title: "Bread" });
    const before = life.state();
    expect(await life.import("1")).toEqual([]);
    expect(life.state()).toEqual(before);
    expect(texts(await life.import("9"))[0]).toContain("Cannot import non-existent remote object");
    await life.import("1");
    await life.destroy();
    expect(life.object).toBeUndefined();
  });

  test("a create that fails at once leaves nothing", async ({ expect }) => {
    const life = await startLife(provider, "notebook_note");
    const { diagnostics } = await life.apply({ title: "refused" });
    expect(texts(diagnostics)).toEqual(["error: Cannot create notebook_note: the shelf is full: disk error 5"]);
    expect(life.object).toBeUndefined();
  });

  test("a create that fails half-way keeps what it saved, tainted; it is then replaced", async ({ expect }) => {
    const life = await startLife(provider, "notebook_note");
    const { diagnostics } = await life.apply({ title: "half", tags: { a: "b" } });
    expect(texts(diagnostics)).toEqual(["error: Cannot create notebook_note: the connection broke"]);
    expect(life.object?.status).toBe("tainted");
    expect(life.state()).toEqual({ ...blank, id: "1", title: "half", folder: null, revision: null });
    expect((await life.plan({ title: "Bread" })).planned).toMatchObject({ action: "replace", reason: "tainted" });
    await life.apply({ title: "Bread" });
    expect(life.state()).toMatchObject({ id: "2", title: "Bread" });
  });

  test("an update that fails leaves what was there", async ({ expect }) => {
    const life = await startLife(provider, "notebook_note");
    await life.apply({ title: "Bread" });
    const before = life.object;
    expect(texts((await life.apply({ title: "refused" })).diagnostics)[0]).toContain("Cannot update notebook_note");
    expect(life.state()).toEqual(seen(before!.value));
    expect(life.object?.status).toBe("ready");
  });

  test("a delete that fails leaves it where it is", async ({ expect }) => {
    const life = await startLife(provider, "notebook_note");
    await life.apply({ title: "stuck" });
    expect(texts((await life.destroy()).diagnostics)).toEqual(["error: Cannot delete notebook_note: it is glued to the shelf"]);
    expect(life.state()).toMatchObject({ title: "stuck" });
  });

  test("warnings reach the practitioner, and private state the next handler", async ({ expect }) => {
    const life = await startLife(provider, "notebook_note");
    expect(texts((await life.apply({ title: "warned" })).diagnostics)).toEqual(["warning: Long ago: Such notes are deprecated."]);
    const stored = JSON.parse(Buffer.from(life.object!.private).toString()) as Record<string, string>;
    expect(Buffer.from(stored["etag"]!, "base64").toString()).toBe('{"of":"warned"}');
    await life.apply({ title: "Bread" });
    const next = JSON.parse(Buffer.from(life.object!.private).toString()) as Record<string, string>;
    expect(Buffer.from(next["before"]!, "base64").toString()).toBe('{"of":"warned"}');
  });

  test("no sensitive value is in a log line or an error text", async ({ expect }) => {
    const life = await startLife(provider, "notebook_note");
    const { diagnostics } = await life.apply({ title: "leaky", passphrase: "open sesame" });
    expect(texts(diagnostics)).toEqual(["error: Cannot create notebook_note: wrong passphrase (sensitive value)"]);
    expect(life.log.find(({ message }) => message === "creating")?.fields).toMatchObject({
      title: "leaky",
      passphrase: "(sensitive value)",
      tf_rpc: "ApplyResourceChange",
      tf_resource_type: "notebook_note",
    });
    expect(JSON.stringify(life.log)).not.toContain("sesame");
  });
});
