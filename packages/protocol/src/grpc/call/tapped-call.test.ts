// SPDX-License-Identifier: Apache-2.0
import { create, toBinary } from "@bufbuild/protobuf";
import { createClient } from "@connectrpc/connect";
import { describe, test } from "vitest";
import { collect } from "../../../test/carrier-suite/expectations.ts";
import { EchoRequestSchema, EchoResponseSchema, Probe } from "../../../test/gen/probe_pb.ts";
import { openLink } from "../../../test/probe-link.ts";
import type { TapEvent } from "../../carrier/carrier-tap.ts";
import * as connectNode from "../../connect-node/carrier-client.ts";
import { openCarrierClient } from "../carrier-client.ts";
import { createCarrierServer } from "../carrier-server.ts";

const own = { openCarrierClient, createCarrierServer };

/** An event with a copy of its bytes, which are valid only during the call of the tap. */
type KeptEvent = TapEvent & { readonly bytes?: Uint8Array };

describe("a tap", () => {
  test("receives each encoded message without its gRPC prefix, and the end of each call", async ({ expect }) => {
    const events: KeptEvent[] = [];
    const tap = (event: TapEvent): void =>
      void events.push(event.kind === "ended" ? event : { ...event, bytes: Uint8Array.from(event.bytes) });
    await using link = await openLink(own, { client: { tap } });
    const probe = createClient(Probe, link.client.transport);
    for (const length of [0, 10, 100_000]) {
      events.length = 0;
      const payload = new Uint8Array(length).fill(7);
      const response = await probe.echo({ payload });
      const call = events[0]!.call;
      const method = `/${Probe.typeName}/Echo`;
      expect(events).toEqual([
        { kind: "sent", call, method, bytes: toBinary(EchoRequestSchema, create(EchoRequestSchema, { payload })) },
        { kind: "received", call, method, bytes: toBinary(EchoResponseSchema, response) },
        { kind: "ended", call, method, status: 0, message: "" },
      ]);
    }
  });

  test("receives the messages of streams in both directions, and errors", async ({ expect }) => {
    const kinds: string[] = [];
    await using link = await openLink(own, {
      client: { tap: (event) => void kinds.push(event.kind === "ended" ? `ended ${event.status}` : event.kind) },
    });
    const probe = createClient(Probe, link.client.transport);
    await collect(probe.download({ count: 3, size: 5 }));
    expect(kinds).toEqual(["sent", "received", "received", "received", "ended 0"]);
    kinds.length = 0;
    await probe.echo({}, { signal: AbortSignal.abort() }).catch(() => {});
    await link.client.close();
    await probe.echo({}).catch(() => {});
    expect(kinds.filter((kind) => kind.startsWith("ended"))).toEqual(["ended 1", "ended 14"]);
  });

  test("is rejected by the connect-node client", ({ expect }) => {
    const options = { address: { network: "unix", path: "/nowhere" } as const, tap: () => {} };
    expect(() => connectNode.openCarrierClient(options)).toThrow("does not support a tap");
  });
});
