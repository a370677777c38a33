// SPDX-License-Identifier: Apache-2.0
// tenon-check-provider --apply over providers of tests/peers. Each finding was checked by hand: with tofu where the comment says so, and in the
// sources of the peer otherwise. Another one would be a false alarm, or a change of the peer.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describePeer } from "@tenon/peers/vitest";
import { checkProvider, type ProviderCheckOptions } from "@tenon/testing/conformance";
import { afterAll, test, vi } from "vitest";

vi.setConfig({ testTimeout: 600_000 });

const folder = mkdtempSync(join(tmpdir(), "check-provider-apply-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

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

describePeer(["framework-provider"], "a provider on terraform-plugin-framework", ({ "framework-provider": { path } }) => {
  test("loses a value at an import, and one of a nested attribute that an update adds", async ({ expect }) => {
    const config = { directory: join(folder, "framework") };
    // framework_trouble, left out, fails and crashes on purpose.
    expect(await violations(path, { config, resources: ["framework_record"] })).toEqual({
      framework_record: [
        // The note shows private data, which an import does not have.
        "error import-equals-state",
        // UseStateForUnknown plans null for `single.stamp` where an update adds `single`: the prior value of the attribute is null.
        "error update-equals-replace",
      ],
    });
  });
});

describePeer(["sdkv2-provider"], "a provider on terraform-plugin-sdk/v2", ({ "sdkv2-provider": { path } }) => {
  test("plans the address of a server without a zone again, and keeps that of an earlier name", async ({ expect }) => {
    const config = { directory: join(folder, "sdkv2") };
    expect(await violations(path, { config })).toEqual({
      sdkv2_note: [],
      // The SDK parses the durations of a `timeouts` block when it plans. An empty zone counts as a change in each plan, with tofu, too. The address
      // contains the length of the ID, which comes from the name at the creation, and which an update of the name keeps.
      sdkv2_server: ["warning can-plan", "error empty-second-plan", "error update-equals-replace"],
    });
  });
});

describePeer(["pyvider-provider"], "a provider on Pyvider", ({ "pyvider-provider": { path } }) => {
  test("plans a change of a note with a fraction again", async ({ expect }) => {
    const config = { directory: join(folder, "pyvider") };
    // Pyvider does not read a fraction as equal to the stored one, so that the plan after an apply is not empty, with tofu, too. It returns stored states
    // as they are.
    expect(await violations(path, { config, cases: 4, resources: ["pyvider_note"] })).toEqual({
      pyvider_note: ["warning computed-refused", "warning upgrade-lenient", "error empty-second-plan"],
    });
  });
});
