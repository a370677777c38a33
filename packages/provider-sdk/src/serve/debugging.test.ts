// SPDX-License-Identifier: Apache-2.0
// Tests, with real processes, that a debugger stops at a breakpoint in a `.ts` file of a served provider, as docs/debugging.md describes.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { SourceMap } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { toJs } from "@tenon/cty";
import { parseReattachProviders } from "@tenon/protocol/reattach";
import { afterAll, beforeAll, describe, test } from "vitest";
import { connect, type Connection, fixture, ProviderProcess } from "../../test/hosted-process.ts";
import { openInspector, type InspectorClient } from "../../test/inspector-client.ts";
import { packageProvider } from "../package/package-provider.ts";

const fixtures = join(import.meta.dirname, "../../test/fixtures");
const sourceLines = readFileSync(join(fixtures, "provider.ts"), "utf8").split("\n");
/** Where the tests set the breakpoint: line and column from 0. */
const breakpoint = positionOf("return done(`${behavior} by");

function positionOf(text: string): { readonly line: number; readonly column: number } {
  const line = sourceLines.findIndex((each) => each.includes(text));
  return { line, column: sourceLines[line]!.indexOf(text) };
}

interface Location {
  readonly scriptId: string;
  readonly lineNumber: number;
  readonly columnNumber: number;
}

interface Script {
  readonly scriptId: string;
  readonly url: string;
  readonly sourceMapURL?: string;
}

interface Paused {
  readonly hitBreakpoints: readonly string[];
  readonly callFrames: readonly { readonly callFrameId: string; readonly functionName: string; readonly location: Location }[];
}

interface Debugged extends AsyncDisposable {
  readonly inspector: InspectorClient;
  readonly connection: Connection;
}

/** Starts a provider with `--debug` and the inspector, and connects to both, as a debugger and a CLI do. */
async function debug(command: readonly string[], environment: NodeJS.ProcessEnv): Promise<Debugged> {
  const process = new ProviderProcess([...command, "--debug"], environment);
  await process.waitForOutput(/TF_REATTACH_PROVIDERS='.*'/);
  // The address of the inspector is on standard error, which arrives independently of standard output.
  await process.waitForOutput(/Debugger listening on ws:\S+\s/);
  const [, url = ""] = /Debugger listening on (ws:\S+)/.exec(process.stderr) ?? [];
  const [, text = ""] = /export TF_REATTACH_PROVIDERS='(.*)'/.exec(process.stdout) ?? [];
  const [[, reattach] = [undefined, undefined]] = parseReattachProviders(text);
  const inspector = await openInspector(url);
  await inspector.send("Debugger.enable");
  const connection = connect(reattach!.address, reattach!.protocolVersion);
  return {
    inspector,
    connection,
    async [Symbol.asyncDispose]() {
      await inspector[Symbol.asyncDispose]();
      await connection.carrier.close();
      await process[Symbol.asyncDispose]();
    },
  };
}

/** Calls the handler, which stops at the breakpoint; returns where, and the result after the program continues. */
async function stopInCreate({ inspector, connection }: Debugged, look: (paused: Paused) => Promise<void>): Promise<unknown> {
  const paused = inspector.next<Paused>("Debugger.paused");
  const created = connection.create("task");
  // A failure of `look` ends the test, and with it the call.
  created.catch(() => {});
  await look(await paused);
  await inspector.send("Debugger.resume");
  const { newState, diagnostics } = await created;
  if (diagnostics.length > 0) throw new Error(JSON.stringify(diagnostics));
  return (toJs(newState) as { readonly result: string }).result;
}

test("a debugger stops at a breakpoint in a .ts file that Node runs", async ({ expect }) => {
  const [node = "", main = ""] = fixture("main.ts");
  await using debugged = await debug([node, "--inspect=127.0.0.1:0", main], {});
  const { inspector } = debugged;
  const { breakpointId, locations } = await inspector.send<{ readonly breakpointId: string; readonly locations: readonly Location[] }>(
    "Debugger.setBreakpointByUrl",
    { urlRegex: String.raw`test/fixtures/provider\.ts$`, lineNumber: breakpoint.line },
  );
  expect(locations).toMatchObject([{ lineNumber: breakpoint.line }]);
  const result = await stopInCreate(debugged, async ({ hitBreakpoints, callFrames: [frame] }) => {
    expect(hitBreakpoints).toEqual([breakpointId]);
    expect(frame).toMatchObject({ functionName: "create", location: { lineNumber: breakpoint.line } });
    const expression = { callFrameId: frame?.callFrameId, expression: "`${behavior} for ${client.label}`" };
    expect(await inspector.send("Debugger.evaluateOnCallFrame", expression)).toMatchObject({ result: { value: "task for default" } });
  });
  expect(result).toBe("task by default");
});

describe.skipIf(process.platform === "win32")("a packaged provider", () => {
  let folder = "";
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "tenon-debug-"));
    const address = "example.com/tenon/fixture";
    await packageProvider({ main: join(fixtures, "main.ts"), out: folder, name: "fixture", version: "1.0.0", address });
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test("stops at a breakpoint in a .ts file, which the debugger finds by the source map", async ({ expect }) => {
    await using debugged = await debug([join(folder, "dev", "terraform-provider-fixture")], { NODE_OPTIONS: "--inspect=127.0.0.1:0" });
    const { inspector } = debugged;
    const { scriptId, map } = scriptOf(inspector.events<Script>("Debugger.scriptParsed"));
    const location = { scriptId, ...generatedPosition(map) };
    const { breakpointId } = await inspector.send<{ readonly breakpointId: string }>("Debugger.setBreakpoint", { location });
    const result = await stopInCreate(debugged, async ({ hitBreakpoints, callFrames: [frame] }) => {
      expect(hitBreakpoints).toEqual([breakpointId]);
      expect(frame?.functionName).toBe("create");
      const at = map.findEntry(frame?.location.lineNumber ?? -1, frame?.location.columnNumber ?? -1);
      expect(at).toMatchObject({ originalLine: breakpoint.line });
    });
    expect(result).toBe("task by default");
  });
});

/** The script that was bundled from the fixture, with its source map, which the debugger reads. */
function scriptOf(scripts: readonly Script[]): { readonly scriptId: string; readonly map: SourceMap } {
  for (const { scriptId, url, sourceMapURL } of scripts) {
    if (!sourceMapURL) continue;
    const map = JSON.parse(readFileSync(new URL(sourceMapURL, url), "utf8")) as SourceMap["payload"];
    if (map.sources.some((source) => source.endsWith("test/fixtures/provider.ts"))) return { scriptId, map: new SourceMap(map) };
  }
  throw new Error("no script has a source map that names the fixture");
}

/** The position in the bundle of the breakpoint: line and column from 0. */
function generatedPosition(map: SourceMap): { readonly lineNumber: number; readonly columnNumber: number } {
  for (let lineNumber = 0; lineNumber < 100; lineNumber += 1) {
    for (let columnNumber = 0; columnNumber < 20_000; columnNumber += 1) {
      const entry = map.findEntry(lineNumber, columnNumber);
      if (!("originalSource" in entry) || !entry.originalSource.endsWith("test/fixtures/provider.ts")) continue;
      if (entry.generatedLine === lineNumber && entry.originalLine === breakpoint.line && entry.originalColumn === breakpoint.column)
        return { lineNumber, columnNumber };
    }
  }
  throw new Error("the source map does not contain the line of the breakpoint");
}
