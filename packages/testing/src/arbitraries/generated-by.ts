// SPDX-License-Identifier: Apache-2.0
import { Arbitrary, Stream, Value, type Random as Source } from "fast-check";
import { recordChoices, simplerChoices, type ChoiceSequence, type Chosen } from "../generate/choice-sequence.ts";
import type { Random } from "../generate/random.ts";

/**
 * Returns the arbitrary of a generator. It shrinks by the choices of the generator: with fewer and smaller choices. A generator needs no code
 * for that; it should make the simple value from the choice 0.
 *
 * @example
 * fc.sample(generatedBy((random) => random.times(random.int(3), () => random.pick(["a", "b"]))), 1);
 */
export function generatedBy<T>(generate: (random: Random) => T): Arbitrary<T> {
  return new GeneratedArbitrary(generate);
}

class GeneratedArbitrary<T> extends Arbitrary<T> {
  readonly #generate: (random: Random) => T;

  constructor(generate: (random: Random) => T) {
    super();
    this.#generate = generate;
  }

  override generate(source: Source): Value<T> {
    return valueOf(recordChoices(this.#generate, () => source.nextDouble()));
  }

  override canShrinkWithoutContext(value: unknown): value is T {
    return false;
  }

  override shrink(_: T, context: unknown): Stream<Value<T>> {
    if (context === undefined) return Stream.nil();
    return new Stream(simplerChoices(this.#generate, context as ChoiceSequence)).map(valueOf);
  }
}

function valueOf<T>({ value, choices }: Chosen<T>): Value<T> {
  return new Value(value, choices);
}
