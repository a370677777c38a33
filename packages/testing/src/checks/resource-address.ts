// SPDX-License-Identifier: Apache-2.0
import type { PathStep } from "../documents/value-path.ts";

/** The address of a resource instance, such as `notebook_note.a`. `T` is the type of its state, if a definition gave it. */
export type ResourceAddress<T = unknown> = string & { readonly "~state"?: T };

/** A resource of a definition of `@tenon/provider-sdk`. */
export interface DefinedResource<T> {
  readonly typeName: string;
  /** Type only. */
  readonly "~state": T;
}

/**
 * Returns the address of a resource in the root module, whose paths in checks are then typed by the resource's schema.
 *
 * @param key The key of an instance, of `count` or `for_each`.
 *
 * @example
 * const bread = addressOf(note, "bread"); // notebook_note.bread
 * expectKnownValue(bread, "title", "Bread"); // "titel" would not compile
 */
export function addressOf<T>(resource: DefinedResource<T>, name: string, key?: string | number): ResourceAddress<T> {
  const instance = key === undefined ? "" : `[${JSON.stringify(key)}]`;
  return `${resource.typeName}.${name}${instance}` as ResourceAddress<T>;
}

/** The paths in a value of type `T`, as a name or as an array of steps. Any path, if the type is not known. */
export type PathIn<T> = unknown extends T ? PathStep | readonly PathStep[] : (keyof NonNullable<T> & string) | StepsIn<T>;

/** The arrays of steps that lead into a value of type `T`, up to six deep. */
export type StepsIn<T, Depth extends readonly unknown[] = []> = Depth["length"] extends 6
  ? readonly PathStep[]
  : unknown extends T
    ? readonly PathStep[]
    : NonNullable<T> extends string | number | bigint | boolean
      ? readonly []
      : NonNullable<T> extends readonly (infer E)[]
        ? readonly [] | readonly [number, ...StepsIn<E, [...Depth, 0]>]
        : {
            readonly [K in keyof NonNullable<T> & string]: readonly [K, ...StepsIn<NonNullable<T>[K], [...Depth, 0]>];
          }[keyof NonNullable<T> & string];
