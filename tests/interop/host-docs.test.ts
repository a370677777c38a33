// SPDX-License-Identifier: Apache-2.0
// Programs on the pages of the plugin host: all of them compile, and those that need no registry run, and print what they say.
import { execFile } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { describePeer } from "@tenon/peers/vitest";
import { test } from "vitest";
import { compile } from "./compiled-types.ts";
import { snippetsOf } from "./guide.ts";

const docs = join(import.meta.dirname, "../../packages/plugin-host/docs");
const programs = readdirSync(docs).flatMap((page) =>
  snippetsOf(readFileSync(join(docs, page), "utf8"))
    .filter(({ language }) => language === "ts")
    .map(({ text }, index) => ({
      file: `${page.replace(".md", "")}-${index + 1}.ts`,
      text,
      prints: [...text.matchAll(/^\/\/ => (.*)$/gm)].map(([, line = ""]) => line),
    })),
);

test("all of them compile", { timeout: 90_000 }, async ({ expect }) => {
  expect(programs.map(({ file }) => file)).toEqual([
    "client-1.ts",
    "installing-1.ts",
    "launching-1.ts",
    "observability-1.ts",
    "recordings-1.ts",
    "types-1.ts",
  ]);
  const { errors } = await compile(Object.fromEntries(programs.map(({ file, text }) => [file, text])));
  expect(errors).toEqual([]);
});

describePeer(["provider-time"], "the programs on the pages of the plugin host", ({ "provider-time": peer }) => {
  // A program that installs asks a registry.
  test.for(programs.filter(({ file }) => !file.startsWith("installing")))(
    "$file runs, and prints what it says",
    { timeout: 60_000 },
    async ({ file, text, prints }, { expect, onTestFinished }) => {
      const folder = mkdtempSync(join(tmpdir(), "host-docs-"));
      onTestFinished(() => rmSync(folder, { recursive: true }));
      // Packages are found from this folder, and what is written lands in another.
      const program = `process.chdir(${JSON.stringify(folder)});\n${text}`;
      const { stdout, stderr } = await promisify(execFile)(process.execPath, ["--input-type=module-typescript", "-e", program], {
        cwd: import.meta.dirname,
        // As a reader has it, who has asked for no other carrier.
        env: { ...process.env, PATH: dirname(peer.path), TENON_CARRIER: undefined },
      });
      expect([stdout.split("\n").filter((line) => line !== ""), stderr]).toEqual([prints, ""]);
      if (!file.startsWith("types")) return;
      const { errors } = await compile({ "time.ts": readFileSync(join(folder, "time.ts"), "utf8") });
      expect(errors).toEqual([]);
    },
  );
});
