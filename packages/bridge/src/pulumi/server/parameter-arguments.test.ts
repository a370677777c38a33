// SPDX-License-Identifier: Apache-2.0
import { test } from "vitest";
import { parseParameterArguments } from "./parameter-arguments.ts";

test("the arguments of Parameterize can ask for exact numbers", ({ expect }) => {
  const selection = { source: { kind: "address", address: "hashicorp/time", version: "1.0.0" }, includes: ["a"], excludes: [] };
  expect(parseParameterArguments(["hashicorp/time", "1.0.0", "--include", "a"])).toEqual(selection);
  const exact = { ...selection, exactNumbers: true };
  expect(parseParameterArguments(["hashicorp/time", "--exact-numbers", "1.0.0", "--include", "a"])).toEqual(exact);
  expect(() => parseParameterArguments(["--exact-numbers"])).toThrow("the provider is missing");
});
