// SPDX-License-Identifier: Apache-2.0
// Compares the engine's built-in provider, terraform.io/builtin/terraform, with OpenTofu's.
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { dynamic, formatPath, isNull, nullOf, objectOf, string, unknown, type Type, type Value } from "@tenon/cty";
import { parseResourceInstance, requireAddress } from "@tenon/engine/address";
import { createFunctionTable, processEnvironment } from "@tenon/engine/functions";
import { builtInProviderFactory, readRemoteState, type BuiltInEnvironment } from "@tenon/engine/unstable/built-in-provider";
import { parseExpression } from "@tenon/hcl";
import { createScope, evaluate } from "@tenon/hcl/evaluate";
import { describePeer } from "@tenon/peers/vitest";
import type { Block, Diagnostic, FunctionSignature, Provider } from "@tenon/schema";
import { test } from "vitest";
import { anyText } from "../cty/generate/text.ts";
import { anyValue, knownOrNull } from "../cty/generate/values.ts";
import type { OracleResult, Json, ValueNotation } from "../cty/notation.ts";
import { openOracle, type Oracle } from "../cty/oracle.ts";
import { randomFor } from "@tenon/testing/generate";
import { readValue } from "../cty/subject/read.ts";
import { writeType, writeValue } from "../cty/subject/write.ts";

const environment: BuiltInEnvironment = { variables: {}, workingDirectory: tmpdir(), randomBytes };
const address = "module.m[0].data.terraform_remote_state.other";

const functions = createFunctionTable(processEnvironment());

/** The value of an expression. The variables `s` and `d` are unknown, `n` and `ns` are null. */
function valueOf(text: string): Value {
  const variables = { s: unknown(string), d: unknown(dynamic), n: nullOf(dynamic), ns: nullOf(string) };
  return evaluate(parseExpression(text, "").expression, createScope({ variables, functions })).value;
}

const json = (value: unknown): Json => JSON.parse(JSON.stringify(value)) as Json;

function diagnosticsNotation(diagnostics: readonly Diagnostic[]): Json {
  return json(
    diagnostics.map(({ severity, summary, detail, attribute }) => ({
      severity,
      summary,
      detail,
      ...(attribute && { path: formatPath(attribute) }),
    })),
  );
}

function valueNotation(value: Value | undefined, diagnostics: readonly Diagnostic[]): Json {
  const written = diagnosticsNotation(diagnostics);
  return diagnostics.some(({ severity }) => severity === "error") || value === undefined
    ? { diagnostics: written }
    : { diagnostics: written, value: writeValue(value) };
}

/** An operation of the oracle, and the call of the engine's provider whose answer must be equal. */
interface BuiltInCase {
  readonly op: string;
  readonly args: readonly Json[];
  ask(provider: Provider): Promise<Json>;
}

async function differences(oracle: Oracle, cases: readonly BuiltInCase[]): Promise<readonly string[]> {
  const provider = await builtInProviderFactory(environment)();
  const answers = await oracle.ask(cases.map(({ op, args }) => ({ op, args })));
  const differing: string[] = [];
  for (const [index, one] of cases.entries()) {
    const ours = JSON.stringify(await one.ask(provider), undefined, 1);
    const theirs = textsOf(answers[index]!);
    if (!theirs.includes(ours)) differing.push(`${one.op} ${JSON.stringify(one.args)}\n- ${theirs.join("\n- ")}\n+ ${ours}`);
  }
  return differing;
}

function textsOf(answer: OracleResult): readonly string[] {
  const variants: readonly OracleResult[] = "varies" in answer ? answer.varies : [answer];
  return variants.map((one) => JSON.stringify("ok" in one ? one.ok : one, undefined, 1));
}

const attributeNames = ["id", "input", "output", "triggers_replace"];

function dataObject(given: Readonly<Record<string, string>>): Value {
  return objectOf(
    new Map(attributeNames.map((name) => [name, name in given ? valueOf(given[name]!) : nullOf(name === "id" ? string : dynamic)])),
  );
}

function planCase(prior: Value, proposed: Value): BuiltInCase {
  return {
    op: "builtin.plan",
    args: [writeValue(prior), writeValue(proposed)],
    ask: async (provider) => {
      const nothing = new Uint8Array();
      const { plannedState, requiresReplace, diagnostics } = await provider.planResourceChange({
        typeName: "terraform_data",
        priorState: prior,
        proposedNewState: proposed,
        config: proposed,
        priorPrivate: nothing,
      });
      return {
        planned: writeValue(plannedState),
        replace: requiresReplace.map(formatPath),
        diagnostics: diagnosticsNotation(diagnostics),
      };
    },
  };
}

function remoteConfig(parts: Readonly<Record<string, string>>): Value {
  const types: Readonly<Record<string, Type>> = {
    backend: string,
    config: dynamic,
    defaults: dynamic,
    outputs: dynamic,
    workspace: string,
  };
  return objectOf(new Map(Object.entries(types).map(([name, type]) => [name, name in parts ? valueOf(parts[name]!) : nullOf(type)])));
}

describePeer(["engine-oracle"], "the built-in provider beside OpenTofu's", () => {
  test("has the same schema", async ({ expect }) => {
    const block = ({ attributes }: Block): Json =>
      Object.entries(attributes).map(([name, { type, required, optional, computed, description, descriptionKind }]) => ({
        name,
        type: writeType(type!),
        required,
        optional,
        computed,
        description,
        markdown: descriptionKind === "markdown",
      }));
    const functionNotation = ([name, signature]: readonly [string, FunctionSignature]): Json => ({
      name,
      summary: signature.summary,
      description: signature.description,
      returns: writeType(signature.returnType),
      parameters: signature.parameters.map(({ name: parameter, type, allowNullValue, allowUnknownValues, description }) => ({
        name: parameter,
        type: writeType(type),
        null: allowNullValue,
        unknown: allowUnknownValues,
        description,
      })),
    });
    const oracle = await openOracle({ peer: "engine-oracle", repeats: 1 });
    try {
      const ask = async (provider: Provider): Promise<Json> => {
        const { resources, dataSources, functions } = await provider.getProviderSchema({});
        return {
          resource: block(resources.get("terraform_data")!.block),
          data: block(dataSources.get("terraform_remote_state")!.block),
          functions: [...functions].map(functionNotation),
        };
      };
      expect(await differences(oracle, [{ op: "builtin.schema", args: [], ask }])).toEqual([]);
    } finally {
      oracle.close();
    }
  });

  test("plans, validates, upgrades, moves and imports terraform_data in the same way", async ({ expect }) => {
    const values = ["null", "n", "ns", '"a"', '"b"', "1", '[1, "a"]', "{ a = 1 }", "{ a = s }", "s", "d", 'tolist(["a"])'];
    const cases: BuiltInCase[] = [];
    const noObject = nullOf(dataObject({}).type);
    for (const input of values) {
      for (const triggers of ["null", '"x"', "{ x = s }", "d"]) {
        const proposed = dataObject({ input, triggers_replace: triggers });
        cases.push(planCase(noObject, proposed));
        for (const [priorInput, priorTriggers] of [
          [input, triggers],
          ['"a"', triggers],
          ['"z"', "null"],
          [input, '"y"'],
        ] as const) {
          const prior = dataObject({ id: '"1"', input: priorInput, output: priorInput, triggers_replace: priorTriggers });
          const kept = { id: '"1"', output: priorInput, input, triggers_replace: triggers };
          cases.push(planCase(prior, dataObject(kept)), planCase(prior, nullOf(prior.type)));
        }
      }
      const config = dataObject({ input, id: input === "null" ? "null" : '"set"', output: input });
      cases.push({
        op: "builtin.validate",
        args: [writeValue(config)],
        ask: async (provider) => {
          const { diagnostics } = await provider.validateResourceConfig({ typeName: "terraform_data", config });
          return diagnosticsNotation(diagnostics);
        },
      });
    }
    const states = [
      '{"id":"1","input":null,"output":null,"triggers_replace":null}',
      '{"id":"1","input":{"value":{"a":1},"type":["object",{"a":"number"}]},"output":{"value":"x","type":"string"},"triggers_replace":null}',
      '{"id":"1"}',
      '{"id":1,"input":null,"output":null,"triggers_replace":null}',
      '{"id":"1","input":null,"output":null,"triggers_replace":null,"other":1}',
      "[]",
    ];
    for (const state of states) {
      cases.push({
        op: "builtin.upgrade",
        args: [state],
        ask: async (provider) => {
          const rawState = { json: Buffer.from(state) };
          const { upgradedState, diagnostics } = await provider.upgradeResourceState({ typeName: "terraform_data", version: 0, rawState });
          return valueNotation(upgradedState, diagnostics);
        },
      });
    }
    const moves = [
      ["null_resource", '{"id":"1","triggers":{"a":"b"}}'],
      ["null_resource", '{"id":"1","triggers":null}'],
      ["null_resource", '{"id":"1","triggers":{}}'],
      ["null_resource", '{"id":null,"triggers":{"a":null}}'],
      ["null_resource", '{"id":"1"}'],
      ["null_resource", "7"],
      ["other", '{"id":"1","triggers":null}'],
    ] as const;
    for (const [source, state] of moves) {
      cases.push({
        op: "builtin.move",
        args: [source, state],
        ask: async (provider) => {
          const { targetState, diagnostics } = await provider.moveResourceState({
            sourceProviderAddress: "registry.opentofu.org/hashicorp/null",
            sourceTypeName: source,
            sourceSchemaVersion: 0,
            sourceState: { json: Buffer.from(state) },
            targetTypeName: "terraform_data",
            sourcePrivate: new Uint8Array(),
            sourceIdentitySchemaVersion: 0,
          });
          return valueNotation(targetState, diagnostics);
        },
      });
    }
    cases.push({
      op: "builtin.import",
      args: ["abc"],
      ask: async (provider) => {
        const { importedResources, diagnostics } = await provider.importResourceState({ typeName: "terraform_data", id: "abc" });
        return valueNotation(importedResources[0]?.state, diagnostics);
      },
    });
    const oracle = await openOracle({ peer: "engine-oracle", repeats: 2 });
    try {
      expect(await differences(oracle, cases)).toEqual([]);
    } finally {
      oracle.close();
    }
  });

  test("has the same functions", { timeout: 180_000 }, async ({ expect }) => {
    const seed = Math.floor(Math.random() * 2 ** 32);
    const call = (name: string, notation: ValueNotation): BuiltInCase => ({
      op: "builtin.function",
      args: [name, notation],
      ask: async (provider) => {
        const { result, error } = await provider.callFunction({ name, arguments: [readValue(notation)] });
        return error === undefined ? { result: writeValue(result!) } : { error: error.text };
      },
    });
    const contents = [
      "",
      "a = 1\n",
      'a = "x"\nb = [1, "${2 + 3}"]\nc = { d = null }\n',
      "a = 1\na = 2\n",
      "a {\n}\n",
      "a = b\n",
      "a = f(1)\n",
      "a = \n",
      'a = "x\n',
      "a = 1 /\n",
      "\u{feff}a = 1\n",
    ];
    const cases = contents.map((content) => call("decode_tfvars", writeValue(valueOf(JSON.stringify(content).replaceAll("${", "$${")))));
    const values = [
      "{}",
      "{ a = 1, bb = { cc = 1, d = [{ e = 2, ff = null }] }, c = [] }",
      '{ "not valid" = 1 }',
      '{ for = 1, x = { for = 1, "a b" = "${s}" } }',
      "n",
      '"text"',
      'tomap({ a = "b" })',
      "[1, [2, 3], {}]",
      "1e30",
      "-0.5",
      "s",
      '"$${a} %%{b} \\n \\t \\u0001"',
    ];
    for (const text of values) for (const name of ["encode_expr", "encode_tfvars"]) cases.push(call(name, writeValue(valueOf(text))));
    for (let index = 0; index < 3000; index++) {
      const random = randomFor(seed, "built-in-functions", index);
      const isDecoded = random.chance(0.2);
      const argument = isDecoded ? { t: "string", v: `v = ${anyText(random)}` } : anyValue(random, 3, knownOrNull);
      // OpenTofu escapes characters that its version of Unicode does not have. For infinity see `infinite-expression` in docs/differences.md.
      if (/[^\0-\u024f]|Inf/u.test(JSON.stringify(argument))) continue;
      cases.push(call(isDecoded ? "decode_tfvars" : random.pick(["encode_expr", "encode_tfvars"]), argument));
    }
    const oracle = await openOracle({ peer: "engine-oracle", repeats: 3 });
    try {
      expect(await differences(oracle, cases), `seed ${seed}`).toEqual([]);
    } finally {
      oracle.close();
    }
  });

  test("reads remote states in the same way", { timeout: 180_000 }, async ({ expect }) => {
    const folder = mkdtempSync(join(tmpdir(), "tenon-remote-state-"));
    const outputs = { a: { value: "x", type: "string" }, b: { value: [1, 2], type: ["tuple", ["number", "number"]], sensitive: true } };
    const content = JSON.stringify({ version: 4, terraform_version: "1.12.6", serial: 1, lineage: "x", outputs, resources: [] });
    const server = createServer((request, response) => {
      const status = request.url === "/state" ? 200 : request.url === "/none" ? 404 : 403;
      response.writeHead(status).end(status === 200 ? content : "");
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    writeFileSync(join(folder, "ok.tfstate"), content);
    writeFileSync(join(folder, "bad.tfstate"), '{"version":4,"terraform_version":"x"}');
    const local = (rest: string): Readonly<Record<string, string>> => ({ backend: '"local"', config: `{ path = "${folder}/${rest}" }` });
    const configs = [
      local("ok.tfstate"),
      { ...local("ok.tfstate"), defaults: '{ a = 1, z = "default" }' },
      { ...local("ok.tfstate"), workspace: '"default"' },
      { ...local("ok.tfstate"), defaults: "[1]" },
      { ...local("ok.tfstate"), backend: '"_local"' },
      { backend: '"local"', config: `tomap({ path = "${folder}/ok.tfstate" })` },
      local("absent.tfstate"),
      { ...local("absent.tfstate"), defaults: "{ z = 1 }" },
      { backend: '"local"', config: '{ path = "" }' },
      { backend: '"local"', config: '{ path = "", workspace_dir = "" }' },
      { backend: '"local"', config: '{ pth = "x" }' },
      { backend: '"local"', config: "{ path = [] }" },
      { backend: '"local"', config: "[]" },
      { backend: '"local"', config: '"text"' },
      { backend: '"local"', config: "{ path = s }" },
      { backend: '"local"', config: "d" },
      { backend: "s", config: "[s]" },
      { backend: '"nothing"' },
      { backend: '"etcd"' },
      { backend: '"azure"' },
      { backend: '"http"', config: `{ address = "${url}/state" }` },
      { backend: '"http"', config: `{ address = "${url}/state", retry_max = 0, headers = { X-A = "1" } }` },
      { backend: '"http"', config: `{ address = "${url}/none" }` },
      { backend: '"http"', config: `{ address = "${url}/state" }`, workspace: '"other"' },
      { backend: '"http"' },
      { backend: '"http"', config: "{ address = null }" },
      { backend: '"http"', config: '{ address = "ftp://x" }' },
      { backend: '"http"', config: `{ address = "${url}/state", lock_address = "ftp://x" }` },
      { backend: '"http"', config: `{ address = "${url}/state", headers = { "a b" = "1" } }` },
      { backend: '"http"', config: `{ address = "${url}/state", headers = { a = " " } }` },
      { backend: '"http"', config: `{ address = "${url}/state", headers = { Content-Type = "x" } }` },
      { backend: '"http"', config: `{ address = "${url}/state", username = "u", headers = { Authorization = "x" } }` },
      { backend: '"http"', config: `{ address = "${url}/state", client_certificate_pem = "x" }` },
      { backend: '"http"', config: `{ address = "${url}/state", client_private_key_pem = "x" }` },
      { backend: '"http"', config: `{ address = "${url}/state", skip_cert_verification = "maybe" }` },
    ];
    const cases: BuiltInCase[] = [];
    for (const parts of configs) {
      const config = remoteConfig(parts);
      cases.push({
        op: "builtin.validateRemoteState",
        args: [writeValue(config)],
        ask: async (provider) => {
          const { diagnostics } = await provider.validateDataResourceConfig({ typeName: "terraform_remote_state", config });
          return diagnosticsNotation(diagnostics);
        },
      });
      // OpenTofu reads only with configurations that are known and valid.
      if (/\bs\b|\bd\b|^\[/.test(`${parts.backend} ${parts.config ?? ""}`) || ("defaults" in parts && parts.defaults === "[1]")) continue;
      cases.push({
        op: "builtin.readRemoteState",
        args: [address, writeValue(config)],
        ask: async () => {
          const { value, diagnostics } = await readRemoteState(
            config,
            environment,
            {},
            requireAddress(address, parseResourceInstance(address)),
          );
          return valueNotation(isNull(value) ? undefined : value, diagnostics);
        },
      });
    }
    const oracle = await openOracle({ peer: "engine-oracle", repeats: 1 });
    try {
      expect(await differences(oracle, cases)).toEqual([]);
    } finally {
      oracle.close();
      server.closeAllConnections();
      server.close();
      rmSync(folder, { recursive: true });
    }
  });
});
