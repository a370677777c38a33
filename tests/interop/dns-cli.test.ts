// SPDX-License-Identifier: Apache-2.0
// The example of an HTTP API under the real CLIs: rate limits, waiting, drift, lost updates, secrets.
import { startService, type Service } from "@tenon/example-dns/service";
import { describePeer } from "@tenon/peers/vitest";
import { afterAll, afterEach, beforeAll, beforeEach, test, vi } from "vitest";
import { CliWorkspace } from "./cli-workspace.ts";
import { changeOf, onOneLine } from "./conformance-run.ts";
import { packageExample, type PackagedProvider } from "./packaged-provider.ts";

// Each step starts real processes, which takes longer on a busy machine.
vi.setConfig({ testTimeout: 180_000 });

const address = "example.com/tenon/dns";
let provider: PackagedProvider;
beforeAll(() => {
  provider = packageExample("apps/examples/dns/src/main.ts", "--name", "dns", "--version", "1.0.0", "--address", address);
});
afterAll(() => provider[Symbol.dispose]());

for (const cli of ["tofu", "terraform"] as const) {
  describePeer([cli], `the DNS provider under ${cli}`, (peers) => {
    let service: Service;
    let run: CliWorkspace;
    beforeEach(async () => {
      // The service rejects every fourth request, so that the client must retry.
      service = await startService({ token: "open sesame", failEvery: 4 });
      run = new CliWorkspace(peers[cli].path, { kind: "devOverrides", source: address, folder: `${provider.folder}/dev` });
    });
    afterEach(async () => {
      run[Symbol.dispose]();
      await service[Symbol.asyncDispose]();
    });

    const configure = (body: string, token = 'token = "open sesame"'): void =>
      run.write({
        "main.tf": `terraform {
          required_providers {
            dns = { source = "${address}" }
          }
        }
        provider "dns" {
          endpoint = "${service.url}"
          ${token}
        }
        ${body}`,
      });
    const zone = 'resource "dns_zone" "site" {\n  name = "site.test"\n  contact = "ops@site.test"\n}';
    const record = (values: readonly string[], more = ""): string =>
      `resource "dns_record" "www" {\n  zone = dns_zone.site.name\n  name = "www"\n  type = "A"\n  values = ${JSON.stringify(values)}\n${more}\n}`;
    const recorded = async (address: string): Promise<Readonly<Record<string, unknown>> | undefined> =>
      (await run.state()).values?.root_module.resources?.find((one) => one.address === address)?.values;
    const planExitCode = async (): Promise<number | null> => (await run.run(["plan", "-input=false", "-detailed-exitcode"])).code;

    test("waits for zones in apply and destroy despite rate limits, and a second plan is empty", async ({ expect }) => {
      configure(`${zone}\n${record(["192.0.2.2", "192.0.2.1"])}\nresource "dns_key" "k" {\n  zone = dns_zone.site.name\n  label = "l"\n}
        data "dns_zones" "all" {\n  depends_on = [dns_zone.site]\n}\noutput "zones" { value = data.dns_zones.all.names }`);
      for (const name of ["a.test", "b.test", "c.other", "d.test"]) {
        service.zones.set(name, { name, contact: "c", status: "active", nameservers: [] });
      }
      await run.apply();
      expect(await recorded("dns_zone.site")).toMatchObject({ nameservers: ["a.ns.site.test", "b.ns.site.test"] });
      expect(await recorded("dns_record.www")).toMatchObject({ ttl: 300, values: ["192.0.2.1", "192.0.2.2"] });
      expect((await run.state()).values?.outputs).toMatchObject({
        zones: { value: ["a.test", "b.test", "c.other", "d.test", "site.test"] },
      });
      expect(service.requests).toContain("GET /zones?cursor=4");
      expect(await planExitCode()).toBe(0);
      await run.destroy();
      expect([service.zones.has("site.test"), service.records.size, service.keys.size]).toEqual([false, 0, 0]);
    });

    test("repairs drift, and ignores a different order of values", async ({ expect }) => {
      configure(`${zone}\n${record(["192.0.2.1", "192.0.2.2"])}`);
      await run.apply();
      const before = service.records.get("site.test/www/A")!;
      service.records.set("site.test/www/A", { ...before, values: before.values.toReversed() });
      expect(await planExitCode()).toBe(0);
      service.records.set("site.test/www/A", { ...before, ttl: 60, values: ["198.51.100.9"] });
      expect(changeOf(await run.plan(), "dns_record.www")).toMatchObject({
        actions: ["update"],
        before: { ttl: 60, values: ["198.51.100.9"] },
        after: { ttl: 300, values: ["192.0.2.1", "192.0.2.2"] },
      });
      await run.apply();
      expect(service.records.get("site.test/www/A")).toMatchObject({ ttl: 300 });
      service.records.delete("site.test/www/A");
      expect(changeOf(await run.plan(), "dns_record.www")).toMatchObject({ actions: ["create"] });
    });

    test("does not overwrite a change that was made after the plan", async ({ expect }) => {
      configure(`${zone}\n${record(["192.0.2.1"])}`);
      await run.apply();
      configure(`${zone}\n${record(["192.0.2.9"])}`);
      await run.plan();
      const before = service.records.get("site.test/www/A")!;
      service.records.set("site.test/www/A", { ...before, ttl: 60 });
      const { code, stderr } = await run.run(["apply", "-input=false", "-no-color", "plan.bin"]);
      expect(code).toBe(1);
      expect(onOneLine(stderr)).toContain("412 the object was changed since this version");
      expect(service.records.get("site.test/www/A")).toMatchObject({ ttl: 60, values: ["192.0.2.1"] });
    });

    test("imports existing records and does not overwrite them", async ({ expect }) => {
      configure(zone);
      await run.apply();
      service.records.set("site.test/www/A", { zone: "site.test", name: "www", type: "A", ttl: 300, values: ["192.0.2.1"] });
      configure(`${zone}\n${record(["192.0.2.1"])}`);
      const { code, stderr } = await run.run(["apply", "-auto-approve", "-input=false", "-no-color"]);
      expect(code).toBe(1);
      expect(onOneLine(stderr)).toContain("import them as site.test/www/A");
      configure(`${zone}\n${record(["192.0.2.1"])}\nimport {\n  to = dns_record.www\n  id = "site.test/www/A"\n}`);
      expect(changeOf(await run.plan(), "dns_record.www")).toMatchObject({ actions: ["no-op"], importing: { id: "site.test/www/A" } });
      await run.apply();
      expect(await planExitCode()).toBe(0);
    });

    test("keeps secrets in the state only", async ({ expect }) => {
      configure(`${zone}\nresource "dns_key" "k" {\n  zone = dns_zone.site.name\n  label = "l"\n}`);
      const plan = await run.plan();
      expect(changeOf(plan, "dns_key.k").after_sensitive).toMatchObject({ secret: true });
      const { code, stdout, stderr } = await run.run(["apply", "-auto-approve", "-input=false", "-no-color"], {
        env: { TF_LOG_PROVIDER: "trace" },
      });
      expect(code).toBe(0);
      const secret = String((await recorded("dns_key.k"))?.["secret"]);
      expect(secret).toMatch(/^[0-9a-f]{32}$/);
      expect(stderr).toContain("Sending HTTP request");
      for (const hidden of [secret, "open sesame"]) expect(stdout + stderr).not.toContain(hidden);
      expect(await planExitCode()).toBe(0);
    });

    test("replaces a zone whose creation was interrupted", async ({ expect }) => {
      await service[Symbol.asyncDispose]();
      const looked = Promise.withResolvers<void>();
      service = await startService({
        token: "open sesame",
        readsUntilReady: 1_000,
        onRequest: (request) => void (request === "GET /zones/site.test" && looked.resolve()),
      });
      configure(zone);
      const { code } = await run.run(["apply", "-auto-approve", "-input=false", "-no-color"], {
        onStart: (running) => void looked.promise.then(() => running.interrupt()),
      });
      expect(code).toBe(1);
      const [left] = (await run.state()).values?.root_module.resources ?? [];
      expect(left).toMatchObject({ address: "dns_zone.site", tainted: true, values: { name: "site.test", nameservers: null } });
    });

    test("reports a wrong token, and how to set a token", async ({ expect }) => {
      configure(zone, 'token = "wrong"');
      expect(onOneLine((await run.run(["apply", "-auto-approve", "-input=false", "-no-color"])).stderr)).toContain("401 invalid token");
      configure(zone, "");
      expect(onOneLine((await run.run(["plan", "-input=false", "-no-color"])).stderr)).toContain("DNS_TOKEN");
      await run.must(["apply", "-auto-approve", "-input=false"], { env: { DNS_TOKEN: "open sesame" } });
    });
  });
}
