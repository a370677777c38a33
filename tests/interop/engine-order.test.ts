// SPDX-License-Identifier: Apache-2.0
// A short run of `npm run soak -- engine-order`. The seed of a graph is in the test's name.
import { describe, test } from "vitest";
import { checkOrder } from "./soak/engine-order-run.ts";

describe("the order of an apply", () => {
  // The last two have several cycles of optional dependencies, of which one resolves another.
  for (const seed of [...Array.from({ length: 18 }, (_, index) => index + 1), 1102, 1193]) {
    test(`is legal for the random graph of seed ${seed}`, async ({ expect }) => {
      expect((await checkOrder(seed)).faults).toEqual([]);
    });
  }
});
