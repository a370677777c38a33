// SPDX-License-Identifier: Apache-2.0
// The command tenon-kubernetes-definitions: definitions on a real API server, and types that programs are checked against.
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { KubernetesServer } from "@tenon/peers/kubernetes";
import { describePeer } from "@tenon/peers/vitest";
import { describe, test } from "vitest";
import { compile, unexpected } from "./compiled-types.ts";

const bridge = join(createRequire(import.meta.url).resolve("@tenon/bridge/kubernetes"), "..");

const components = ["--data", "all", "--function", "join,dynamic", "--list=framework_record", "--ephemeral", "all"];

/** Runs the command; a failure has its exit code, output and errors. */
async function run(...args: readonly string[]): Promise<{ readonly stdout: string; readonly stderr: string }> {
  return await promisify(execFile)(process.execPath, [join(bridge, "main.ts"), ...args]);
}

describePeer(["provider-time", "framework-provider", "kube-apiserver", "etcd"], "the command tenon-kubernetes-definitions", (peers) => {
  const framework = peers["framework-provider"].path;

  test("prints definitions that the API server accepts, the same ones each time", async ({ expect }) => {
    const args = [framework, "--group", "fw.example.org", "--category", "fw", "--api-version", "v1beta1", ...components];
    const [first, second] = await Promise.all([run(...args), run(...args)]);
    expect(second.stdout).toBe(first.stdout);
    expect(first.stderr).toBe("");
    await using server = await KubernetesServer.start(peers);
    const documents = first.stdout.split(/^---\n/m).slice(1);
    expect(documents).toHaveLength(10);
    for (const document of documents) {
      const path = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions?fieldValidation=Strict";
      const created = await server.request("POST", path, document, { token: server.adminToken, contentType: "application/yaml" });
      expect(created.body).toMatchObject({ kind: "CustomResourceDefinition", spec: { group: "fw.example.org" } });
    }
  });

  test("takes what the schema cannot say from a file of rules", async ({ expect }) => {
    const folder = mkdtempSync(join(tmpdir(), "definitions-"));
    try {
      const rules = join(folder, "rules.yaml");
      writeFileSync(rules, "framework_record:\n  kind: Entry\n  immutable: [name]\n  externalName: { attribute: kind }\n");
      const { stdout } = await run(framework, "--include", "framework_record", "--group=fw.example.org", "--rules", rules);
      expect(stdout).toContain("name: entry.fw.example.org");
      expect(stdout).toContain("message: name is immutable");
      writeFileSync(rules, "framework_record:\n  imutable: [name]\n");
      const failed = run(framework, "--group", "fw.example.org", "--rules", rules);
      await expect(failed).rejects.toMatchObject({
        code: 1,
        stderr: expect.stringContaining("rules.framework_record has an unknown field imutable") as string,
      });
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  test("prints types that accept correct programs and reject wrong ones", { timeout: 180_000 }, async ({ expect }) => {
    const types = async (provider: string, group: string, ...flags: readonly string[]): Promise<string> =>
      (await run(provider, "--group", group, "--typescript", ...flags)).stdout;
    const program = `
import type { Offset } from "./time.ts";
import type { ClusterProviderConfig, LookupData, ProviderConfig, Record as Entry, RecordQuery, TokenEphemeral } from "./framework.ts";
const head = { apiVersion: "time.example.org/v1alpha1", kind: "Offset", metadata: { name: "a" } } as const;
export const offset: Offset = { ...head, spec: { forProvider: { offsetDays: 7, triggers: { a: "b", c: null } } } };
export const wrongType: Offset = { ...head, spec: { forProvider: { offsetDays: "7" } } }; // wrong
export const wrongName: Offset = { ...head, spec: { forProvider: { offset_days: 7 } } }; // wrong
export const wrongKind: Offset = { ...head, kind: "Static", spec: { forProvider: {} } }; // wrong
export const computed: Offset = { ...head, spec: { forProvider: { day: 7 } } }; // wrong
export const rfc3339: string | undefined = offset.status?.atProvider?.rfc3339;
const entryHead = { apiVersion: "fw.example.org/v1alpha1", kind: "Record", metadata: { generateName: "a-" } } as const;
const rule = [{ port: 80, match: [{ pattern: "*" }] }];
export const entry: Entry = {
  ...entryHead,
  spec: { forProvider: { name: "n", rule, passwordSecretRef: { name: "s", key: "k" } }, writeConnectionSecretToRef: { name: "c" } },
};
export const incomplete: Entry = { ...entryHead, spec: { forProvider: { rule } } }; // wrong
export const split: Entry = { ...entryHead, spec: { forProvider: { rule }, initProvider: { name: "n", single: {} } } };
export const observed: Entry = { ...entryHead, spec: { forProvider: {}, managementPolicies: ["Observe"] } };
export const created: Entry = { ...entryHead, spec: { forProvider: {}, managementPolicies: ["Observe", "Create"] } }; // wrong
export const plain: Entry = { ...entryHead, spec: { forProvider: { name: "n", password: "p" } } }; // wrong
const configHead = { apiVersion: "fw.example.org/v1alpha1", metadata: { name: "default" } } as const;
const tokenSecretRef = { name: "s", key: "k", namespace: "n" };
export const config: ClusterProviderConfig = {
  ...configHead,
  kind: "ClusterProviderConfig",
  spec: { configuration: { directory: "/d", tokenSecretRef }, credentials: { source: "Filesystem", fs: { path: "/f" } } },
};
const own = { ...configHead, kind: "ProviderConfig" } as const;
export const named: ProviderConfig = { ...own, spec: { credentials: { source: "Secret", secretRef: { name: "s", key: "k" } } } };
export const file: ProviderConfig = { ...own, spec: { credentials: { source: "Filesystem", fs: { path: "/f" } } } }; // wrong
const readHead = { apiVersion: "fw.example.org/v1alpha1", metadata: { name: "r" } } as const;
const query = { ...readHead, kind: "RecordQuery" } as const;
export const listed: RecordQuery = { ...query, spec: { forProvider: { kind: "k" }, limit: 3 } };
export const id: string | undefined = listed.status?.atProvider?.ids?.[0] ?? undefined;
export const looked: LookupData = { ...readHead, kind: "LookupData", spec: { forProvider: {} } }; // wrong
const secret = { ...readHead, kind: "TokenEphemeral" } as const;
export const opened: TokenEphemeral = { ...secret, spec: { forProvider: { name: "n" }, writeSecretToRef: { name: "s" } } };
export const nowhere: TokenEphemeral = { ...secret, spec: { forProvider: { name: "n" } } }; // wrong
export const token: ProviderConfig = { ...own, spec: { configuration: { directory: "/d", token: "t" } } }; // wrong
`;
    const modules = {
      "time.ts": await types(peers["provider-time"].path, "time.example.org"),
      "framework.ts": await types(framework, "fw.example.org", ...components),
    };
    const { errors } = await compile({ ...modules, "program.ts": program });
    expect(unexpected("program.ts", program, errors)).toEqual([]);
  });
});

describe("the command tenon-kubernetes-definitions", () => {
  test.for([
    [["hashicorp/time"], "the flag --group is missing"],
    [["--group", "a.b"], "the provider is missing"],
    [["hashicorp/time", "--group", "a.b", "--scope", "Global"], "the scope must be Namespaced or Cluster"],
    [["hashicorp/time", "--group", "a.b", "--api-version", "1"], "1 is not an API version"],
    [["hashicorp/time", "--group"], "the flag --group needs a value"],
    [["hashicorp/time", "--group", "a.b", "--groups"], "there is no flag --groups"],
  ] as const)("rejects %j", async ([args, problem], { expect }) => {
    await expect(run(...args)).rejects.toMatchObject({ code: 1, stderr: expect.stringContaining(problem) as string });
  });
});
