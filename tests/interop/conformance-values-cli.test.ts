// SPDX-License-Identifier: Apache-2.0
// Every type and nesting of values, from configuration to plan and state, under the real CLIs.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describePeer } from "@tenon/peers/vitest";
import { afterAll, afterEach, beforeAll, beforeEach, describe, test, vi } from "vitest";
import { changeOf, ConformanceRun, packageConformance } from "./conformance-run.ts";
import type { PackagedProvider } from "./packaged-provider.ts";

// Each step starts real processes, which takes longer on a busy machine.
vi.setConfig({ testTimeout: 180_000 });

let provider: PackagedProvider;
beforeAll(() => {
  provider = packageConformance();
});
afterAll(() => provider[Symbol.dispose]());

for (const cli of ["tofu", "terraform"] as const) {
  describePeer([cli], `values under ${cli}`, (peers) => {
    let run: ConformanceRun;
    beforeEach(() => {
      run = new ConformanceRun(peers[cli].path, provider);
    });
    afterEach(() => run[Symbol.dispose]());

    describe("attributes of every type and nesting", () => {
      const full = `
        name   = "full"
        ratio  = 0.25
        sizes  = [3, 1, 2, 3]
        flags  = { a = true, b = false }
        point  = { x = 1, y = null }
        matrix = [[1, 2], [], [3]]
        table  = { t = { labels = ["z", "y"] } }
        single = { key = "s", inner = [{ port = 80 }, { port = 53, protocol = "udp" }] }
        items  = [{ key = "i" }, { key = "j", level = 3 }]
        members = [
          { key = "m", grants = [{ on = "x" }, { on = "y", write = true }] },
          { key = "longer", role = "writer" },
        ]
        named = { one = { text = "1" }, two = {} }`;
      const shape = (body: string): string => `resource "conformance_shape" "it" {\n${body}\n}`;

      test("are planned with defaults, and with unknown computed values", async ({ expect }) => {
        run.configure(shape(full));
        const change = changeOf(await run.plan(), "conformance_shape.it");
        expect(change.actions).toEqual(["create"]);
        expect(change.after).toEqual({
          name: "full",
          on: true,
          ratio: 0.25,
          words: ["a", "b"],
          sizes: [1, 2, 3],
          flags: { a: true, b: false },
          point: { x: 1, y: null },
          matrix: [[1, 2], [], [3]],
          table: { t: { labels: ["y", "z"] } },
          single: {
            key: "s",
            mode: "rw",
            inner: [
              { port: 80, protocol: "tcp" },
              { port: 53, protocol: "udp" },
            ],
          },
          items: [
            { key: "i", level: 1 },
            { key: "j", level: 3 },
          ],
          members: [
            {
              key: "m",
              role: "reader",
              grants: [
                { on: "x", write: false },
                { on: "y", write: true },
              ],
            },
            { key: "longer", role: "writer", grants: null },
          ],
          named: { one: { text: "1", rank: 0 }, two: { text: null, rank: 0 } },
          summary: { members: 2, names: ["one", "two"] },
        });
        expect(change.after_unknown).toMatchObject({
          id: true,
          revision: true,
          single: { made: true },
          members: [{ number: true }, { number: true }],
          named: { one: { upper: true }, two: { upper: true } },
        });
      });

      test("are recorded as planned, and a second plan is empty", async ({ expect }) => {
        run.configure(shape(full));
        expect(await run.applyAll("conformance_shape.it")).toMatchObject({
          id: "shape-full",
          revision: 1,
          sizes: [1, 2, 3],
          single: { key: "s", made: "made of s" },
          members: [
            { key: "m", number: 1 },
            { key: "longer", number: 6 },
          ],
          named: { one: { upper: "ONE" }, two: { upper: "TWO" } },
          summary: { members: 2, names: ["one", "two"] },
        });
      });

      test("are null or their defaults when omitted", async ({ expect }) => {
        run.configure(shape(full));
        await run.apply();
        run.configure(shape('name = "full"'));
        const change = changeOf(await run.plan(), "conformance_shape.it");
        expect(change).toMatchObject({ actions: ["update"], after: { id: "shape-full", members: null, single: null, named: null } });
        expect(await run.applyAll("conformance_shape.it")).toEqual({
          id: "shape-full",
          name: "full",
          on: true,
          words: ["a", "b"],
          revision: 2,
          summary: {
            members: 0,
            names: [],
          },
          ratio: null,
          sizes: null,
          flags: null,
          point: null,
          matrix: null,
          table: null,
          single: null,
          items: null,
          members: null,
          named: null,
        });
      });

      test("are not null when empty", async ({ expect }) => {
        run.configure(shape('name = "empty"\nsizes = []\nflags = {}\nmatrix = []\nitems = []\nmembers = []\nnamed = {}\nwords = []'));
        expect(await run.applyAll("conformance_shape.it")).toMatchObject({
          sizes: [],
          flags: {},
          matrix: [],
          items: [],
          members: [],
          named: {},
          words: [],
        });
      });

      test("keep the recorded values of set elements when other elements change", async ({ expect }) => {
        const member = (key: string, more = ""): string => `{ key = "${key}"${more} }`;
        const members = (...all: readonly string[]): string => shape(`name = "set"\nmembers = [${all.join(", ")}]`);
        run.configure(members(member("b"), member("dd"), member("c", ', role = "writer"')));
        await run.applyAll("conformance_shape.it");
        // An element is added before the others, one is removed, one states a default explicitly: the elements keep their identity.
        run.configure(members(member("a"), member("dd", ', role = "reader"'), member("c", ', role = "writer"')));
        const change = changeOf(await run.plan(), "conformance_shape.it");
        expect(change.after?.["members"]).toEqual([
          { key: "a", role: "reader", grants: null },
          { key: "c", role: "writer", grants: null, number: 1 },
          { key: "dd", role: "reader", grants: null, number: 2 },
        ]);
        expect(await run.applyAll("conformance_shape.it")).toMatchObject({
          members: [
            { key: "a", role: "reader", number: 1 },
            { key: "c", role: "writer", number: 1 },
            { key: "dd", role: "reader", number: 2 },
          ],
        });
      });
    });

    describe("blocks of every nesting", () => {
      const frame = (body: string): string => `resource "conformance_frame" "it" {\n  name = "f"\n${body}\n}`;

      test("are planned and recorded with their defaults", async ({ expect }) => {
        run.configure(
          frame(`
            one { text = "only" }
            group { size = 3 }
            rule {
              port = 80
              match { pattern = "*" }
              match {
                pattern  = "?"
                caseless = true
              }
            }
            rule { port = 443 }
            access { role = "guest" }
            access {
              role  = "admin"
              write = true
            }
            zone "north" { note = "cold" }
            zone "south" { weight = 20 }`),
        );
        const change = changeOf(await run.plan(), "conformance_frame.it");
        expect(change.after_unknown).toMatchObject({ rule: [{ id: true }, { id: true }] });
        const state = {
          name: "f",
          wait_ms: 0,
          timeouts: null,
          one: { text: "only", mode: "soft" },
          group: { size: 3, unit: "mm" },
          rule: [
            {
              port: 80,
              id: "rule-80",
              match: [
                { pattern: "*", caseless: false },
                { pattern: "?", caseless: true },
              ],
            },
            { port: 443, id: "rule-443", match: [] },
          ],
          access: [
            { role: "admin", write: true },
            { role: "guest", write: false },
          ],
          zone: { north: { weight: 10, note: "cold" }, south: { weight: 20, note: null } },
        };
        expect(await run.applyAll("conformance_frame.it")).toEqual(state);
      });

      test("are empty when omitted, and a group has its defaults", async ({ expect }) => {
        run.configure(frame(""));
        expect(await run.applyAll("conformance_frame.it")).toEqual({
          name: "f",
          wait_ms: 0,
          timeouts: null,
          one: null,
          group: {
            size: null,
            unit: "mm",
          },
          rule: [],
          access: [],
          zone: {},
        });
      });

      test("fail when there are too many", async ({ expect }) => {
        run.configure(frame("rule { port = 1 }\nrule { port = 2 }\nrule { port = 3 }\nrule { port = 4 }"));
        expect(await run.runToFailure("validate", "-no-color")).toContain("No more than 3");
      });
    });

    describe("numbers without an exact double", () => {
      const exact = "12345678901234567890.123456789012345678901234567890123456789";
      test("keep every digit in plan and state", async ({ expect }) => {
        run.configure(`resource "conformance_number" "it" {
          name   = "n"
          whole  = 18446744073709551615
          exact  = ${exact}
          double = 0.1
          wholes = [9223372036854775807, -9223372036854775808, 9007199254740993, 340282366920938463463374607431768211456]
          prices = { a = { price = 0.30000000000000004 }, b = { price = 1e-30 } }
        }
        output "next" { value = tostring(conformance_number.it.next) }
        output "more" { value = tostring(conformance_number.it.prices["a"].next) }
        output "same" { value = conformance_number.it.same == conformance_number.it.exact }`);
        await run.must(["plan", "-input=false", "-out=plan.bin"]);
        const plan = await run.must(["show", "-json", "plan.bin"]);
        for (const digits of ["18446744073709551615", exact, "9007199254740993", "340282366920938463463374607431768211456"]) {
          expect(plan).toContain(digits);
        }
        await run.must(["apply", "-input=false", "plan.bin"]);
        await run.assertEmptyPlan();
        const state = readFileSync(join(run.folder, "terraform.tfstate"), "utf8");
        for (const digits of ["18446744073709551616", "-9223372036854775808", exact, "0.30000000000000004"])
          expect(state).toContain(digits);
        const { outputs } = (await run.state()).values ?? {};
        expect(outputs).toMatchObject({
          next: { value: "18446744073709551616" },
          more: { value: "18446744073709551617" },
          same: { value: true },
        });
      });

      test("are kept when the author reads the nearest double", async ({ expect }) => {
        run.configure(`resource "conformance_number" "it" {
          name   = "n"
          double = 1 / 3
        }
        output "exact" { value = conformance_number.it.double * 3 == 1 / 3 * 3 }`);
        await run.must(["apply", "-input=false", "-auto-approve"]);
        await run.assertEmptyPlan();
        expect((await run.state()).values?.outputs).toMatchObject({ exact: { value: true } });
      });

      test("are an error when the author requires doubles and precision would be lost", async ({ expect }) => {
        run.configure('resource "conformance_number" "it" {\n  name = "n"\n  double = 9007199254740993\n}');
        expect(await run.runToFailure("plan", "-input=false", "-no-color")).toMatch(
          /double is\s+not exactly representable as a\s+JavaScript number/,
        );
      });
    });

    describe("a value of any type", () => {
      test("changes its type from one apply to the next", async ({ expect }) => {
        const values: readonly (readonly [expression: string, json: unknown])[] = [
          ['"text"', "text"],
          ["7", 7],
          ['{ a = [1, "two"], b = null }', { a: [1, "two"], b: null }],
          ["null", null],
          ['tomap({ k = "v" })', { k: "v" }],
          ["toset([2, 1])", [1, 2]],
        ];
        for (const [index, [value, json]] of values.entries()) {
          run.configure(`resource "conformance_anything" "it" {\n  name = "a"\n  value = ${value}\n  inside = { value = ${value} }\n}`);
          expect(await run.apply(), value).toContain(index === 0 ? "1 added" : "1 changed");
          const state = { name: "a", value: json, echo: json, inside: { value: json, echo: json } };
          expect(await run.attributesOf("conformance_anything.it"), value).toEqual(state);
        }
        await run.assertEmptyPlan();
      });
    });

    describe("semantically equal values", () => {
      test("cause neither drift nor changes, also inside sets", async ({ expect }) => {
        const alike = (name: string, policy: string, at: string, network: string, lasts: string): string => `
          resource "conformance_alike" "it" {
            name    = "${name}"
            policy  = jsonencode(${policy})
            at      = "${at}"
            network = "${network}"
            address = "::1"
            lasts   = "${lasts}"
            parts   = [{ policy = "{\\"a\\": 1, \\"b\\": 2}" }, { policy = "[]", weight = 2 }]
          }`;
        run.configure(alike("Name", "{ x = [1, 2], y = null }", "2026-01-02T03:04:05Z", "10.0.0.0/8", "90m"));
        const state = await run.applyAll("conformance_alike.it");
        expect(state).toMatchObject({ name: "Name", policy: '{"x":[1,2],"y":null}', at: "2026-01-02T03:04:05Z", lasts: "90m" });
        // Another spelling is equal, too.
        run.configure(alike("NAME", "{ y = null, x = [1, 2] }", "2026-01-02T04:04:05+01:00", "10.0.0.0/8", "1h30m"));
        await run.assertEmptyPlan();
        run.configure(alike("NAME", "{ y = null, x = [1, 3] }", "2026-01-02T04:04:05+01:00", "10.0.0.0/8", "1h30m"));
        expect(changeOf(await run.plan(), "conformance_alike.it")).toMatchObject({
          actions: ["update"],
          after: { name: "Name", lasts: "90m" },
        });
      });
    });
  });
}
