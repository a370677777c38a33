// SPDX-License-Identifier: Apache-2.0
// What the client plans and gets is what OpenTofu plans and gets, of the same Go provider with the same configuration.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describePeer } from "@tenon/peers/vitest";
import { afterAll, test } from "vitest";
import { leadBoth, type Life } from "./shared-life.ts";

const base = "2026-01-02T03:04:05Z";
const offsetLife: Life = {
  typeName: "time_offset",
  stages: [
    { base_rfc3339: base, offset_days: 7 },
    { base_rfc3339: base, offset_days: 7 },
    { base_rfc3339: base, offset_months: -3, offset_hours: 1 },
    { base_rfc3339: "2027-01-01T00:00:00Z", offset_months: -3, triggers: { release: "2" } },
  ],
};
const record = {
  name: "first",
  tags: ["a", "b"],
  labels: ["y", "x"],
  notes: { k: "v" },
  ratio: 0.25,
  origin: { host: "h", port: 8080 },
  anything: { deep: [1, "two", true] },
  caseless: "ABC",
  secret: "hunter2",
  single: { key: "s" },
  items: [{ key: "i", value: "1" }, { key: "j" }],
  members: [{ key: "m" }],
  rule: [
    { port: 80, match: [{ pattern: "*" }, { pattern: "?" }] },
    { port: 443, comment: "tls" },
  ],
  access: [{ role: "admin", write: true }, { role: "guest" }],
};
const recordLife: Life = {
  typeName: "framework_record",
  stages: [
    record,
    record,
    { ...record, tags: ["b"], rule: [{ port: 443 }], secret: null, caseless: "abc" },
    { ...record, kind: "special" },
  ],
};

describePeer(["tofu", "provider-time", "framework-provider"], "the client and tofu", (peers) => {
  const folder = mkdtempSync(join(tmpdir(), "host-client-tofu-"));
  afterAll(() => rmSync(folder, { recursive: true }));

  const cases = [
    { peer: peers["provider-time"], name: "time", life: offsetLife, ours: {}, theirs: {} },
    {
      peer: peers["framework-provider"],
      name: "framework",
      life: recordLife,
      ours: { directory: join(folder, "ours") },
      theirs: { directory: join(folder, "theirs") },
    },
  ] as const;

  test.for(cases)("agree on the life of a resource of the $name provider", ({ peer, name, life, ours, theirs }, { expect }) =>
    leadBoth({ tofu: peers.tofu.path, provider: peer.path, name, life, ours, theirs, expect }),
  );
});
