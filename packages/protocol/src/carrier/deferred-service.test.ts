// SPDX-License-Identifier: Apache-2.0
import { create, fromBinary, type Message, toBinary } from "@bufbuild/protobuf";
import { describe, test } from "vitest";
import { describeCarrier } from "../../test/carrier-suite/describe-carrier.ts";
import { EchoRequestSchema, EchoResponseSchema, FailRequestSchema, Probe } from "../../test/gen/probe_pb.ts";
import { probeService } from "../../test/probe-service.ts";
import { openCarrierClient } from "../grpc/carrier-client.ts";
import { createCarrierServer } from "../grpc/carrier-server.ts";
import type { ServiceRegistration } from "./carrier.ts";
import { deferredService } from "./deferred-service.ts";

/** Loads after a while, as a module does. */
async function later(registration: ServiceRegistration): Promise<ServiceRegistration> {
  await new Promise((resolve) => setTimeout(resolve, 5));
  return registration;
}

// Whatever is said of a service is to be so of one that is loaded late: for each server anew.
describeCarrier("our own client, and services that are loaded when they are called", {
  openCarrierClient,
  createCarrierServer: ({ services, ...options }) =>
    createCarrierServer({
      ...options,
      services: services.map((service) => deferredService({ service: service.service, answers: {}, load: () => later(service) })),
    }),
});

describe("a service that is loaded late", () => {
  type Handlers = Readonly<Record<string, (request: unknown, context?: unknown) => Message | Promise<Message>>>;
  const request = create(EchoRequestSchema, {});
  const answer = toBinary(EchoResponseSchema, create(EchoResponseSchema, { payload: Uint8Array.of(1, 2, 3), session: 7 }));
  const handlersOf = ({ implementation }: ServiceRegistration): Handlers => implementation as unknown as Handlers;

  test("gives answers that are known beforehand as they are, and loads nothing for them", async ({ expect }) => {
    let loads = 0;
    const load = (): Promise<ServiceRegistration> => later((loads++, probeService()));
    const deferred = deferredService({ service: Probe, answers: { echo: answer }, load });
    const echo = deferred.service.method["echo"]!;
    const told = toBinary(echo.output, (await handlersOf(deferred)["echo"]!(request)) as never);
    expect(fromBinary(EchoResponseSchema, told)).toMatchObject({ payload: Uint8Array.of(1, 2, 3), session: 7 });
    expect(loads).toBe(0);
    await expect(async () => handlersOf(deferred)["absent"]!(request)).rejects.toMatchObject({
      message: expect.stringContaining("absent") as never,
    });
    expect(loads).toBe(1);
  });

  test("is loaded a while after the first of them, once", async ({ expect }) => {
    const { promise: loaded, resolve } = Promise.withResolvers<void>();
    let loads = 0;
    const load = (): Promise<ServiceRegistration> => (resolve(), later((loads++, probeService())));
    const { echo } = handlersOf(deferredService({ service: Probe, answers: { echo: answer }, load, loadAfterMs: 1 }));
    await echo!(request);
    await echo!(request);
    await loaded;
    await echo!(request);
    expect(loads).toBe(1);
  });

  test("is loaded again where that failed", async ({ expect }) => {
    const failures = [new Error("not there"), new Error("not there yet")];
    const load = (): Promise<ServiceRegistration> => (failures.length > 0 ? Promise.reject(failures.shift()!) : later(probeService()));
    const { fail } = handlersOf(deferredService({ service: Probe, answers: {}, load }));
    await expect(fail!(request)).rejects.toThrow("not there");
    await expect(fail!(request)).rejects.toThrow("not there yet");
    await expect(async () => fail!(create(FailRequestSchema, { code: 5 }))).rejects.toThrow("[not_found]");
  });
});
