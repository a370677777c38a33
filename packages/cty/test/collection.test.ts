// SPDX-License-Identifier: Apache-2.0
// A host that runs for months uses new types again and again. Types that are no longer used must not stay in memory.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { test } from "vitest";

const source = join(import.meta.dirname, "../src");
const program = `
  import { dynamic, get, list, map, number, object, of, set, string, tuple, equals } from ${JSON.stringify(join(source, "index.ts"))};
  import { convert, unify } from ${JSON.stringify(join(source, "convert/index.ts"))};
  import * as json from ${JSON.stringify(join(source, "json/index.ts"))};
  import * as msgpack from ${JSON.stringify(join(source, "msgpack/index.ts"))};
  import { setTimeout } from "node:timers/promises";
  const registry = globalThis[Symbol.for("@tenon/cty/registry/1")];
  let number_ = 0;
  function useTypes(count) {
    for (let index = 0; index < count; index++) {
      const name = "attribute" + number_++;
      const type = object({ [name]: list(tuple(string, number)), b: map(set(string)) });
      const value = of(type, { [name]: [["a", 1]], b: { k: ["x"] } });
      msgpack.decode(msgpack.encode(value, type), type);
      msgpack.decode(msgpack.encode(value, dynamic), dynamic);
      json.decode(json.encode(value, type), type);
      json.decodeType(json.encodeType(type));
      convert(value, object({ [name]: list(dynamic), b: dynamic }));
      unify([type, map(dynamic)]);
      equals(value, of(type, { [name]: [], b: {} }));
      get(value, name);
    }
  }
  async function settled() {
    // The engine runs the callbacks of collected objects some time after the collection.
    for (let round = 0, last = -1; round < 100 && (round < 6 || registry.types.size !== last); round++) {
      last = registry.types.size;
      gc();
      await setTimeout(20);
    }
    // The minimum of several measurements: it does not include objects that are about to be collected.
    let heap = Infinity;
    for (let look = 0; look < 10; look++) {
      gc();
      await setTimeout(20);
      heap = Math.min(heap, process.memoryUsage().heapUsed);
    }
    return { types: registry.types.size, heap };
  }
  async function manyTypes() {
    for (let round = 0; round < 5; round++) {
      useTypes(4000);
      await setTimeout(0);
    }
  }
  // The first run fills tables that grow once and stay, such as the engine's own. They grow by doubling, which may also happen in one
  // of the later runs. A leak shows in every run.
  const stretches = [];
  for (let stretch = 0; stretch < 4; stretch++) {
    await manyTypes();
    stretches.push(await settled());
  }
  console.log(JSON.stringify(stretches));
`;

test("unused types are garbage-collected, together with the data that is cached for them", { timeout: 120_000 }, ({ expect }) => {
  // Without the optimiser, whose data about hot code would look like a leak.
  const run = spawnSync(process.execPath, ["--expose-gc", "--no-opt", "--input-type=module", "-e", program], { encoding: "utf8" });
  expect(run.stderr).toBe("");
  const stretches = JSON.parse(run.stdout) as readonly { readonly types: number; readonly heap: number }[];
  const growth = (of: "types" | "heap"): number => Math.min(...stretches.slice(1).map((one, index) => one[of] - stretches[index]![of]));
  expect(growth("types")).toBeLessThan(200);
  // 20,000 types that are kept take more than 50 MB.
  expect(growth("heap")).toBeLessThan(1 << 20);
});
