// SPDX-License-Identifier: Apache-2.0
import { setTimeout as sleep } from "node:timers/promises";
import { Code, ConnectError } from "@connectrpc/connect";
import { type CarrierSession, registration, sessionKey, type ServiceRegistration } from "../src/carrier/carrier.ts";
import { type FailRequest, Probe } from "./gen/probe_pb.ts";

/** Codes by number, from 1. */
const codes = Object.values(Code).filter((code) => typeof code === "number");

/** Calls that the probe service has received. */
export interface ProbeLog {
  /** Names of the methods whose handlers have started. */
  readonly started: string[];
  readonly sent: number[];
  readonly cancelled: string[];
  readonly headers: (string | null)[];
}

/** Implementation of the service {@link Probe}. */
export function probeService(log: ProbeLog = { started: [], sent: [], cancelled: [], headers: [] }): ServiceRegistration {
  const sessions = new Map<CarrierSession, number>();
  const sessionNumber = (session: CarrierSession | undefined): number => {
    if (session === undefined) return 0;
    if (!sessions.has(session)) sessions.set(session, sessions.size + 1);
    return sessions.get(session)!;
  };
  return registration(Probe, {
    echo(request, context) {
      log.started.push("echo");
      log.headers.push(context.requestHeader.get("x-probe"));
      context.responseHeader.set("x-probe-header", "first");
      context.responseTrailer.set("x-probe-trailer", "last");
      const payload = request.answerSize > 0 ? new Uint8Array(request.answerSize) : request.payload;
      return { payload, session: sessionNumber(context.values.get(sessionKey)) };
    },
    async *download(request, context) {
      log.started.push("download");
      try {
        for (let index = 0; index < request.count; index++) {
          if (context.signal.aborted) return;
          log.sent.push(index);
          yield { index, payload: new Uint8Array(request.size) };
        }
      } finally {
        if (context.signal.aborted) log.cancelled.push("download");
      }
    },
    async upload(requests) {
      log.started.push("upload");
      let count = 0;
      let size = 0;
      for await (const { payload } of requests) {
        count++;
        size += payload.length;
      }
      return { count, size: BigInt(size) };
    },
    async *exchange(requests) {
      for await (const chunk of requests) yield chunk;
    },
    fail(request) {
      throw failure(request);
    },
    async *failLate(request) {
      yield { index: 0 };
      throw failure(request);
    },
    async hang(_request, context) {
      log.started.push("hang");
      try {
        await sleep(60_000, undefined, { signal: context.signal, ref: false });
      } catch {
        log.cancelled.push("hang");
      }
      return {};
    },
  });
}

function failure({ text, code }: FailRequest): Error {
  const status: Code | undefined = [undefined, ...codes][code];
  return status === undefined ? new Error(text) : new ConnectError(text, status);
}
