// SPDX-License-Identifier: Apache-2.0
import { Buffer } from "node:buffer";

/** A value in ASN.1's distinguished encoding: tag, length, content (X.690). */
export type Der = Buffer;

function tagged(tag: number, content: Uint8Array): Der {
  const { length } = content;
  // Short form below 128, else the count of length bytes and the length itself.
  const size = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

export function sequence(...items: readonly Uint8Array[]): Der {
  return tagged(0x30, Buffer.concat(items));
}

export function set(...items: readonly Uint8Array[]): Der {
  return tagged(0x31, Buffer.concat(items));
}

/** `bytes` are big-endian and positive; the sign bit is kept clear. */
export function integer(bytes: Uint8Array): Der {
  const start = bytes.findIndex((byte) => byte !== 0);
  const digits = start < 0 ? Buffer.from([0]) : bytes.subarray(start);
  return tagged(0x02, (digits[0] ?? 0) & 0x80 ? Buffer.concat([Buffer.from([0]), digits]) : digits);
}

export function boolean(value: boolean): Der {
  return tagged(0x01, Buffer.from([value ? 0xff : 0]));
}

/** An object identifier in its dotted form. */
export function objectIdentifier(dotted: string): Der {
  const [first = 0, second = 0, ...rest] = dotted.split(".").map(Number);
  const arcs = rest.flatMap((arc) => {
    const groups = [arc & 0x7f];
    for (let high = arc >>> 7; high > 0; high >>>= 7) groups.unshift((high & 0x7f) | 0x80);
    return groups;
  });
  return tagged(0x06, Buffer.from([first * 40 + second, ...arcs]));
}

export function octetString(content: Uint8Array): Der {
  return tagged(0x04, content);
}

/** `unused` counts the bits at the end that mean nothing. */
export function bitString(content: Uint8Array, unused = 0): Der {
  return tagged(0x03, Buffer.concat([Buffer.from([unused]), content]));
}

export function utf8String(text: string): Der {
  return tagged(0x0c, Buffer.from(text));
}

/** Two digits for the year before 2050, four from then on, as X.509 demands. */
export function time(date: Date): Der {
  const digits = `${date.toISOString().slice(0, 19).replaceAll(/[-:T]/g, "")}Z`;
  return date.getUTCFullYear() < 2050 ? tagged(0x17, Buffer.from(digits.slice(2))) : tagged(0x18, Buffer.from(digits));
}

/** `[number]` wrapped around whole values. */
export function explicit(number: number, ...items: readonly Uint8Array[]): Der {
  return tagged(0xa0 | number, Buffer.concat(items));
}

/** `[number]` in place of the value's own tag. */
export function implicit(number: number, content: Uint8Array): Der {
  return tagged(0x80 | number, content);
}
