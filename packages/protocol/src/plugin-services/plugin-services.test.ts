// SPDX-License-Identifier: Apache-2.0
import { setTimeout as sleep } from "node:timers/promises";
import { Code, createClient } from "@connectrpc/connect";
import { describe, test, vi } from "vitest";
import { type Link, openLink } from "../../test/probe-link.ts";
import { cancellableStream } from "../carrier/cancellable-stream.ts";
import type { CarrierClient, ServiceRegistration } from "../carrier/carrier.ts";
import { openCarrierClient } from "../connect-node/carrier-client.ts";
import { createCarrierServer } from "../connect-node/carrier-server.ts";
import { Health, HealthCheckResponse_ServingStatus as ServingStatus } from "../gen/grpc/health/v1/health_pb.ts";
import { GRPCBroker } from "../gen/plugin/grpc_broker_pb.ts";
import { GRPCController } from "../gen/plugin/grpc_controller_pb.ts";
import { GRPCStdio, StdioData_Channel } from "../gen/plugin/grpc_stdio_pb.ts";
import { brokerService } from "./broker.ts";
import { controllerService } from "./controller.ts";
import { healthService } from "./health.ts";
import { stdioService } from "./stdio.ts";

function serve(...services: ServiceRegistration[]): Promise<Link> {
  return openLink({ openCarrierClient, createCarrierServer }, { secure: false, server: { services } });
}

/** Calls `healthService()` over a connection: after its response, the server has handled everything that was sent before. */
async function roundTrip({ transport }: CarrierClient): Promise<"open"> {
  await createClient(Health, transport).check({ service: "plugin" });
  return "open";
}

describe("controllerService", () => {
  test("responds, then shuts down once", async ({ expect }) => {
    const onShutdown = vi.fn<() => void>();
    await using link = await serve(controllerService(onShutdown));
    const controller = createClient(GRPCController, link.client.transport);
    expect(await controller.shutdown({})).toMatchObject({ $typeName: "plugin.Empty" });
    await vi.waitFor(() => expect(onShutdown).toHaveBeenCalled(), 30_000);
    await controller.shutdown({});
    await sleep(150);
    expect(onShutdown).toHaveBeenCalledTimes(1);
  });

  test("delivers its response when the callback closes the server", async ({ expect }) => {
    for (let round = 0; round < 20; round++) {
      const service = controllerService(() => void link.server.close());
      await using link = await serve(service);
      await createClient(GRPCController, link.client.transport).shutdown({});
      expect(await link.client.closed).toMatchObject({ kind: "lost" });
    }
  });
});

describe("stdioService", () => {
  const read = (link: Link): AsyncIterableIterator<string, undefined, undefined> => {
    const stream = cancellableStream((signal) => createClient(GRPCStdio, link.client.transport).streamStdio({}, { signal }));
    return (async function* () {
      for await (const { channel, data } of stream)
        yield `${channel === StdioData_Channel.STDOUT ? "out" : "err"} ${Buffer.from(data).toString()}`;
      return undefined;
    })();
  };

  test("sends output that was written before and after the host's call, until end()", async ({ expect }) => {
    const stdio = stdioService();
    await using link = await serve(stdio.registration, healthService());
    stdio.write("stdout", Buffer.from("early"));
    const lines = read(link);
    expect(await lines.next()).toMatchObject({ value: "out early" });
    const next = lines.next();
    await roundTrip(link.client);
    stdio.write("stderr", Buffer.from("late"));
    expect(await next).toMatchObject({ value: "err late" });
    stdio.write("stdout", Buffer.from("last"));
    stdio.end();
    stdio.write("stdout", Buffer.from("too late"));
    expect(await lines.next()).toMatchObject({ value: "out last" });
    expect(await lines.next()).toMatchObject({ done: true });
  });

  test("copies the output, so that the caller can reuse its buffer", async ({ expect }) => {
    const stdio = stdioService();
    await using link = await serve(stdio.registration);
    const buffer = Buffer.from("first");
    stdio.write("stdout", buffer);
    buffer.fill("x");
    expect(await read(link).next()).toMatchObject({ value: "out first" });
  });

  test("drops the oldest output when no host reads it", async ({ expect }) => {
    const stdio = stdioService({ maxQueuedBytes: 10_000 });
    await using link = await serve(stdio.registration);
    for (let line = 0; line < 100_000; line++) stdio.write("stdout", Buffer.from(`line ${line}\n`));
    stdio.end();
    const lines: string[] = [];
    for await (const line of read(link)) lines.push(line);
    expect(lines.at(-1)).toBe("out line 99999\n");
    expect(lines.length).toBeGreaterThan(100);
    expect(lines.length).toBeLessThan(200);
  });

  test("keeps the end of a chunk that is longer than the queue", async ({ expect }) => {
    const stdio = stdioService({ maxQueuedBytes: 10 });
    await using link = await serve(stdio.registration);
    stdio.write("stdout", Buffer.from("0123456789abcdef"));
    expect(await read(link).next()).toMatchObject({ value: "out 6789abcdef" });
  });

  test("loses no output to a host that has disconnected", async ({ expect }) => {
    const stdio = stdioService();
    await using link = await serve(stdio.registration, healthService());
    const host = link.connect();
    const first = createClient(GRPCStdio, host.transport).streamStdio({}, { timeoutMs: 50 });
    await expect((async () => void (await first[Symbol.asyncIterator]().next()))()).rejects.toMatchObject({ code: Code.DeadlineExceeded });
    await roundTrip(host);
    stdio.write("stdout", Buffer.from("kept"));
    expect(await read(link).next()).toMatchObject({ value: "out kept" });
  });
});

describe("brokerService", () => {
  test("keeps a stream open until the host ends it", async ({ expect }) => {
    await using link = await serve(brokerService(), healthService());
    const release = Promise.withResolvers<void>();
    const stream = createClient(GRPCBroker, link.client.transport).startStream(
      (async function* () {
        yield { serviceId: 1, network: "unix", address: "/tmp/x" };
        await release.promise;
      })(),
    );
    const read = stream[Symbol.asyncIterator]().next();
    expect(await Promise.race([read, roundTrip(link.client)])).toBe("open");
    release.resolve();
    expect(await read).toMatchObject({ done: true });
  });
});

describe("healthService", () => {
  test("reports the plugin and the server as serving, and no other name", async ({ expect }) => {
    await using link = await serve(healthService());
    const health = createClient(Health, link.client.transport);
    for (const service of ["plugin", ""]) expect(await health.check({ service })).toMatchObject({ status: ServingStatus.SERVING });
    await expect(health.check({ service: "else" })).rejects.toMatchObject({ code: Code.NotFound });
  });

  test("keeps a watch open", async ({ expect }) => {
    await using link = await serve(healthService());
    for (const [service, status] of [
      ["plugin", ServingStatus.SERVING],
      ["else", ServingStatus.SERVICE_UNKNOWN],
    ] as const) {
      const watch = cancellableStream((signal) => createClient(Health, link.client.transport).watch({ service }, { signal }));
      expect(await watch.next()).toMatchObject({ value: { status } });
      const next = watch.next();
      next.catch(() => {});
      expect(await Promise.race([next, roundTrip(link.client)])).toBe("open");
      await watch.return();
    }
  });
});
