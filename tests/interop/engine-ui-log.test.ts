// SPDX-License-Identifier: Apache-2.0
// Values that the UI log of OpenTofu shows, and the log of the engine never does.
import { openWorkspace, type EngineEvent } from "@tenon/engine";
import { objectFiles } from "@tenon/engine/configuration";
import { uiLog } from "@tenon/engine/documents";
import { attr, createProvider, defineProvider, type ServedProvider } from "@tenon/provider-sdk";
import { describe, test } from "vitest";

const vault = defineProvider({ name: "vault", version: "1.0.0", configure: () => undefined });
const key = vault.resource("key", {
  schema: { name: attr.string({ required: true }), id: attr.string({ computed: true, sensitive: true }) },
  create: ({ planned }) => ({ ...planned, id: "hunter2" }),
  read: ({ state }) => state,
  update: ({ planned, state }) => ({ ...planned, id: state.id }),
  delete: () => undefined,
});
const provider: ServedProvider = vault.with([key]);

/** Plans and applies a configuration twice; returns the lines of all four UI logs. */
async function linesOf(main: string): Promise<readonly string[]> {
  const configuration = objectFiles({
    "main.tf": `terraform {\n  required_providers {\n    vault = { source = "tenon/vault" }\n  }\n}\n${main}`,
  });
  const workspace = openWorkspace({ configuration, providers: { "tenon/vault": async () => createProvider(provider) } });
  const events: EngineEvent[] = [];
  const onEvent = (event: EngineEvent): void => void events.push(event);
  for (const _ of [1, 2]) {
    await using plan = await workspace.plan({ onEvent });
    if (!plan.errored) await plan.apply();
  }
  return (await Array.fromAsync(uiLog(events))).map((message) => JSON.stringify(message));
}

describe("the UI log", () => {
  test("a difference from OpenTofu: `sensitive-identifiers`: has no sensitive ID", async ({ expect }) => {
    const lines = await linesOf('resource "vault_key" "a" {\n  name = "a"\n}\n');
    expect(lines.filter((line) => line.includes('"refresh_complete"'))).toHaveLength(1);
    expect(lines.filter((line) => line.includes('"apply_complete"'))).toHaveLength(1);
    expect(lines.filter((line) => line.includes("hunter2"))).toEqual([]);
  });

  test("a difference from OpenTofu: `sensitive-differences`: has no difference of sensitive values", async ({ expect }) => {
    const check = (condition: string): string =>
      `variable "plain" {\n  default = "a"\n}\nvariable "secret" {\n  sensitive = true\n  default   = "hunter2"\n}\noutput "a" {\n  value = "a"\n  precondition {\n    condition     = ${condition}\n    error_message = "They differ."\n  }\n}\n`;
    const secret = await linesOf(check('var.secret == "hunter3"'));
    expect(secret.filter((line) => line.includes("They differ."))).not.toEqual([]);
    expect(secret.filter((line) => line.includes("hunter"))).toEqual(secret.filter((line) => line.includes('== \\"hunter3\\"')));
    expect(secret.filter((line) => line.includes('"difference"') || line.includes("hunter2"))).toEqual([]);
    const plain = await linesOf(check('var.plain == "b"'));
    expect(plain.filter((line) => line.includes('"difference"'))).not.toEqual([]);
  });
});
