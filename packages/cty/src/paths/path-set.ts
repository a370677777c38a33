// SPDX-License-Identifier: Apache-2.0
import { crc64 } from "./crc64.ts";
import { typedPayloadsEqual } from "../equality/equality.ts";
import type { Path, PathStep } from "../model/path.ts";

/**
 * A mutable set of paths. Index steps are the same if their keys are known to be equal.
 *
 * @see go-cty PathSet
 */
export class PathSet implements Iterable<Path> {
  /** The paths by go-cty's hash, which also determines their order. */
  readonly #buckets = new Map<bigint, Path[]>();

  constructor(paths: Iterable<Path> = []) {
    for (const path of paths) this.add(path);
  }

  get size(): number {
    let size = 0;
    for (const bucket of this.#buckets.values()) size += bucket.length;
    return size;
  }

  has(path: Path): boolean {
    return this.#buckets.get(hashOf(path))?.some((known) => equivalent(known, path)) ?? false;
  }

  add(path: Path): this {
    const hash = hashOf(path);
    const bucket = this.#buckets.get(hash);
    if (bucket === undefined) this.#buckets.set(hash, [path]);
    else if (!bucket.some((known) => equivalent(known, path))) bucket.push(path);
    return this;
  }

  /** Adds the path and all its prefixes, except the empty path. */
  addAllSteps(path: Path): this {
    for (let length = 1; length <= path.length; length++) this.add(path.slice(0, length));
    return this;
  }

  delete(path: Path): boolean {
    const hash = hashOf(path);
    const bucket = this.#buckets.get(hash) ?? [];
    const rest = bucket.filter((known) => !equivalent(known, path));
    if (rest.length === 0) this.#buckets.delete(hash);
    else this.#buckets.set(hash, rest);
    return rest.length < bucket.length;
  }

  /** Yields the paths in go-cty's order, which is stable but has no meaning. */
  *[Symbol.iterator](): IterableIterator<Path> {
    const hashes = [...this.#buckets.keys()].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
    for (const hash of hashes) yield* this.#buckets.get(hash)!;
  }

  union(other: PathSet): PathSet {
    return new PathSet([...this, ...other]);
  }

  intersection(other: PathSet): PathSet {
    return new PathSet([...this].filter((path) => other.has(path)));
  }

  difference(other: PathSet): PathSet {
    return new PathSet([...this].filter((path) => !other.has(path)));
  }

  symmetricDifference(other: PathSet): PathSet {
    return this.difference(other).union(other.difference(this));
  }

  equals(other: PathSet): boolean {
    return this.size === other.size && [...this].every((path) => other.has(path));
  }
}

/** go-cty's hash of a path, which is a signed integer. */
function hashOf(path: Path): bigint {
  const text = path.map((step) => (step.kind === "attribute" ? step.name : "#")).join("");
  return BigInt.asIntN(64, crc64(text));
}

function equivalent(a: Path, b: Path): boolean {
  return a.length === b.length && a.every((step, index) => stepsEquivalent(step, b[index]!));
}

function stepsEquivalent(a: PathStep, b: PathStep): boolean {
  if (a.kind === "attribute") return b.kind === "attribute" && a.name === b.name;
  return b.kind === "index" && typedPayloadsEqual(a.key.type, a.key.payload, b.key.type, b.key.payload) === true;
}
