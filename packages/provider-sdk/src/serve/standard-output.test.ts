// SPDX-License-Identifier: Apache-2.0
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { test } from "vitest";

/** Runs a program in a separate process, because it replaces standard output. The program reports on standard error. */
function run(program: string): string {
  const module = JSON.stringify(join(import.meta.dirname, "standard-output.ts"));
  const text = `import { captureStandardOutput } from ${module};\nimport { setImmediate as turn } from "node:timers/promises";\n${program}`;
  const { stdout, stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", text], { encoding: "utf8" });
  if (stdout !== "") throw new Error(`standard output got ${JSON.stringify(stdout)}`);
  return stderr;
}

test("buffers early output, and sends the output of one turn as one message", ({ expect }) => {
  const stderr = run(`
    const output = captureStandardOutput();
    console.log("early", 1);
    process.stdout.write("early 2\\n");
    await turn();
    const taken = [];
    output.sendTo((data) => taken.push(new TextDecoder().decode(data)));
    console.log("late", 1);
    console.log("late", 2);
    await turn();
    console.error(JSON.stringify(taken));
  `);
  expect(JSON.parse(stderr)).toEqual(["early 1\nearly 2\n", "late 1\nlate 2\n"]);
});

test("limits the buffer to the newest output", ({ expect }) => {
  const stderr = run(`
    const output = captureStandardOutput();
    for (let line = 0; line < 300_000; line += 1) process.stdout.write("line " + line + "\\n");
    let text = "";
    output.sendTo((data) => (text += new TextDecoder().decode(data)));
    console.error(JSON.stringify({ length: text.length, last: text.slice(-12) }));
  `);
  const { length, last } = JSON.parse(stderr) as { length: number; last: string };
  expect(last).toBe("line 299999\n");
  expect(length).toBeLessThanOrEqual(2 * 1024 * 1024);
  expect(length).toBeGreaterThanOrEqual(1024 * 1024);
});
