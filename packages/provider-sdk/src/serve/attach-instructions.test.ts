// SPDX-License-Identifier: Apache-2.0
import { test } from "vitest";
import { missingAddressAdvice } from "./attach-instructions.ts";

test("the hint for a provider without an address names the source that attaches, and how to set an address", ({ expect }) => {
  expect(missingAddressAdvice("shelf")).toContain('only configurations with source = "hashicorp/shelf" attach');
  expect(missingAddressAdvice("shelf")).toContain('serve(load, { address: "example.com/namespace/shelf" })');
});
