// SPDX-License-Identifier: Apache-2.0
// The laws of every resource, checked with generated zones, records and keys against the service.
import { checkResource } from "@tenon/testing/laws";
import { afterAll, beforeAll, describe, test } from "vitest";
import { startService, type Service } from "../service/service.ts";
import { key } from "./key.ts";
import { provider } from "./provider.ts";
import { record } from "./record.ts";
import { zone } from "./zone.ts";

const token = "for the tests";

describe("the resources of the DNS provider follow the laws", () => {
  let service: Service;
  beforeAll(async () => {
    service = await startService({ token });
  });
  afterAll(() => service[Symbol.asyncDispose]());

  test("dns_zone", async () => {
    await checkResource(provider, zone, {
      config: { endpoint: service.url, token },
      cases: 20,
      values: { name: ["a.test", "b.test"] },
    });
  });

  test("dns_record", async () => {
    await checkResource(provider, record, {
      config: { endpoint: service.url, token },
      cases: 20,
      values: { zone: ["a.test"], name: ["www", "mail"], ttl: [300, 60], values: [["192.0.2.1"], ["192.0.2.1", "192.0.2.2"]] },
      remaining: () => [...service.records.keys()],
    });
  });

  test("dns_key", async () => {
    await checkResource(provider, key, {
      config: { endpoint: service.url, token },
      cases: 20,
      values: { zone: ["a.test"] },
    });
  });
});
