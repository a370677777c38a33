// SPDX-License-Identifier: Apache-2.0
// A short run of `npm run soak -- provider`.
import { launchProvider, type LogRecord } from "@tenon/plugin-host";
import { of, type Value } from "@tenon/cty";
import { impliedType } from "@tenon/schema";
import { describe, test } from "vitest";
import { join } from "node:path";
import { packageExample } from "../packaged-provider.ts";
import { soakProvider } from "./soaked-provider.ts";

describe.skipIf(process.platform === "win32")("a provider under many calls", () => {
  test("does not leak memory, and stops working on cancelled calls", { timeout: 300_000 }, async ({ expect }) => {
    await using soaked = await soakProvider();
    await soaked.call(10_000);
    const early = await soaked.memory();
    await soaked.call(10_000);
    const late = await soaked.memory();
    expect(late.rss / early.rss).toBeLessThan(1.1);
    expect(late.heapUsed / early.heapUsed).toBeLessThan(1.1);
    expect(await soaked.abandoned()).toBe(0);
  });

  test(
    "gives each of a hundred concurrent calls its own id, after every await and in the log",
    { timeout: 120_000 },
    async ({ expect }) => {
      using packaged = packageExample("tests/interop/fixtures/soak-main.ts", "--name", "soak", "--version", "1.0.0");
      const records: LogRecord[] = [];
      const command = join(packaged.folder, "dev", "terraform-provider-soak");
      const labels = Array.from({ length: 100 }, (_, number) => `call ${number}`);
      const ids = await (async () => {
        await using provider = await launchProvider({ command, onLog: (record) => records.push(record), logLevel: "info" });
        const { provider: own, dataSources } = await provider.getProviderSchema({});
        await provider.configureProvider({
          terraformVersion: "1.12.6",
          config: of(impliedType(own!.block), { label: null } as never) as Value,
        });
        const type = impliedType(dataSources.get("soak_context")!.block);
        const read = async (label: string): Promise<readonly string[]> => {
          const config = of(type, { label, ids: null } as never) as Value;
          const { state, diagnostics } = await provider.readDataSource({ typeName: "soak_context", config });
          expect(diagnostics).toEqual([]);
          return (state!.payload as readonly unknown[])[type.slots.get("ids")!] as readonly string[];
        };
        // Awaited here, so that the provider is not closed before it has answered.
        return await Promise.all(labels.map(read));
      })();
      // Each call has one id throughout, and no two calls share an id.
      for (const seen of ids) expect(new Set(seen).size).toBe(1);
      expect(new Set(ids.flat()).size).toBe(100);
      const logged = records.filter(({ message }) => / of call \d+$/.test(message));
      expect(logged).toHaveLength(600);
      for (const { message, fields } of logged) {
        const number = Number(/\d+$/.exec(message)?.[0]);
        expect(fields["tf_req_id"], message).toBe(ids[number]![0]);
      }
    },
  );
});
