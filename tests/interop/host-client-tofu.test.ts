// SPDX-License-Identifier: Apache-2.0
// What the client plans and gets is what OpenTofu plans and gets, of the same Go provider with the same configuration.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describePeer } from "@tenon/peers/vitest";
import { isUnknown, openProvider, type ResourceHandle, type ResourcePlan } from "@tenon/plugin-host";
import { afterAll, test } from "vitest";
import { CliWorkspace, type ResourceChangeJson } from "./cli-workspace.ts";

type Config = Readonly<Record<string, unknown>>;

/** What is done to one resource, stage after stage. */
interface Life {
  readonly typeName: string;
  readonly stages: readonly Config[];
}

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

  test.for(cases)("agree on the life of a resource of the $name provider", async ({ peer, name, life, ours, theirs }, { expect }) => {
    const source = `example.com/tenon/${name}`;
    using workspace = new CliWorkspace(peers.tofu.path, { kind: "devOverrides", source, folder: dirname(peer.path) });
    await using client = await openProvider(peer.path, { config: ours });
    const resources = client.resource(life.typeName);
    let handle: ResourceHandle | undefined;
    const provider = { terraform: { required_providers: { [name]: { source } } }, provider: { [name]: theirs } };
    for (const config of [...life.stages, undefined]) {
      const resource = config === undefined ? {} : { resource: { [life.typeName]: { it: config } } };
      workspace.write({ "main.tf.json": JSON.stringify({ ...provider, ...resource }) });
      const [change] = (await workspace.plan()).resource_changes ?? [];
      if (handle) handle = await resources.read(handle);
      const plan = config === undefined ? await resources.planDelete(handle!) : await resources.plan(config, { prior: handle });
      expect(oursOf(plan)).toEqual(theirsOf(change!));
      await workspace.must(["apply", "-input=false", "plan.bin"]);
      handle = await plan.apply();
      const [recorded] = (await workspace.state()).values?.root_module.resources ?? [];
      expect(asJson(handle?.state)).toEqual(recorded?.values);
    }
    expect(handle).toBeUndefined();
  });
});

const actions = { noOp: ["no-op"], create: ["create"], update: ["update"], replace: ["delete", "create"], delete: ["delete"] };

function oursOf(plan: ResourcePlan): unknown {
  return {
    actions: actions[plan.action],
    before: asJson(plan.before) ?? null,
    after: asJson(known(plan.after)) ?? null,
    replacePaths: plan.requiresReplace,
  };
}

function theirsOf({ change }: ResourceChangeJson): unknown {
  const replacePaths = (change.replace_paths ?? []).map((path) => path.join("."));
  return { actions: change.actions, before: change.before, after: change.after, replacePaths };
}

/** Without what is not known, as the CLI prints it; elements of lists become null. */
function known(data: unknown): unknown {
  if (Array.isArray(data)) return data.map((element: unknown) => known(element) ?? null);
  if (typeof data !== "object" || data === null) return isUnknown(data) ? undefined : data;
  return Object.fromEntries(Object.entries(data).map(([name, part]) => [name, known(part)]));
}

function asJson(data: unknown): unknown {
  return data === undefined || data === null ? undefined : (JSON.parse(JSON.stringify(data)) as unknown);
}
