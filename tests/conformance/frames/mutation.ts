// SPDX-License-Identifier: Apache-2.0
import type { Random } from "@tenon/testing/generate";
import { bytesOf, type Frame } from "./conversation.ts";

/** Mutations of a conversation, by name. */
const mutations: Readonly<Record<string, (random: Random, frames: Frame[]) => void>> = {
  type: (random, frames) => void (pick(random, frames).type = random.int(12)),
  flags: (random, frames) => void (pick(random, frames).flags ^= 1 << random.int(8)),
  stream: (random, frames) => void (pick(random, frames).streamId = random.pick([0, 1, 2, 3, 5, 6, 99, 0x7fff_ffff, 0x8000_0001])),
  length: (random, frames) => {
    const frame = pick(random, frames);
    frame.length = random.pick([0, 1, 4, 5, 6, 8, frame.payload.length + 1, 16_384, 16_385, 0xff_ffff]);
  },
  byte: (random, frames) => {
    const frame = pick(random, frames);
    if (frame.payload.length === 0) return;
    frame.payload = Buffer.from(frame.payload);
    frame.payload[random.int(frame.payload.length)] = random.int(256);
  },
  bit: (random, frames) => {
    const frame = pick(random, frames);
    if (frame.payload.length === 0) return;
    frame.payload = Buffer.from(frame.payload);
    const at = random.int(frame.payload.length);
    frame.payload[at] = frame.payload[at]! ^ (1 << random.int(8));
  },
  shorter: (random, frames) => {
    const frame = pick(random, frames);
    frame.payload = frame.payload.subarray(0, random.int(frame.payload.length + 1));
  },
  longer: (random, frames) => {
    const frame = pick(random, frames);
    frame.payload = Buffer.concat([frame.payload, Buffer.from(random.times(random.int(40), () => random.int(256)))]);
  },
  drop: (random, frames) => void frames.splice(random.int(frames.length), 1),
  duplicate: (random, frames) => void frames.splice(random.int(frames.length), 0, copy(pick(random, frames))),
  swap: (random, frames) => {
    const [one, other] = [random.int(frames.length), random.int(frames.length)];
    [frames[one], frames[other]] = [frames[other]!, frames[one]!];
  },
  repeated: (random, frames) => {
    const frame = pick(random, frames);
    const times = random.pick([10, 200, 12_000]);
    frames.splice(random.int(frames.length), 0, ...Array.from({ length: frame.payload.length > 100 ? 10 : times }, () => copy(frame)));
  },
  random: (random, frames) => {
    const payload = Buffer.from(random.times(random.pick([0, 4, 6, 8, 30]), () => random.pick([0, 1, 0xff, random.int(256)])));
    frames.splice(random.int(frames.length + 1), 0, { type: random.int(12), flags: random.int(256), streamId: random.int(9), payload });
  },
};

export const mutationNames: readonly string[] = [...Object.keys(mutations), "none", "truncated"];

export interface Mutated {
  /** Names of the mutations. */
  readonly done: readonly string[];
  /** Bytes of the conversation, in the chunks to write. */
  readonly pieces: readonly Buffer[];
}

/** Applies up to four mutations to a conversation, and splits it into chunks. */
export function mutate(random: Random, frames: Frame[], before: Buffer): Mutated {
  const done: string[] = [];
  const times = random.weighted([
    [1, 0],
    [8, 1],
    [4, 2],
    [2, 4],
  ]);
  for (let time = 0; time < times && frames.length > 0; time++) {
    const name = random.pick(Object.keys(mutations));
    mutations[name]!(random, frames);
    done.push(name);
  }
  if (times === 0) done.push("none");
  let bytes = Buffer.concat([before, ...frames.map(bytesOf)]);
  if (random.chance(0.1)) {
    bytes = bytes.subarray(0, random.int(bytes.length + 1));
    done.push("truncated");
  }
  return { done, pieces: inPieces(random, bytes) };
}

function inPieces(random: Random, bytes: Buffer): Buffer[] {
  if (random.chance(0.5)) return [bytes];
  const size = random.pick([1, 3, 7, 50, 1000]);
  // Single bytes are a useful case, but too slow for a long conversation.
  const step = Math.max(size, Math.ceil(bytes.length / 200));
  return Array.from({ length: Math.ceil(bytes.length / step) }, (_, index) => bytes.subarray(index * step, (index + 1) * step));
}

function pick(random: Random, frames: readonly Frame[]): Frame {
  return random.pick(frames);
}

function copy(frame: Frame): Frame {
  return { ...frame };
}
