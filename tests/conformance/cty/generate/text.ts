// SPDX-License-Identifier: Apache-2.0
import type { Random } from "@tenon/testing/generate";

const words: readonly string[] = [
  "",
  "a",
  "b",
  "foo",
  "bar",
  "boop",
  "hello world",
  "Foo Bar",
  "foo-",
  "x y  z",
  "UPPER",
  "straße",
  "ΣΊΣΥΦΟΣ",
];
/** Text that converts to another type, or nearly does. */
const literals: readonly string[] = [
  "true",
  "false",
  "TRUE",
  "True",
  "1",
  "0",
  "12",
  "-3",
  "1.5",
  " 1",
  "1e3",
  "0x10",
  "1p4",
  "Inf",
  "-0",
  "010",
  "null",
];
/** Edge cases for normal forms, segmentation, escapes and sorting. */
const oddities: readonly string[] = [
  "e\u0301",
  "é",
  "\u1100\u1161\u11a8",
  "각",
  "क्ष",
  "नमस्ते",
  "👨‍👩‍👧‍👦",
  "🇩🇪🇫🇷🇩",
  "👍🏽",
  "☺️",
  "\u200d",
  "a\u0300\u0323",
  "a\u0323\u0300",
  "\u0344",
  "\u212b",
  "\u2126",
  "\uac00\u11a8",
  "\r\n",
  "\n",
  "\t\u0000\u0007\u001b\u007f",
  "\u2028\u2029",
  '<a href="x">&amp;</a>',
  '"quoted\\"',
  "${x} %{y}",
  "\u00ad\u200b\ufeff",
  "\ue000",
  "\uffff",
  "\u{10000}",
  "\u{1f600}",
  "\u{e0001}",
  "\u{10ffff}",
  "ﬁ",
  "İı",
  "ǆ",
  "ﷺ",
  "ก็",
  "ำ",
  "\u0600ا",
  "\u0e33",
];

/** Code points with special rules for grapheme clusters, normal forms and Go's quoting. */
const ranges: readonly (readonly [number, number])[] = [
  [0x20, 0x7e],
  [0x00, 0x1f],
  [0x80, 0x24f],
  [0x300, 0x36f],
  [0x370, 0x5ff],
  [0x600, 0x6ff],
  [0x900, 0xdff],
  [0xe00, 0xeff],
  [0x1100, 0x11ff],
  [0x1e00, 0x1fff],
  [0x2000, 0x206f],
  [0x2070, 0x2bff],
  [0x3000, 0x30ff],
  [0x4e00, 0x4e80],
  [0xa9e0, 0xaaff],
  [0xabc0, 0xabff],
  [0xac00, 0xacff],
  [0xd7b0, 0xd7ff],
  [0xf900, 0xfaff],
  [0xfb00, 0xfe0f],
  [0xfe20, 0xfeff],
  [0xfff0, 0xffff],
  [0x10a00, 0x10a7f],
  [0x11000, 0x1107f],
  [0x1d150, 0x1d1ff],
  [0x1f1e6, 0x1f1ff],
  [0x1f300, 0x1f6ff],
  [0x1f900, 0x1faff],
  [0x20000, 0x200ff],
  [0x2f800, 0x2fa1f],
  [0xe0000, 0xe01ef],
];

/** Any character except a lone surrogate, which a Go string cannot hold. */
export function anyCharacter(random: Random): string {
  const [from, to] = random.pick(ranges);
  return String.fromCodePoint(from + random.int(to - from + 1));
}

export function anyText(random: Random): string {
  return random.weighted<() => string>([
    [8, () => random.pick(words)],
    [4, () => random.pick(literals)],
    [4, () => random.pick(oddities)],
    [2, () => random.times(random.int(4) + 1, () => random.pick(random.chance(0.5) ? words : oddities)).join("")],
    [2, () => random.times(random.int(12), () => anyCharacter(random)).join("")],
    [1, () => "a" + "\u0301".repeat(random.int(70))],
    [1, () => random.pick(words).repeat(random.int(60))],
  ])();
}

/** Characters that interact with their neighbours, so that a few of them already form an edge case. */
export function denseText(random: Random): string {
  return random.times(random.int(8) + 1, () => (random.chance(0.3) ? random.pick(oddities) : anyCharacter(random))).join("");
}

const names: readonly string[] = [
  "a",
  "b",
  "c",
  "id",
  "name",
  "tags",
  "é",
  "e\u0301",
  "__proto__",
  "constructor",
  "0",
  "10",
  "9",
  "a-b",
  "",
  "\u{1f600}",
  "\ufffd",
  "<&>",
  "x y",
];

export function anyName(random: Random): string {
  return random.chance(0.75) ? names[random.int(6)]! : random.pick(names);
}

const starters: readonly string[] = [
  "a",
  "e",
  "A",
  "\u1ea5",
  "\u00a8",
  "\u1100",
  "\uac00",
  "\u0dd9",
  "\u09c7",
  "\u304b",
  "\u{1d15e}",
  "ﬁ",
  "\u212b",
  "3",
];
const vowelSigns: readonly string[] = [
  "\u09be",
  "\u0bbe",
  "\u0cc2",
  "\u0d3e",
  "\u0dcf",
  "\u102e",
  "\u1161",
  "\u11a8",
  "\u1b35",
  "\uff9e",
  "\u{11127}",
];
const marks: readonly string[] = [
  "\u0316",
  "\u0323",
  "\u0334",
  "\u0344",
  "\u0345",
  "\u093c",
  "\u094d",
  "\u0dca",
  "\u3099",
  "\u05b4",
  "\u0654",
  "\u{1d165}",
];

/** Text of characters that combine and reorder. */
export function combiningText(random: Random): string {
  if (random.chance(0.5)) return random.chance(0.5) ? denseText(random) : anyText(random);
  const crowd = random.chance(0.3) ? 70 : 6;
  const one = (): string =>
    random.weighted<() => string>([
      [6, () => String.fromCodePoint(0x300 + random.int(0x70))],
      [4, () => random.pick(marks)],
      [2, () => random.pick(vowelSigns)],
      [1, () => random.pick(starters)],
    ])();
  return random.times(random.int(3) + 1, () => random.pick(starters) + random.times(random.int(crowd), one).join("")).join("");
}
