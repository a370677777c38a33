// SPDX-License-Identifier: Apache-2.0
import type { Kind } from "./kind.ts";

/** String. */
export const text: Kind<string, string> = { read: (wire) => wire, write: (model) => model };

/** List of strings. */
export const texts: Kind<readonly string[], readonly string[], string[]> = { read: (wire) => wire, write: (model) => [...model] };

/** Bool. */
export const flag: Kind<boolean, boolean> = { read: (wire) => wire, write: (model) => model };

/** Bool that is absent where it is false: the wire does not distinguish the two. */
export const optionalFlag: Kind<boolean | undefined, boolean> = {
  read: (wire) => (wire ? true : undefined),
  write: (model) => model ?? false,
};

/** Bytes. */
export const bytes: Kind<Uint8Array, Uint8Array> = { read: (wire) => wire, write: (model) => model };

/** Bytes that may be absent. */
export const optionalBytes: Kind<Uint8Array | undefined, Uint8Array | undefined> = { read: (wire) => wire, write: (model) => model };

/** 64-bit integer. An integer that a JavaScript number does not hold exactly is rejected, never rounded. */
export const integer: Kind<number, bigint> = { read: readInteger, write: writeInteger };

/** Reads a 64-bit integer. @throws RangeError for an integer that a JavaScript number does not hold exactly. */
export function readInteger(wire: bigint): number {
  const model = Number(wire);
  if (!Number.isSafeInteger(model)) throw new RangeError(`${wire} is beyond the integers that a JavaScript number holds exactly`);
  return model;
}

/** Writes a 64-bit integer. @throws RangeError for a number that is not a safe integer. */
export function writeInteger(model: number): bigint {
  if (!Number.isSafeInteger(model)) throw new RangeError(`${model} is not an integer that a JavaScript number holds exactly`);
  return BigInt(model);
}

/** Time, to the millisecond. */
export const optionalTime: Kind<Date | undefined, TimestampWire | undefined> = {
  read: (wire) => (wire === undefined ? undefined : new Date(Number(wire.seconds) * 1000 + Math.floor(wire.nanos / 1_000_000))),
  write(model) {
    if (model === undefined) return undefined;
    const milliseconds = model.getTime();
    if (Number.isNaN(milliseconds)) throw new RangeError("not a valid date");
    const seconds = Math.floor(milliseconds / 1000);
    return { seconds: BigInt(seconds), nanos: (milliseconds - seconds * 1000) * 1_000_000 };
  },
};

interface TimestampWire {
  readonly seconds: bigint;
  readonly nanos: number;
}
