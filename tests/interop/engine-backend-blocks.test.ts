// SPDX-License-Identifier: Apache-2.0
// `backend` blocks: the stores that they describe, and their errors, which must be those of tofu.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { of, string } from "@tenon/cty";
import { openWorkspace, type WorkspaceOptions } from "@tenon/engine";
import { objectFiles } from "@tenon/engine/configuration";
import { localState, memoryState } from "@tenon/engine/state/stores";
import type { Diagnostic } from "@tenon/hcl";
import { createBlock } from "@tenon/schema";
import { describePeer } from "@tenon/peers/vitest";
import { describe, test } from "vitest";
import { TofuFolder } from "./tofu-folder.ts";

function block(text: string): string {
  return `terraform {\n${text}\n}\n`;
}

/** Faulty blocks by their error, with the environment variables of tofu and the engine. */
const faults: Readonly<Record<string, { readonly text: string; readonly variables?: Readonly<Record<string, string>> }>> = {
  "a backend that does not exist": { text: 'backend "nothing" {}' },
  "a backend that was removed": { text: 'backend "etcd" {}' },
  "the cloud backend as a block": { text: 'backend "cloud" {}' },
  "an argument that does not exist": { text: 'backend "local" {\n    file = "x"\n  }' },
  "a block that does not exist": { text: 'backend "http" {\n    address = "http://x.test"\n    retry {}\n  }' },
  "an argument of another type": { text: 'backend "http" {\n    address = "http://x.test"\n    retry_max = "many"\n  }' },
  "an empty path": { text: 'backend "local" {\n    path = ""\n  }' },
  "a missing address": { text: 'backend "http" {}' },
  "an address that is not one": { text: 'backend "http" {\n    address = "ftp://x.test"\n  }' },
  "a reference to a resource": { text: 'backend "local" {\n    path = terraform_data.a.id\n  }' },
  "a variable that does not exist": { text: 'backend "local" {\n    path = var.absent\n  }' },
  "a sensitive value": { text: 'backend "local" {\n    path = sensitive("x")\n  }' },
  "an unknown function": { text: 'backend "local" {\n    path = nothing()\n  }' },
  "s3 without a bucket and a key": { text: 'backend "s3" {}' },
  "s3 without a region": { text: 'backend "s3" {\n    bucket = "b"\n    key = "k"\n  }' },
  "an s3 key with slashes": {
    text: 'backend "s3" {\n    bucket = "b"\n    key = "/k"\n    region = "us-east-1"\n    workspace_key_prefix = "a/"\n  }',
  },
  "two keys for the encryption": {
    text: `backend "s3" {\n    bucket = "b"\n    key = "k"\n    region = "us-east-1"\n    kms_key_id = "x"\n    sse_customer_key = "y"\n  }`,
  },
  "an s3 key in the environment": {
    text: `backend "s3" {\n    bucket = "b"\n    key = "k"\n    region = "us-east-1"\n    kms_key_id = "arn:aws:kms:us-east-1:1:key/x"\n  }`,
    variables: { AWS_SSE_CUSTOMER_KEY: "x" },
  },
  "arguments of s3 that exclude each other": {
    text: `backend "s3" {
    bucket = "b"
    key = "k"
    region = "us-east-1"
    endpoint = "http://a.test"
    endpoints = { s3 = "http://b.test" }
    force_path_style = true
    use_path_style = true
    shared_credentials_file = "a"
    shared_credentials_files = ["b"]
    allowed_account_ids = ["1"]
    forbidden_account_ids = ["2"]
    retry_mode = "never"
  }`,
  },
  "a role of s3 with wrong arguments": {
    text: `backend "s3" {
    bucket = "b"
    key = "k"
    region = "us-east-1"
    role_arn = "arn:aws:iam::1:role/r"
    assume_role = {
      role_arn = ""
      duration = "5 m"
      external_id = " "
      policy_arns = ["arn:aws:iam::aws:role/x", "nothing"]
    }
    assume_role_with_web_identity = {
      duration = "13h"
      web_identity_token = "t"
      web_identity_token_file = "f"
    }
  }`,
  },
  "a role of s3 without its name": {
    text: 'backend "s3" {\n    bucket = "b"\n    key = "k"\n    region = "us-east-1"\n    assume_role = {}\n  }',
  },
  "a customer key of another length": {
    text: `backend "s3" {
    bucket = "b"
    key = "k"
    region = "us-east-1"
    access_key = "a"
    secret_key = "s"
    skip_credentials_validation = true
    skip_requesting_account_id = true
    sse_customer_key = "c2hvcnQ="
  }`,
  },
  "a boolean of pg in the environment": { text: 'backend "pg" {}', variables: { PG_SKIP_TABLE_CREATION: "perhaps" } },
  "an argument of pg of another type": { text: 'backend "pg" {\n    skip_table_creation = "perhaps"\n  }' },
};

/** The parts of a diagnostic that are compared. */
interface Shown {
  readonly severity: string;
  readonly summary: string;
  readonly detail: string;
  readonly start?: { readonly line: number; readonly column: number };
}

function ofEngine({ severity, summary, detail, subject }: Diagnostic): Shown {
  return { severity, summary, detail, ...(subject && { start: { line: subject.start.line, column: subject.start.column } }) };
}

interface TofuDiagnostic {
  readonly severity: string;
  readonly summary: string;
  readonly detail: string;
  readonly range?: { readonly start: { readonly line: number; readonly column: number } };
}

function ofTofu(output: string): readonly Shown[] {
  const lines = output.split("\n").filter((line) => line.startsWith("{"));
  return lines
    .map((line) => JSON.parse(line) as { readonly diagnostic?: TofuDiagnostic })
    .flatMap(({ diagnostic }) => diagnostic ?? [])
    .map(({ severity, summary, detail, range }) => ({
      severity,
      summary,
      detail,
      ...(range && { start: { line: range.start.line, column: range.start.column } }),
    }));
}

/** Sorts diagnostics, because tofu checks some arguments in random order. */
function sorted(shown: readonly Shown[]): readonly Shown[] {
  return [...shown].sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
}

describePeer(["tofu"], "faulty backend blocks", ({ tofu }) => {
  test.for(Object.entries(faults))("report %s as tofu does", async ([, { text, variables = {} }], { expect }) => {
    using folder = new TofuFolder(tofu.path, block(text), variables);
    const theirs = await folder.run("init", "-json");
    expect(theirs.code).toBe(1);
    const workspace = openWorkspace({ configuration: folder.path, providers: {}, environmentVariables: variables });
    await using plan = await workspace.plan();
    expect(plan.errored).toBe(true);
    expect(sorted(plan.diagnostics.map(ofEngine))).toEqual(sorted(ofTofu(theirs.output)));
  });

  test("share a local state with tofu, at a path of variables", async ({ expect }) => {
    const text = 'variable "name" {\n  type = string\n}\n';
    using folder = new TofuFolder(tofu.path, text + block('backend "local" {\n    path = "${var.name}.tfstate"\n  }'));
    const options: WorkspaceOptions = { configuration: folder.path, providers: {}, environmentVariables: {} };
    const workspace = openWorkspace(options);
    const variables = { name: of(string, "blue") };
    await using plan = await workspace.plan({ variables });
    expect(plan.diagnostics).toEqual([]);
    const applied = await plan.apply();
    expect(applied.errored).toBe(false);
    expect(JSON.parse(readFileSync(join(folder.path, "blue.tfstate"), "utf8"))).toMatchObject({ version: 4 });
    expect([...(await workspace.outputs({ variables })).keys()]).toEqual(["o"]);
    const given = ["-var", "name=blue"];
    expect((await folder.run("init", ...given)).code).toBe(0);
    const planned = await folder.run("plan", "-detailed-exitcode", ...given);
    expect(planned.code, planned.output).toBe(0);
    // An argument of the caller replaces that of the block, as with tofu's option.
    const elsewhere = openWorkspace({ ...options, backendArguments: { path: "green.tfstate" } });
    expect([...(await elsewhere.outputs({ variables })).keys()]).toEqual([]);
    await expect(workspace.outputs()).rejects.toMatchObject({ code: "INVALID_CONFIGURATION" });
  });

  test.for([
    ["file=x", { file: "x" }],
    ["retry_max=many", { retry_max: "many" }],
    ['headers={ "a b" = "x" }', { headers: '{ "a b" = "x" }' }],
    ["headers=[", { headers: "[" }],
  ] as const)("report the argument %s of the caller as tofu does", async ([option, given], { expect }) => {
    using folder = new TofuFolder(tofu.path, block('backend "http" {\n    address = "http://x.test"\n  }'));
    const theirs = await folder.run("init", "-json", `-backend-config=${option}`);
    expect(theirs.code).toBe(1);
    const options = { configuration: folder.path, providers: {}, environmentVariables: {}, backendArguments: given };
    await using plan = await openWorkspace(options).plan();
    const texts = (shown: readonly Shown[]): readonly string[] => shown.map(({ summary }) => summary);
    expect(texts(plan.diagnostics.map(ofEngine))).toEqual(texts(ofTofu(theirs.output)));
  });
});

describe("backend blocks", () => {
  test("a difference from OpenTofu: `s3-checks`: an argument that is not supported is an error", async ({ expect }) => {
    const text = `backend "s3" {
    bucket = "b"
    key = "k"
    region = "mars-1"
    ec2_metadata_service_endpoint = "http://127.0.0.1"
  }`;
    await using plan = await openWorkspace({ configuration: objectFiles({ "main.tf": block(text) }), providers: {} }).plan();
    const summary = "ec2_metadata_service_endpoint is not supported; set the environment variable AWS_EC2_METADATA_SERVICE_ENDPOINT";
    expect(plan.diagnostics).toMatchObject([{ summary }]);
  });

  const output = 'output "o" {\n  value = "x"\n}\n';

  test("of an unavailable type, and cloud blocks, are errors that name the type", async ({ expect }) => {
    const plan = async (text: string): Promise<readonly string[]> => {
      await using planned = await openWorkspace({ configuration: objectFiles({ "main.tf": block(text) }), providers: {} }).plan();
      expect(planned.errored).toBe(true);
      return planned.diagnostics.map(({ summary, detail }) => `${summary}: ${detail}`);
    };
    expect(await plan('backend "gcs" {}')).toEqual([
      'Unsupported backend type: The backend type "gcs" of OpenTofu is not available here. The available types are "http", "inmem", "local", "pg", "s3".',
    ]);
    expect(await plan("cloud {}")).toEqual([expect.stringContaining("Unsupported cloud block: The `cloud` block is not available here")]);
  });

  test("are not used if the caller passes a store", async ({ expect }) => {
    const configuration = objectFiles({ "main.tf": output + block('backend "gcs" {}') });
    const state = memoryState();
    const workspace = openWorkspace({ configuration, providers: {}, state });
    await (await workspace.plan()).apply();
    expect([...(await workspace.outputs()).keys()]).toEqual(["o"]);
    expect(await state.workspace("default").read()).toBeDefined();
  });

  test("of the type inmem keep the state in the workspace object", async ({ expect }) => {
    const configuration = objectFiles({ "main.tf": output + block('backend "inmem" {}') });
    const workspace = openWorkspace({ configuration, providers: {} });
    await (await workspace.plan()).apply();
    await using again = await workspace.plan();
    expect(again.hasChanges).toBe(false);
    const locked = objectFiles({ "main.tf": block('backend "inmem" {\n    lock_id = "l"\n  }') });
    await expect(openWorkspace({ configuration: locked, providers: {} }).plan()).rejects.toMatchObject({ code: "STATE_LOCKED" });
  });

  test("can be of a type of the caller, which remote states can use, too", async ({ expect }) => {
    const folder = mkdtempSync(join(tmpdir(), "tenon-backend-"));
    try {
      let closed = 0;
      const backends: WorkspaceOptions["backends"] = {
        own: {
          schema: () => createBlock({}),
          prepare: (config) => ({ config, diagnostics: [] }),
          open: () => Object.assign(localState({ path: join(folder, "own.tfstate") }), { close: async () => void closed++ }),
        },
      };
      const configuration = objectFiles({ "main.tf": output + block('backend "own" {}') });
      await (await openWorkspace({ configuration, providers: {}, backends }).plan()).apply();
      expect(closed).toBe(1);
      const reader =
        'data "terraform_remote_state" "r" {\n  backend = "own"\n}\noutput "r" {\n  value = data.terraform_remote_state.r.outputs.o\n}\n';
      const workspace = openWorkspace({ configuration: objectFiles({ "main.tf": reader }), providers: {}, backends });
      const { outputs } = await (await workspace.plan()).apply();
      expect(outputs.get("r")?.value.payload).toBe("x");
      expect(closed).toBe(2);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  test("that are absent are reported by a warning if the caller passes arguments", async ({ expect }) => {
    const configuration = objectFiles({ "main.tf": output });
    await using plan = await openWorkspace({ configuration, providers: {}, backendArguments: { path: "x" } }).plan();
    expect(plan.diagnostics).toMatchObject([{ severity: "warning", summary: "Missing backend configuration" }]);
  });
});
