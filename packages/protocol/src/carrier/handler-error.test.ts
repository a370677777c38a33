// SPDX-License-Identifier: Apache-2.0
import { Code, ConnectError } from "@connectrpc/connect";
import { test } from "vitest";
import { HealthCheckRequestSchema } from "../gen/grpc/health/v1/health_pb.ts";
import { handlerError } from "./handler-error.ts";

const running = { signal: new AbortController().signal };
const reported = (reason: unknown, context = running): string => {
  const { code, rawMessage } = handlerError(reason, context);
  return `${Code[code]}: ${rawMessage}`;
};

test.for<[thrown: unknown, reported: string]>([
  [new Error("boom"), "Internal: boom"],
  [new TypeError("undefined is no function"), "Internal: undefined is no function"],
  [new RangeError(""), "Internal: RangeError"],
  ["just text", "Internal: just text"],
  [undefined, "Internal: undefined"],
  [Symbol("s"), "Internal: Symbol(s)"],
  [new ConnectError("gone", Code.NotFound), "NotFound: gone"],
  [new DOMException("their own request timed out", "TimeoutError"), "Internal: their own request timed out"],
  [new DOMException("their own request was aborted", "AbortError"), "Internal: their own request was aborted"],
  [new Error("half a pair: \ud800"), "Internal: half a pair: \ufffd"],
  [new Error("x".repeat(5000)), `Internal: ${"x".repeat(4000)}…`],
])("%o is reported as %s", ([thrown, expected], { expect }) => {
  expect(reported(thrown)).toBe(expected);
});

test("a cancelled call fails with the abort reason, not with the error of its handler", ({ expect }) => {
  const signal = AbortSignal.abort(new ConnectError("the operation timed out", Code.DeadlineExceeded));
  expect(reported(new DOMException("This operation was aborted", "AbortError"), { signal })).toBe(
    "DeadlineExceeded: the operation timed out",
  );
  expect(reported(new ConnectError("its own word", Code.DataLoss), { signal })).toBe("DataLoss: its own word");
});

test("the error keeps the cause, and keeps the details when its text is truncated", ({ expect }) => {
  const cause = new Error("boom");
  expect(handlerError(cause, running).cause).toBe(cause);
  const detail = { desc: HealthCheckRequestSchema, value: { service: "s" } };
  expect(handlerError(new ConnectError("x".repeat(5000), Code.Aborted, undefined, [detail]), running).details).toEqual([detail]);
});
