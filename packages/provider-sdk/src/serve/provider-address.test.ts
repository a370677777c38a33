// SPDX-License-Identifier: Apache-2.0
import { test } from "vitest";
import { addressInFull } from "./provider-address.ts";

test.for([
  ["notebook", "registry.terraform.io/hashicorp/notebook"],
  ["acme/notebook", "registry.terraform.io/acme/notebook"],
  ["example.com/acme/notebook", "example.com/acme/notebook"],
  ["", undefined],
  [undefined, undefined],
] as const)("%s: %s", ([address, full], { expect }) => {
  expect(addressInFull(address)).toBe(full);
});
