// SPDX-License-Identifier: Apache-2.0
import { test } from "vitest";
import { smallProvider } from "../../test/fixtures/small-provider.ts";
import { withTimeout } from "./with-timeout.ts";

test("withTimeout rejects late calls, closes the provider it wraps, and rejects invalid timeouts", async ({ expect }) => {
  let closed = 0;
  const provider = withTimeout(
    smallProvider({
      getMetadata: () => new Promise(() => {}),
      close: async () => {
        closed++;
      },
    }),
    30,
  );
  expect((await provider.getProviderSchema({})).resources.size).toBe(1);
  await expect(provider.getMetadata({})).rejects.toMatchObject({ code: "DEADLINE_EXCEEDED" });
  await provider.close();
  expect(closed).toBe(1);
  for (const limits of [{ getMetadata: 0 }, { getMetdata: 30 } as object]) {
    expect(() => withTimeout(provider, limits)).toThrow(expect.objectContaining({ code: "INVALID_OPTIONS" }));
  }
  expect(() => withTimeout(provider, -1)).toThrow(expect.objectContaining({ code: "INVALID_OPTIONS" }));
});
