// SPDX-License-Identifier: Apache-2.0
// A packaged provider on provider-sdk and one on terraform-plugin-framework: the same two resources under the same client, go-plugin's.
// The Go provider runs twice: by default it traces every call to standard error, whatever the log level; the quiet run disables that.
//
//   npm run bench -- provider [--runs 5] [--only plan]
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { parseArgs } from "node:util";
import { requirePeer } from "@tenon/peers";
import { certificate, host, observe, type ProviderCommand, untilExit, untilLine } from "./launched-provider.ts";
import { type Measurement, median, medians, report } from "./measurement.ts";
import { packageProvider } from "./packaged-provider.ts";
import { responsesOf, follow, note, type Step, wide60 } from "./provider-script.ts";
import { runTofu, type TofuRun } from "./provider-tofu.ts";

const { values: options } = parseArgs({ options: { runs: { type: "string", default: "5" }, only: { type: "string", default: "" } } });
const runs = Number(options.runs);
const measurements: Measurement[] = [];

/** Calls whose rate is measured, by row. */
const rates: readonly { readonly name: string; readonly step: Step }[] = [
  { name: "plan-note-sequential", step: { ...note.plan, inFlight: 1 } },
  { name: "plan-note-10inflight", step: { ...note.plan, inFlight: 10 } },
  { name: "plan-wide60-10inflight", step: { ...wide60.plan, inFlight: 10 } },
  { name: "read-note-10inflight", step: { ...note.read, inFlight: 10 } },
  { name: "read-wide60-10inflight", step: { ...wide60.read, inFlight: 10 } },
];

const folder = mkdtempSync(join(tmpdir(), "tenon-bench-"));
try {
  const framework = requirePeer("framework-provider").path;
  const ours: ProviderCommand = { path: packageProvider("benchmarks/measured-provider/main.ts", "bench", folder) };
  // A core passes no arguments.
  const go: ProviderCommand = { path: join(folder, "terraform-provider-bench") };
  writeFileSync(go.path, `#!/bin/sh\nexec '${framework}' -measured "$@"\n`, { mode: 0o755 });
  const sides = { ours, go, quiet: { ...go, environment: { TF_LOG_SDK: "off" } } };
  await checkSame(sides);
  if (isSelected("start")) measurements.push(...(await startRows(ours)));
  for (const { name, step } of rates) if (isSelected(name)) measurements.push(...(await rateRows(name, step, sides)));
  if (isSelected("memory")) measurements.push(...(await memoryRows(sides)));
  if (isSelected("tofu")) measurements.push(...(await tofuRows(sides)));
  report("provider", measurements);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

type Sides = Readonly<Record<"ours" | "go" | "quiet", ProviderCommand>>;

function isSelected(row: string): boolean {
  return row.startsWith(options.only) || options.only.startsWith(row);
}

/** Checks that all providers give the same results. */
async function checkSame({ ours, go }: Sides): Promise<void> {
  for (const command of [ours, go]) {
    const seen = await observe(command, ["-shutdown"]);
    if (seen.tls !== true || seen.resources !== 2 || seen.diagnostics !== 0 || seen.shutdown?.exitCode !== 0) {
      throw new Error(`${command.path} is not the measured provider: ${JSON.stringify(seen)}`);
    }
  }
  const [our, their] = [await responsesOf(ours), await responsesOf(go)];
  for (const [index, answer] of our.entries()) {
    if (answer !== their[index]) throw new Error(`the responses differ\nours ${answer}\npeer ${their[index]}`);
  }
}

/** Creates a row against the Go provider's defaults, and one against the quiet Go provider. */
function bothRows(name: string, unit: string, { ours, go, quiet }: Readonly<Record<"ours" | "go" | "quiet", number>>): Measurement[] {
  return [
    { name, ours, peer: go, unit },
    { name: `${name}-quiet`, ours, peer: quiet, unit },
  ];
}

async function startRows(ours: ProviderCommand): Promise<Measurement[]> {
  const nothing = (): Promise<number> => untilExit(process.execPath, ["-e", "0"]);
  const started = await medians(runs * 6, {
    node: nothing,
    line: () => untilLine({ ...ours, environment: { ...host, ...certificate } }),
    schema: async () => (await observe(ours)).firstCallMs,
  });
  return [
    { name: "start-handshake", ours: started.line, peer: started.node, unit: "ms" },
    { name: "start-first-schema", ours: started.schema, peer: started.node, unit: "ms" },
  ];
}

/** Measures calls per second of a new process after one second of warm-up. */
async function rateRows(name: string, step: Step, { ours, go, quiet }: Sides): Promise<Measurement[]> {
  const rate = (command: ProviderCommand) => async (): Promise<number> => {
    const { steps = [] } = await follow(command, [{ ...step, warmup: 1, seconds: 2, sameLength: true }]);
    const { calls, seconds } = steps.at(-1)!;
    return calls / seconds;
  };
  return bothRows(name, "/s", await medians(runs, { ours: rate(ours), go: rate(go), quiet: rate(quiet) }));
}

/** Measures resident memory in MiB after the first schema, and after a number of reads of the small resource. */
async function memoryRows({ ours, go, quiet }: Sides): Promise<Measurement[]> {
  const measured = async (command: ProviderCommand, steps: readonly Step[]): Promise<number> =>
    (await follow(command, steps)).steps!.at(-1)!.residentKiB / 1024;
  const started = (command: ProviderCommand) => () => measured(command, []);
  const loaded = (command: ProviderCommand) => () => measured(command, [{ ...note.read, inFlight: 10, calls: 8000 }]);
  return [
    ...bothRows("memory-started", "MiB", await medians(runs, { ours: started(ours), go: started(go), quiet: started(quiet) })),
    ...bothRows("memory-loaded", "MiB", await medians(runs, { ours: loaded(ours), go: loaded(go), quiet: loaded(quiet) })),
  ];
}

async function tofuRows(sides: Sides): Promise<Measurement[]> {
  const names = ["ours", "go", "quiet"] as const;
  const taken = { ours: [] as TofuRun[], go: [] as TofuRun[], quiet: [] as TofuRun[] };
  for (let run = 0; run < Math.min(3, runs); run++) {
    for (const name of names) {
      const { path, environment = {} } = sides[name];
      taken[name].push(await runTofu(dirname(path), environment));
    }
  }
  if (taken.ours[0]!.state !== taken.go[0]!.state)
    throw new Error(`states differ\nours ${taken.ours[0]!.state}\npeer ${taken.go[0]!.state}`);
  return (["plan", "apply", "destroy"] as const).flatMap((command) => {
    const of = (name: (typeof names)[number]): number => median(taken[name].map((run) => run[command])) / 1000;
    return bothRows(`tofu-${command}-1000`, "s", { ours: of("ours"), go: of("go"), quiet: of("quiet") });
  });
}
