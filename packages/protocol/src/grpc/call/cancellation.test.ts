// SPDX-License-Identifier: Apache-2.0
import { Code, ConnectError } from "@connectrpc/connect";
import { test } from "vitest";
import { cancellation } from "./cancellation.ts";

test("is told from a ConnectError by nothing that a caller looks at", ({ expect }) => {
  const ours: unknown = cancellation("the client cancelled the call");
  const theirs = new ConnectError("the client cancelled the call", Code.Canceled);
  if (!(ours instanceof ConnectError)) throw new Error("it is none");
  expect(ConnectError.from(ours)).toBe(ours);
  for (const name of ["name", "message", "rawMessage", "code", "cause", "details"] as const) expect(ours[name], name).toEqual(theirs[name]);
  expect([...ours.metadata]).toEqual([]);
  ours.metadata.set("a", "b");
  expect(ours.metadata.get("a")).toBe("b");
  expect(ours.findDetails({ kind: "message" } as never)).toEqual([]);
});
