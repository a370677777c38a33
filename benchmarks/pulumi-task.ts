// SPDX-License-Identifier: Apache-2.0

/** How often a call is made. */
export interface Timing {
  readonly warmup: number;
  readonly calls: number;
}

type Attributes = Readonly<Record<string, unknown>>;

/** Changes of one resource type. `#` in texts is the number of the object, so that no two requests are the same. */
export interface TimedTask extends Timing {
  readonly typeName: string;
  readonly config: Attributes;
  readonly changed: Attributes;
}

/** Number of objects whose requests are prepared. */
const preparedObjects = 200;

/** Attributes for many objects. They are made before the measurement, because this takes time. */
export function numberedObjects(template: Attributes): readonly Attributes[] {
  const text = JSON.stringify(template);
  return Array.from({ length: preparedObjects }, (_, number) => JSON.parse(text.replaceAll("#", String(number))) as Attributes);
}

/** Returns the next element with each call, from the first one again after the last. */
export function inTurn<Element>(elements: readonly Element[]): () => Element {
  let next = 0;
  return () => elements[next++ % elements.length]!;
}

/** Rate and processor time of calls. */
export interface TimedCalls {
  readonly perSecond: number;
  /** Processor time of the process that is measured, in microseconds a call. */
  readonly cpuMicros: number;
}

/** Makes calls, ten in flight. @param cpu - returns the processor time of the process so far, in seconds. */
export async function timedCalls(call: () => Promise<void>, { warmup, calls }: Timing, cpu: () => Promise<number>): Promise<TimedCalls> {
  const make = async (count: number): Promise<void> => {
    let made = 0;
    const lane = async (): Promise<void> => {
      while (++made <= count) await call();
    };
    await Promise.all(Array.from({ length: 10 }, lane));
  };
  await make(warmup);
  const [cpuBefore, began] = [await cpu(), performance.now()];
  await make(calls);
  const seconds = (performance.now() - began) / 1000;
  return { perSecond: calls / seconds, cpuMicros: (((await cpu()) - cpuBefore) / calls) * 1e6 };
}
