// SPDX-License-Identifier: Apache-2.0
// A short run of `npm run soak -- kubernetes-kills`.
import { describePeer } from "@tenon/peers/vitest";
import { test } from "vitest";
import { killOperators } from "./kubernetes-kills-run.ts";
import { randomOf } from "./random.ts";

describePeer(["kube-apiserver", "etcd"], "an operator that is killed at any point", (programs) => {
  test("creates no resource twice, and loses none", { timeout: 300_000 }, async ({ expect }) => {
    const report = await killOperators(programs, 10, randomOf(7));
    expect(report.faults).toEqual([]);
    expect(report.interrupted).toBeGreaterThan(10);
  });
});
