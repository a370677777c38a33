// SPDX-License-Identifier: Apache-2.0

/** The removed and added elements of a list, by index. */
export interface ListEdits {
  /** Indexes in the old list. */
  readonly removed: ReadonlySet<number>;
  /** Indexes in the new list. */
  readonly added: ReadonlySet<number>;
}

/**
 * Returns the smallest number of removals and additions that turn one list into another. Of several such edits, it returns the one that
 * removes elements first.
 *
 * @see pulumi-terraform-bridge unstable/difft/difft.go
 */
export function listEdits<Element>(
  before: readonly Element[],
  after: readonly Element[],
  equal: (left: Element, right: Element) => boolean,
): ListEdits {
  const width = after.length + 1;
  // Number of edits that turn the end of the old list, from one index on, into the end of the new one.
  const counts = new Uint32Array((before.length + 1) * width);
  const steps = new Uint8Array(counts.length);
  for (let old = before.length; old >= 0; old -= 1) {
    for (let now = after.length; now >= 0; now -= 1) {
      const at = old * width + now;
      if (old === before.length || now === after.length) {
        counts[at] = before.length - old + after.length - now;
        steps[at] = old === before.length ? add : remove;
        continue;
      }
      const removing = 1 + counts[at + width]!;
      const adding = 1 + counts[at + 1]!;
      const keeping = counts[at + width + 1]!;
      const fewest = Math.min(removing, adding);
      const keeps = keeping < fewest && equal(before[old]!, after[now]!);
      counts[at] = keeps ? keeping : fewest;
      steps[at] = keeps ? keep : adding < removing ? add : remove;
    }
  }
  const removed = new Set<number>();
  const added = new Set<number>();
  for (let old = 0, now = 0; old < before.length || now < after.length;) {
    const step = steps[old * width + now];
    if (step === add) added.add(now);
    else if (step === remove) removed.add(old);
    if (step !== add) old += 1;
    if (step !== remove) now += 1;
  }
  return { removed, added };
}

const keep = 0;
const add = 1;
const remove = 2;
