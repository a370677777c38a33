// SPDX-License-Identifier: Apache-2.0
// A provider that our host launched, used by the real CLIs at the same time.
import { describePeer } from "@tenon/peers/vitest";
import { attachProvider, launchProvider, reattachEnvironment, reattachProviders } from "@tenon/plugin-host";
import { test } from "vitest";
import { CliWorkspace } from "./cli-workspace.ts";

for (const cli of ["tofu", "terraform"] as const) {
  describePeer([cli, "provider-time"], `${cli} with a provider launched by our host`, (peers) => {
    test("plans and applies, and does not end the provider (pitfall 35)", async ({ expect }) => {
      await using time = await launchProvider({ command: peers["provider-time"].path, autoMtls: false });
      using workspace = new CliWorkspace(peers[cli].path, { kind: "filesystemMirror", folder: "/nowhere" });
      workspace.write({
        "main.tf": `terraform {
          required_providers {
            time = { source = "hashicorp/time" }
          }
        }
        resource "time_static" "release" {
          rfc3339 = "2026-01-02T03:04:05Z"
        }`,
      });
      const env = reattachEnvironment({ "hashicorp/time": time });
      await workspace.must(["init", "-no-color"], { env });
      await workspace.must(["apply", "-auto-approve", "-input=false", "-no-color"], { env });
      expect(await workspace.must(["show", "-json"], { env })).toContain('"unix":1767323045');

      await using attached = await attachProvider(reattachProviders(env).get("hashicorp/time")!);
      expect([...(await attached.getProviderSchema({})).resources.keys()]).toContain("time_static");
      await attached.close();
      expect([...(await time.getProviderSchema({})).resources.keys()]).toContain("time_static");
    });
  });
}

describePeer(["provider-time"], "a provider whose connection uses TLS", ({ "provider-time": peer }) => {
  test("cannot be reattached", async ({ expect }) => {
    await using time = await launchProvider({ command: peer.path });
    expect(() => reattachEnvironment({ "hashicorp/time": time })).toThrow("launch it with autoMtls: false");
  });
});
