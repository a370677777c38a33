// SPDX-License-Identifier: Apache-2.0
// Short runs of `npm run soak -- kubernetes-kills`.
import { describePeer } from "@tenon/peers/vitest";
import { test } from "vitest";
import { killOften } from "./kubernetes-kills-run.ts";
import { randomOf } from "./random.ts";

describePeer(["kube-apiserver", "etcd"], "an operator creates no resource twice, and loses none,", (programs) => {
  test.skipIf(process.platform !== "linux").for([
    ["replica", "if it is killed at any point", 50],
    ["provider", "if its provider is killed in calls", 15],
  ] as const)("%s: %s", { timeout: 600_000 }, async ([victim, , kills], { expect }) => {
    const report = await killOften(programs, victim, kills, randomOf(7));
    expect(report.faults).toEqual([]);
    expect(report.interrupted).toBeGreaterThan(kills);
    expect(report.calls.create + report.calls.update + report.calls.delete).toBeGreaterThan(kills / 2);
  });
});
