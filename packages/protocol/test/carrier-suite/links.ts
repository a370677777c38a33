// SPDX-License-Identifier: Apache-2.0
import { test } from "vitest";
import { type CarrierPair, type LinkKind, openLink } from "../probe-link.ts";
import { chunks, collect, MB } from "./expectations.ts";

/** Tests of all kinds of call over one kind of connection. */
export function linkTests(pair: CarrierPair, link: LinkKind): void {
  test("sends and receives the messages of unary calls", async ({ expect }) => {
    await using open = await openLink(pair, link);
    const payload = Uint8Array.from([0, 1, 255]);
    expect((await open.probe.echo({ payload })).payload).toEqual(payload);
    expect((await open.probe.echo({})).payload).toHaveLength(0);
  });

  test("receives the messages of a server stream in order", async ({ expect }) => {
    await using open = await openLink(pair, link);
    const chunks = await collect(open.probe.download({ count: 300, size: 1000 }));
    expect(chunks.map(({ index }) => index)).toEqual(Array.from({ length: 300 }, (_, index) => index));
    expect(await collect(open.probe.download({ count: 0 }))).toEqual([]);
  });

  test("sends the messages of a client stream", async ({ expect }) => {
    await using open = await openLink(pair, link);
    expect(await open.probe.upload(chunks(300, 1000))).toMatchObject({ count: 300, size: 300_000n });
    expect(await open.probe.upload(chunks(0, 0))).toMatchObject({ count: 0, size: 0n });
  });

  test("exchanges the messages of a bidirectional stream", async ({ expect }) => {
    await using open = await openLink(pair, link);
    const responses = await collect(open.probe.exchange(chunks(50, 1000)));
    expect(responses.map(({ index, payload }) => [index, payload.length])).toEqual(Array.from({ length: 50 }, (_, index) => [index, 1000]));
  });

  test("sends 40 MB in each direction (pitfall 20)", async ({ expect }) => {
    await using open = await openLink(pair, link);
    const payload = new Uint8Array(40 * MB).fill(7);
    const response = await open.probe.echo({ payload });
    expect(Buffer.compare(response.payload, payload)).toBe(0);
  });

  test("completes 200 concurrent calls", async ({ expect }) => {
    await using open = await openLink(pair, link);
    const responses = await Promise.all(Array.from({ length: 200 }, (_, index) => open.probe.echo({ payload: Uint8Array.of(index) })));
    expect(responses.map(({ payload }) => payload[0])).toEqual(Array.from({ length: 200 }, (_, index) => index));
  });
}
