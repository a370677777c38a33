// SPDX-License-Identifier: Apache-2.0
import { describe, test } from "vitest";
import { createLogSink, type LogRecord } from "./log-record.ts";
import { StandardErrorReader } from "./standard-error.ts";

const output = [
  '{"@level":"info","@message":"made","@module":"provider.notes","@timestamp":"2026-01-02T03:04:05.678901Z","@caller":"note.go:7","id":7}',
  "plain text",
  "",
  "[WARN] old text",
  '{"@level":"trace","@message":"detail"}',
  "panic: boom",
  '{"@level":"error","@message":"between"}',
  "",
  "goroutine 1 [running]:",
].join("\n");

function read(level: "trace" | "info" | "off"): { reader: StandardErrorReader; records: LogRecord[] } {
  const records: LogRecord[] = [];
  const reader = new StandardErrorReader(
    "p",
    createLogSink((record) => void records.push(record), level),
  );
  reader.add(Buffer.from(output));
  reader.end();
  return { reader, records };
}

describe("StandardErrorReader", () => {
  test("emits a record for each line, plain text included (pitfall 23)", ({ expect }) => {
    const { records } = read("trace");
    expect(records.map(({ level, name, message }) => `${level} ${name} ${message}`)).toEqual([
      "info provider.notes made",
      "debug stderr plain text",
      "warn stderr [WARN] old text",
      "trace provider detail",
      "debug stderr panic: boom",
      "error provider between",
      "debug stderr ",
      "debug stderr goroutine 1 [running]:",
    ]);
    expect(records[0]).toEqual({
      level: "info",
      name: "provider.notes",
      message: "made",
      fields: { caller: "note.go:7", id: 7 },
      timestamp: new Date("2026-01-02T03:04:05.678Z"),
      provider: "p",
    });
  });

  test("drops records below the log level", ({ expect }) => {
    expect(read("info").records.map(({ message }) => message)).toEqual(["made", "[WARN] old text", "between"]);
  });

  test("keeps the panic at every log level", ({ expect }) => {
    for (const level of ["trace", "info", "off"] as const) expect(read(level).reader.panic).toBe("panic: boom\n\ngoroutine 1 [running]:");
  });

  test("continues when the listener throws, and reports the error as uncaught", async ({ expect }) => {
    const uncaught = Promise.withResolvers<unknown>();
    const listeners = process.listeners("uncaughtException");
    process.removeAllListeners("uncaughtException");
    process.once("uncaughtException", uncaught.resolve);
    try {
      let calls = 0;
      const listener = (): void => {
        if (calls++ === 0) throw new Error("a listener's error");
      };
      const reader = new StandardErrorReader("p", createLogSink(listener, "trace"));
      reader.add(Buffer.from("one\ntwo\n"));
      expect(calls).toBe(2);
      expect(await uncaught.promise).toMatchObject({ message: "a listener's error" });
    } finally {
      for (const listener of listeners) process.on("uncaughtException", listener);
    }
  });
});
