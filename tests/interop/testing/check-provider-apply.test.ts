// SPDX-License-Identifier: Apache-2.0
// tenon-check-provider --apply over two of the providers of tests/peers. Each finding was checked by hand: with tofu where the comment says so, and in the
// sources of the peer otherwise. Another one would be a false alarm, or a change of the peer.
import { describePeer } from "@tenon/peers/vitest";
import { checkProvider, type ProviderCheckOptions } from "@tenon/testing/conformance";
import { test, vi } from "vitest";

vi.setConfig({ testTimeout: 600_000 });

/** The laws that the resources of a provider violate when objects are created, changed and deleted. */
async function violations(path: string, options: ProviderCheckOptions = {}): Promise<Readonly<Record<string, readonly string[]>>> {
  const { findings, resources } = await checkProvider(path, { cases: 8, apply: true, ...options });
  const ofProvider = findings.map(({ law }) => ["", [law]] as const);
  const found = resources.map((resource) => [resource.typeName, resource.findings.map(({ law, weight }) => `${weight} ${law}`)] as const);
  return Object.fromEntries([...ofProvider, ...found]);
}

describePeer(["provider-time"], "hashicorp/time", ({ "provider-time": { path } }) => {
  const values = { time_sleep: { create_duration: ["1ms"], destroy_duration: ["1ms"] } };

  test("has four faults that tofu shows, too", async ({ expect }) => {
    expect(await violations(path, { values })).toEqual({
      // An offset that is unknown in an update counts as absent: "Provider produced inconsistent final plan".
      time_offset: ["error final-plan-fits"],
      // An unknown rfc3339 is planned as the recorded one: the change appears in the next plan only. A configured rotation_rfc3339 is overwritten if there
      // is another rotation: "Provider produced inconsistent result after apply".
      time_rotating: ["error final-plan-fits", "error kept-plan"],
      time_sleep: [],
      // An import has empty triggers in place of none, which forces a replacement.
      time_static: ["error import-equals-state"],
    });
  });
});

describePeer(["bare-provider"], "a provider on terraform-plugin-go alone", ({ "bare-provider": { path } }) => {
  test("validates nothing, returns stored states as they are, and no identity", async ({ expect }) => {
    expect(await violations(path)).toEqual({
      bench_note: ["warning required-enforced", "warning computed-refused", "error identity-kept", "warning upgrade-lenient"],
      bench_wide60: ["warning computed-refused", "warning upgrade-lenient"],
    });
  });
});
