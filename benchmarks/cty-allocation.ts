// SPDX-License-Identifier: Apache-2.0
// Prints the memory of a decoded object as JSON: bytes `allocated` by decoding, and bytes `kept` by the object. Runs in its own
// process without automatic garbage collection: node --expose-gc --min-semi-space-size=256 --max-semi-space-size=256
import * as msgpack from "@tenon/cty/msgpack";
import type { Value } from "@tenon/cty";
import { object60 } from "./cty-samples.ts";

const rounds = 2000;
const { type } = object60();
const bytes = msgpack.encode(object60(), type);
const objects: Value[] = [];
const decodeAll = (): void => {
  for (let round = 0; round < rounds; round++) objects[round] = msgpack.decode(bytes, type);
};
const heap = (): number => process.memoryUsage().heapUsed;

// V8 optimises the code first.
for (let round = 0; round < 5; round++) decodeAll();
objects.fill(msgpack.decode(bytes, type));
gc!();
const before = heap();
decodeAll();
const allocated = heap() - before;
gc!();
const kept = heap() - before;
console.log(JSON.stringify({ allocated: allocated / rounds, kept: kept / rounds }));
