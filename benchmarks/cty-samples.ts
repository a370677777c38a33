// SPDX-License-Identifier: Apache-2.0
import { bool, list, map, number, object, of, set, string, unknown, type ObjectType, type Type, type Value } from "@tenon/cty";

/**
 * A resource of 60 attributes: strings, bools and numbers, collections of strings, lists, sets and maps of nested objects,
 * lists of lists, nulls and unknowns. 4.6 KB of msgpack.
 */
export function object60(): Value {
  const rule = object({ from_port: number, to_port: number, protocol: string, cidr_blocks: list(string), description: string, self: bool });
  const attributes: Record<string, Type> = {};
  const data: Record<string, unknown> = {};
  const add = (name: string, type: Type, value: unknown): void => {
    attributes[name] = type;
    data[name] = value;
  };
  for (let index = 0; index < 20; index++)
    add(`string_${index}`, string, `arn:aws:iam::123456789012:role/service-role/team-${index}/deployer-of-these`);
  for (let index = 0; index < 8; index++) add(`bool_${index}`, bool, index % 2 === 0);
  for (let index = 0; index < 8; index++) add(`number_${index}`, number, index % 3 === 0 ? index * 1000 + 0.5 : index * 4096);
  for (let index = 0; index < 4; index++)
    add(`tags_${index}`, map(string), {
      Name: `n${index}`,
      Environment: "production",
      Owner: "team-platform",
      CostCentre: "1234",
      Repository: "github.com/example/infrastructure",
    });
  for (let index = 0; index < 4; index++)
    add(`list_${index}`, list(string), ["subnet-0a1b2c3d", "subnet-1a2b3c4d", "subnet-2a3b4c5d", "subnet-3a4b5c6d"]);
  for (let index = 0; index < 3; index++) add(`set_${index}`, set(string), ["sg-0a1b2c3d", "sg-1a2b3c4d", "sg-2a3b4c5d"]);
  const rules = Array.from({ length: 8 }, (_, index) => ({
    from_port: 80 + index,
    to_port: 90 + index,
    protocol: "tcp",
    cidr_blocks: ["10.0.0.0/8", "192.168.0.0/16"],
    description: `rule ${index}`,
    self: false,
  }));
  add("rules", list(rule), rules);
  add("rule_set", set(rule), rules);
  add("rule_map", map(rule), { a: rules[0], b: rules[1], c: rules[2] });
  add("matrix", list(list(number)), [
    [1, 2, 3],
    [4, 5, 6],
  ]);
  for (let index = 0; index < 4; index++) add(`null_${index}`, string, null);
  for (let index = 0; index < 5; index++) add(`unknown_${index}`, string, unknown(string));
  return of(object(attributes) as ObjectType, data as never) as Value;
}

/** The same object without unknown values, which JSON cannot represent. */
export function known60(): Value {
  const whole = object60();
  const type = whole.type as ObjectType;
  const slots = (whole.payload as readonly unknown[]).map((payload, index) =>
    type.names[index]!.startsWith("unknown_") ? "known after all" : payload,
  );
  return { type, payload: slots as never };
}

export function list10k(): Value {
  const entry = object({ id: string, name: string, size: number, enabled: bool, tags: map(string) });
  return of(
    list(entry),
    Array.from({ length: 10_000 }, (_, index) => ({
      id: `i-${index}`,
      name: `name-${index}`,
      size: index,
      enabled: index % 2 === 0,
      tags: { a: "x", b: String(index) },
    })),
  );
}

export function map1mb(): Value {
  return of(
    map(string),
    Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [`key-${String(index).padStart(6, "0")}`, `${index}`.padEnd(88, "-")])),
  );
}

/** Unordered strings. */
export const strings10k: readonly string[] = Array.from({ length: 10_000 }, (_, index) => `element-${(index * 7919) % 10_000}`);

/** Decimals of lengths that are typical for configurations. */
export const decimals: readonly string[] = Array.from(
  { length: 200 },
  (_, index) => `${(index * 7919) % 1000}.${(index * 104_729) % 9973}`,
);
