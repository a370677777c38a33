// SPDX-License-Identifier: Apache-2.0
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, test } from "vitest";
import { magicCookie } from "@tenon/protocol/handshake";
import { packageProvider } from "./package-provider.ts";

const entry = (name: string): string => JSON.stringify(join(import.meta.dirname, "..", name));

/** Source of a provider with these `protocols`, and a resource with this schema. */
const programOf = (protocols: string, schema: string): readonly (readonly [file: string, source: string])[] => [
  ["main.ts", `import { serve } from ${entry("serve/index.ts")};\nconsole.log("noise");\nawait serve(() => import("./provider.ts"));\n`],
  [
    "provider.ts",
    `import { attr, defineProvider, nested } from ${entry("index.ts")};
     const demo = defineProvider({ name: "demo", version: "1.0.0" ${protocols} });
     export const provider = demo.with([demo.resource("thing", { schema: ${schema},
       create: ({ planned }) => planned, read: () => undefined, update: ({ planned }) => planned, delete: () => {} } as never)]);\n`,
  ],
];
const flat = "{ a: attr.string({ optional: true }) }";
const deep = "{ a: nested.single({ b: attr.string({ optional: true }) }, { optional: true }) }";

describe.skipIf(process.platform === "win32")("a packaged provider", () => {
  let folder = "";
  beforeAll(() => void (folder = mkdtempSync(join(tmpdir(), "tenon-protocols-"))));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  /** Returns the handshake line for a host that supports these versions. */
  async function firstLine(launcher: string, versions: string): Promise<string> {
    const child = spawn(launcher, [], {
      env: { ...process.env, [magicCookie.variable]: magicCookie.value, PLUGIN_PROTOCOL_VERSIONS: versions },
      stdio: ["ignore", "pipe", "ignore"],
    });
    const [line] = (await once(child.stdout, "data")) as [Buffer];
    child.kill("SIGKILL");
    return line.toString();
  }

  test.for([
    { name: "old", protocols: ", protocols: [5]", schema: flat, speaks: ["5.0"], lines: { "5,6": "1|5|", "6": "1|5|" } },
    { name: "new", protocols: "", schema: deep, speaks: ["6.0"], lines: { "5,6": "1|6|", "5": "1|6|" } },
    { name: "both", protocols: "", schema: flat, speaks: ["5.0", "6.0"], lines: { "5,6": "1|6|", "5": "1|5|" } },
  ])(
    "offers the protocol versions of its definition, which it loads after the handshake: $name",
    async ({ name, protocols, schema, speaks, lines }, { expect }) => {
      for (const [file, source] of programOf(protocols, schema)) writeFileSync(join(folder, file), source);
      const out = join(folder, name);
      const main = join(folder, "main.ts");
      await packageProvider({ main, out, name: "demo", version: "1.0.0", address: "example.com/acme/demo", zip: true });
      const manifest = JSON.parse(readFileSync(join(out, "release", "terraform-provider-demo_1.0.0_manifest.json"), "utf8")) as object;
      expect(manifest).toMatchObject({ metadata: { protocol_versions: speaks } });
      const launcher = join(out, "dev", "terraform-provider-demo");
      for (const [versions, line] of Object.entries(lines)) expect((await firstLine(launcher, versions)).slice(0, 4), versions).toBe(line);
      expect(readFileSync(launcher, "utf8")).toContain('export TENON_PROVIDER_ADDRESS="${TENON_PROVIDER_ADDRESS:-example.com/acme/demo}"');
    },
  );
});
