// SPDX-License-Identifier: Apache-2.0
// The shell commands on the pages about Kubernetes, run as they stand there against an API server. The guide has a test of its own.
import { execFile, spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { chmodSync, copyFileSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import { customResourceDefinitions, type ApiResource } from "@tenon/bridge/kubernetes/machinery";
import { describePeer } from "@tenon/peers/vitest";
import { currentPlatform } from "@tenon/plugin-host/install";
import { afterAll, beforeAll, test } from "vitest";
import { until } from "./kubernetes-setup.ts";
import { kubernetesSuite } from "./kubernetes-suite.ts";

const bridge = join(import.meta.dirname, "../../packages/bridge");
const commands = { "tenon-kubernetes-definitions": "main.ts", "tenon-kubernetes-operator": "operator-main.ts" } as const;
const namespace = "default";

/** A block of code on a page. */
interface Block {
  readonly language: string;
  readonly text: string;
}

/** The pages with shell commands of Kubernetes, and their blocks of code. */
const pages: readonly (readonly [page: string, blocks: readonly Block[]])[] = [
  "README.md",
  ...readdirSync(join(bridge, "docs")).map((name) => `docs/${name}`),
]
  .filter((page) => page !== "docs/kubernetes-getting-started.md")
  .map((page) => [page, blocksOf(readFileSync(join(bridge, page), "utf8"))] as const)
  .filter(([, blocks]) => blocks.some(isCommand));

/** Whether a block has commands about Kubernetes. The README has others, too. */
function isCommand({ language, text }: Block): boolean {
  return language === "sh" && text.includes("kube");
}

function blocksOf(page: string): readonly Block[] {
  return [...page.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].map(([, language = "", text = ""]) => ({ language, text }));
}

describePeer(["kube-apiserver", "etcd", "kubectl", "provider-time"], "the commands on the pages about Kubernetes", (peers) => {
  const suite = kubernetesSuite(peers);
  const operators: ChildProcess[] = [];
  let folder: string;
  let environment: NodeJS.ProcessEnv;
  let notesPrepared: Promise<void> | undefined;

  beforeAll(async () => {
    folder = join(suite.server.folder, "pages");
    mkdirSync(join(folder, ".bin"), { recursive: true });
    for (const [name, module] of Object.entries(commands))
      program(join(folder, ".bin", name), `exec "${process.execPath}" "${bridge}/src/kubernetes/${module}" "$@"`);
    symlinkSync(peers.kubectl.path, join(folder, ".bin/kubectl"));
    const page = (provider: string): string =>
      `PAGE_PROVIDER=${provider} exec "${process.execPath}" "${join(import.meta.dirname, "kubernetes-page-providers.ts")}"`;
    program(join(folder, "terraform-provider-notes"), page("notes"));
    program(packagePath("example/notes", "1.0.0"), page("notes"));
    program(packagePath("example/net", "1.0.0"), page("net-1"));
    program(packagePath("example/net", "2.0.0"), page("net-2"));
    const time = packagePath("hashicorp/time", "0.14.2");
    mkdirSync(dirname(time), { recursive: true });
    copyFileSync(peers["provider-time"].path, time);
    const mirror = `filesystem_mirror {\n    path = ${JSON.stringify(join(folder, "mirror"))}\n  }`;
    writeFileSync(join(folder, "cli.tfrc"), `provider_installation {\n  ${mirror}\n}\n`);
    environment = {
      PATH: [join(folder, ".bin"), process.env["PATH"]].join(delimiter),
      HOME: folder,
      KUBECONFIG: join(suite.server.folder, "admin.kubeconfig"),
      TF_CLI_CONFIG_FILE: join(folder, "cli.tfrc"),
      POD_NAMESPACE: namespace,
      HEALTH_PORT: "0",
    };
  });

  afterAll(async () => {
    await Promise.all(
      operators.map(async (operator) => {
        operator.kill("SIGTERM");
        await once(operator, "close");
      }),
    );
  });

  /** The path of a package in the mirror. */
  function packagePath(source: string, version: string): string {
    const { os, arch } = currentPlatform();
    const [, type] = source.split("/");
    return join(folder, "mirror/registry.opentofu.org", source, version, `${os}_${arch}`, `terraform-provider-${type}_v${version}`);
  }

  function program(path: string, script: string): void {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, `#!/bin/sh\n${script}\n`);
    chmodSync(path, 0o755);
  }

  /** Runs commands as a reader would, and returns what they print. */
  async function run(text: string): Promise<string> {
    const { stdout } = await promisify(execFile)("bash", ["-eo", "pipefail", "-c", text], { cwd: folder, env: environment });
    return stdout;
  }

  /** Runs an operator until the end of the tests. */
  async function operate(args: readonly string[]): Promise<void> {
    const path = join(bridge, "src/kubernetes", commands["tenon-kubernetes-operator"]);
    const operator = spawn(process.execPath, [path, ...args], { cwd: folder, env: environment, stdio: ["ignore", "inherit", "pipe"] });
    operators.push(operator);
    await new Promise<void>((resolve) => {
      createInterface(operator.stderr).on("line", (line) => line.includes("the operator is ready") && resolve());
    });
  }

  async function create(resource: ApiResource, name: string, spec: object): Promise<void> {
    await suite.client.create(resource, { metadata: { name, ...(resource.namespaced ? { namespace } : {}) }, spec } as never);
  }

  /** What the commands of a page need: an operator of notes that runs, with two notes. */
  async function notes(): Promise<void> {
    const group = "notes.example.org";
    await run(
      `tenon-kubernetes-operator ./terraform-provider-notes --group ${group} --manifest --image any | kubectl apply --server-side -f -`,
    );
    await operate(["./terraform-provider-notes", "--group", group]);
    await create(
      { group, version: "v1alpha1", kind: "ClusterProviderConfig", plural: "clusterproviderconfigs", namespaced: false },
      "default",
      {},
    );
    const note: ApiResource = { group, version: "v1alpha1", kind: "Note", plural: "note", namespaced: true };
    for (const name of ["hello", "shopping"]) await create(note, name, { forProvider: { title: "Hello" } });
    await run("kubectl wait --for condition=Ready --timeout 3m note/hello note/shopping");
  }

  /** An installed operator of the first version of networks, with twelve subnets. */
  async function networks(): Promise<void> {
    const group = "net.example.org";
    const command = `tenon-kubernetes-operator example/net "~> 1.0" --group ${group} --manifest --image registry.example.org/tenon`;
    await run(`${command} | kubectl apply --server-side -f -`);
    const subnet: ApiResource = { group, version: "v1alpha1", kind: "Subnet", plural: "subnet", namespaced: true };
    const crds = { name: "subnet.net.example.org" };
    type Definition = {
      readonly metadata: { readonly name: string };
      readonly status?: { readonly conditions?: readonly { readonly type: string; readonly status: string }[] };
    };
    await until(async () => {
      const { status } = await suite.client.get<Definition>(customResourceDefinitions, crds);
      return status?.conditions?.some(({ type, status: value }) => type === "Established" && value === "True") === true;
    });
    for (let number = 1; number <= 12; number++) {
      const forProvider = { name: `n${number}`, region: "here", comment: "old", routes: [{ gateway: "g" }] };
      await create(subnet, `subnet-${number}`, { forProvider });
    }
  }

  const preparations: Readonly<Record<string, () => Promise<void>>> = {
    "docs/kubernetes-kinds.md": networks,
    "docs/kubernetes-plans.md": () => (notesPrepared ??= notes()),
    "docs/kubernetes-replacement.md": () => (notesPrepared ??= notes()),
    "docs/kubernetes-state.md": () => (notesPrepared ??= notes()),
  };

  test.for(pages)("run on %s", { timeout: 240_000 }, async ([page, blocks], { expect }) => {
    await preparations[page]?.();
    for (const [index, block] of blocks.entries()) {
      const [, file] = /^# (\S+\.yaml)\n/.exec(block.text) ?? [];
      if (file !== undefined) writeFileSync(join(folder, file), block.text);
      if (!isCommand(block)) continue;
      const output = await run(block.text);
      const shown = blocks[index + 1];
      if (shown?.language === "text")
        expect(output.trimEnd().split("\n")).toEqual(expect.arrayContaining(shown.text.trimEnd().split("\n")));
      else expect(output).not.toBe("");
    }
  });
});
