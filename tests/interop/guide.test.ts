// SPDX-License-Identifier: Apache-2.0
// The guide from an empty folder to an applied resource, followed to the letter.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describePeer } from "@tenon/peers/vitest";
import { test, vi } from "vitest";
import { follow, snippetsOf } from "./guide.ts";

// Each step starts real processes: on a machine that is busy that takes a while.
vi.setConfig({ testTimeout: 90_000 });

const page = readFileSync(join(import.meta.dirname, "../../packages/provider-sdk/docs/getting-started.md"), "utf8");

describePeer(["tofu"], "the guide", (peers) => {
  test("prints what it promises, step by step", async ({ expect }) => {
    const printed = await follow(snippetsOf(page), peers.tofu.path);
    expect(printed.length).toBeGreaterThanOrEqual(9);
    const plain = (text: string): string => text.replaceAll(/[│╷╵\s]+/g, " ");
    for (const { commands, output, promised } of printed) {
      for (const line of promised) expect(plain(output), `${commands} prints ${line}`).toContain(plain(line).trim());
    }
    expect(printed.filter(({ promised }) => promised.length > 0).length).toBeGreaterThanOrEqual(6);
  });
});
