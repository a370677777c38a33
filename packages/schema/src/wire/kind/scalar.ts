// SPDX-License-Identifier: Apache-2.0
import type { Kind } from "./kind.ts";

export const text: Kind<string, string> = { read: (wire) => wire, write: (model) => model };

export const texts: Kind<readonly string[], readonly string[], string[]> = { read: (wire) => wire, write: (model) => [...model] };

export const flag: Kind<boolean, boolean> = { read: (wire) => wire, write: (model) => model };

/** A flag that is absent where it is not set: the wire does not tell the two apart. */
export const optionalFlag: Kind<boolean | undefined, boolean> = {
  read: (wire) => (wire ? true : undefined),
  write: (model) => model ?? false,
};

export const bytes: Kind<Uint8Array, Uint8Array> = { read: (wire) => wire, write: (model) => model };

export const optionalBytes: Kind<Uint8Array | undefined, Uint8Array | undefined> = { read: (wire) => wire, write: (model) => model };

/** A 64-bit integer that a JavaScript number holds exactly; one that none holds is refused, never rounded. */
export const integer: Kind<number, bigint> = { read: readInteger, write: writeInteger };

export function readInteger(wire: bigint): number {
  const model = Number(wire);
  if (!Number.isSafeInteger(model)) throw new RangeError(`${wire} is beyond the integers that a JavaScript number holds exactly`);
  return model;
}

export function writeInteger(model: number): bigint {
  if (!Number.isSafeInteger(model)) throw new RangeError(`${model} is not an integer that a JavaScript number holds exactly`);
  return BigInt(model);
}

/** A point in time, to the millisecond. */
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
