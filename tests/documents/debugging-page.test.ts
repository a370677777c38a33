// SPDX-License-Identifier: Apache-2.0
// Follows the page on debugging with the provider of the guide.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { test, vi } from "vitest";
import { Project } from "./project.ts";
import { readDocument, snippetsOf } from "./snippets.ts";

// The provider starts from its sources, which takes longer on a busy machine.
vi.setConfig({ testTimeout: 180_000 });

const page = snippetsOf(readDocument("packages/provider-sdk/docs/debugging.md"));
const guide = snippetsOf(readDocument("packages/provider-sdk/docs/getting-started.md"));
const files = Object.fromEntries(guide.flatMap(({ file, text }) => (file?.endsWith(".ts") ? [[file, text]] : [])));

interface LaunchFile {
  readonly configurations: readonly { readonly name: string; readonly request: string; readonly args?: readonly string[] }[];
}

/** The arguments of `node` on the page, with any free port for the inspector. */
const command = page
  .find(({ language }) => language === "sh")!
  .text.trim()
  .split(" ")
  .map((word) => (word === "--inspect" ? "--inspect=127.0.0.1:0" : word));

test("the command prints the lines on the page", async ({ expect }) => {
  const expected = page
    .find(({ language }) => language === "text")!
    .text.trim()
    .split("\n");
  using project = new Project(files);
  const [, ...args] = command;
  const provider = spawn(process.execPath, args, { cwd: project.folder, stdio: ["ignore", "pipe", "pipe"] });
  try {
    let output = "";
    for (const stream of [provider.stdout, provider.stderr]) stream.setEncoding("utf8").on("data", (text: string) => (output += text));
    // What stands before an ellipsis, and before the port, does not depend on the machine.
    const starts = expected.filter((line) => line !== "").map((line) => line.replace(/:9229.*|….*/, ""));
    await vi.waitFor(() => starts.forEach((start) => expect(output).toContain(start)), { timeout: 180_000 });
  } finally {
    provider.kill();
    await once(provider, "close");
  }
});

test("launch.json starts the program of the guide as the command does", ({ expect }) => {
  const { configurations } = JSON.parse(page.find(({ language }) => language === "json")!.text) as LaunchFile;
  const launch = configurations.find(({ request }) => request === "launch");
  expect(["node", "--inspect=127.0.0.1:0", ...(launch?.args ?? [])]).toEqual(command);
  expect(Object.keys(files)).toContain(launch?.args?.[0]);
  const attaching = configurations.find(({ request }) => request === "attach");
  expect(readDocument("packages/provider-sdk/docs/debugging.md")).toContain(`the configuration \`${attaching?.name}\``);
});
