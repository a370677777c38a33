// SPDX-License-Identifier: Apache-2.0
// Values that are sent to another thread and back, and their text in messages.
import { once } from "node:events";
import { join } from "node:path";
import { inspect } from "node:util";
import { Worker } from "node:worker_threads";
import { describe, test } from "vitest";
import {
  capsule,
  CtyError,
  dynamic,
  formatPath,
  list,
  map,
  mark,
  nullOf,
  number,
  object,
  of,
  same,
  set,
  string,
  unknown,
} from "../src/index.ts";
import { decodeType, encodeType } from "../src/json/index.ts";
import { decode, encode } from "../src/msgpack/index.ts";

const program = `
  import { parentPort } from "node:worker_threads";
  const { decodeType, encodeType } = await import(${JSON.stringify(join(import.meta.dirname, "../src/json/index.ts"))});
  const { decode, encode } = await import(${JSON.stringify(join(import.meta.dirname, "../src/msgpack/index.ts"))});
  parentPort.on("message", ({ type, bytes }) => {
    const value = decode(bytes, decodeType(type));
    parentPort.postMessage({ type: encodeType(value.type), bytes: encode(value, value.type) });
    parentPort.close();
  });
`;

const type = object({ id: string, sizes: set(number), data: dynamic, tags: map(list(string)) });
const value = of(type, {
  id: unknown(string, { notNull: true, prefix: "i-" }),
  sizes: [1n << 80n, 0.1, -5],
  data: [nullOf(string), unknown(list(number), { lengthMin: 2 })],
  tags: { "é\u{1f600}": ["a"] },
});

describe("a value", () => {
  test("is the same after it was sent to a worker and back as bytes", async ({ expect, onTestFinished }) => {
    const worker = new Worker(program, { eval: true, execArgv: ["--input-type=module"] });
    onTestFinished(async () => {
      await worker.terminate();
    });
    const message = once(worker, "message");
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
    worker.postMessage({ type: encodeType(value.type), bytes: encode(value, value.type) });
    const [{ type: typeText, bytes }] = (await message) as [{ type: string; bytes: Uint8Array }];
    expect(decodeType(typeText)).toBe(value.type);
    expect(same(decode(bytes, decodeType(typeText)), value)).toBe(true);
  });

  test("is shown in Go's notation, also inside other data", ({ expect }) => {
    expect(inspect({ id: mark(of(string, "a\n"), "secret") })).toBe('{ id: cty.StringVal("a\\n").Mark("secret") }');
    expect(inspect([of(number, 1n << 80n), of(number, 0.5)])).toBe(
      "[\n  cty.NumberIntVal(1.208925819614629174706176e+24),\n  cty.NumberFloatVal(0.5)\n]",
    );
    expect(inspect(value)).toContain('cty.UnknownVal(cty.String).Refine().NotNull().StringPrefixFull("i-").NewValue()');
    expect(inspect({ type: list(capsule("blob")) })).toBe('{ type: cty.List(cty.Capsule("blob")) }');
  });

  test("that is invalid is reported with its path", ({ expect }) => {
    let error: unknown;
    try {
      of(list(object({ at: string })), [{ at: "a" }, { at: new Date(0) }] as never);
    } catch (caught) {
      error = caught;
    }
    expect(error).toBeInstanceOf(CtyError);
    const { code, message, path } = error as CtyError;
    expect({ code, message, path: formatPath(path) }).toEqual({
      code: "INVALID_VALUE",
      message: "a string is required, not a Date: use toISOString()",
      path: "[1].at",
    });
    expect(inspect(error)).toMatch(/^CtyError: a string is required/);
  });
});
