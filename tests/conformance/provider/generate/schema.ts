// SPDX-License-Identifier: Apache-2.0
import type { Random } from "@tenon/testing/generate";
import {
  isWriteOnly,
  type AttributeDeclaration,
  type BlockDeclaration,
  type DataSourceDeclaration,
  type Mode,
  type ModifierName,
  type Nesting,
  type PrimitiveKind,
  type ProviderDeclaration,
  type ResourceDeclaration,
  type RuleDeclaration,
  type SchemaDeclaration,
  type TypeDeclaration,
} from "../declaration.ts";
import { makeDefault, makeValidators } from "./schema-details.ts";

/** Position of an attribute or block, which limits the accepted declarations. */
export interface Surroundings {
  readonly role: "resource" | "dataSource" | "provider";
  readonly depth: number;
  /** Whether it is below a list, set or map, where nothing may be dynamic. */
  readonly inCollection: boolean;
  /** Whether it is below a set or a computed attribute, where nothing may be write-only. */
  readonly refusesWriteOnly: boolean;
  /** Mode that the parts take over from a computed-only or write-only attribute. */
  readonly only?: "computed" | "writeOnly";
  readonly inNested: boolean;
}

const names = ["alpha", "bravo", "charlie", "delta", "echo", "foxtrot", "golf", "hotel", "india", "juliett", "kilo", "lima"] as const;
const blockNames = ["rule", "part", "unit"] as const;
const deepest = 3;

/** Numbers of resources and data sources of a provider. */
export interface Extent {
  readonly resources: number;
  readonly dataSources: number;
}

export function makeProvider(random: Random, { resources, dataSources }: Extent): ProviderDeclaration {
  return {
    name: "made",
    config: makeRoot(random, "provider"),
    resources: random.times(resources, (index) => makeResource(random, `r${index}`)),
    dataSources: random.times(dataSources, (index): DataSourceDeclaration => ({ name: `d${index}`, ...makeRoot(random, "dataSource") })),
  };
}

function makeRoot(random: Random, role: Surroundings["role"]): SchemaDeclaration {
  const where: Surroundings = { role, depth: 0, inCollection: false, refusesWriteOnly: role !== "resource", inNested: false };
  const schema = makeBody(random, where, 3 + random.int(6), random.int(3));
  const attributes: Record<string, AttributeDeclaration> = { ...schema.attributes, mode: { kind: "string", mode: "optional" } };
  if (role === "resource") {
    attributes["trace"] = { kind: "string", mode: "computed", ...some(makeModifiers(random, "string", "computed", where), "modifiers") };
  }
  return {
    ...schema,
    attributes,
    ...some(makeRules(random, attributes, role), "rules"),
    ...(role !== "provider" && random.chance(0.04) ? { deprecated: "It is old." } : {}),
  };
}

function some<K extends string, T>(list: readonly T[], key: K): Partial<Record<K, readonly T[]>> {
  return list.length === 0 ? {} : ({ [key]: list } as Record<K, readonly T[]>);
}

function makeResource(random: Random, name: string): ResourceDeclaration {
  const schema = makeRoot(random, "resource");
  const attributes: Record<string, AttributeDeclaration> = { ...schema.attributes, name: { kind: "string", mode: "required" } };
  const identity: Record<string, ResourceDeclaration["identity"][string]> = {};
  if (random.chance(0.5)) {
    identity["name"] = { kind: "string" };
    for (const [other, { kind, mode }] of Object.entries(attributes)) {
      if ((kind !== "string" && kind !== "int64" && kind !== "bool") || other === "mode" || other === "trace" || !random.chance(0.3))
        continue;
      if (mode === "required" || mode === "optional" || mode === "default")
        identity[other] = { kind, ...(mode === "required" ? {} : { optional: true }) };
    }
  }
  const version = random.weighted([
    [3, 0],
    [2, 1],
    [2, 2],
  ]);
  return {
    ...schema,
    attributes,
    name,
    version,
    identity,
    mutableIdentity: random.chance(0.3),
    earlier: makeEarlier(random, attributes, version),
    ...(random.chance(0.6) ? { importedBy: "name" } : {}),
    plans: random.chance(0.5),
    validates: random.chance(0.4),
  };
}

/** Generates the attributes of earlier versions: each has those of the version before, and some more. */
function makeEarlier(
  random: Random,
  attributes: Readonly<Record<string, AttributeDeclaration>>,
  version: number,
): ResourceDeclaration["earlier"] {
  const since = new Map(Object.keys(attributes).map((name) => [name, name === "name" || name === "mode" ? 0 : random.int(version + 1)]));
  return random.times(version, (at) =>
    Object.fromEntries(Object.entries(attributes).filter(([name, attribute]) => since.get(name)! <= at && !isWriteOnly(attribute))),
  );
}

export function makeBody(random: Random, where: Surroundings, attributeCount: number, blockCount: number): SchemaDeclaration {
  const attributes: Record<string, AttributeDeclaration> = {};
  const offset = random.int(names.length);
  for (let index = 0; index < attributeCount; index++) attributes[names[(offset + index) % names.length]!] = makeAttribute(random, where);
  const blocks: Record<string, BlockDeclaration> = {};
  for (let index = 0; index < blockCount; index++) blocks[blockNames[index]!] = makeBlock(random, where);
  return { attributes, ...(blockCount === 0 ? {} : { blocks }) };
}

function makeMode(random: Random, { role, refusesWriteOnly, only }: Surroundings): Mode {
  if (only === "computed") return "computed";
  if (only === "writeOnly") return random.pick(["writeOnlyRequired", "writeOnlyOptional"]);
  const onResource = role === "resource" ? 1 : 0;
  const onRead = role === "provider" ? 0 : 1;
  const writeOnly = refusesWriteOnly ? 0 : onResource;
  return random.weighted<Mode>([
    [5, "required"],
    [8, "optional"],
    [5 * onRead, "computed"],
    [5 * onRead, "optionalComputed"],
    [4 * onResource, "default"],
    [writeOnly, "writeOnlyRequired"],
    [writeOnly, "writeOnlyOptional"],
  ]);
}

function makeAttribute(random: Random, where: Surroundings): AttributeDeclaration {
  const mode = makeMode(random, where);
  const nested = where.depth < deepest && mode !== "default" && random.chance(where.depth === 0 ? 0.3 : 0.2);
  const flags = {
    mode,
    ...(random.chance(0.1) ? { sensitive: true as const } : {}),
    ...(random.chance(0.08) ? { deprecated: "Use another." } : {}),
  };
  const isWriteOnlyMode = mode.startsWith("writeOnly");
  if (nested) return makeNested(random, where, flags, isWriteOnlyMode);
  // The framework has no write-only sets.
  const type = makeType(random, { dynamic: !where.inCollection, set: !isWriteOnlyMode, depth: 0 });
  const withDefault = mode === "default" ? { default: makeDefault(random, type) } : {};
  return { ...type, ...flags, ...withDefault, ...some(makeModifiers(random, type.kind, mode, where), "modifiers") };
}

function makeNested(random: Random, where: Surroundings, flags: { readonly mode: Mode }, isWriteOnlyMode: boolean): AttributeDeclaration {
  const nesting = random.pick<Nesting>(isWriteOnlyMode ? ["single", "list", "map"] : ["single", "list", "set", "map"]);
  const computed = flags.mode === "computed" || flags.mode === "optionalComputed";
  const inside: Surroundings = {
    ...where,
    depth: where.depth + 1,
    inCollection: where.inCollection || nesting !== "single",
    refusesWriteOnly: where.refusesWriteOnly || nesting === "set" || computed,
    inNested: true,
    ...(flags.mode === "computed" ? { only: "computed" as const } : isWriteOnlyMode ? { only: "writeOnly" as const } : {}),
  };
  return {
    kind: "nested",
    nesting,
    body: makeBody(random, inside, 1 + random.int(3), 0),
    ...flags,
    ...some(makeValidators(random, { kind: nesting === "single" ? "object" : nesting } as never), "validators"),
    ...some(makeModifiers(random, "nested", flags.mode, where), "modifiers"),
  };
}

function makeBlock(random: Random, where: Surroundings): BlockDeclaration {
  const nesting = random.pick<BlockDeclaration["nesting"]>(["single", "list", "set"]);
  const inside: Surroundings = {
    ...where,
    depth: where.depth + 1,
    inCollection: where.inCollection || nesting !== "single",
    refusesWriteOnly: where.refusesWriteOnly || nesting === "set",
  };
  const isDeep = inside.depth >= 2;
  return {
    nesting,
    body: makeBody(random, inside, 1 + random.int(3), isDeep ? 0 : random.int(2)),
    ...(random.chance(0.08) ? { deprecated: "Use another." } : {}),
    ...some(makeValidators(random, { kind: nesting === "single" ? "object" : nesting } as never), "validators"),
    ...(where.role === "resource" && random.chance(0.12) ? { modifiers: ["requiresReplace" as const] } : {}),
    ...(nesting === "single" && random.chance(0.15) ? { required: true as const } : {}),
  };
}

interface TypeLimits {
  readonly dynamic: boolean;
  readonly set: boolean;
  readonly depth: number;
}

const primitives: readonly PrimitiveKind[] = ["string", "caseless", "bool", "int32", "int64", "float32", "float64", "number"];

export function makeType(random: Random, { dynamic, set, depth }: TypeLimits): TypeDeclaration {
  const deep = depth < 2 ? 1 : 0;
  const kind = random.weighted<TypeDeclaration["kind"]>([
    [9, "string"],
    [4, "caseless"],
    [12, random.pick(primitives)],
    [dynamic ? 1 : 0, "dynamic"],
    [3 * deep, "list"],
    [set ? 3 * deep : 0, "set"],
    [3 * deep, "map"],
    [2 * deep, "object"],
  ]);
  const inner: TypeLimits = { dynamic: false, set, depth: depth + 1 };
  const type = ((): TypeDeclaration => {
    switch (kind) {
      case "list":
      case "set":
      case "map":
        return { kind, element: checkable(makeType(random, inner)) };
      case "object":
        return {
          kind,
          members: Object.fromEntries(random.times(1 + random.int(2), (index) => [names[index]!, makeMember(random, inner)])),
        };
      default:
        return { kind };
    }
  })();
  return { ...type, ...some(makeValidators(random, type), "validators") };
}

/** Element kinds that the framework's validators do not support. */
function checkable(type: TypeDeclaration): TypeDeclaration {
  return type.kind === "bool" || type.kind === "object" ? withoutValidators(type) : type;
}

/** Members of object types have no validators in the framework. */
function makeMember(random: Random, limits: TypeLimits): TypeDeclaration {
  return withoutValidators(makeType(random, limits));
}

function withoutValidators(type: TypeDeclaration): TypeDeclaration {
  const { validators: _, ...plain } = type;
  if ("element" in plain) return { ...plain, element: withoutValidators(plain.element) };
  if ("members" in plain) {
    return {
      ...plain,
      members: Object.fromEntries(Object.entries(plain.members).map(([name, member]) => [name, withoutValidators(member)])),
    };
  }
  return plain;
}

function makeModifiers(random: Random, kind: string, mode: Mode, { role }: Surroundings): readonly ModifierName[] {
  if (role !== "resource" || mode.startsWith("writeOnly")) return [];
  const chosen: ModifierName[] = [];
  const computed = mode === "computed" || mode === "optionalComputed";
  if (computed && random.chance(0.4)) chosen.push(random.chance(0.75) ? "useStateForUnknown" : "useNonNullStateForUnknown");
  if (computed && (kind === "string" || kind === "caseless") && random.chance(0.08)) chosen.push("fixed");
  if (mode !== "computed" && random.chance(0.12)) chosen.push(random.pick(["requiresReplace", "requiresReplaceIfConfigured"]));
  if (mode === "computed" && random.chance(0.03)) chosen.push("requiresReplace");
  if ((kind === "string" || kind === "caseless") && random.chance(0.05)) chosen.push("refuse");
  return chosen;
}

function makeRules(
  random: Random,
  attributes: Readonly<Record<string, AttributeDeclaration>>,
  role: Surroundings["role"],
): readonly RuleDeclaration[] {
  const rules: RuleDeclaration[] = [];
  const settable = Object.keys(attributes).filter((name) => attributes[name]!.mode !== "computed" && name !== "mode");
  const ofKind = (kind: string): string[] => settable.filter((name) => attributes[name]!.kind === kind);
  const shuffled = (list: readonly string[]): string[] =>
    list
      .map((name) => [random.int(1000), name] as const)
      .toSorted(([a], [b]) => a - b)
      .map(([, name]) => name);
  if (settable.length > 2 && random.chance(0.25)) {
    const rule = random.pick(["exactlyOneOf", "atLeastOneOf", "conflicting", "requiredTogether"] as const);
    rules.push({ rule, names: shuffled(settable).slice(0, 2 + random.int(2)) });
  }
  const [text, whole] = [shuffled(ofKind("string")), shuffled(ofKind("int64"))];
  if (text.length > 0 && settable.length > 1 && random.chance(0.1)) {
    const other = shuffled(settable).find((name) => name !== text[0]);
    rules.push({ rule: "requires", names: [text[0]!, other!] });
  }
  if (whole.length > 1 && random.chance(0.4)) {
    rules.push({
      rule: random.pick(["atLeastSumOf", "atMostSumOf", "equalToSumOf", "equalToProductOf"] as const),
      names: whole.slice(0, 3),
    });
  }
  const hidden = settable.filter((name) => isWriteOnly(attributes[name]!));
  const open = settable.filter((name) => !isWriteOnly(attributes[name]!));
  if (role === "resource" && hidden.length > 0 && open.length > 0 && random.chance(0.3)) {
    rules.push({ rule: "preferWriteOnly", names: [random.pick(open), random.pick(hidden)] });
  }
  return rules;
}
