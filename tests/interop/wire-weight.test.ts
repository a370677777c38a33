// SPDX-License-Identifier: Apache-2.0
// Load on a connection, with either carrier's client on a Go provider: large schemas and values, slow readers, cancelled lists, idle
// time, and several connections. protocol/test/carrier-suite has tests of the carriers alone.
import { setTimeout as sleep } from "node:timers/promises";
import { nullOf, of, toJs, type ObjectType, type Value } from "@tenon/cty";
import { describePeer } from "@tenon/peers/vitest";
import type { CarrierClient, OpenCarrierClient } from "@tenon/protocol/carrier";
import * as own from "@tenon/protocol/carrier/client";
import * as reference from "@tenon/protocol/carrier/connect-node-client";
import { parseLogLine } from "@tenon/protocol/log-line";
import { impliedType, type ListResourceRequest, type Provider } from "@tenon/schema";
import { createProviderClient } from "@tenon/schema/wire/v6";
import { describe, test, vi } from "vitest";
import { launchPlugin } from "./launched-plugin.ts";

const carriers: readonly (readonly [name: string, open: OpenCarrierClient])[] = [
  ["our own carrier", own.openCarrierClient],
  ["connect-node", reference.openCarrierClient],
];

describePeer(["bare-provider"], "a provider in Go", ({ "bare-provider": { path } }) => {
  describe.each(carriers)("by %s", (_, open) => {
    test("receives 64 MiB of schemas and decodes one on access", { timeout: 120_000 }, async ({ expect }) => {
      // With 16 KiB each, the schemas are a few hundred kilobytes smaller than the cores' limit.
      await using plugin = await launchPlugin(open, [path, "-large-types", "4050"], true);
      const { resources } = await providerOver(plugin.client).getProviderSchema({});
      expect(resources.size).toBe(4052);
      const text = resources.get("bench_large_04049")?.block.attributes["text"];
      expect(text?.description?.length).toBeGreaterThan(16_000);
    });

    test("transfers a value of 40 MB both ways while small calls continue", { timeout: 120_000 }, async ({ expect }) => {
      await using plugin = await launchPlugin(open, [path], true);
      const provider = providerOver(plugin.client);
      const body = "Some text in a body. ".repeat(1_900_000);
      const large = planOf(provider, { title: "large", body });
      const small = await Promise.all(Array.from({ length: 20 }, () => planOf(provider, { title: "small" })));
      expect(small.map((planned) => planned["title"])).toEqual(Array.from({ length: 20 }, () => "small"));
      const planned = await large;
      expect(planned["body"] === body).toBe(true);
    });

    test("slows down a list that is read slowly, without blocking other calls", { timeout: 120_000 }, async ({ expect }) => {
      const log: string[] = [];
      await using plugin = await launchPlugin(open, [path], true, (line) => log.push(line));
      const provider = providerOver(plugin.client);
      const results = provider.listResource(await listOf(provider, { size: 100_000 }))[Symbol.asyncIterator]();
      for (let read = 0; read < 3; read++) await results.next();
      await sleep(300);
      expect((await planOf(provider, { title: "meanwhile" }))["title"]).toBe("meanwhile");
      await results.return?.();
      // As many results as fit into the stream's window and the buffers; without backpressure there would be many more.
      expect((await endOfList(log)).generated).toBeLessThan(200);
    });

    test("ends a list at the provider when the client stops reading", { timeout: 120_000 }, async ({ expect }) => {
      const log: string[] = [];
      await using plugin = await launchPlugin(open, [path], true, (line) => log.push(line));
      const provider = providerOver(plugin.client);
      const names: string[] = [];
      for await (const { displayName } of provider.listResource(await listOf(provider, {}))) {
        if (names.push(displayName) === 3) break;
      }
      expect(names).toEqual(["Note 0", "Note 1", "Note 2"]);
      expect(await endOfList(log)).toMatchObject({ cancelled: true });
      // A list that is read to its end is not cancelled.
      const few = await Array.fromAsync(provider.listResource(await listOf(provider, { count: 3 })));
      expect(few).toHaveLength(3);
      expect(await endOfList(log, 2)).toMatchObject({ generated: 3, cancelled: false });
      expect((await planOf(provider, { title: "afterwards" }))["title"]).toBe("afterwards");
    });

    test("keeps an idle connection usable", async ({ expect }) => {
      await using plugin = await launchPlugin(open, [path], true);
      const provider = providerOver(plugin.client);
      await provider.getProviderSchema({});
      await sleep(1500);
      expect((await planOf(provider, { title: "again" }))["title"]).toBe("again");
    });

    test("opens connections one after another and concurrently", async ({ expect }) => {
      await using plugin = await launchPlugin(open, [path], true);
      const first = providerOver(plugin.client);
      await first.getProviderSchema({});
      const second = providerOver(plugin.connect());
      await second.getProviderSchema({});
      await plugin.client.close();
      expect(await plugin.client.closed).toEqual({ kind: "closed" });
      await expect(first.getMetadata({})).rejects.toMatchObject({ code: "UNAVAILABLE" });
      expect((await planOf(second, { title: "second" }))["title"]).toBe("second");
      for (let round = 0; round < 5; round++) {
        const client = plugin.connect();
        expect((await planOf(providerOver(client), { title: `round ${round}` }))["title"]).toBe(`round ${round}`);
        await client.close();
      }
    });
  });
});

function providerOver(client: CarrierClient): Provider {
  return createProviderClient(client.transport, { close: () => client.close() });
}

type Attributes = Readonly<Record<string, unknown>>;

/** Plans a new note. */
async function planOf(provider: Provider, attributes: Attributes): Promise<Attributes> {
  const { resources } = await provider.getProviderSchema({});
  const type = impliedType(resources.get("bench_note")!.block);
  const config = valueOf(type, attributes);
  const { plannedState } = await provider.planResourceChange({
    typeName: "bench_note",
    priorState: nullOf(type),
    proposedNewState: config,
    config,
    priorPrivate: new Uint8Array(0),
  });
  return toJs(plannedState) as Attributes;
}

async function listOf(provider: Provider, attributes: Attributes): Promise<ListResourceRequest> {
  const { listResources } = await provider.getProviderSchema({});
  const config = valueOf(impliedType(listResources.get("bench_note")!.block), attributes);
  return { typeName: "bench_note", config, includeResourceObject: true, limit: 1000 };
}

function valueOf(type: ObjectType, attributes: Attributes): Value {
  return of(type, Object.fromEntries(type.names.map((name) => [name, attributes[name] ?? null])) as never) as Value;
}

/** Waits for the provider's log line at the end of a list. */
async function endOfList(log: readonly string[], which = 1): Promise<{ readonly generated: number; readonly cancelled: boolean }> {
  return await vi.waitFor(
    () => {
      const ends = log.flatMap((text) => {
        const line = parseLogLine(text);
        return line.structured && line.message === "the list is over" ? [line.fields] : [];
      });
      const end = ends[which - 1];
      if (end === undefined) throw new Error(`the provider has not logged the end of a list, but:\n${log.join("\n")}`);
      return end as unknown as { generated: number; cancelled: boolean };
    },
    { timeout: 30_000 },
  );
}
