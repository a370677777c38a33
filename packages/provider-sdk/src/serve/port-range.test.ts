// SPDX-License-Identifier: Apache-2.0
import { describe, test } from "vitest";
import { parsePortRange } from "./port-range.ts";

describe("parsePortRange", () => {
  test("reads the range of the host, and allows any port when none is set", ({ expect }) => {
    expect(parsePortRange("10000", "25000")).toEqual([10_000, 25_000]);
    expect(parsePortRange(undefined, undefined)).toEqual([0, 0]);
  });
  test.for([
    ["x", "25000", "couldn't get value from PLUGIN_MIN_PORT"],
    ["10000", "-1", "couldn't get value from PLUGIN_MAX_PORT"],
    ["10000", "70000", "couldn't get value from PLUGIN_MAX_PORT"],
    ["25000", "10000", "PLUGIN_MIN_PORT value of 25000 is greater than PLUGIN_MAX_PORT value of 10000"],
  ] as const)("refuses %s to %s", ([min, max, why], { expect }) => {
    expect(() => parsePortRange(min, max)).toThrow(why);
  });
});
