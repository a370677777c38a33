// SPDX-License-Identifier: Apache-2.0
// A cassette that is recorded in process, and replayed with a command line, which calls the handlers over a socket.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { provider } from "@tenon/example-dns";
import { startService } from "@tenon/example-dns/service";
import { describePeer } from "@tenon/peers/vitest";
import { configStep, expectKnownValue, expectResourceAction, runTestCase, type TestCase } from "@tenon/testing";
import { withCassette } from "@tenon/testing/http";
import { afterAll, test } from "vitest";

const token = "open sesame";
const folder = mkdtempSync(join(tmpdir(), "cassettes-"));
afterAll(() => rmSync(folder, { recursive: true }));

function caseFor(zone: string): TestCase {
  const config = (contact: string): string => `
    provider "dns" {
      endpoint = "https://dns.example"
      token    = "${token}"
    }
    resource "dns_zone" "z" {
      name    = "${zone}"
      contact = "${contact}"
    }`;
  return {
    providers: { dns: provider },
    steps: [
      configStep(config("a@b.test"), { stateChecks: [expectKnownValue("dns_zone.z", "nameservers", [`a.ns.${zone}`, `b.ns.${zone}`])] }),
      configStep(config("c@b.test"), { planChecks: [expectResourceAction("dns_zone.z", "Update")] }),
    ],
  };
}

for (const cli of ["tofu", "terraform"] as const) {
  describePeer([cli], `cassettes with ${cli}`, (peers) => {
    test("of concurrent cases replay without the service, and do not mix", async ({ expect }) => {
      const zones = ["one.test", "two.test"];
      const fileOf = (zone: string): string => join(folder, `${cli}-${zone}.json`);
      {
        await using service = await startService({ token });
        const options = { mode: "record", origins: { "https://dns.example": service.url } } as const;
        for (const zone of zones) await withCassette(fileOf(zone), () => runTestCase(caseFor(zone)), options);
      }
      const runs = zones.map((zone) =>
        withCassette(fileOf(zone), () => runTestCase({ ...caseFor(zone), runner: peers[cli].path }), { mode: "replay" }),
      );
      expect(await Promise.all(runs)).toEqual([{ status: "passed" }, { status: "passed" }]);
    });
  });
}
