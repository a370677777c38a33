// SPDX-License-Identifier: Apache-2.0
import { HiddenTexts } from "@tenon/schema/observability";
import { test } from "vitest";
import { RunningOperations } from "./running-operations.ts";

function begin(operations: RunningOperations, uid: string): (succeeded: boolean) => void {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const secrets = new HiddenTexts();
  secrets.addTexts(() => ["hunter2"]);
  const startedAt = "2026-01-01T00:00:00Z";
  const run = (observer: { onPhase?: (phase: "create", address: string) => void }): Promise<boolean> => {
    observer.onPhase?.("create", "");
    return promise;
  };
  operations.start({ key: `default/${uid}`, uid, type: "Create", startedAt, typeName: "x_host", secrets, run });
  return resolve;
}

const line = (call: string, message: string) => ({
  message,
  fields: { tf_resource_type: "x_host", tf_rpc: "ApplyResourceChange", tf_req_id: call },
});

test("an operation reports its end once, with its result", async ({ expect }) => {
  const ended: unknown[] = [];
  const operations = new RunningOperations({ maximum: 1, onEnd: (...end) => void ended.push(end) });
  const end = begin(operations, "a");
  expect([operations.isRunning("a"), operations.isFull, operations.takeEnded("a")]).toEqual([true, true, false]);
  const settled = operations.settled((uid) => uid === "a");
  end(false);
  await settled;
  expect([operations.isRunning("a"), operations.isFull, ended]).toEqual([false, false, [["default/a", false]]]);
  expect([operations.takeEnded("a"), operations.takeEnded("a")]).toEqual([true, false]);
});

test("an operation has no progress any more while its outcome is reported", ({ expect }) => {
  const operations = new RunningOperations({ onEnd: () => {} });
  begin(operations, "a");
  expect(operations.progressOf("a")).toEqual({ type: "Create", startedAt: "2026-01-01T00:00:00Z", message: "create" });
  operations.conclude("a");
  expect([operations.isRunning("a"), operations.progressOf("a")]).toEqual([true, undefined]);
});

test("a log line belongs to the operation whose call has written it, and shows no secrets", ({ expect }) => {
  const operations = new RunningOperations({ onEnd: () => {} });
  begin(operations, "a");
  operations.addLogLine(line("1", "uses hunter2"));
  begin(operations, "b");
  operations.addLogLine(line("2", "of either"));
  const messages = (): unknown => ["a", "b"].map((uid) => operations.progressOf(uid)?.message);
  expect(messages()).toEqual(["create: uses (sensitive value)", "create"]);
  operations.addLogLine(line("1", "goes on"));
  operations.addLogLine({ ...line("1", "of a read"), fields: { ...line("1", "").fields, tf_rpc: "ReadResource" } });
  expect(messages()).toEqual(["create: goes on", "create"]);
});
