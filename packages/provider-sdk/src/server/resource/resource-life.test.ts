// SPDX-License-Identifier: Apache-2.0
import { describe, test } from "vitest";
import { provider } from "../../../test/notebook.ts";
import { toPlain, startLife, texts, Unknown } from "../../../test/resource-life.ts";

const blank = { tags: null, passphrase: null };

describe("a resource, under the rules of the cores", () => {
  test("is created with defaults, and its computed attributes are unknown in the plan", async ({ expect }) => {
    const life = await startLife(provider, "notebook_note");
    const { planned } = await life.plan({ title: "Bread" });
    expect(planned?.action).toBe("create");
    expect(toPlain(planned!.after)).toEqual({ ...blank, id: Unknown, title: "Bread", folder: "inbox", revision: Unknown });
    expect((await life.apply({ title: "Bread" })).diagnostics).toEqual([]);
    expect(life.state()).toEqual({ ...blank, id: "1", title: "Bread", folder: "inbox", revision: 1 });
  });

  test("plans no change for the same configuration", async ({ expect }) => {
    const life = await startLife(provider, "notebook_note");
    await life.apply({ title: "Bread", tags: { rise: "slow" } });
    expect((await life.plan({ title: "Bread", tags: { rise: "slow" } })).planned?.action).toBe("noOp");
    await life.refresh();
    expect((await life.plan({ title: "Bread", tags: { rise: "slow" } })).planned?.action).toBe("noOp");
  });

  test("keeps in an update the values that a plan modifier keeps, and marks other computed attributes unknown", async ({ expect }) => {
    const life = await startLife(provider, "notebook_note");
    await life.apply({ title: "Bread" });
    const { planned } = await life.plan({ title: "Rye" });
    expect(planned?.action).toBe("update");
    expect(toPlain(planned!.after)).toMatchObject({ id: "1", title: "Rye", revision: Unknown });
    await life.apply({ title: "Rye" });
    expect(life.state()).toMatchObject({ id: "1", title: "Rye", revision: 2 });
  });

  test("is replaced by a change that requires replacement", async ({ expect }) => {
    const life = await startLife(provider, "notebook_note");
    await life.apply({ title: "Bread" });
    const { planned } = await life.plan({ title: "Bread", folder: "recipes" });
    expect(planned).toMatchObject({ action: "replace", requiresReplace: [[{ kind: "attribute", name: "folder" }]] });
    await life.apply({ title: "Bread", folder: "recipes" });
    expect(life.state()).toMatchObject({ id: "2", folder: "recipes", revision: 1 });
  });

  test("returns to a default when the configuration no longer sets the attribute", async ({ expect }) => {
    const life = await startLife(provider, "notebook_note");
    await life.apply({ title: "Bread", folder: "recipes" });
    const { planned } = await life.plan({ title: "Bread" });
    expect(planned?.action).toBe("replace");
    expect(toPlain(planned!.after)).toMatchObject({ folder: "inbox" });
  });

  test("is read in full after an import, and cannot be imported if it does not exist", async ({ expect }) => {
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

  test("is not recorded when create fails before it saves state", async ({ expect }) => {
    const life = await startLife(provider, "notebook_note");
    const { diagnostics } = await life.apply({ title: "refused" });
    expect(texts(diagnostics)).toEqual(["error: Cannot create notebook_note: the shelf is full: disk error 5"]);
    expect(life.object).toBeUndefined();
  });

  test("is recorded as tainted when create fails after it saved state, and is replaced by the next apply", async ({ expect }) => {
    const life = await startLife(provider, "notebook_note");
    const { diagnostics } = await life.apply({ title: "half", tags: { a: "b" } });
    expect(texts(diagnostics)).toEqual(["error: Cannot create notebook_note: the connection was lost"]);
    expect(life.object?.status).toBe("tainted");
    expect(life.state()).toEqual({ ...blank, id: "1", title: "half", folder: null, revision: null });
    expect((await life.plan({ title: "Bread" })).planned).toMatchObject({ action: "replace", reason: "tainted" });
    await life.apply({ title: "Bread" });
    expect(life.state()).toMatchObject({ id: "2", title: "Bread" });
  });

  test("keeps its state when update fails", async ({ expect }) => {
    const life = await startLife(provider, "notebook_note");
    await life.apply({ title: "Bread" });
    const before = life.object;
    expect(texts((await life.apply({ title: "refused" })).diagnostics)[0]).toContain("Cannot update notebook_note");
    expect(life.state()).toEqual(toPlain(before!.value));
    expect(life.object?.status).toBe("ready");
  });

  test("keeps its state when delete fails", async ({ expect }) => {
    const life = await startLife(provider, "notebook_note");
    await life.apply({ title: "stuck" });
    expect(texts((await life.destroy()).diagnostics)).toEqual(["error: Cannot delete notebook_note: the note cannot be deleted"]);
    expect(life.state()).toMatchObject({ title: "stuck" });
  });

  test("passes warnings to the practitioner, and private state to the next handler", async ({ expect }) => {
    const life = await startLife(provider, "notebook_note");
    expect(texts((await life.apply({ title: "warned" })).diagnostics)).toEqual(["warning: Deprecated: Such notes are deprecated."]);
    const stored = JSON.parse(Buffer.from(life.object!.private).toString()) as Record<string, string>;
    expect(Buffer.from(stored["etag"]!, "base64").toString()).toBe('{"of":"warned"}');
    await life.apply({ title: "Bread" });
    const next = JSON.parse(Buffer.from(life.object!.private).toString()) as Record<string, string>;
    expect(Buffer.from(next["before"]!, "base64").toString()).toBe('{"of":"warned"}');
  });

  test("masks sensitive values in log lines and error texts", async ({ expect }) => {
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
