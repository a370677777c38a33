// SPDX-License-Identifier: Apache-2.0
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { describe, test } from "vitest";
import { startHealthServer } from "./health-server.ts";
import { Metrics } from "./metrics.ts";
import { createTraceId, StructuredLog } from "./structured-log.ts";

describe("metrics", () => {
  test("are written in the text format of Prometheus", ({ expect }) => {
    const metrics = new Metrics();
    const counter = metrics.counter("tenon_reconciles_total", "Reconciles.\nBy result.");
    counter.add({ result: 'a "quoted"\n\\name' });
    counter.add({ result: "ok" }, 2);
    counter.add({ result: "ok" });
    metrics.gauge("tenon_queue_length", "Length.", () => 7);
    const durations = metrics.histogram("tenon_duration_seconds", "Durations.", [0.1, 1]);
    for (const seconds of [0.05, 0.1, 0.5, 3]) durations.observe(seconds);
    expect(metrics.text()).toBe(
      [
        "# HELP tenon_reconciles_total Reconciles.\\nBy result.",
        "# TYPE tenon_reconciles_total counter",
        'tenon_reconciles_total{result="a \\"quoted\\"\\n\\\\name"} 1',
        'tenon_reconciles_total{result="ok"} 3',
        "# HELP tenon_queue_length Length.",
        "# TYPE tenon_queue_length gauge",
        "tenon_queue_length 7",
        "# HELP tenon_duration_seconds Durations.",
        "# TYPE tenon_duration_seconds histogram",
        'tenon_duration_seconds_bucket{le="0.1"} 2',
        'tenon_duration_seconds_bucket{le="1"} 3',
        'tenon_duration_seconds_bucket{le="+Inf"} 4',
        "tenon_duration_seconds_sum 3.65",
        "tenon_duration_seconds_count 4",
        "",
      ].join("\n"),
    );
    expect(() => metrics.counter("tenon_queue_length", "")).toThrow(TypeError);
    expect(() => metrics.counter("a b", "")).toThrow(TypeError);
  });
});

describe("the health server", () => {
  test("reports health, readiness with reasons, and metrics", async ({ expect }) => {
    const metrics = new Metrics();
    metrics.gauge("up", "Up.", () => 1);
    let unready = ["the cache of notes is not complete"];
    await using server = await startHealthServer({ port: 0, host: "127.0.0.1", unready: () => unready, metrics });
    const read = async (path: string, method = "GET"): Promise<[number, string]> => {
      const response = await fetch(`http://127.0.0.1:${server.port}${path}`, { method });
      return [response.status, await response.text()];
    };
    expect(await read("/healthz")).toEqual([200, "ok\n"]);
    expect(await read("/readyz?verbose")).toEqual([503, "the cache of notes is not complete\n"]);
    unready = [];
    expect(await read("/readyz")).toEqual([200, "ok\n"]);
    expect(await read("/metrics")).toEqual([200, "# HELP up Up.\n# TYPE up gauge\nup 1\n"]);
    expect((await read("/other"))[0]).toBe(404);
    expect((await read("/healthz", "POST"))[0]).toBe(405);
  });
});

describe("the log", () => {
  test("writes a JSON object on each line, with the fields of its parents and the codes of errors", ({ expect }) => {
    const lines: string[] = [];
    const log = new StructuredLog({ write: (line) => void lines.push(line) }, { component: "bridge" });
    const traceId = createTraceId();
    log.with({ traceId }).error("failed", { error: Object.assign(new Error("no"), { code: "API_REFUSED", secret: "x" }), size: 1n });
    log.debug("not written");
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatch(/\}\n$/);
    expect(JSON.parse(lines[0]!)).toEqual({
      time: expect.any(String) as string,
      level: "error",
      message: "failed",
      component: "bridge",
      traceId,
      error: { message: "no", code: "API_REFUSED" },
      size: "1",
    });
    expect(traceId).toMatch(/^[0-9a-f]{32}$/);
  });
});

describe("a process that receives SIGTERM", () => {
  const program = (graceMs: number, work: string): string => `
    import { untilTerminated } from ${JSON.stringify(join(import.meta.dirname, "termination.ts"))};
    await untilTerminated(async ({ draining, ending }) => {
      const aborted = (signal) => new Promise((resolve) => signal.addEventListener("abort", resolve));
      const keepAlive = setInterval(() => {}, 1000);
      console.log("ready");
      await aborted(draining);
      console.log("draining");
      ${work}
      clearInterval(keepAlive);
    }, { graceMs: ${graceMs} });
    console.log("ended");
  `;

  /** Runs a program, sends it signals when it is ready, and returns its output and exit code. */
  async function run(text: string, signals: number): Promise<[string, number | null]> {
    const child = spawn(process.execPath, ["--input-type=module", "-e", text], { stdio: ["ignore", "pipe", "inherit"] });
    let output = "";
    child.stdout.on("data", (chunk: Buffer) => {
      const before = output;
      output += chunk.toString();
      if (!before.includes("ready") && output.includes("ready")) child.kill("SIGTERM");
      if (signals > 1 && !before.includes("draining") && output.includes("draining")) child.kill("SIGTERM");
    });
    const [code] = (await once(child, "close")) as [number | null];
    return [output, code];
  }

  test("drains its work, and ends", async ({ expect }) => {
    expect(await run(program(60_000, ""), 1)).toEqual(["ready\ndraining\nended\n", 0]);
  });

  test("aborts its work before the grace period has passed", async ({ expect }) => {
    const work = 'await aborted(ending); console.log("aborted");';
    expect(await run(program(200, work), 1)).toEqual(["ready\ndraining\naborted\nended\n", 0]);
  });

  test("aborts its work immediately after a second signal", async ({ expect }) => {
    const work = "await aborted(ending); console.log(ending.reason.message);";
    expect(await run(program(3_600_000, work), 2)).toEqual(["ready\ndraining\nreceived SIGTERM twice\nended\n", 0]);
  });
});
