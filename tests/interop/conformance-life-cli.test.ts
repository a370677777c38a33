// SPDX-License-Identifier: Apache-2.0
// Every kind of component, and every step in the lifecycle of a resource, under the real CLIs.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describePeer } from "@tenon/peers/vitest";
import { afterAll, afterEach, beforeAll, beforeEach, describe, test, vi } from "vitest";
import { changeOf, ConformanceRun, packageConformance, onOneLine } from "./conformance-run.ts";
import type { PackagedProvider } from "./packaged-provider.ts";

// Each step starts real processes, which takes longer on a busy machine.
vi.setConfig({ testTimeout: 180_000 });

let provider: PackagedProvider;
beforeAll(() => {
  provider = packageConformance();
});
afterAll(() => provider[Symbol.dispose]());

for (const cli of ["tofu", "terraform"] as const) {
  describePeer([cli], `the conformance provider under ${cli}`, (peers) => {
    let run: ConformanceRun;
    beforeEach(() => {
      run = new ConformanceRun(peers[cli].path, provider);
    });
    afterEach(() => run[Symbol.dispose]());

    /** Creates an object of the remote system that no state records. */
    const put = (id: string, data: object): void => {
      mkdirSync(run.store, { recursive: true });
      writeFileSync(join(run.store, `${id}.json`), JSON.stringify(data));
    };
    const stateFile = (): { resources: { type: string; instances: Record<string, unknown>[] }[] } =>
      JSON.parse(readFileSync(join(run.folder, "terraform.tfstate"), "utf8")) as never;

    describe("the provider's configuration", () => {
      const any = 'data "conformance_lookup" "it" {\n  id = "none"\n}';

      test.for([
        ["a rule about two attributes", 'token = "t"\npassword = "p"', "token and password"],
        ["what its own validation says, at the block", 'endpoint { url = "http://a" }', "An endpoint is reached by https."],
        ["what the remote system says", 'token = "wrong"', "the token is refused"],
        ["too many blocks", Array(4).fill('endpoint { url = "https://a" }').join("\n"), "No more than 3"],
      ] as const)("%s", async ([, settings, message], { expect }) => {
        run.configure(any, settings);
        expect(await run.runToFailure("plan", "-input=false", "-no-color")).toContain(message);
      });

      test("warns, also about deprecated attributes", async ({ expect }) => {
        run.configure(any, 'password = "p"');
        expect(onOneLine(await run.must(["plan", "-input=false", "-no-color"]))).toContain("Use token.");
        run.configure(any, 'token = "old"');
        expect(onOneLine(await run.must(["plan", "-input=false", "-no-color"]))).toMatch(/Old token .*It expires soon\./);
      });

      test("may be unknown in a plan", async ({ expect }) => {
        run.configure(
          'resource "terraform_data" "token" {\n  input = "t"\n}\nresource "conformance_leaf" "it" {\n  name = "l"\n}',
          "token = terraform_data.token.output",
        );
        expect(changeOf(await run.plan(), "conformance_leaf.it").actions).toEqual(["create"]);
        expect(await run.applyAll("conformance_leaf.it")).toEqual({ name: "l" });
      });
    });

    describe("provider_meta of a module", () => {
      test("reaches resources and data sources", async ({ expect }) => {
        run.configure(
          'resource "conformance_record" "it" {\n  region = "eu"\n  name = "a"\n}\ndata "conformance_lookup" "it" {\n  id = "record-eu-a"\n  depends_on = [conformance_record.it]\n}',
          "",
          'provider_meta "conformance" {\n  module = "network"\n}',
        );
        await run.apply();
        expect(run.takeTrace()).toContain("created for network");
        expect(await run.attributesOf("data.conformance_lookup.it")).toMatchObject({ said: "network" });
      });
    });

    describe("a data source", () => {
      test("is read with its blocks and warns", async ({ expect }) => {
        put("thing", { size: 3 });
        run.configure('data "conformance_lookup" "it" {\n  id = "thing"\n  option { name = "b" }\n  option { name = "a" }\n}');
        await run.apply();
        expect(await run.attributesOf("data.conformance_lookup.it")).toMatchObject({
          content: '{"size":3}',
          said: "nothing",
          // OpenTofu sends the version of Terraform that it is compatible with, not its own.
          version: expect.stringMatching(/^1\.\d+\.\d+$/) as string,
          option: [{ name: "a" }, { name: "b" }],
          parts: [{ key: "size", value: "3" }],
        });
        run.configure('data "conformance_lookup" "it" {\n  id = "none"\n}');
        expect(onOneLine(await run.must(["plan", "-input=false", "-no-color"]))).toContain("There is no none.");
      });

      test("fails when it is deferred, because neither core supports deferral", async ({ expect }) => {
        run.configure('data "conformance_lookup" "it" {\n  id = "none"\n  wait = true\n}');
        expect(await run.runToFailure("plan", "-input=false", "-no-color")).toContain("this run cannot defer it");
      });
    });

    describe("secrets", () => {
      const secret = (body: string): string => `resource "conformance_secret" "it" {\n  name = "s"\n${body}\n}`;

      test("that are write-only appear in no plan, state or log, and are sent again with a new version", async ({ expect }) => {
        const written = (value: string, version: number): string =>
          secret(
            `value = "${value}"\nvalue_version = ${version}\nlogin = { user = "u", key = "hidden-key" }\nlogins = [{ user = "v", key = "other-key" }]`,
          );
        run.configure(written("hidden-value", 1));
        const plan = await run.plan();
        expect(changeOf(plan, "conformance_secret.it")).toMatchObject({ after: { value: null, login: { user: "u", key: null } } });
        const { stdout, stderr } = await run.run(["apply", "-input=false", "plan.bin"], { env: { TF_LOG: "trace", TF_LOG_CORE: "off" } });
        const first = await run.attributesOf("conformance_secret.it");
        expect(first).toMatchObject({ value: null, login: { user: "u", key: null }, logins: [{ user: "v", key: null }] });
        const files = [JSON.stringify(plan.resource_changes), readFileSync(join(run.folder, "terraform.tfstate"), "utf8"), stdout + stderr];
        for (const text of files) for (const hidden of ["hidden-value", "hidden-key", "other-key"]) expect(text).not.toContain(hidden);
        expect(stderr).toContain("creating");
        // A new value without a new version is not noticed.
        run.configure(written("another-value", 1));
        await run.assertEmptyPlan();
        run.configure(written("another-value", 2));
        expect((await run.applyAll("conformance_secret.it"))["digest"]).not.toBe(first["digest"]);
        run.configure(written("another-value", 1));
        expect(changeOf(await run.plan(), "conformance_secret.it")).toMatchObject({
          actions: ["delete", "create"],
          replace_paths: [["value_version"]],
        });
      });

      test("in the state are hidden in plans, with a warning when write-only values are possible", async ({ expect }) => {
        run.configure(secret('recorded = "in the state"'));
        const plan = await run.plan();
        expect(changeOf(plan, "conformance_secret.it").after_sensitive).toMatchObject({ recorded: true, made: true });
        const { stdout } = await run.run(["apply", "-auto-approve", "-input=false", "-no-color"]);
        expect(stdout).toMatch(/recorded += \(sensitive value\)/);
        expect(onOneLine(stdout)).toMatch(/write-only/i);
      });

      test("in private data reveal drift that the state does not", async ({ expect }) => {
        run.configure(secret('value = "v"'));
        await run.apply();
        expect(stateFile().resources[0]?.instances[0]).toHaveProperty("private");
        put("secret-s", { digest: "other" });
        expect(onOneLine(await run.must(["plan", "-input=false", "-no-color", "-refresh-only"]))).toContain("changed by somebody");
      });
    });

    describe("recorded state", () => {
      const record = (body = ""): string => `resource "conformance_record" "it" {\n  region = "eu"\n  name   = "a"\n${body}\n}`;
      /** Changes the state file, to simulate an older version of the provider or another type. */
      const rewrite = (change: (resource: Record<string, unknown>, instance: Record<string, unknown>) => void): void => {
        const state = stateFile() as unknown as { serial: number; resources: Record<string, unknown>[] };
        change(state.resources[0]!, (state.resources[0]!["instances"] as Record<string, unknown>[])[0]!);
        state.serial += 1;
        writeFileSync(join(run.folder, "terraform.tfstate"), JSON.stringify(state));
      };

      test.for([
        [0, { arn: "arn:eu:a", label: "old", bytes: "12", left: "over" }],
        [1, { region: "eu", name: "a", arn: "arn:eu:a", title: "old", size: "12", gone: true }],
      ] as const)("of version %i is upgraded one version at a time", async ([version, attributes], { expect }) => {
        put("record-eu-a", { title: "old", size: 12 });
        run.configure(record('title = "old"\nsize = 12'));
        const bare = {
          version: 4,
          terraform_version: peers[cli].version,
          serial: 1,
          lineage: "l",
          outputs: {},
          resources: [] as unknown[],
        };
        bare.resources.push({
          mode: "managed",
          type: "conformance_record",
          name: "it",
          provider: 'provider["example.com/tenon/conformance"]',
          instances: [{ schema_version: version, attributes, sensitive_attributes: [] }],
        });
        writeFileSync(join(run.folder, "terraform.tfstate"), JSON.stringify(bare));
        await run.assertEmptyPlan();
        await run.apply("-refresh-only");
        expect(await run.attributesOf("conformance_record.it")).toEqual({
          region: "eu",
          name: "a",
          title: "old",
          size: 12,
          arn: "arn:eu:a",
        });
        expect(stateFile().resources[0]?.instances[0]).toMatchObject({ schema_version: 2 });
      });

      test("of an unknown version is an error that names the version", async ({ expect }) => {
        run.configure(record());
        await run.apply();
        rewrite((_, instance) => (instance["schema_version"] = 7));
        expect(await run.runToFailure("plan", "-input=false", "-no-color")).toMatch(/version 7|newer|upgrade/i);
      });

      test("of another type is taken over by a moved block", async ({ expect }) => {
        run.configure('resource "conformance_leaf" "old" {\n  name = "m"\n}');
        await run.apply();
        run.configure(
          'resource "conformance_record" "new" {\n  region = "moved"\n  name = "m"\n  title = "from conformance"\n}\nmoved {\n  from = conformance_leaf.old\n  to = conformance_record.new\n}',
        );
        const change = changeOf(await run.plan(), "conformance_record.new");
        expect(change).toMatchObject({ actions: ["no-op"], after: { arn: "arn:moved:m" } });
        expect(await run.applyAll("conformance_record.new")).toMatchObject({ region: "moved", name: "m", title: "from conformance" });
      });

      test("of a type that no component takes over is an error", async ({ expect }) => {
        run.configure('resource "conformance_leaf" "old" {\n  name = "m"\n}');
        await run.apply();
        run.configure(
          'resource "conformance_number" "new" {\n  name = "m"\n}\nmoved {\n  from = conformance_leaf.old\n  to = conformance_number.new\n}',
        );
        expect(await run.runToFailure("plan", "-input=false", "-no-color")).toMatch(/conformance_number/);
      });

      test("is imported by its id, in a block and by a command", async ({ expect }) => {
        put("record-eu-a", { title: "found", size: null });
        run.configure(`${record('title = "found"')}\nimport {\n  to = conformance_record.it\n  id = "eu:a"\n}`);
        expect(changeOf(await run.plan(), "conformance_record.it")).toMatchObject({ actions: ["no-op"], importing: { id: "eu:a" } });
        await run.applyAll("conformance_record.it");
        await run.must(["state", "rm", "conformance_record.it"]);
        run.configure(record('title = "found"'));
        await run.must(["import", "-input=false", "conformance_record.it", "eu:a"]);
        await run.assertEmptyPlan();
        await run.must(["state", "rm", "conformance_record.it"]);
        expect(await run.runToFailure("import", "-input=false", "-no-color", "conformance_record.it", "eu:none")).toContain("eu:none");
      });

      test("includes an identity when the core records identities", async ({ expect }) => {
        run.configure(record());
        await run.apply();
        const [instance] = stateFile().resources[0]!.instances;
        const identity = { identity_schema_version: 1, identity: { name: "a", region: "eu" } };
        if (cli === "tofu") expect(instance).toMatchObject(identity);
        else expect(instance).not.toHaveProperty("identity");
      });

      test("is imported by its identity when the core supports identities", async ({ expect }) => {
        put("record-eu-a", { title: "found", size: null });
        run.configure(
          `${record('title = "found"')}\nimport {\n  to = conformance_record.it\n  identity = { region = "eu", name = "a" }\n}`,
        );
        if (cli === "tofu") {
          expect(changeOf(await run.plan(), "conformance_record.it")).toMatchObject({ actions: ["no-op"], after: { arn: "arn:eu:a" } });
          expect(await run.applyAll("conformance_record.it")).toMatchObject({ title: "found" });
        } else expect(await run.runToFailure("plan", "-input=false", "-no-color")).toContain("identity");
      });

      test("of a changed or deleted object is drift", async ({ expect }) => {
        run.configure(record('title = "mine"'));
        await run.apply();
        put("record-eu-a", { title: "theirs", size: 9 });
        expect(changeOf(await run.plan(), "conformance_record.it")).toMatchObject({
          actions: ["update"],
          before: { title: "theirs", size: 9 },
          after: { title: "mine", size: null },
        });
        await run.applyAll("conformance_record.it");
        await run.must(["state", "list"]);
        run.configure("");
        expect(changeOf(await run.plan(), "conformance_record.it").actions).toEqual(["delete"]);
        expect(await run.apply()).toContain("1 destroyed");
      });
    });

    describe("a plan", () => {
      const guarded = (name: string, body = ""): string => `resource "conformance_guarded" "it" {\n  name = "${name}"\n${body}\n}`;

      test("contains computed values and replacements, and keeps values that are not null", async ({ expect }) => {
        run.configure(guarded("g", "level = 3"));
        expect(changeOf(await run.plan(), "conformance_guarded.it")).toMatchObject({
          after: { score: 30 },
          after_unknown: { zone: true, token: true },
        });
        expect(await run.applyAll("conformance_guarded.it")).toMatchObject({ score: 30, zone: "z1", token: null });
        // A null token may receive a value with any change; an existing one stays.
        run.configure(guarded("g", "level = 5"));
        expect(changeOf(await run.plan(), "conformance_guarded.it")).toMatchObject({ actions: ["update"], after_unknown: { token: true } });
        expect(await run.applyAll("conformance_guarded.it")).toMatchObject({ token: "given", score: 50 });
        run.configure(guarded("g", "level = 6"));
        expect(changeOf(await run.plan(), "conformance_guarded.it")).toMatchObject({ after: { token: "given" } });
        run.configure(guarded("g", "level = 2"));
        expect(changeOf(await run.plan(), "conformance_guarded.it")).toMatchObject({
          actions: ["delete", "create"],
          replace_paths: [["level"]],
        });
        run.configure(guarded("g", 'level = 5\nzone = "z2"'));
        expect(changeOf(await run.plan(), "conformance_guarded.it")).toMatchObject({
          actions: ["delete", "create"],
          replace_paths: [["zone"]],
        });
      });

      test("fails at the attribute that the provider rejects", async ({ expect }) => {
        run.configure(guarded("forbidden"));
        expect(await run.runToFailure("plan", "-input=false", "-no-color")).toMatch(/It may not be called that\..*name = "forbidden"/);
        run.configure(guarded("g", "level = 13"));
        expect(await run.runToFailure("validate", "-no-color")).toContain("There is no level 13.");
      });

      test("of a destroy warns or fails", async ({ expect }) => {
        run.configure(guarded("g", "protected = true"));
        await run.apply();
        expect(await run.runToFailure("plan", "-input=false", "-no-color", "-destroy")).toContain("It is protected.");
        run.configure(guarded("g"));
        await run.apply();
        expect(onOneLine(await run.must(["plan", "-input=false", "-no-color", "-destroy"]))).toContain("g is lost for good.");
        await run.destroy();
      });

      test("warns about a deprecated resource and attribute", async ({ expect }) => {
        run.configure(guarded("g", "level = 12"));
        const text = onOneLine(await run.must(["plan", "-input=false", "-no-color"]));
        for (const warning of ["Levels go away.", "Guard it yourself.", "Only 11 is higher than 10."]) expect(text).toContain(warning);
      });

      test("fails when it is deferred, because neither core supports deferral", async ({ expect }) => {
        run.configure(guarded("later"));
        expect(await run.runToFailure("plan", "-input=false", "-no-color")).toMatch(/conformance_guarded/);
      });
    });

    describe("timeouts", () => {
      test("end an operation that exceeds the practitioner's limit", async ({ expect }) => {
        const frame = (wait: number, create: string): string =>
          `resource "conformance_frame" "it" {\n  name = "slow"\n  wait_ms = ${wait}\n  timeouts { create = "${create}" }\n}`;
        run.configure(frame(5_000, "200ms"));
        expect(await run.runToFailure("apply", "-auto-approve", "-input=false", "-no-color")).toContain("create took longer than 0.2 s");
        run.configure(frame(10, "20s"));
        expect(await run.applyAll("conformance_frame.it")).toMatchObject({ timeouts: { create: "20s", update: null } });
        run.configure(frame(10, "soon"));
        expect(await run.runToFailure("validate", "-no-color")).toContain("must be a duration above zero");
      });
    });

    describe("functions", () => {
      const output = (expression: string): void => run.configure(`output "it" { value = ${expression} }`);
      const answer = async (): Promise<unknown> => {
        await run.apply();
        return (await run.state()).values?.outputs?.["it"]?.value;
      };

      test.for([
        ["variadic", 'provider::conformance::join("-", "a", "b", "c")', "a-b-c"],
        ["variadic, with none", 'provider::conformance::join("-")', ""],
        [
          "of objects, with numbers no double holds",
          'provider::conformance::describe({ name = "n", size = 9007199254740993, tags = ["x", "x"] }, null)',
          { text: "n (9007199254740993): nothing", count: 1 },
        ],
        ["of any type", 'provider::conformance::same({ a = [1, "x"] })', { a: [1, "x"] }],
        ["of any type, which returns the kind of its argument", "provider::conformance::kind([1])", "tuple"],
        ["of null", "provider::conformance::kind(tostring(null))", "null"],
      ] as const)("%s", async ([, expression, expected], { expect }) => {
        output(expression);
        expect(await answer()).toEqual(expected);
      });

      test.for([
        ["a variadic argument that the function rejects", 'provider::conformance::join("-", "a", "b-c")', "b-c has a separator in it"],
        ["a validator of a parameter", 'provider::conformance::join("four", "a")', "separator"],
        ["null for a parameter that is not nullable", 'provider::conformance::join(null, "a")', "null"],
        ["too few arguments", "provider::conformance::join()", "separator"],
      ] as const)("reject %s", async ([, expression, message], { expect }) => {
        output(expression);
        expect(await run.runToFailure("plan", "-input=false", "-no-color")).toContain(message);
      });

      test("receive unknown arguments only when they allow them", async ({ expect }) => {
        run.configure(
          'resource "terraform_data" "a" {\n  input = "x"\n}\noutput "kind" { value = provider::conformance::kind(terraform_data.a.output) }\noutput "same" { value = provider::conformance::same(terraform_data.a.output) }',
        );
        const plan = await run.plan();
        expect(plan.output_changes).toMatchObject({ kind: { after: "unknown" }, same: { after_unknown: true } });
      });

      test("of a configured provider receive its client when the core requests them", async ({ expect }) => {
        put("thing", {});
        output('[provider::conformance::where("thing"), provider::conformance::where("none")]');
        if (cli === "tofu") expect(await answer()).toEqual([true, false]);
        else expect(await run.runToFailure("plan", "-input=false", "-no-color")).toContain("where");
      });
    });

    describe("an ephemeral resource", () => {
      const session = (body: string): string => `ephemeral "conformance_session" "it" {\n${body}\n}`;

      test("is opened, passed on, renewed and closed, and appears in no file", async ({ expect }) => {
        // The wait leaves time for a renewal.
        run.configure(
          `${session('name = "s"\nrenew_after_ms = 50')}
          resource "conformance_frame" "wait" {
            name    = "wait"
            wait_ms = 2000
          }
          resource "conformance_secret" "it" {
            name  = conformance_frame.wait.name
            value = ephemeral.conformance_session.it.token
          }`,
        );
        await run.apply();
        const lines = run.takeTrace();
        expect(lines).toContain("open s");
        expect(lines).toContain("close s");
        expect(lines.filter((line) => line.startsWith("open")).length).toBe(lines.filter((line) => line.startsWith("close")).length);
        expect(readFileSync(join(run.folder, "terraform.tfstate"), "utf8")).not.toContain("token of s");
      });

      test("fails when the provider rejects it", async ({ expect }) => {
        run.configure(session('name = "refused"'));
        expect(await run.runToFailure("plan", "-input=false", "-no-color")).toContain("no session for refused");
      });
    });

    test("cleans up the configured client at the end", async ({ expect }) => {
      run.configure('data "conformance_lookup" "it" {\n  id = "none"\n}');
      await run.apply();
      expect(run.takeTrace()).toContain("cleanup");
    });
  });
}
