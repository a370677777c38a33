// SPDX-License-Identifier: Apache-2.0
import { isNull, isWhollyKnown, list, number, string } from "@tenon/cty";
import { createAttribute, createBlock, createNestedBlock, impliedType, internalValidate } from "@tenon/schema";
import { assertPlanValid, proposedNew } from "@tenon/schema/change";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { attributeOf } from "../generate/body.ts";
import { configurationChanges, configurations, priors, schemas, states, unknownConfigurations } from "./configurations.ts";

const cases = { seed: 1, numRuns: 200 };

describe("arbitraries", () => {
  test("generate schemas that follow the rules of the protocol", () => {
    fc.assert(
      fc.property(schemas(), (schema) => {
        expect(internalValidate(schema)).toEqual([]);
      }),
      cases,
    );
  });

  test("generate configurations, changes and states of any schema", () => {
    const generated = schemas().chain((schema) =>
      fc.tuple(fc.constant(schema), configurationChanges(schema.block), unknownConfigurations(schema.block), states(schema.block)),
    );
    fc.assert(
      fc.property(generated, ([{ block }, { before, after }, unknowns, state]) => {
        for (const value of [before, after, unknowns, state]) expect(value.type.kind).toBe("object");
        expect([before, after, state].every(isWhollyKnown)).toBe(true);
        for (const [name, attribute] of Object.entries(block.attributes)) {
          const isSet = !isNull(attributeOf(before, name));
          if (attribute.required) expect(isSet).toBe(true);
          if (attribute.computed && !attribute.optional) expect(isSet).toBe(false);
          if (attribute.writeOnly) expect(isNull(attributeOf(state, name))).toBe(true);
        }
      }),
      cases,
    );
  });

  test("generate configurations whose proposed state is a valid plan", () => {
    const generated = schemas({ writeOnly: false }).chain((schema) =>
      fc.tuple(fc.constant(schema), configurations(schema.block), states(schema.block)),
    );
    fc.assert(
      fc.property(generated, ([{ block }, config, prior]) => {
        expect(assertPlanValid(block, prior, config, proposedNew(block, prior, config))).toEqual([]);
      }),
      cases,
    );
  });

  test("generate prior objects from plans", () => {
    const generated = schemas().chain((schema) =>
      unknownConfigurations(schema.block).chain((planned) => fc.tuple(fc.constant(schema), priors(schema.block, planned))),
    );
    fc.assert(
      fc.property(generated, ([, prior]) => {
        expect(isWhollyKnown(prior)).toBe(true);
      }),
      cases,
    );
  });

  test("shrink to the simplest configuration that fails", () => {
    const block = createBlock({
      attributes: {
        title: createAttribute({ type: string, required: true }),
        size: createAttribute({ type: number, optional: true }),
        tags: createAttribute({ type: list(string), optional: true }),
      },
      blocks: { rule: createNestedBlock("list", createBlock({ attributes: { port: createAttribute({ type: number, required: true }) } })) },
    });
    const { counterexample } = fc.check(
      fc.property(configurations(block), (config) => isNull(attributeOf(config, "size"))),
      { seed: 1, numRuns: 100 },
    );
    const [config] = counterexample!;
    expect(config.type).toBe(impliedType(block));
    expect([isNull(attributeOf(config, "tags")), attributeOf(config, "rule").payload, attributeOf(config, "title").payload]).toEqual([
      true,
      [],
      "a",
    ]);
  });
});
