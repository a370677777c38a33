// SPDX-License-Identifier: Apache-2.0
import { describe, test } from "vitest";
import { objectFiles } from "../configuration/file-system.ts";
import { openWorkspace } from "../workspace/workspace.ts";
import { observeRun } from "./observed-run.ts";

const files = objectFiles({
  "main.tf": 'resource "terraform_data" "a" {}\nresource "terraform_data" "b" {\n  input = terraform_data.a.id\n}\n',
});

describe("an observed run", () => {
  test("has its events as an async iterable, and its result", async ({ expect }) => {
    const workspace = openWorkspace({ configuration: files });
    const planning = observeRun((onEvent) => workspace.plan({ onEvent }));
    const types: string[] = [];
    for await (const { type } of planning) types.push(type);
    expect(types).toEqual(["planned", "planned", "planFinished"]);
    const plan = await planning.result;
    const applying = observeRun((onEvent) => plan.apply({ onEvent }));
    const ended: string[] = [];
    for await (const event of applying) if (event.type === "applyEnded") ended.push(event.address.instance.resource.name);
    expect(ended).toEqual(["a", "b"]);
    expect((await applying.result).errored).toBe(false);
  });

  test("goes on when the reader breaks off", async ({ expect }) => {
    const plan = await openWorkspace({ configuration: files }).plan();
    const applying = observeRun((onEvent) => plan.apply({ onEvent }));
    for await (const { type } of applying) if (type === "applyStarted") break;
    expect((await applying.result).state.resources.size).toBe(2);
  });

  test("throws at the end what the run rejects with", async ({ expect }) => {
    const workspace = openWorkspace({ configuration: files });
    await using plan = await workspace.plan();
    const second = observeRun((onEvent) => workspace.plan({ onEvent }));
    const read = async (): Promise<void> => {
      for await (const _ of second) expect.fail("there is no event");
    };
    await expect(read()).rejects.toMatchObject({ code: "STATE_LOCKED" });
    expect(plan.errored).toBe(false);
  });
});
