// SPDX-License-Identifier: Apache-2.0
import { number, of, type ObjectType, type Value } from "@tenon/cty";
import { valueOf, type Payload } from "@tenon/cty/unstable/payload";
import { divide } from "@tenon/cty/operators";
import { describe, test } from "vitest";
import { startLife, type ResourceLife } from "../../test/resource-life.ts";
import type { ResourceDefinition } from "../definition/index.ts";
import { attr, createProvider, defineProvider, nested, type Schema } from "../index.ts";
import { isSame } from "../shape/part.ts";
import { configOf } from "../../test/resource-life.ts";

const third = divide(of(number, 1), of(number, 3)) as Value;
const twoThirds = divide(of(number, 2), of(number, 3)) as Value;
const scale = defineProvider({ name: "scale", version: "1.0.0" });
const schema = {
  weight: attr.number({ required: true }),
  copy: attr.number({ computed: true }),
  list: nested.list({ part: attr.number({ required: true }) }, { optional: true }),
  set: nested.set({ part: attr.number({ required: true }), name: attr.string({ required: true }) }, { optional: true }),
  map: attr.map(attr.number(), { optional: true }),
};
const data = {
  weight: third,
  list: [{ part: third }, { part: twoThirds }],
  set: [
    { part: third, name: "a" },
    { part: twoThirds, name: "b" },
  ],
  map: { k: twoThirds },
};

interface Part {
  readonly part: number;
}
interface Planned {
  readonly weight: number;
  readonly list: readonly Part[];
  readonly set: readonly Part[];
  readonly map: object;
}

function life(change: Partial<ResourceDefinition<undefined, Schema, string>> = {}, seenWeights: unknown[] = []): Promise<ResourceLife> {
  // Copies every object, so that only the doubles themselves are returned.
  const copied = ({ weight, list, set, map }: Planned): object => ({
    weight,
    copy: weight,
    list: list.map((one) => ({ ...one })),
    set: set.map((one) => ({ ...one })).toReversed(),
    map: { ...map },
  });
  const definition = {
    schema,
    create: ({ planned }: { readonly planned: Planned }) => (seenWeights.push(planned.weight), copied(planned)),
    update: ({ planned }: { readonly planned: Planned }) => copied(planned),
    read: ({ state }: { readonly state: Planned }) => copied(state),
    delete: () => {},
    ...change,
  };
  return startLife(scale.with([scale.resource("thing", definition as never)]), "scale_thing", null);
}

function memberOf(object: Value, name: string): Value {
  const { type, payload } = object as Value<ObjectType>;
  return valueOf(type.attributes[name]!, (payload as readonly Payload[])[type.names.indexOf(name)]!);
}

describe("numbers that are not exactly representable as doubles", () => {
  test("reach a handler as the nearest double, and keep their exact value in plan and state", async ({ expect }) => {
    const weights: unknown[] = [];
    const one = await life({}, weights);
    const { planned } = await one.plan(data);
    expect(planned?.action).toBe("create");
    expect((await one.apply(data)).diagnostics).toEqual([]);
    expect(weights).toEqual([1 / 3]);
    expect((await one.plan(data)).planned?.action).toBe("noOp");
    await one.refresh();
    expect((await one.plan(data)).planned?.action).toBe("noOp");
  });

  test("stay exact in saved state, and when plan sets the value that it received", async ({ expect }) => {
    const one = await life({
      plan: (({ planned, set }: { planned: Planned; set: (values: object) => void }) => set({ weight: planned.weight })) as never,
      create: (({ planned, saveState }: { planned: Planned; saveState: (state: object) => void }) => {
        saveState({ weight: planned.weight, copy: 0 });
        throw new Error("failed after it was saved");
      }) as never,
    });
    expect((await one.apply(data)).diagnostics.map(({ detail }) => detail)).toEqual(["failed after it was saved"]);
    const [saved, expected] = [one.object!.value, one.config({ ...data, copy: 0 })];
    expect(isSame(memberOf(saved, "weight"), memberOf(expected, "weight"))).toBe(true);
  });

  test("are exact in the result of a data source", async ({ expect }) => {
    const source = scale.dataSource("found", {
      schema: { weight: attr.number({ required: true }), half: attr.number({ computed: true }) },
      read: ({ config: { weight } }) => ({ weight, half: weight / 2 }),
    });
    const provider = createProvider(scale.with([source]), { checkResponses: true });
    const { block } = (await provider.getProviderSchema({})).dataSources.get("scale_found")!;
    const { state, diagnostics } = await provider.readDataSource({ typeName: "scale_found", config: configOf(block, { weight: third }) });
    expect(diagnostics).toEqual([]);
    const expected = configOf(block, { weight: third, half: 1 / 6 });
    expect(isSame(state, expected)).toBe(true);
  });

  test.for([
    ["an integer beyond 2^53", 9007199254740993n],
    ["a number above every double", 10n ** 400n],
  ])("are rejected if the loss matters: %s", async ([, weight], { expect }) => {
    const { diagnostics } = await (await life()).plan({ weight });
    expect(diagnostics.map(({ detail }) => detail)).toEqual([expect.stringContaining("must declare it as attr.bigint")]);
  });
});
