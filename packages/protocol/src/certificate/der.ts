// SPDX-License-Identifier: Apache-2.0
import { Buffer } from "node:buffer";

/** An ASN.1 value in its distinguished encoding rules (DER): tag, length, content. @see X.690 */
export type Der = Buffer;

function tagged(tag: number, content: Uint8Array): Der {
  const { length } = content;
  // Short form below 128; otherwise the number of length bytes, and the length itself.
  const size = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

/** SEQUENCE of encoded values. */
export function sequence(...items: readonly Uint8Array[]): Der {
  return tagged(0x30, Buffer.concat(items));
}

/** SET of encoded values. The caller sorts them. */
export function set(...items: readonly Uint8Array[]): Der {
  return tagged(0x31, Buffer.concat(items));
}

/** INTEGER, not negative, from its big-endian bytes. */
export function integer(bytes: Uint8Array): Der {
  const start = bytes.findIndex((byte) => byte !== 0);
  const digits = start < 0 ? Buffer.from([0]) : bytes.subarray(start);
  return tagged(0x02, (digits[0] ?? 0) & 0x80 ? Buffer.concat([Buffer.from([0]), digits]) : digits);
}

/** BOOLEAN. */
export function boolean(value: boolean): Der {
  return tagged(0x01, Buffer.from([value ? 0xff : 0]));
}

/** OBJECT IDENTIFIER, from its dotted form. */
export function objectIdentifier(dotted: string): Der {
  const [first = 0, second = 0, ...rest] = dotted.split(".").map(Number);
  const arcs = rest.flatMap((arc) => {
    const groups = [arc & 0x7f];
    for (let high = arc >>> 7; high > 0; high >>>= 7) groups.unshift((high & 0x7f) | 0x80);
    return groups;
  });
  return tagged(0x06, Buffer.from([first * 40 + second, ...arcs]));
}

/** OCTET STRING. */
export function octetString(content: Uint8Array): Der {
  return tagged(0x04, content);
}

/** BIT STRING. `unused`: number of unused bits in the last byte. */
export function bitString(content: Uint8Array, unused = 0): Der {
  return tagged(0x03, Buffer.concat([Buffer.from([unused]), content]));
}

/** UTF8String. */
export function utf8String(text: string): Der {
  return tagged(0x0c, Buffer.from(text));
}

/** UTCTime before the year 2050, GeneralizedTime from then on. @see RFC 5280, section 4.1.2.5 */
export function time(date: Date): Der {
  const digits = `${date.toISOString().slice(0, 19).replaceAll(/[-:T]/g, "")}Z`;
  return date.getUTCFullYear() < 2050 ? tagged(0x17, Buffer.from(digits.slice(2))) : tagged(0x18, Buffer.from(digits));
}

/** `[number] EXPLICIT`: a tag around encoded values. */
export function explicit(number: number, ...items: readonly Uint8Array[]): Der {
  return tagged(0xa0 | number, Buffer.concat(items));
}

/** `[number] IMPLICIT`: a tag that replaces the tag of the value. */
export function implicit(number: number, content: Uint8Array): Der {
  return tagged(0x80 | number, content);
}
