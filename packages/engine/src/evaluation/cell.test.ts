// SPDX-License-Identifier: Apache-2.0
import { expect, test } from "vitest";
import { unlessUpstreamError, UpstreamError } from "./cell.ts";

test("a value with reported errors is undefined, and any other error is thrown", async () => {
  expect(await unlessUpstreamError(Promise.resolve(1))).toBe(1);
  expect(await unlessUpstreamError(Promise.reject(new UpstreamError()))).toBeUndefined();
  const fault = new TypeError("a fault of the engine");
  await expect(unlessUpstreamError(Promise.reject(fault))).rejects.toBe(fault);
});
