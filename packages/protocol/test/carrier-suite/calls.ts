// SPDX-License-Identifier: Apache-2.0
import { Code, createClient } from "@connectrpc/connect";
import { test, vi } from "vitest";
import { Health } from "../../src/gen/grpc/health/v1/health_pb.ts";
import { Probe } from "../gen/probe_pb.ts";
import { type CarrierPair, linkKinds, openLink } from "../probe-link.ts";
import { collect, fails } from "./expectations.ts";

/** Tests of requests, responses, metadata, errors, deadlines and cancellation. */
export function callTests(pair: CarrierPair): void {
  test("headers and trailers are sent in both directions", async ({ expect }) => {
    await using open = await openLink(pair);
    let header: Headers | undefined;
    let trailer: Headers | undefined;
    const options = {
      headers: { "x-probe": "hello" },
      onHeader: (all: Headers) => (header = all),
      onTrailer: (all: Headers) => (trailer = all),
    };
    await open.probe.echo({}, options);
    expect(open.log.headers).toEqual(["hello"]);
    expect(header?.get("x-probe-header")).toBe("first");
    expect(trailer?.get("x-probe-trailer")).toBe("last");
  });

  test("the client receives the text of a handler's error, and the server prints nothing", async ({ expect, onTestFinished }) => {
    const printed = [
      vi.spyOn(process.stderr, "write"),
      vi.spyOn(process.stdout, "write"),
      vi.spyOn(console, "error"),
      vi.spyOn(console, "log"),
    ];
    onTestFinished(() => printed.forEach((spy) => spy.mockRestore()));
    await using open = await openLink(pair);
    await fails(expect, open.probe.fail({ text: "cannot reach the API: 50% häßlich" }), Code.Internal, "cannot reach the API: 50% häßlich");
    await fails(expect, open.probe.fail({ text: "no such note", code: Code.NotFound }), Code.NotFound, "no such note");
    await fails(expect, collect(open.probe.failLate({ text: "half way" })), Code.Internal, "half way");
    await fails(expect, collect(open.probe.failLate({ text: "later", code: Code.Aborted })), Code.Aborted, "later");
    await fails(expect, open.probe.fail({ text: "" }), Code.Internal, "Error");
    // The server still works.
    expect(await open.probe.echo({})).toMatchObject({ session: 1 });
    for (const spy of printed) expect(spy).not.toHaveBeenCalled();
  });

  test("a text that is too long for a header is truncated", async ({ expect }) => {
    await using open = await openLink(pair);
    await fails(expect, open.probe.fail({ text: "ä".repeat(100_000) }), Code.Internal, `${"ä".repeat(4000)}…`);
    await fails(expect, open.probe.fail({ text: "x".repeat(100_000), code: Code.DataLoss }), Code.DataLoss, `${"x".repeat(4000)}…`);
  });

  test("the client receives the messages before a failure", async ({ expect }) => {
    await using open = await openLink(pair);
    const seen: number[] = [];
    const reading = (async () => {
      for await (const { index } of open.probe.failLate({ text: "half way" })) seen.push(index);
    })();
    await fails(expect, reading, Code.Internal, "half way");
    expect(seen).toEqual([0]);
  });

  test("methods without a handler are unimplemented", async ({ expect }) => {
    await using open = await openLink(pair);
    await fails(expect, open.probe.absent({}), Code.Unimplemented);
    await fails(expect, createClient(Health, open.client.transport).check({}), Code.Unimplemented);
    await fails(expect, collect(createClient(Health, open.client.transport).watch({})), Code.Unimplemented);
  });

  test("a deadline expires in the client and in the server", async ({ expect }) => {
    await using open = await openLink(pair);
    // A call whose deadline expires before the connection is established is never sent.
    await open.client.connected;
    await fails(expect, open.probe.hang({}, { timeoutMs: 100 }), Code.DeadlineExceeded);
    await vi.waitFor(() => expect(open.log.cancelled).toEqual(["hang"]), 30_000);
    expect(await open.probe.echo({}, { timeoutMs: 30_000 })).toBeDefined();
  });

  test("a cancel reaches the handler", async ({ expect }) => {
    await using open = await openLink(pair);
    const controller = new AbortController();
    // A call that is cancelled before the connection is established is never sent.
    await open.client.connected;
    const call = open.probe.hang({}, { signal: controller.signal });
    call.catch(() => {});
    await vi.waitFor(() => expect(open.log.started).toEqual(["hang"]), 30_000);
    controller.abort();
    await fails(expect, call, Code.Canceled);
    await vi.waitFor(() => expect(open.log.cancelled).toEqual(["hang"]), 30_000);
  });

  test("a call that is already cancelled is not sent", async ({ expect }) => {
    await using open = await openLink(pair);
    await open.client.connected;
    await fails(expect, open.probe.echo({}, { signal: AbortSignal.abort() }), Code.Canceled);
    expect(open.log.headers).toEqual([]);
  });

  test("all calls of a client have the same session, and each client has its own", async ({ expect }) => {
    await using open = await openLink(pair);
    const other = createClient(Probe, open.connect().transport);
    const numbers = [await open.probe.echo({}), await other.echo({}), await open.probe.echo({}), await other.echo({})];
    expect(numbers.map(({ session }) => session)).toEqual([1, 2, 1, 2]);
    expect(open.server.sessionCount).toBe(2);
  });

  test("data that arrives before the server accepts the connection is not lost", async ({ expect }) => {
    for (const link of linkKinds) {
      await using open = await openLink(pair, { ...link, acceptAfter: 100 });
      expect(await open.probe.echo({})).toMatchObject({ session: 1 });
    }
  });
}
