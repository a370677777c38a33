// SPDX-License-Identifier: Apache-2.0
import { describe, expect, test } from "vitest";
import { noTypes } from "../types.ts";
import { clientCapabilities, deferred, serverCapabilities } from "./capabilities.ts";
import { diagnostics } from "./diagnostics.ts";
import { greatestNeed } from "./kind.ts";
import { readPath } from "./path.ts";
import { optionalRawState, rawState } from "./raw-state.ts";
import { integer, optionalFlag, optionalTime } from "./scalar.ts";

describe("a message of another protocol version", () => {
  test("has the deferral reason `unknown` for an unknown reason", () => {
    expect(deferred.read({ reason: 9 }, noTypes)).toEqual({ reason: "unknown" });
    expect(deferred.read({ reason: 3 }, noTypes)).toEqual({ reason: "absentPrerequisite" });
  });

  test.for([
    [0, "error"],
    [1, "error"],
    [2, "warning"],
    [3, "error"],
  ] as const)("has a diagnostic of severity %i as %s", ([severity, model]) => {
    expect(diagnostics.read([{ severity, summary: "s", detail: "d" }], noTypes)).toEqual([{ severity: model, summary: "s", detail: "d" }]);
  });

  test("has a path that ends before a step of an unknown kind", () => {
    const steps = [{ selector: { case: "attributeName" as const, value: "a" } }, { selector: { case: undefined } }];
    expect(readPath({ steps: [...steps, ...steps] })).toEqual([{ kind: "attribute", name: "a" }]);
  });

  test("without capabilities has none for a client, and false ones for a server", () => {
    expect(clientCapabilities.read(undefined, noTypes)).toBeUndefined();
    expect(Object.values(serverCapabilities.read(undefined, noTypes))).toEqual([false, false, false, false]);
  });
});

test("integers are exact or rejected", () => {
  for (const exact of [0, -1, Number.MAX_SAFE_INTEGER]) expect(integer.read(integer.write(exact, noTypes), noTypes)).toBe(exact);
  expect(() => integer.read(2n ** 53n, noTypes)).toThrow(RangeError);
  for (const inexact of [0.5, Number.NaN, 2 ** 53]) expect(() => integer.write(inexact, noTypes)).toThrow(RangeError);
});

test("times keep their milliseconds, before 1970 too", () => {
  expect(optionalTime.write(new Date(-1), noTypes)).toEqual({ seconds: -1n, nanos: 999_000_000 });
  expect(optionalTime.read({ seconds: -1n, nanos: 999_999_999 }, noTypes)).toEqual(new Date(-1));
  expect(() => optionalTime.write(new Date(Number.NaN), noTypes)).toThrow("not a valid date");
});

test("an optional flag that is false is absent", () => {
  expect([optionalFlag.read(false, noTypes), optionalFlag.write(undefined, noTypes), optionalFlag.read(true, noTypes)]).toEqual([
    undefined,
    false,
    true,
  ]);
});

test("an absent state has neither JSON nor flatmap", () => {
  const nothing = { json: new Uint8Array(), flatmap: {} };
  expect([rawState.read(undefined, noTypes), rawState.read(nothing, noTypes), optionalRawState.read(undefined, noTypes)]).toEqual([
    {},
    {},
    undefined,
  ]);
});

test("greatestNeed returns the need of the field that needs most", () => {
  expect(greatestNeed([])).toBeUndefined();
  expect(greatestNeed(["schemas", undefined, "identities", "schemas"])).toBe("identities");
  expect(greatestNeed(["schemas", "functions"])).toBe("functions");
});
