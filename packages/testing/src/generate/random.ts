// SPDX-License-Identifier: Apache-2.0

/** A source of random choices. What is generated from one depends on its choices alone, so that a case can be repeated and shrunk. */
export interface Random {
  /** Returns an integer from 0 to below `below`. */
  int(below: number): number;
  chance(probability: number): boolean;
  pick<T>(from: readonly T[]): T;
  /** Picks one of the alternatives with a probability proportional to its weight, an integer. */
  weighted<T>(alternatives: readonly (readonly [weight: number, value: T])[]): T;
  /** Returns an integer of up to the given number of bits. */
  bits(count: number): bigint;
  /** Calls `make` the given number of times and returns the results. */
  times<T>(count: number, make: (index: number) => T): T[];
}

/**
 * Makes one choice: an integer from 0 to below `below`. `draw` makes it from a number from 0 to below 1 that is uniformly distributed; a
 * choice that is not made from it, such as one of an earlier case, must be smaller than `below`.
 */
export type Choose = (below: number, draw: (uniform: number) => number) => number;

const wordSize = 4294967296;

/** Creates a source whose choices `choose` makes. Smaller choices should be simpler: `chance` chooses 0 for false. */
export function randomFrom(choose: Choose): Random {
  const int = (below: number): number => choose(below, (uniform) => Math.floor(uniform * below));
  const random: Random = {
    int,
    chance: (probability) => {
      const isChosen = choose(2, (uniform) => (uniform < probability ? 1 : 0)) === 1;
      return probability >= 1 || (probability > 0 && isChosen);
    },
    pick: (from) => {
      if (from.length === 0) throw new RangeError("nothing to pick from");
      return from[int(from.length)]!;
    },
    weighted: (alternatives) => {
      const possible = alternatives.filter(([weight]) => weight > 0);
      if (possible.length === 0) throw new RangeError("nothing to pick from");
      const total = possible.reduce((sum, [weight]) => sum + weight, 0);
      const at = choose(possible.length, (uniform) => {
        let left = Math.floor(uniform * total);
        return possible.findIndex(([weight]) => (left -= weight) < 0);
      });
      return possible[at]![1];
    },
    bits: (count) => {
      let bits = 0n;
      for (let left = count; left > 0; left -= 32) {
        const word = BigInt(choose(wordSize, (uniform) => uniform * wordSize));
        bits = left >= 32 ? (bits << 32n) | word : (bits << BigInt(left)) | (word >> BigInt(32 - left));
      }
      return bits;
    },
    times: (count, make) => Array.from({ length: count }, (_, index) => make(index)),
  };
  return random;
}

/** Creates a source for one case of an area, so that each case is reproducible without the cases before it. */
export function randomFor(seed: number, area: string, index: number): Random {
  let hash = 2166136261 ^ seed;
  for (const character of `${area}/${index}`) hash = Math.imul(hash ^ character.codePointAt(0)!, 16777619);
  return createRandom(hash >>> 0);
}

/** Creates a source from a seed of 32 bits. It is the small fast counting generator (sfc32) of PractRand. */
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
  return randomFrom((_, draw) => draw(next() / wordSize));
}
