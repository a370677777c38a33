// SPDX-License-Identifier: Apache-2.0

/** A random generator that gives the same numbers for the same seed on every machine. */
export interface Random {
  /** An integer from 0 to `below - 1`. */
  int(below: number): number;
  /** True with the given probability. */
  chance(probability: number): boolean;
  pick<T>(from: readonly T[]): T;
  /** One of the alternatives, with a probability proportional to its weight. */
  weighted<T>(alternatives: readonly (readonly [weight: number, value: T])[]): T;
  /** A non-negative integer of up to the given number of bits. */
  bits(count: number): bigint;
  /** Calls `make` the given number of times and returns the results. */
  times<T>(count: number, make: (index: number) => T): T[];
}

/** A random generator for one case of an area, so that each case is reproducible without the cases before it. */
export function randomFor(seed: number, area: string, index: number): Random {
  let hash = 2166136261 ^ seed;
  for (const character of `${area}/${index}`) hash = Math.imul(hash ^ character.codePointAt(0)!, 16777619);
  return createRandom(hash >>> 0);
}

/** The small fast counting generator (sfc32) of PractRand, seeded by one word. */
export function createRandom(seed: number): Random {
  let [a, b, c, counter] = [seed | 0, (seed ^ 0x9e3779b9) | 0, 0x2545f491 | 0, 1];
  const next = (): number => {
    const sum = (((a + b) | 0) + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (((c << 21) | (c >>> 11)) + sum) | 0;
    return sum >>> 0;
  };
  for (let round = 0; round < 12; round++) next();

  const int = (below: number): number => Math.floor((next() / 4294967296) * below);
  const random: Random = {
    int,
    chance: (probability) => next() / 4294967296 < probability,
    pick: (from) => {
      if (from.length === 0) throw new RangeError("nothing to pick from");
      return from[int(from.length)]!;
    },
    weighted: (alternatives) => {
      let left = int(alternatives.reduce((sum, [weight]) => sum + weight, 0));
      for (const [weight, value] of alternatives) {
        left -= weight;
        if (left < 0) return value;
      }
      throw new RangeError("nothing to pick from");
    },
    bits: (count) => {
      let bits = 0n;
      for (let left = count; left > 0; left -= 32) {
        const word = BigInt(next());
        bits = left >= 32 ? (bits << 32n) | word : (bits << BigInt(left)) | (word >> BigInt(32 - left));
      }
      return bits;
    },
    times: (count, make) => Array.from({ length: count }, (_, index) => make(index)),
  };
  return random;
}
