// SPDX-License-Identifier: Apache-2.0
// The acceptance tests of the provider. They need no service: its responses are in cassettes. `TENON_HTTP=record` starts the service, and records them again.
import {
  addressOf,
  configStep,
  expectKnownValue,
  expectResourceAction,
  expectSensitiveValue,
  importStep,
  runTestCase,
  type TestCase,
  type TestContext,
} from "@tenon/testing";
import { withCassette } from "@tenon/testing/http";
import { stringRegexp } from "@tenon/testing/known-value";
import { describe, test } from "vitest";
import { startService } from "../service/service.ts";
import { key } from "./key.ts";
import { provider } from "./provider.ts";
import { record } from "./record.ts";
import { zone } from "./zone.ts";

const endpoint = "https://dns.example";
const token = process.env["DNS_TOKEN"] ?? "not needed for a replay";
const [site, www, deploy] = [addressOf(zone, "site"), addressOf(record, "www"), addressOf(key, "deploy")];

/** Runs a case with the cassette of its name. */
async function runWithCassette(context: TestContext, cassette: string, steps: TestCase["steps"]): Promise<void> {
  const isRecording = process.env["TENON_HTTP"] === "record";
  // The service rejects every fourth request, so that the client must retry.
  await using service = isRecording ? await startService({ token, failEvery: 4 }) : undefined;
  const options = service ? { origins: { [endpoint]: service.url } } : {};
  const file = new URL(`./cassettes/${cassette}.json`, import.meta.url);
  await withCassette(file, () => runTestCase(context, { providers: { dns: provider }, steps }), options);
}

const config = (...resources: readonly string[]): string => `
  provider "dns" {
    endpoint = "${endpoint}"
    token    = "${token}"
  }
  ${resources.join("\n")}`;
const zoneOf = (contact: string): string => `resource "dns_zone" "site" {
  name    = "site.test"
  contact = "${contact}"
}`;
const recordOf = (attributes: string): string => `resource "dns_record" "www" {
  zone   = dns_zone.site.name
  name   = "www"
  type   = "A"
  ${attributes}
}`;
const keyBlock = 'resource "dns_key" "deploy" {\n  zone  = dns_zone.site.name\n  label = "deploy"\n}';

describe("the DNS provider", () => {
  test("waits for a zone, and changes it in place", (context) =>
    runWithCassette(context, "zone", [
      configStep(config(zoneOf("ops@site.test")), {
        planChecks: [expectResourceAction(site, "Create")],
        stateChecks: [expectKnownValue(site, "nameservers", ["a.ns.site.test", "b.ns.site.test"])],
      }),
      configStep(config(zoneOf("web@site.test")), { planChecks: [expectResourceAction(site, "Update")] }),
      importStep(site, { id: "site.test" }),
    ]));

  test("keeps the secret of a key in the state", (context) =>
    runWithCassette(context, "key", [
      configStep(config(zoneOf("ops@site.test"), keyBlock), {
        // The cassette has a placeholder in place of the secret.
        stateChecks: [
          expectSensitiveValue(deploy, "secret"),
          expectKnownValue(deploy, "secret", stringRegexp(/^([0-9a-f]{32}|\(sensitive secret\))$/)),
        ],
      }),
    ]));

  test("repairs records that were changed outside", (context) =>
    runWithCassette(context, "drift", [
      configStep(config(zoneOf("ops@site.test"), recordOf('values = ["192.0.2.1", "192.0.2.2"]')), {
        stateChecks: [expectKnownValue(www, "ttl", 300)],
      }),
      configStep(config(zoneOf("ops@site.test"), recordOf('values = ["192.0.2.1", "192.0.2.2"]')), {
        // This request is in the cassette, too.
        preConfig: async () => {
          const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
          await fetch(`${endpoint}/records/site.test/www/A`, { method: "PUT", headers, body: '{"ttl":60,"values":["198.51.100.9"]}' });
        },
        planChecks: [expectResourceAction(www, "Update")],
      }),
      importStep(www, { id: "site.test/www/A" }),
    ]));

  test("refuses to overwrite records that exist", (context) =>
    runWithCassette(context, "existing-records", [
      configStep(config(zoneOf("ops@site.test"))),
      configStep(config(zoneOf("ops@site.test"), recordOf('values = ["192.0.2.1"]')), {
        preConfig: async () => {
          const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
          await fetch(`${endpoint}/records/site.test/www/A`, { method: "PUT", headers, body: '{"ttl":60,"values":["198.51.100.9"]}' });
        },
        expectError: /import them as site\.test\/www\/A/,
      }),
      configStep(
        `${config(zoneOf("ops@site.test"), recordOf('ttl = 60\n values = ["198.51.100.9"]'))}\nimport {\n  to = dns_record.www\n  id = "site.test/www/A"\n}`,
      ),
    ]));
});
