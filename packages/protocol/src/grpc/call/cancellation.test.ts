// SPDX-License-Identifier: Apache-2.0
import { Code, ConnectError } from "@connectrpc/connect";
import { test } from "vitest";
import { cancellation } from "./cancellation.ts";

test("a cancellation has the properties of a ConnectError", ({ expect }) => {
  const ours: unknown = cancellation("the client cancelled the call");
  const theirs = new ConnectError("the client cancelled the call", Code.Canceled);
  if (!(ours instanceof ConnectError)) throw new Error("the cancellation is not a ConnectError");
  expect(ConnectError.from(ours)).toBe(ours);
  for (const name of ["name", "message", "rawMessage", "code", "cause", "details"] as const) expect(ours[name], name).toEqual(theirs[name]);
  expect([...ours.metadata]).toEqual([]);
  ours.metadata.set("a", "b");
  expect(ours.metadata.get("a")).toBe("b");
  expect(ours.findDetails({ kind: "message" } as never)).toEqual([]);
});
