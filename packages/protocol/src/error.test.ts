// SPDX-License-Identifier: Apache-2.0
import { test } from "vitest";
import { ProtocolError } from "./error.ts";

test("instanceof recognises errors of a second copy of this package, and no others", async ({ expect }) => {
  const second = (await import(`${new URL("error.ts", import.meta.url).href}?second`)) as { ProtocolError: typeof ProtocolError };
  expect(second.ProtocolError).not.toBe(ProtocolError);
  expect(new second.ProtocolError("CLOSED", "over")).toBeInstanceOf(ProtocolError);
  expect(new Error("over")).not.toBeInstanceOf(ProtocolError);
  expect(undefined as unknown).not.toBeInstanceOf(ProtocolError);
});

test("ProtocolError keeps its code, name and cause", ({ expect }) => {
  const cause = new Error("why");
  const error = new ProtocolError("CONNECTION_LOST", "gone", { cause });
  expect({ name: error.name, code: error.code, message: error.message, cause: error.cause }).toEqual({
    name: "ProtocolError",
    code: "CONNECTION_LOST",
    message: "gone",
    cause,
  });
});
