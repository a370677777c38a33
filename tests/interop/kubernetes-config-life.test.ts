// SPDX-License-Identifier: Apache-2.0
// The configuration of a provider changes, for a custom resource and for tofu: both make the same changes of the resource then. What the provider
// keeps secret is in the connection Secret, as it is in the state of tofu.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { installedSupply } from "@tenon/bridge/kubernetes";
import { describePeer } from "@tenon/peers/vitest";
import { launchProvider } from "@tenon/plugin-host";
import { afterAll, beforeAll, test } from "vitest";
import { CliWorkspace } from "./cli-workspace.ts";
import { ConfiguredOperator } from "./kubernetes-configured-operator.ts";
import { until } from "./kubernetes-setup.ts";
import { kubernetesSuite } from "./kubernetes-suite.ts";
import { ChangeRecord, recordedChanges, ServedForTofu } from "./recorded-changes.ts";

const record = "framework_record";
const source = "example.com/tenon/framework";
const name = "first";
const secret = "hunter2";

/** Configuration of the provider, and the number of plans and applies that change something with it. */
interface Step {
  readonly prefix?: string;
  readonly token: string;
  readonly changes: number;
}

const steps: readonly Step[] = [
  { token: "one", changes: 2 },
  // The provider does not find the object under another prefix, and creates one.
  { token: "one", prefix: "moved-", changes: 2 },
  { token: "two", prefix: "moved-", changes: 0 },
];

describePeer(["kube-apiserver", "etcd", "tofu", "framework-provider"], "a changed configuration of a provider", (programs) => {
  const suite = kubernetesSuite(programs);
  let root: string;
  beforeAll(() => {
    root = mkdtempSync(join(tmpdir(), "tenon-kubernetes-config-"));
    for (const side of ["ours", "theirs"]) mkdirSync(join(root, side));
  });
  afterAll(() => rmSync(root, { recursive: true, force: true }));

  const command = programs["framework-provider"].path;
  const filesOf = (side: string): readonly string[] => readdirSync(join(root, side)).toSorted();

  test("has the effects that it has in tofu", { timeout: 240_000 }, async ({ expect }) => {
    const [ours, theirs] = [new ChangeRecord(), new ChangeRecord()];
    const supply = installedSupply({ kind: "file", path: command });
    await using operator = await ConfiguredOperator.start({
      client: suite.client,
      resources: [record],
      pool: { quietMs: 50 },
      supply: { address: supply.address, version: undefined, open: async (options) => recordedChanges(await supply.open(options), ours) },
    });
    const [kind, configs] = [operator.resource(record), operator.config("ProviderConfig")];
    await operator.putSecret("values", { secret });
    const spec = {
      forProvider: { name, secretSecretRef: { name: "values", key: "secret" } },
      managementPolicies: ["Observe", "Create", "Update", "Delete"],
      providerConfigRef: { kind: "ProviderConfig", name: "default" },
      writeConnectionSecretToRef: { name: "connection" },
    };

    using workspace = new CliWorkspace(programs.tofu.path, { kind: "filesystemMirror", folder: "/nowhere" });
    await using served = await ServedForTofu.start(async () => recordedChanges(await launchProvider({ command }), theirs));
    const tofu = async (...args: readonly string[]): Promise<void> => {
      await served.renew();
      await workspace.must([...args], { env: served.environment(source) });
    };
    const write = (provider: object, resource: object): void => {
      const terraform = { required_providers: { framework: { source } } };
      workspace.write({ "main.tf.json": JSON.stringify({ terraform, provider: { framework: provider }, ...resource }) });
    };
    const withoutFolder = (changes: unknown, side: string): unknown =>
      JSON.parse(JSON.stringify(changes).replaceAll(join(root, side), "(folder)"));

    for (const [at, { prefix, token, changes }] of steps.entries()) {
      const options = prefix === undefined ? {} : { options: { prefix } };
      write({ directory: join(root, "theirs"), token, ...options }, { resource: { [record]: { it: { name, secret } } } });
      if (at === 0) await tofu("init", "-no-color");
      await tofu("apply", "-auto-approve", "-input=false", "-no-color");
      const expected = theirs.take();
      expect(expected, `step ${at + 1}`).toHaveLength(changes);

      await operator.putSecret("credentials", { token });
      const tokenSecretRef = { name: "credentials", key: "token" };
      await operator.put(configs, "default", { configuration: { directory: join(root, "ours"), tokenSecretRef, ...options } });
      await operator.put(kind, "it", spec);
      await until(() => ours.applies >= expected.filter(({ call }) => call === "apply").length);
      await operator.reports(configs, "default", "Ready", "True");
      await operator.reports(kind, "it", "Ready", "True");
      expect(withoutFolder(ours.take(), "ours"), `step ${at + 1}`).toEqual(withoutFolder(expected, "theirs"));
      expect(filesOf("ours")).toEqual(filesOf("theirs"));
    }

    type State = { readonly resources: readonly { readonly instances: readonly { readonly attributes: { readonly secret: string } }[] }[] };
    const state = JSON.parse(readFileSync(join(workspace.folder, "terraform.tfstate"), "utf8")) as State;
    const published = await operator.secretTexts("connection");
    expect(published?.["attribute.secret"]).toBe(state.resources[0]!.instances[0]!.attributes.secret);

    write({ directory: join(root, "theirs"), token: "two", options: { prefix: "moved-" } }, {});
    await tofu("apply", "-auto-approve", "-input=false", "-no-color");
    await operator.delete(kind, "it");
    await operator.gone(kind, "it");
    expect(withoutFolder(ours.take(), "ours")).toEqual(withoutFolder(theirs.take(), "theirs"));
    expect(filesOf("ours")).toEqual(filesOf("theirs"));
  });
});
