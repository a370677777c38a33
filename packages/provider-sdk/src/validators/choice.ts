// SPDX-License-Identifier: Apache-2.0
import type { Validator } from "../definition/attribute-options.ts";

/** At least one of the validators has nothing to say. Where all have, all of it is reported. */
export function anyOf<T>(...validators: readonly [Validator<T>, ...Validator<T>[]]): Validator<T> {
  const check = (value: T): string | undefined => {
    const wrong: string[] = [];
    for (const one of validators) {
      const answer = one(value);
      if (answer === undefined) return undefined;
      wrong.push(answer);
    }
    return wrong.join(", or ");
  };
  return Object.assign(check, { description: described(validators, " or ") });
}

/** No validator has anything to say: one branch of {@link anyOf}. */
export function allOf<T>(...validators: readonly [Validator<T>, ...Validator<T>[]]): Validator<T> {
  const check = (value: T): string | undefined => {
    const wrong = validators.map((one) => one(value)).filter((answer) => answer !== undefined);
    return wrong.length === 0 ? undefined : wrong.join(", and ");
  };
  return Object.assign(check, { description: described(validators, " and ") });
}

function described<T>(validators: readonly Validator<T>[], between: string): string {
  return validators.map((one) => one.description ?? "must be valid").join(between);
}
