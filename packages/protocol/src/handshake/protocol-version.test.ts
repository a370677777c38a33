// SPDX-License-Identifier: Apache-2.0
import { test } from "vitest";
import { negotiateProtocolVersion } from "./protocol-version.ts";

test.for<[offered: string | undefined, picked: number]>([
  ["6,5", 6],
  ["5,6", 6],
  ["5", 5],
  ["4", 5],
  ["x,6", 6],
  ["6.0", 5],
  ["6,6,7", 6],
  ["", 5],
  [undefined, 5],
])("a plugin with versions 5 and 6, offered %j, selects %d", ([offered, picked], { expect }) => {
  expect(negotiateProtocolVersion(offered, [5, 6])).toBe(picked);
  expect(negotiateProtocolVersion(offered, [6, 5])).toBe(picked);
});

test("a plugin with one version always selects it", ({ expect }) => {
  expect(negotiateProtocolVersion("5", [6])).toBe(6);
});

test("rejects a plugin without a version", ({ expect }) => {
  expect(() => negotiateProtocolVersion("6", [])).toThrow(TypeError);
});
