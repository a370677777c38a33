// SPDX-License-Identifier: Apache-2.0
// Attacks that make a server spend time or memory at little cost for the client, over real sockets.
import { setTimeout as sleep } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { createClient } from "@connectrpc/connect";
import { describe, test, vi } from "vitest";
import { registration, windowSize } from "../../carrier/carrier.ts";
import { chunks } from "../../../test/carrier-suite/expectations.ts";
import { Probe } from "../../../test/gen/probe_pb.ts";
import { openLink } from "../../../test/probe-link.ts";
import { emptyMessageFrame, frame, RawPeer, requestFields, requestFrame, settingsFrame, uint32 } from "../../../test/raw-peer.ts";
import { openCarrierClient } from "../carrier-client.ts";
import { createCarrierServer } from "../carrier-server.ts";
import { errorCode, errorName, flag, frameType } from "./frame.ts";
import { limits } from "./limits.ts";

const own = { openCarrierClient, createCarrierServer };
const MiB = 1024 * 1024;
const fieldsOf = (method: string): readonly string[] => requestFields.map((value) => value.replace("/Echo", `/${method}`));
const pathOf = ({ address }: { readonly address: unknown }): string => (address as { path: string }).path;
const repeat = (count: number, make: (index: number) => Uint8Array): Buffer =>
  Buffer.concat(Array.from({ length: count }, (_, index) => make(index)));
const call = (streamId: number): Buffer =>
  Buffer.concat([requestFrame(streamId, flag.endHeaders, fieldsOf("Hang")), emptyMessageFrame(streamId)]);

/** Waits until the server has handled everything that was sent. */
async function roundTrip(peer: RawPeer): Promise<void> {
  const count = (): number => peer.frames.filter(({ type }) => type === frameType.ping).length;
  const before = count();
  peer.send(frame(frameType.ping, 0, 0, new Uint8Array(8)));
  await vi.waitFor(() => {
    if (count() === before && peer.frames.every(({ type }) => type !== frameType.goaway)) throw new Error("no response yet");
  }, 30_000);
}

describe("handlers of calls that the client resets (MadeYouReset, CVE-2025-8671)", () => {
  const provocations: readonly (readonly [name: string, frameFor: (streamId: number) => Uint8Array])[] = [
    ["DATA after the end of the request", (streamId) => emptyMessageFrame(streamId)],
    ["WINDOW_UPDATE by 0", (streamId) => frame(frameType.windowUpdate, 0, streamId, uint32(0))],
    ["a window that is too large", (streamId) => frame(frameType.windowUpdate, 0, streamId, uint32(0x7fff_ffff))],
    ["RST_STREAM", (streamId) => frame(frameType.rstStream, 0, streamId, uint32(errorCode.cancel))],
  ];

  test.for(provocations)("are limited in number and rate: %s", async ([, frameFor], { expect, onTestFinished }) => {
    // Limits of rates do not recover while time stands still, however long a busy machine takes.
    vi.useFakeTimers({ toFake: ["hrtime"] });
    onTestFinished(() => void vi.useRealTimers());
    let running = 0;
    const service = registration(Probe, {
      hang() {
        running++;
        return new Promise(() => {});
      },
    });
    await using open = await openLink(own, { secure: false, server: { services: [service] } });
    const peer = await RawPeer.connect(pathOf(open));
    peer.send(repeat(30_000, (index) => Buffer.concat([call(index * 2 + 1), frameFor(index * 2 + 1)])));
    expect(errorName((await peer.goawayCode()) ?? -1)).toBe("ENHANCE_YOUR_CALM");
    expect(running).toBeLessThanOrEqual(limits.openStreams);
  });

  test("count as open calls until they finish", async ({ expect }) => {
    const finish: (() => void)[] = [];
    const service = registration(Probe, { hang: () => new Promise((resolve) => finish.push(() => resolve({}))) });
    await using open = await openLink(own, { secure: false, server: { services: [service] } });
    const peer = await RawPeer.connect(pathOf(open));
    const cancel = (streamId: number): Uint8Array => frame(frameType.rstStream, 0, streamId, uint32(errorCode.cancel));
    peer.send(repeat(800, (index) => Buffer.concat([call(index * 2 + 1), cancel(index * 2 + 1)])));
    peer.send(repeat(300, (index) => call(1601 + index * 2)));
    await roundTrip(peer);
    expect(finish).toHaveLength(limits.openStreams);
    const refused = peer.frames.filter(({ type }) => type === frameType.rstStream);
    expect(refused.map(({ payload }) => payload.readUInt32BE(0))).toEqual(Array.from({ length: 76 }, () => errorCode.refusedStream));
    for (const resolve of finish.splice(0)) resolve();
    await vi.waitFor(() => expect(open.server.sessionCount).toBe(2), 30_000);
    peer.send(call(2201));
    await vi.waitFor(() => expect(finish).toHaveLength(1), 30_000);
    peer.socket.destroy();
  });

  test("are limited when each of their requests is invalid", async ({ expect }) => {
    await using open = await openLink(own, { secure: false });
    const peer = await RawPeer.connect(pathOf(open));
    const compressed = (streamId: number): Uint8Array => frame(frameType.data, 0, streamId, Buffer.of(1, 0, 0, 0, 0));
    peer.send(
      repeat(5000, (index) => Buffer.concat([requestFrame(index * 2 + 1, flag.endHeaders, fieldsOf("Upload")), compressed(index * 2 + 1)])),
    );
    expect(errorName((await peer.goawayCode()) ?? -1)).toBe("ENHANCE_YOUR_CALM");
  });
});

describe("messages that a handler does not read", () => {
  setFlagsFromString("--expose-gc");
  const collectGarbage = runInNewContext("gc") as () => void;
  const memory = async (): Promise<number> => {
    // Buffers are freed some time after the objects that own them.
    for (let round = 0; round < 3; round++) {
      collectGarbage();
      await sleep(20);
    }
    const { heapUsed, external } = process.memoryUsage();
    return heapUsed + external;
  };

  test.for([0, 2, 100])("take little more memory than their bytes, at %i bytes each", async (length, { expect }) => {
    const service = registration(Probe, { upload: () => new Promise(() => {}) });
    await using open = await openLink(own, { secure: false, server: { services: [service] } });
    const peer = await RawPeer.connect(pathOf(open));
    const message = Buffer.concat([Buffer.of(0), uint32(length), new Uint8Array(length)]);
    const payload = repeat(Math.floor(16_384 / message.length), () => message);
    peer.send(requestFrame(1, flag.endHeaders, fieldsOf("Upload")));
    await roundTrip(peer);
    const before = await memory();
    const count = Math.floor((windowSize.stream - 1) / payload.length);
    for (let sent = 0; sent < count; sent += 64) {
      const frames = repeat(Math.min(64, count - sent), () => frame(frameType.data, 0, 1, payload));
      await new Promise((resolve) => peer.socket.write(frames, resolve));
    }
    await roundTrip(peer);
    expect(peer.frames.some(({ type }) => type === frameType.goaway || type === frameType.rstStream)).toBe(false);
    expect(((await memory()) - before) / (count * payload.length)).toBeLessThan(2);
    peer.socket.destroy();
  });

  test("block the client when they fill the memory of the connection, until the handlers read", async ({ expect }) => {
    const gate = Promise.withResolvers<void>();
    const service = registration(Probe, {
      async upload(requests) {
        await gate.promise;
        let size = 0;
        for await (const { payload } of requests) size += payload.length;
        return { size: BigInt(size) };
      },
    });
    await using open = await openLink(own, { secure: false, server: { services: [service] } });
    await open.client.connected;
    const probe = createClient(Probe, open.client.transport);
    const streams = 40;
    const size = 8;
    const responses = Array.from({ length: streams }, () => probe.upload(chunks(size, MiB)));
    const received = (): number => open.sockets[0]!.bytesRead;
    await vi.waitUntil(() => received() > limits.queuedBytes, { timeout: 60_000, interval: 10 });
    await vi.waitUntil(
      async () => {
        const before = received();
        await sleep(300);
        return received() === before;
      },
      { timeout: 60_000, interval: 10 },
    );
    expect(received()).toBeLessThan(limits.queuedBytes + 2 * windowSize.connection);
    gate.resolve();
    for (const response of await Promise.all(responses)) expect(response.size).toBe(BigInt(size * MiB));
  });

  test("free their memory when their calls have ended", async ({ expect }) => {
    const service = registration(Probe, { upload: () => Promise.resolve({ count: 1 }) });
    await using open = await openLink(own, { secure: false, server: { services: [service] } });
    const probe = createClient(Probe, open.client.transport);
    for (let round = 0; round < 60; round++) expect(await probe.upload(chunks(4, MiB))).toMatchObject({ count: 1 });
  });
});

test("incomplete messages fail their calls when they fill the memory of the connection", async ({ expect }) => {
  await using open = await openLink(own, { secure: false, server: { readMaxBytes: MiB } });
  const peer = await RawPeer.connect(pathOf(open));
  // Each message lacks its last byte.
  const begin = Buffer.concat([Buffer.of(0), uint32(MiB), new Uint8Array(MiB - 1)]);
  const limit = limits.receivedBytes / MiB + 1;
  for (let index = 0; index < limit + 20; index++) {
    const streamId = index * 2 + 1;
    const frames = [requestFrame(streamId)];
    for (let at = 0; at < begin.length; at += 16_384) frames.push(frame(frameType.data, 0, streamId, begin.subarray(at, at + 16_384)));
    await new Promise((resolve) => peer.socket.write(Buffer.concat(frames), resolve));
  }
  await roundTrip(peer);
  const failed = new Set(peer.frames.filter(({ type }) => type === frameType.headers).map(({ streamId }) => streamId));
  expect(failed.size).toBe(20);
  for (const streamId of failed) expect(peer.headersOf(streamId)).toEqual(expect.arrayContaining(["grpc-status", "8"]));
  // The others can still be completed.
  peer.send(frame(frameType.data, flag.endStream, 1, Buffer.of(0)));
  await peer.find(({ type, streamId, flags }) => type === frameType.headers && streamId === 1 && (flags & flag.endStream) !== 0);
  peer.socket.destroy();
});

describe("SETTINGS", () => {
  test("that repeatedly change the windows of many streams end the connection", async ({ expect }) => {
    await using open = await openLink(own, { secure: false });
    const peer = await RawPeer.connect(pathOf(open));
    peer.send(repeat(1000, (index) => call(index * 2 + 1)));
    peer.send(repeat(9000, (frames) => settingsFrame(Array.from({ length: 60 }, (_, index) => [4, 1000 + frames + index] as const))));
    expect(errorName((await peer.goawayCode()) ?? -1)).toBe("ENHANCE_YOUR_CALM");
  });

  test("with several values of a setting apply the last one", async ({ expect }) => {
    await using open = await openLink(own, { secure: false });
    const peer = await RawPeer.connect(
      pathOf(open),
      settingsFrame([
        [4, 0],
        [4, 100_000],
        [4, 3],
      ]),
    );
    peer.send(requestFrame(1), emptyMessageFrame(1));
    await peer.find(({ type }) => type === frameType.data);
    await roundTrip(peer);
    const data = peer.frames.filter(({ type }) => type === frameType.data);
    expect(data.map(({ payload }) => payload.length)).toEqual([3]);
    peer.socket.destroy();
  });
});
