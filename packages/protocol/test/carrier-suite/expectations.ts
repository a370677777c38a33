// SPDX-License-Identifier: Apache-2.0
import { setTimeout as sleep } from "node:timers/promises";
import { Code, ConnectError } from "@connectrpc/connect";
import type { ExpectStatic } from "vitest";

export const MB = 1_000_000;

/** Expects a call to fail with a `ConnectError` of that code and text. */
export async function fails(expect: ExpectStatic, call: Promise<unknown>, code: Code, text?: string | RegExp): Promise<void> {
  const error: unknown = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(ConnectError);
  const { code: actual, rawMessage } = error as ConnectError;
  expect(`${Code[actual]}: ${rawMessage}`).toMatch(new RegExp(`^${Code[code]}: `));
  if (typeof text === "string") expect(rawMessage).toBe(text);
  else if (text !== undefined) expect(rawMessage).toMatch(text);
}

export async function collect<T>(elements: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const element of elements) all.push(element);
  return all;
}

export async function* chunks(count: number, size: number): AsyncGenerator<{ index: number; payload: Uint8Array }> {
  for (let index = 0; index < count; index++) yield { index, payload: new Uint8Array(size) };
}

export async function* endlessChunks(): AsyncGenerator<{ payload: Uint8Array }> {
  for (;;) {
    yield { payload: new Uint8Array(1000) };
    await sleep(1);
  }
}
