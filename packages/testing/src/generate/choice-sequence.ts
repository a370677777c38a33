// SPDX-License-Identifier: Apache-2.0
import { randomFrom, type Random } from "./random.ts";

/** The choices of a generated value, in their order. The same choices generate the same value, and smaller or fewer ones a simpler value. */
export type ChoiceSequence = readonly number[];

/** A generated value, and the choices that it was generated from. */
export interface Chosen<T> {
  readonly value: T;
  readonly choices: ChoiceSequence;
}

/** Generates a value and records its choices. `uniform` returns numbers from 0 to below 1. */
export function recordChoices<T>(generate: (random: Random) => T, uniform: () => number): Chosen<T> {
  const choices: number[] = [];
  const random = randomFrom((below, draw) => {
    const choice = draw(uniform());
    if (below > 1) choices.push(choice);
    return choice;
  });
  return { value: generate(random), choices };
}

/** Generates a value from choices. Choices that are too large are reduced, absent ones are 0, and superfluous ones are left out. */
export function replayChoices<T>(generate: (random: Random) => T, sequence: ChoiceSequence): Chosen<T> {
  const choices: number[] = [];
  const random = randomFrom((below) => {
    if (below <= 1) return 0;
    const choice = Math.min(sequence[choices.length] ?? 0, below - 1);
    choices.push(choice);
    return choice;
  });
  return { value: generate(random), choices };
}

/** Returns simpler values than the one of a sequence, each from fewer choices or from smaller ones, the simplest first. */
export function* simplerChoices<T>(generate: (random: Random) => T, sequence: ChoiceSequence): Generator<Chosen<T>> {
  const seen = new Set<string>([sequence.join()]);
  for (const candidate of simplerSequences(sequence)) {
    const chosen = replayChoices(generate, candidate);
    const key = chosen.choices.join();
    if (seen.has(key) || !isSimpler(chosen.choices, sequence)) continue;
    seen.add(key);
    yield chosen;
  }
}

function* simplerSequences(sequence: ChoiceSequence): Generator<ChoiceSequence> {
  yield [];
  for (let size = sequence.length >> 1; size > 0; size >>= 1) {
    for (let from = 0; from + size <= sequence.length; from += size) yield sequence.toSpliced(from, size);
    if (size === 1) continue;
    for (let from = 0; from + size <= sequence.length; from += size) {
      yield sequence.toSpliced(from, size, ...Array.from({ length: size }, () => 0));
    }
  }
  for (const [at, choice] of sequence.entries()) {
    for (const smaller of new Set([0, choice >> 1, choice - 1])) if (smaller >= 0 && smaller < choice) yield sequence.with(at, smaller);
  }
}

/** Whether a sequence is shorter, or as long and smaller at the first difference. There is no endless descent in this order. */
function isSimpler(one: ChoiceSequence, other: ChoiceSequence): boolean {
  if (one.length !== other.length) return one.length < other.length;
  const at = one.findIndex((choice, index) => choice !== other[index]);
  return at >= 0 && one[at]! < other[at]!;
}
