// SPDX-License-Identifier: Apache-2.0
// The sweepers against the real service, with names as tests make them.
import { randomNames } from "@tenon/testing/names";
import { runSweepers } from "@tenon/testing/sweep";
import { test, vi } from "vitest";
import { startService, type Service } from "../service/service.ts";
import { sweepers } from "./sweepers.ts";

const token = "open sesame";

function fill(service: Service, zone: string): void {
  service.zones.set(zone, { name: zone, contact: "c", status: "active", nameservers: [] });
  for (const name of ["www", "ftp", "mail"])
    service.records.set(`${zone}/${name}/A`, { zone, name, type: "A", ttl: 60, values: ["192.0.2.1"] });
}

test("the sweepers remove the zones of tests with their records, and nothing else", async (context) => {
  const { expect } = context;
  vi.stubEnv("DNS_TOKEN", token);
  const names = randomNames(context);
  await using service = await startService({ token, failEvery: 4, readsUntilReady: 1 });
  const zones = [names.name(), names.withPrefix("second"), names.name()];
  for (const zone of [...zones, "site.test"]) fill(service, zone);
  const log: string[] = [];
  const results = await runSweepers(sweepers, { regions: [service.url], onLog: (_, sweeper, line) => log.push(`${sweeper} ${line}`) });
  expect(results.map(({ sweeper, status }) => `${sweeper} ${status}`)).toEqual(["dns_record swept", "dns_zone swept"]);
  expect([...service.zones.values()].filter(({ status }) => status !== "deleting").map(({ name }) => name)).toEqual(["site.test"]);
  expect(new Set([...service.records.values()].map(({ zone }) => zone))).toEqual(new Set(["site.test"]));
  expect(log).toHaveLength(12);
  expect(log).toContain(`dns_zone deleted ${zones[0]}`);
  vi.unstubAllEnvs();
});

test("the sweepers report a service that refuses them", async ({ expect }) => {
  vi.stubEnv("DNS_TOKEN", "wrong");
  await using service = await startService({ token });
  const results = await runSweepers(sweepers, { regions: [service.url] });
  expect(results).toMatchObject([
    { sweeper: "dns_record", status: "failed", error: { message: "GET /zones?cursor=0: 401 invalid token" } },
    { sweeper: "dns_zone", status: "not run" },
  ]);
  vi.unstubAllEnvs();
});
