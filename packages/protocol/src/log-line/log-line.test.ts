// SPDX-License-Identifier: Apache-2.0
import { Buffer } from "node:buffer";
import * as fc from "fast-check";
import { describe, test } from "vitest";
import { formatLogLine } from "./format-log-line.ts";
import { type LogLine, logLevels, maxLineBytes } from "./log-line.ts";
import { parseLogLine } from "./parse-log-line.ts";

const when = new Date(Date.UTC(2026, 10, 21, 10, 32, 37, 7));

describe("formatLogLine", () => {
  test("writes the same line as go-hclog", ({ expect }) => {
    expect(
      formatLogLine({ level: "debug", message: "plugin address", timestamp: when, fields: { address: "/tmp/p", network: "unix" } }),
    ).toBe(
      '{"@level":"debug","@message":"plugin address","@timestamp":"2026-11-21T10:32:37.007000Z","address":"/tmp/p","network":"unix"}\n',
    );
    expect(formatLogLine({ level: "warn", message: "m", module: "provider.sub", caller: "f.ts:1", timestamp: when })).toBe(
      '{"@level":"warn","@message":"m","@timestamp":"2026-11-21T10:32:37.007000Z","@module":"provider.sub","@caller":"f.ts:1"}\n',
    );
  });

  test("uses the current time for a missing or invalid timestamp", ({ expect }) => {
    for (const timestamp of [undefined, new Date(Number.NaN)]) {
      const before = Date.now();
      const line = parseLogLine(formatLogLine({ level: "info", message: "m", ...(timestamp ? { timestamp } : {}) }));
      expect(line.timestamp!.getTime()).toBeGreaterThanOrEqual(before);
    }
  });

  test("renames a field with a reserved key", ({ expect }) => {
    const line = formatLogLine({
      level: "info",
      message: "m",
      timestamp: when,
      fields: { "@message": 7, "_@message": 8, "@level": "x", "@else": 9 },
    });
    expect(JSON.parse(line)).toEqual({
      "@level": "info",
      "@message": "m",
      "@timestamp": "2026-11-21T10:32:37.007000Z",
      "__@message": 7,
      "_@message": 8,
      "_@level": "x",
      "@else": 9,
    });
  });

  test("writes text for values that JSON cannot represent", ({ expect }) => {
    const circular: Record<string, unknown> = { name: "me" };
    circular["self"] = circular;
    const twice = { shared: true };
    const fields = {
      big: 12_345_678_901_234_567_890n,
      infinite: Number.POSITIVE_INFINITY,
      error: new TypeError("no"),
      bytes: Buffer.from([1, 2, 3]),
      map: new Map([["k", new Set([1])]]),
      circular,
      twice: [twice, twice],
      absent: undefined,
      nothing: null,
      symbol: Symbol("s"),
      run: function run() {},
      broken: {
        toJSON: () => {
          throw new Error("broken");
        },
      },
    };
    expect(parseLogLine(formatLogLine({ level: "info", message: "m", fields })).fields).toEqual({
      big: "12345678901234567890",
      infinite: "Infinity",
      error: "TypeError: no",
      bytes: "AQID",
      map: { k: [1] },
      circular: { name: "me", self: "(circular)" },
      twice: [{ shared: true }, { shared: true }],
      nothing: null,
      symbol: "Symbol(s)",
      run: "(function run)",
      broken: "(not serializable: broken)",
    });
  });

  test("truncates a line that is too long for hosts", ({ expect }) => {
    const text = formatLogLine({
      level: "info",
      message: "m",
      fields: { request: "é".repeat(100_000), nested: { list: Array(50_000).fill(1) }, id: 7 },
    });
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(maxLineBytes);
    const { structured, fields } = parseLogLine(text);
    expect(structured).toBe(true);
    expect(fields["request"]).toMatch(/^é{8000,}… \(\d+ more\)$/);
    expect(fields["nested"]).toMatch(/^\{"list":\[1,1,.*… \(\d+ more\)$/);
    expect(fields["id"]).toBe(7);
  });

  test("drops the fields when there are too many to truncate", ({ expect }) => {
    const fields = Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`field${index}`, index]));
    const text = formatLogLine({ level: "error", message: "m".repeat(100_000), fields });
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(maxLineBytes);
    expect(parseLogLine(text)).toMatchObject({ level: "error", structured: true, fields: { tenon_fields_dropped: 20_000 } });
  });

  /** Throws for a line that makes a host in Go crash, or that it reads as plain text: go-plugin log_entry.go, parseJSON. */
  const checkForGoHost = (text: string): void => {
    if (!text.endsWith("\n") || text.indexOf("\n") !== text.length - 1) throw new Error("not one line");
    if (Buffer.byteLength(text) > maxLineBytes) throw new Error("too long");
    const object = JSON.parse(text) as Record<string, unknown>;
    for (const key of ["@message", "@level", "@timestamp"]) if (typeof object[key] !== "string") throw new Error(`${key} is not a string`);
    if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}(Z|[+-]\d\d:\d\d)$/.test(object["@timestamp"] as string)) throw new Error("timestamp");
    if (!logLevels.includes(object["@level"] as LogLine["level"])) throw new Error("level");
  };
  const keys = fc.oneof(
    fc.string(),
    fc.constantFrom("@message", "@level", "@timestamp", "@module", "@caller", "_@message", "__proto__", "toJSON"),
  );
  const lines = fc.record(
    {
      level: fc.constantFrom(...logLevels),
      message: fc.string({ unit: "binary", maxLength: 300 }),
      module: fc.string({ minLength: 1 }),
      caller: fc.string({ minLength: 1 }),
      timestamp: fc.date({ min: new Date(0), max: new Date(Date.UTC(9999, 11, 31)), noInvalidDate: false }),
      fields: fc.dictionary(
        keys,
        fc.anything({
          withBigInt: true,
          withDate: true,
          withMap: true,
          withSet: true,
          withTypedArray: true,
          withNullPrototype: true,
          withObjectString: true,
        }),
      ),
    },
    { requiredKeys: ["level", "message"] },
  );

  test("writes lines that no host crashes on, for any fields", ({ expect }) => {
    fc.assert(
      fc.property(lines, (line) => {
        const text = formatLogLine(line);
        checkForGoHost(text);
        const parsed = parseLogLine(text.trimEnd());
        expect(parsed).toMatchObject({ level: line.level, message: line.message.toWellFormed(), structured: true });
        if (line.module !== undefined) expect(parsed.module).toBe(line.module);
      }),
      { numRuns: 500 },
    );
  });

  test("writes JSON fields that parseLogLine returns unchanged", ({ expect }) => {
    fc.assert(
      fc.property(
        lines,
        fc.dictionary(
          fc.string().filter((key) => !key.startsWith("@")),
          fc.jsonValue(),
        ),
        (line, fields) => {
          expect(parseLogLine(formatLogLine({ ...line, fields })).fields).toEqual(JSON.parse(JSON.stringify(fields)));
        },
      ),
    );
  });
});

describe("parseLogLine", () => {
  test("parses the lines of a Go provider", ({ expect }) => {
    const line = '{"@level":"info","@message":"configuring server automatic mTLS","@timestamp":"2026-11-21T10:32:37.889756Z"}';
    expect(parseLogLine(line)).toEqual({
      level: "info",
      message: "configuring server automatic mTLS",
      timestamp: new Date("2026-11-21T10:32:37.889Z"),
      fields: {},
      structured: true,
    });
    expect(parseLogLine('{"@level":"TRACE","@message":"m","@module":"sdk.proto","@caller":"a.go:1","tf_rpc":"X"}')).toEqual({
      level: "trace",
      message: "m",
      module: "sdk.proto",
      caller: "a.go:1",
      fields: { tf_rpc: "X" },
      structured: true,
    });
  });

  test.for([
    ["[TRACE] a", "trace"],
    ["[DEBUG] a", "debug"],
    ["[INFO] a", "info"],
    ["[WARN] a", "warn"],
    ["[ERROR] a", "error"],
    ["[error] a", "debug"],
    [" [ERROR] a", "debug"],
    ["plain", "debug"],
    ["", "debug"],
    ['{"@level":"loud","@message":"m"}', "debug"],
    ['{"@message":"m"}', "debug"],
    ['{"@level":3}', "debug"],
    ['{"cut":', "debug"],
    ['["@level"]', "debug"],
    ["null", "debug"],
  ])("parses %j as text at level %s", ([line, level], { expect }) => {
    expect(parseLogLine(line!)).toEqual({ level, message: line, fields: {}, structured: false });
  });

  test("accepts values that a Go host would crash on", ({ expect }) => {
    expect(parseLogLine('{"@level":"info","@message":7,"@timestamp":8,"@module":[]}')).toEqual({
      level: "info",
      message: "7",
      fields: {},
      structured: true,
    });
    expect(parseLogLine('{"@level":"info","@timestamp":"yesterday"}')).toEqual({
      level: "info",
      message: "",
      fields: {},
      structured: true,
    });
  });

  test("never throws", () => {
    fc.assert(fc.property(fc.oneof(fc.string({ unit: "binary" }), fc.json()), (line) => void parseLogLine(line)));
  });
});
