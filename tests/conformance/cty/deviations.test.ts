// SPDX-License-Identifier: Apache-2.0
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "vitest";
import { deviationOf, deviations } from "./deviations.ts";
import { limitOf, limits } from "./limits.ts";
import { ownResult } from "./subject/index.ts";

const readme = readFileSync(join(import.meta.dirname, "../../../packages/cty/README.md"), "utf8");

describe("deviations", () => {
  test("number at most 25, and the package's README lists them and the limits", ({ expect }) => {
    expect(deviations.length).toBeLessThanOrEqual(25);
    const documented = [...readme.matchAll(/`([a-z0-9]+(?:-[a-z0-9]+)+)`/g)].map(([, name]) => name!).sort();
    expect(documented).toEqual([...deviations, ...limits].map(({ name }) => name).sort());
  });

  test("for invalid UTF-8 cover only the invalid text", ({ expect }) => {
    const input = { op: "msgpack.unmarshal", args: ["93a3666fffa3312e35a3666fcc", ["set", "string"]] };
    const ours = ownResult(input)!;
    const theirs = (...strings: string[]) => ({ ok: { t: ["set", "string"], v: strings } });
    expect(deviationOf(input, theirs("1.5", "fo\ufffd", "fo\ufffd"), ours)).toBe("invalid-utf8");
    expect(deviationOf(input, theirs("2.5", "fo\ufffd", "fo\ufffd"), ours)).toBeUndefined();
    expect(deviationOf(input, theirs("1.5", "of\ufffd", "fo\ufffd"), ours)).toBeUndefined();
  });

  test("for the order of zeros cover only the members of sets", ({ expect }) => {
    const input = { op: "fn.setproduct", args: [] };
    const answer = (kind: string, ...zeros: string[]) => ({
      ok: { t: ["list", [kind, ["tuple", ["number"]]]], v: [zeros.map((n) => [{ n, p: 64, x: n }])] },
    });
    expect(deviationOf(input, answer("set", "0", "-0"), answer("set", "-0", "0"))).toBe("order-of-zeros");
    expect(deviationOf(input, answer("list", "0", "-0"), answer("list", "-0", "0"))).toBeUndefined();
    expect(deviationOf(input, answer("set", "0", "-0"), answer("set", "-0", "1"))).toBeUndefined();
  });

  test("for normal forms cover only characters above U+FFFF", ({ expect }) => {
    const ok = (text: string) => ({ ok: text });
    expect(deviationOf({ op: "str.nfc", args: ["\u{2006e}\u0323"] }, ok("\u1e47"), ok("\u{2006e}\u0323"))).toBe("nfc-low-bits");
    expect(deviationOf({ op: "str.nfc", args: ["n\u0323"] }, ok("\u1e47"), ok("n\u0323"))).toBeUndefined();
  });
});

describe("limits", () => {
  test.for([
    ["nesting-limit", { op: "json.impliedType", args: ["[".repeat(1001) + "]".repeat(1001)] }],
    ["nesting-limit", { op: "msgpack.impliedType", args: ["91".repeat(1001) + "c0"] }],
    ["nesting-limit", { op: "type.parseJson", args: ['["list",'.repeat(1001) + '"string"' + "]".repeat(1001)] }],
    ["number-text-limit", { op: "json.unmarshal", args: ["1e10001", "number"] }],
    [
      "unknown-list-limit",
      { op: "msgpack.unmarshal", args: [`92${"c70f0c8301c205ce000a000006ce000a0000".repeat(2)}`, ["list", ["list", "string"]]] },
    ],
    ["unknown-list-limit", { op: "msgpack.unmarshal", args: ["c70f0c8301c205ce0010000006ce00100000", ["list", "string"]] }],
  ] as const)("%s", ([name, input], { expect }) => {
    expect(limitOf({ ok: null }, ownResult(input)!)).toBe(name);
  });
});
