// SPDX-License-Identifier: Apache-2.0
// Removes zones that tests have left behind, and their records: tenon-sweep --sweep http://127.0.0.1:8080 src/sweepers.ts
import type { SweepContext, Sweeper } from "@tenon/testing/sweep";
import { Client, path } from "./client.ts";
import type { RecordSet } from "./record.ts";

/** The service has no regions: the argument is its URL. */
function clientOf({ region }: SweepContext): Client {
  const token = process.env["DNS_TOKEN"];
  if (token === undefined) throw new Error("no token: set DNS_TOKEN in the environment");
  return new Client({ endpoint: region, token, userAgent: "dns-sweeper" });
}

async function testZones(client: Client, { signal, isTestName }: SweepContext): Promise<readonly string[]> {
  const zones = await Array.fromAsync(client.all<{ readonly name: string }>("/zones", signal));
  return zones.map(({ name }) => name).filter(isTestName);
}

export const sweepers: readonly Sweeper[] = [
  {
    name: "dns_zone",
    // The service keeps zones that have records.
    dependencies: ["dns_record"],
    sweep: async (context) => {
      const client = clientOf(context);
      for (const zone of await testZones(client, context)) {
        await client.delete(path("zones", zone), { signal: context.signal });
        context.log(`deleted ${zone}`);
      }
    },
  },
  {
    name: "dns_record",
    sweep: async (context) => {
      const client = clientOf(context);
      const { signal, log } = context;
      for (const zone of await testZones(client, context)) {
        const records = await Array.fromAsync(client.all<RecordSet>(path("records", zone), signal));
        for (const { name, type } of records) {
          await client.delete(path("records", zone, name, type), { signal });
          log(`deleted ${name}.${zone} ${type}`);
        }
      }
    },
  },
];
