// SPDX-License-Identifier: Apache-2.0
import { attr, defineProvider, importById, upgrader, type AnyType, type Schema, type ServedProvider } from "@tenon/provider-sdk";
import type { DataSourceDefinition, ResourceDefinition, StateUpgrader } from "@tenon/provider-sdk/definition";
import type { DataSourceDeclaration, ProviderDeclaration, ResourceDeclaration } from "./declaration.ts";
import { madeRules, madeSchema } from "./made-schema.ts";
import { drifted, filled, readOf, spelled, whole, within, type Seen } from "./made-values.ts";

/**
 * Creates the declared provider with provider-sdk. The table under framework-from-json in tests/peers/README.md defines the
 * behaviour of its handlers; resource.go does the same in Go.
 */
export function madeProvider(declared: ProviderDeclaration): ServedProvider {
  const provider = defineProvider({
    name: declared.name,
    version: "0.1.0",
    schema: madeSchema(declared.config),
    rules: madeRules(declared.config),
    configure: () => null,
  } as never);
  return provider.with([
    ...declared.resources.map((one) => provider.resource(one.name, madeResource(`${declared.name}_${one.name}`, one) as never)),
    ...declared.dataSources.map((one) => provider.dataSource(one.name, madeDataSource(one) as never)),
  ]);
}

type Definition = Partial<ResourceDefinition<unknown, Schema, string>>;

interface Context {
  readonly planned: Seen;
  readonly config: Seen;
  readonly state: Seen;
  readonly identity: Seen | null;
  readonly id: string;
  readonly sourceTypeName: string;
  readonly sourceState: Seen;
  readonly warn: (summary: string, detail?: string) => void;
  readonly error: (attribute: string, summary: string, detail?: string) => void;
  readonly set: (values: Seen) => void;
  readonly saveState: (state: Seen) => void;
  readonly requireReplace: (attribute: string) => void;
  readonly privateState: { readonly get: (name: string) => unknown; readonly set: (name: string, value: unknown) => void };
}

function madeResource(typeName: string, declared: ResourceDeclaration): Definition {
  const { importedBy } = declared;
  const makes = (occasion: "create" | "update") => (context: Context) => {
    const { planned, privateState } = context;
    if (planned["mode"] === "private") privateState.set("made", { by: occasion });
    return apply(declared, filled(declared, planned, occasion), occasion, context);
  };
  const handlers = {
    ...(declared.validates ? { validate } : {}),
    ...(declared.plans ? { plan, planDestroy } : {}),
    create: makes("create"),
    update: makes("update"),
    read: (context: Context) => read(declared, context),
    delete: ({ state, warn }: Context) => {
      if (state["mode"] === "throw") throw new Error("It is asked to fail.");
      if (state["mode"] === "warn") warn("Careful", "It is asked to be.");
    },
    importState:
      importedBy === undefined
        ? ({ id, identity }: Context) => {
            if (id === "throw") throw new Error("It is asked to fail.");
            return within(declared, identity ?? {}, `import${id}`);
          }
        : importById(importedBy as never),
    moveState: ({ sourceTypeName, sourceState }: Context) => {
      if (sourceTypeName !== "other_thing") return undefined;
      if (sourceState["name"] === "throw") throw new Error("It is asked to fail.");
      return whole(declared, `move${String(sourceState["name"])}`);
    },
  };
  return {
    schema: madeSchema(declared),
    rules: madeRules(declared),
    version: declared.version,
    ...(declared.deprecated === undefined ? {} : { deprecated: declared.deprecated }),
    ...(Object.keys(declared.identity).length === 0 ? {} : { identity: madeIdentity(declared) }),
    ...(declared.mutableIdentity ? { mutableIdentity: true } : {}),
    ...(declared.version === 0 ? {} : { upgradeState: madeUpgraders(declared) }),
    ...(handlers as object),
  };
}

function madeIdentity({ identity }: ResourceDeclaration): Readonly<Record<string, AnyType>> {
  const kinds = {
    string: (nullable: boolean) => attr.string({ nullable }),
    int64: (nullable: boolean) => attr.bigint({ nullable }),
    bool: (nullable: boolean) => attr.bool({ nullable }),
  };
  return Object.fromEntries(
    Object.entries(identity).map(([name, { kind, optional }]) => [name, kinds[kind as keyof typeof kinds](optional === true)]),
  );
}

function validate({ config, error }: Context): void {
  if (config["mode"] === "invalid") error("mode", "Refused", "It is asked to be.");
}

function plan({ planned, state, error, warn, requireReplace, set }: Context): void {
  switch (planned["mode"]) {
    case "refuse":
      return error("mode", "Refused", "It is asked to be.");
    case "caution":
      return warn("Careful", "It is asked to be.");
    case "replace":
      if (state !== null) requireReplace("mode");
      return;
    case "set":
      return set({ trace: "planned" });
    default:
  }
}

function planDestroy({ state, error }: Context): void {
  if (state["mode"] === "keep") error("mode", "Refused", "It is asked to be kept.");
}

function apply(declared: ResourceDeclaration, state: Seen, occasion: string, { planned, saveState, error, warn }: Context): Seen {
  switch (planned["mode"]) {
    case "throw":
      throw new Error("It is asked to fail.");
    case "half":
      saveState(state);
      throw new Error(`It is asked to fail half way of ${occasion}.`);
    case "error":
      error("mode", "Refused", "It is asked to be.");
      return state;
    case "warn":
      warn("Careful", "It is asked to be.");
      return state;
    case "spell":
      return spelled(declared, state);
    default:
      return state;
  }
}

function read(declared: ResourceDeclaration, { state, warn, privateState }: Context): Seen | undefined {
  switch (state["mode"]) {
    case "throw":
      throw new Error("It is asked to fail.");
    case "gone":
      return undefined;
    case "warn":
      warn("Careful", "It is asked to be.");
      return state;
    case "drift":
      return drifted(declared, state);
    case "spell":
      return spelled(declared, state);
    case "private":
      return { ...state, trace: (privateState.get("made") as { readonly by: string } | undefined)?.by ?? "none" };
    default:
      return state;
  }
}

/** Upgrades in a chain of versions; those of the framework go to the current version directly. */
function madeUpgraders(declared: ResourceDeclaration): Readonly<Record<number, StateUpgrader>> {
  return Object.fromEntries(
    declared.earlier.map((attributes, version): [number, StateUpgrader] => [
      version,
      upgrader({
        schema: madeSchema({ attributes }) as never,
        upgrade: (({ state }: Context) => {
          if (state["mode"] === "throw") throw new Error("It is asked to fail.");
          return version + 1 < declared.version ? state : within(declared, state, "upgrade");
        }) as never,
      }),
    ]),
  );
}

function madeDataSource(declared: DataSourceDeclaration): Partial<DataSourceDefinition<unknown, Schema>> {
  const handler = ({ config, warn }: Context): Seen => {
    if (config["mode"] === "throw") throw new Error("It is asked to.");
    if (config["mode"] === "warn") warn("Careful", "It is asked to be.");
    return readOf(declared, config);
  };
  return {
    schema: madeSchema(declared),
    rules: madeRules(declared) as never,
    ...(declared.deprecated === undefined ? {} : { deprecated: declared.deprecated }),
    read: handler as never,
  };
}
