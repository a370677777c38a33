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

/** Loads with a delay, as a module does. */
async function later(registration: ServiceRegistration): Promise<ServiceRegistration> {
  await new Promise((resolve) => setTimeout(resolve, 5));
  return registration;
}

// A deferred service passes all tests of a carrier. Each server loads it again.
describeCarrier("Tenon's client and server, with deferred services", {
  openCarrierClient,
  createCarrierServer: ({ services, ...options }) =>
    createCarrierServer({
      ...options,
      services: services.map((service) => deferredService({ service: service.service, responses: {}, load: () => later(service) })),
    }),
});

describe("deferredService", () => {
  type Handlers = Readonly<Record<string, (request: unknown, context?: unknown) => Message | Promise<Message>>>;
  const request = create(EchoRequestSchema, {});
  const response = toBinary(EchoResponseSchema, create(EchoResponseSchema, { payload: Uint8Array.of(1, 2, 3), session: 7 }));
  const handlersOf = ({ implementation }: ServiceRegistration): Handlers => implementation as unknown as Handlers;

  test("sends prepared responses without loading the service", async ({ expect }) => {
    let loads = 0;
    const load = (): Promise<ServiceRegistration> => later((loads++, probeService()));
    const deferred = deferredService({ service: Probe, responses: { echo: response }, load });
    const echo = deferred.service.method["echo"]!;
    const received = toBinary(echo.output, (await handlersOf(deferred)["echo"]!(request)) as never);
    expect(fromBinary(EchoResponseSchema, received)).toMatchObject({ payload: Uint8Array.of(1, 2, 3), session: 7 });
    expect(loads).toBe(0);
    await expect(async () => handlersOf(deferred)["absent"]!(request)).rejects.toMatchObject({
      message: expect.stringContaining("absent") as never,
    });
    expect(loads).toBe(1);
  });

  test("loads the service some time after the first prepared response, once", async ({ expect }) => {
    const { promise: loaded, resolve } = Promise.withResolvers<void>();
    let loads = 0;
    const load = (): Promise<ServiceRegistration> => (resolve(), later((loads++, probeService())));
    const { echo } = handlersOf(deferredService({ service: Probe, responses: { echo: response }, load, loadAfterMs: 1 }));
    await echo!(request);
    await echo!(request);
    await loaded;
    await echo!(request);
    expect(loads).toBe(1);
  });

  test("loads the service again after loading failed", async ({ expect }) => {
    const failures = [new Error("first failure"), new Error("second failure")];
    const load = (): Promise<ServiceRegistration> => (failures.length > 0 ? Promise.reject(failures.shift()!) : later(probeService()));
    const { fail } = handlersOf(deferredService({ service: Probe, responses: {}, load }));
    await expect(fail!(request)).rejects.toThrow("first failure");
    await expect(fail!(request)).rejects.toThrow("second failure");
    await expect(async () => fail!(create(FailRequestSchema, { code: 5 }))).rejects.toThrow("[not_found]");
  });
});
