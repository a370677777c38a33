// SPDX-License-Identifier: Apache-2.0
// The engine sends the `provider_meta` of modules with the same calls as OpenTofu. A provider records its calls with both.
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { of, string } from "@tenon/cty";
import { openWorkspace, type PlanOptions } from "@tenon/engine";
import { objectFiles } from "@tenon/engine/configuration";
import { memoryState } from "@tenon/engine/state/stores";
import { describePeer } from "@tenon/peers/vitest";
import { createProvider } from "@tenon/provider-sdk";
import { afterAll, beforeAll, describe, test } from "vitest";
import { CliWorkspace } from "./cli-workspace.ts";
import { provider as ledger } from "./fixtures/ledger.ts";
import { packageExample, type PackagedProvider } from "./packaged-provider.ts";

const address = "registry.opentofu.org/tenon/ledger";
const required = 'required_providers {\n    ledger = { source = "tenon/ledger" }\n  }';
const meta = (name: string): string => `terraform {\n  ${required}\n  provider_meta "ledger" {\n    module = "${name}"\n  }\n}\n`;
const head = `${meta("root")}variable "log" { type = string }\nprovider "ledger" { log = var.log }\n`;
const entry = (name: string, more = ""): string => `resource "ledger_entry" "${name}" {\n  name = "${name}"\n${more}\n}\n`;
const child = (text: string): Readonly<Record<string, string>> => ({ "child/main.tf": `${meta("child")}${text}` });
const plain = (text: string): Readonly<Record<string, string>> => ({ "plain/main.tf": `terraform {\n  ${required}\n}\n${text}` });
const calls = 'module "child" {\n  source = "./child"\n}\nmodule "plain" {\n  source = "./plain"\n}\n';

interface Step {
  readonly files: Readonly<Record<string, string>>;
  readonly options?: Pick<PlanOptions, "mode">;
}

const steps: readonly Step[] = [
  {
    files: {
      "main.tf": `${head}${calls}${entry("a")}${entry("b", "  count = 2")}${entry("late")}data "ledger_page" "p" { name = "p" }\ndata "ledger_page" "q" {\n  name = "q"\n  depends_on = [ledger_entry.late]\n}\n`,
      ...child(`${entry("c")}data "ledger_page" "r" { name = "r" }\n`),
      ...plain(entry("d")),
    },
  },
  // An update, a replacement, an instance that is no longer declared, a resource that is no longer declared, and an import.
  {
    files: {
      "main.tf": `${head}${calls}${entry("a", '  value = "new"')}${entry("b", "  count = 1")}${entry("e")}import {\n  to = ledger_entry.e\n  id = "e"\n}\n`,
      ...child(entry("c").replace('name = "c"', 'name = "c2"')),
      ...plain(entry("d", '  value = "new"')),
    },
  },
  { files: { "main.tf": `${head}${entry("a", '  value = "new"')}`, ...child(""), ...plain("") }, options: { mode: "refreshOnly" } },
  {
    files: { "main.tf": `${head}${calls}${entry("a", '  value = "new"')}`, ...child(entry("c")), ...plain("") },
    options: { mode: "destroy" },
  },
];

describePeer(["tofu"], "provider_meta beside tofu", (peers) => {
  let provider: PackagedProvider;
  beforeAll(() => {
    provider = packageExample("tests/interop/fixtures/ledger-main.ts", "--name", "ledger", "--version", "1.0.0", "--address", address);
  });
  afterAll(() => provider[Symbol.dispose]());

  test("is sent with the same calls", { timeout: 120_000 }, async ({ expect }) => {
    using cli = new CliWorkspace(peers.tofu.path, { kind: "devOverrides", source: address, folder: join(provider.folder, "dev") });
    const folder = mkdtempSync(join(tmpdir(), "tenon-meta-"));
    const state = memoryState();
    try {
      for (const [index, { files, options = {} }] of steps.entries()) {
        const [theirLog, ourLog] = [join(cli.folder, `log-${index}`), join(folder, `log-${index}`)];
        cli.write(files);
        const flags = options.mode === "destroy" ? ["-destroy"] : options.mode === "refreshOnly" ? ["-refresh-only"] : [];
        await cli.must(["get"]);
        await cli.must(["plan", "-input=false", "-out=plan.bin", `-var=log=${theirLog}`, ...flags]);
        const planned = callsIn(theirLog);
        await cli.must(["apply", "-input=false", "plan.bin"]);

        const providers = { [address]: async () => createProvider(ledger) };
        const workspace = openWorkspace({ configuration: objectFiles(files), state, providers });
        await using plan = await workspace.plan({ ...options, variables: { log: of(string, ourLog) } });
        expect(plan.diagnostics, `step ${index}`).toEqual([]);
        expect(callsIn(ourLog), `the plan of step ${index}`).toEqual(planned);
        const applied = await plan.apply();
        expect(applied.diagnostics, `step ${index}`).toEqual([]);
        expect(callsIn(ourLog), `step ${index}`).toEqual(callsIn(theirLog));
      }
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

describe("provider_meta", () => {
  test("is an error for a provider that does not support it", async ({ expect }) => {
    const main = 'terraform {\n  provider_meta "terraform" {\n    a = 1\n  }\n}\nresource "terraform_data" "x" {}\n';
    await using plan = await openWorkspace({ configuration: objectFiles({ "main.tf": main }), providers: {} }).plan();
    expect(plan.diagnostics.map(({ summary, detail, subject }) => `${subject?.start.line}: ${summary}: ${detail}`)).toEqual([
      "2: Provider terraform.io/builtin/terraform doesn't support provider_meta: The resource terraform_data.x belongs to a provider that doesn't support provider_meta blocks",
    ]);
  });
});

/** The calls that a provider recorded, sorted, because the order of independent objects is random. */
function callsIn(log: string): readonly string[] {
  return existsSync(log) ? readFileSync(log, "utf8").trim().split("\n").sort() : [];
}
