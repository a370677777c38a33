// SPDX-License-Identifier: Apache-2.0
import { Code, createClient } from "@connectrpc/connect";
import { test, vi } from "vitest";
import { Health } from "../../src/gen/grpc/health/v1/health_pb.ts";
import { Probe } from "../gen/probe_pb.ts";
import { type CarrierPair, linkKinds, openLink } from "../probe-link.ts";
import { collect, fails } from "./expectations.ts";

/** What a call carries there and back. */
export function callTests(pair: CarrierPair): void {
  test("headers and trailers travel both ways", async ({ expect }) => {
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

  test("what a handler throws arrives with its text, and nothing is printed", async ({ expect, onTestFinished }) => {
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
    // The server is none the worse for it.
    expect(await open.probe.echo({})).toMatchObject({ session: 1 });
    for (const spy of printed) expect(spy).not.toHaveBeenCalled();
  });

  test("a text too long for a header is cut", async ({ expect }) => {
    await using open = await openLink(pair);
    await fails(expect, open.probe.fail({ text: "ä".repeat(100_000) }), Code.Internal, `${"ä".repeat(4000)}…`);
    await fails(expect, open.probe.fail({ text: "x".repeat(100_000), code: Code.DataLoss }), Code.DataLoss, `${"x".repeat(4000)}…`);
  });

  test("an element before the failure is not lost", async ({ expect }) => {
    await using open = await openLink(pair);
    const seen: number[] = [];
    const reading = (async () => {
      for await (const { index } of open.probe.failLate({ text: "half way" })) seen.push(index);
    })();
    await fails(expect, reading, Code.Internal, "half way");
    expect(seen).toEqual([0]);
  });

  test("what is not served is unimplemented", async ({ expect }) => {
    await using open = await openLink(pair);
    await fails(expect, open.probe.absent({}), Code.Unimplemented);
    await fails(expect, createClient(Health, open.client.transport).check({}), Code.Unimplemented);
    await fails(expect, collect(createClient(Health, open.client.transport).watch({})), Code.Unimplemented);
  });

  test("a deadline passes at both ends", async ({ expect }) => {
    await using open = await openLink(pair);
    await fails(expect, open.probe.hang({}, { timeoutMs: 100 }), Code.DeadlineExceeded);
    await vi.waitFor(() => expect(open.log.cancelled).toEqual(["hang"]));
    expect(await open.probe.echo({}, { timeoutMs: 5000 })).toBeDefined();
  });

  test("a cancel reaches the handler", async ({ expect }) => {
    await using open = await openLink(pair);
    const controller = new AbortController();
    // Of a connection that does not stand yet, a call is taken back before it is made.
    await open.client.connected;
    const call = open.probe.hang({}, { signal: controller.signal });
    setTimeout(() => controller.abort(), 50);
    await fails(expect, call, Code.Canceled);
    await vi.waitFor(() => expect(open.log.cancelled).toEqual(["hang"]));
  });

  test("a call cancelled beforehand is not made", async ({ expect }) => {
    await using open = await openLink(pair);
    await open.client.connected;
    await fails(expect, open.probe.echo({}, { signal: AbortSignal.abort() }), Code.Canceled);
    expect(open.log.headers).toEqual([]);
  });

  test("a session is the same for its calls and another for another client", async ({ expect }) => {
    await using open = await openLink(pair);
    const other = createClient(Probe, open.connect().transport);
    const numbers = [await open.probe.echo({}), await other.echo({}), await open.probe.echo({}), await other.echo({})];
    expect(numbers.map(({ session }) => session)).toEqual([1, 2, 1, 2]);
    expect(open.server.sessionCount).toBe(2);
  });

  test("what arrived before the connection was accepted is not lost", async ({ expect }) => {
    for (const link of linkKinds) {
      await using open = await openLink(pair, { ...link, acceptAfter: 100 });
      expect(await open.probe.echo({})).toMatchObject({ session: 1 });
    }
  });
}
