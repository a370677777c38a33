// SPDX-License-Identifier: Apache-2.0
import { BlockList, isIP } from "node:net";
import { describe, test } from "vitest";
import { type NamesContext, randomNames } from "./random-names.ts";

const contextOf = (name: string): NamesContext => ({ task: { name, file: { name: "a.test.ts" } } });

describe("random names", () => {
  test("have the prefix, and differ", ({ expect }) => {
    const names = randomNames(contextOf("a"), { prefix: "dns-" });
    const made = Array.from({ length: 100 }, () => names.name());
    expect(new Set(made).size).toBe(100);
    for (const name of made) expect(name).toMatch(/^dns-[a-z0-9]{10}$/);
    expect(randomNames().withPrefix("zone")).toMatch(/^tenon-test-zone-[a-z0-9]{10}$/);
  });

  test("are the same with the same seed in the same test, whatever other tests do", ({ expect }) => {
    const series = (test: string, seed: number): readonly unknown[] => {
      const names = randomNames(contextOf(test), { seed });
      return [names.name(), names.int(1, 6), names.text(20, "äb"), names.ipAddress("2001:db8::/32")];
    };
    const first = series("a", 7);
    series("b", 7);
    expect(series("a", 7)).toEqual(first);
    expect(series("b", 7)).not.toEqual(first);
    expect(series("a", 8)).not.toEqual(first);
  });

  test("have a seed that a failing test prints, and that the environment sets", ({ expect, onTestFinished }) => {
    const before = process.env["TENON_TEST_SEED"];
    onTestFinished(() => {
      if (before === undefined) delete process.env["TENON_TEST_SEED"];
      else process.env["TENON_TEST_SEED"] = before;
    });
    delete process.env["TENON_TEST_SEED"];
    const messages: string[] = [];
    const { seed } = randomNames({ fullName: "a", diagnostic: (message) => void messages.push(message) });
    expect(messages).toEqual([`The random names of this test had a seed: TENON_TEST_SEED=${seed} repeats them.`]);
    expect(randomNames().seed).toBe(seed);
    process.env["TENON_TEST_SEED"] = "42";
    expect(randomNames().seed).toBe(42);
    process.env["TENON_TEST_SEED"] = "now";
    expect(() => randomNames()).toThrow("TENON_TEST_SEED must be an integer from 0 to below 4294967296, and is now");
    expect(() => randomNames(undefined, { seed: -1 })).toThrow("must be an integer");
  });

  test.for([
    ["192.0.2.0/24", 4],
    ["10.1.2.3/32", 4],
    ["0.0.0.0/0", 4],
    ["2001:db8::/32", 6],
    ["::ffff:192.0.2.1/112", 6],
    ["::/0", 6],
  ] as const)("have addresses in %s", ([cidr, version], { expect }) => {
    const [address = "", prefix] = cidr.split("/");
    const range = new BlockList();
    if (Number(prefix) > 0) range.addSubnet(address, Number(prefix), version === 4 ? "ipv4" : "ipv6");
    const names = randomNames();
    for (let round = 0; round < 20; round++) {
      const made = names.ipAddress(cidr);
      expect(isIP(made)).toBe(version);
      if (Number(prefix) > 0) expect(range.check(made, version === 4 ? "ipv4" : "ipv6"), made).toBe(true);
    }
  });

  test("have numbers of the whole range, and refuse other ranges of addresses", ({ expect }) => {
    const names = randomNames();
    expect(new Set(Array.from({ length: 200 }, () => names.int(1, 6)))).toEqual(new Set([1, 2, 3, 4, 5, 6]));
    for (const cidr of ["192.0.2.0", "192.0.2.0/33", "a/8", "::/129"])
      expect(() => names.ipAddress(cidr)).toThrow("is not a range of addresses");
  });
});
