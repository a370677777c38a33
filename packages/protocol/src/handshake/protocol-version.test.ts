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
])("of 5 and 6, %j gets %d", ([offered, picked], { expect }) => {
  expect(negotiateProtocolVersion(offered, [5, 6])).toBe(picked);
  expect(negotiateProtocolVersion(offered, [6, 5])).toBe(picked);
});

test("a plugin of one version answers that one, whatever is offered", ({ expect }) => {
  expect(negotiateProtocolVersion("5", [6])).toBe(6);
});

test("a plugin of no version is a mistake", ({ expect }) => {
  expect(() => negotiateProtocolVersion("6", [])).toThrow(TypeError);
});
