// SPDX-License-Identifier: Apache-2.0
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { provider as notebook } from "@tenon/example-notebook";
import { openProvider, type ProviderSource } from "@tenon/plugin-host";
import { createProvider } from "@tenon/provider-sdk";
import { afterAll, test } from "vitest";

const folder = mkdtempSync(join(tmpdir(), "host-client-notebook-"));
afterAll(() => rmSync(folder, { recursive: true }));
const main = join(import.meta.dirname, "../../apps/examples/notebook/src/main.ts");

/** Runs the lifecycle of a note, and returns all results. */
async function life(source: ProviderSource, name: string): Promise<unknown> {
  await using client = await openProvider(source, { config: { path: join(folder, `${name}.db`) } });
  const notes = client.resource("notebook_note");
  const plan = await notes.plan({ title: "First" });
  const made = await notes.create({ title: "First", tags: { of: "a test" } });
  const changed = await notes.update(made, { title: "Second" });
  const again = await notes.fromJson(JSON.parse(JSON.stringify(changed)) as ReturnType<typeof changed.toJSON>);
  const refused = await notes.create({ title: "" }).catch((error: Error) => error.message);
  const slug = await client.function("slug", "A Title");
  await notes.delete(again);
  const seen = {
    plan: String(plan),
    unknown: plan.unknown,
    made: made.state,
    changed: changed.state,
    refused,
    slug,
    read: await notes.read(made),
  };
  return JSON.parse(JSON.stringify(seen)) as unknown;
}

test("the client returns the same results for a Tenon provider in this process and in its own process", async ({ expect }) => {
  const here = await life(createProvider(notebook), "here");
  expect(here).toMatchObject({
    made: { title: "First" },
    changed: { title: "Second" },
    slug: "a-title",
    refused: expect.stringContaining("title"),
  });
  expect(await life([process.execPath, main], "there")).toEqual(here);
});
