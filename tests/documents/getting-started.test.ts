// SPDX-License-Identifier: Apache-2.0
// Follows the guide from an empty folder to an applied resource, step by step.
import { dirname } from "node:path";
import { describePeer } from "@tenon/peers/vitest";
import { test, vi } from "vitest";
import { follow } from "./getting-started.ts";
import { readDocument, snippetsOf } from "./snippets.ts";

// Each step starts real processes, which takes longer on a busy machine.
vi.setConfig({ testTimeout: 180_000 });

const page = readDocument("packages/provider-sdk/docs/getting-started.md");

describePeer(["tofu"], "getting-started.md", (peers) => {
  test("shows the output of its commands", async ({ expect }) => {
    const outputs = await follow(snippetsOf(page), [dirname(peers.tofu.path)]);
    expect(outputs.length).toBeGreaterThanOrEqual(9);
    const plain = (text: string): string => text.replaceAll(/[│╷╵\s]+/g, " ");
    for (const { commands, output, expectedOutput } of outputs) {
      for (const line of expectedOutput) expect(plain(output), `${commands} prints ${line}`).toContain(plain(line).trim());
    }
    expect(outputs.filter(({ expectedOutput }) => expectedOutput.length > 0).length).toBeGreaterThanOrEqual(6);
  });
});
