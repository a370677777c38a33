// SPDX-License-Identifier: Apache-2.0
import { attributeStep, get, nullOf, number, of, same, string, toJs, unknown, type Path, type Type, type Value } from "@tenon/cty";
import {
  createAttribute,
  createSchema,
  identityType,
  impliedType,
  ProviderError,
  type FunctionSignature,
  type IdentitySchema,
  type Provider,
  type Schema,
} from "../src/index.ts";

// A provider in memory that follows the rules of the protocol. Tests replace single calls of it to break a rule.

/** Provider whose calls all reject with `UNIMPLEMENTED`. */
export const emptyProvider: Provider = new Proxy({} as Provider, {
  get(_target, name) {
    if (name === "close" || name === Symbol.asyncDispose) return () => Promise.resolve();
    return () => Promise.reject(new ProviderError("UNIMPLEMENTED", `${String(name)} is not implemented`));
  },
});

export const noteSchema: Schema = createSchema(
  {
    attributes: {
      id: createAttribute({ type: string, computed: true }),
      title: createAttribute({ type: string, required: true }),
      shelf: createAttribute({ type: string, optional: true }),
      pages: createAttribute({ type: number, optional: true, computed: true }),
      pin: createAttribute({ type: string, optional: true, writeOnly: true }),
    },
  },
  2,
);
export const noteIdentity: IdentitySchema = {
  version: 1,
  attributes: { id: { type: string, requiredForImport: true, optionalForImport: false, description: "" } },
};
export const wordSchema: Schema = createSchema({
  attributes: { of: createAttribute({ type: string, required: true }), word: createAttribute({ type: string, computed: true }) },
});

export const joinSignature: FunctionSignature = {
  parameters: [parameter("first", { allowNullValue: true }), parameter("second", { allowUnknownValues: true })],
  variadicParameter: parameter("rest", {}),
  returnType: string,
  summary: "",
  description: "",
  descriptionKind: "plain",
  deprecationMessage: "",
};

function parameter(
  name: string,
  allow: { readonly allowNullValue?: true; readonly allowUnknownValues?: true },
): FunctionSignature["parameters"][number] {
  return { name, type: string, allowNullValue: false, allowUnknownValues: false, description: "", descriptionKind: "plain", ...allow };
}

interface Note {
  readonly id: string | null;
  readonly title: string;
  readonly shelf: string | null;
  readonly pages: number | null;
  readonly pin: null;
}

/** Provider with its notes, and the names of its calls in order. */
export interface Notebook {
  readonly provider: Provider;
  readonly notes: Map<string, Note>;
  readonly calls: string[];
}

const noteType = impliedType(noteSchema.block);
const wordType = impliedType(wordSchema.block);
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

export function noteValue(note: Partial<Record<keyof Note, unknown>> | null): Value {
  return of<Type>(noteType, note && { id: null, title: "t", shelf: null, pages: null, pin: null, ...note });
}

export function noteIdentityValue(id: string): Value {
  return of<Type>(identityType(noteIdentity), { id });
}

/** Creates an empty notebook. */
export function createNotebook(): Notebook {
  const notes = new Map<string, Note>();
  const calls: string[] = [];
  const note = (value: Value): Note => toJs(value) as unknown as Note;
  const stored = (id: string | null): Value => noteValue((id !== null && notes.get(id)) || null);
  const called = <Response>(name: string, response: Response): Promise<Response> => {
    calls.push(name);
    return Promise.resolve(response);
  };

  const implemented: Partial<Provider> = {
    getProviderSchema: () =>
      called("getProviderSchema", {
        resources: new Map([["note", noteSchema]]),
        dataSources: new Map([["word", wordSchema]]),
        ephemeralResources: new Map([["word", wordSchema]]),
        functions: new Map([["join", joinSignature]]),
        listResources: new Map(),
        stateStores: new Map(),
        actions: new Map(),
        serverCapabilities: { planDestroy: true, getProviderSchemaOptional: true, moveResourceState: true, generateResourceConfig: false },
        diagnostics: [],
      }),
    getResourceIdentitySchemas: () =>
      called("getResourceIdentitySchemas", { identitySchemas: new Map([["note", noteIdentity]]), diagnostics: [] }),
    validateResourceConfig: () => called("validateResourceConfig", { diagnostics: [] }),
    planResourceChange: ({ priorState, proposedNewState, config, priorPrivate, priorIdentity }) => {
      const requiresReplace: Path[] = [[attributeStep("shelf")]];
      if (proposedNewState.payload === null) {
        return called("planResourceChange destroy", {
          plannedState: proposedNewState,
          requiresReplace: [],
          plannedPrivate: priorPrivate,
          diagnostics: [],
        });
      }
      const creates = priorState.payload === null;
      const changes = creates || !same(priorState, proposedNewState);
      const id = creates ? unknown(string) : get(priorState, "id");
      const open = changes && get(config, "pages").payload === null;
      const plannedState = of<Type>(noteType, {
        id,
        title: get(proposedNewState, "title"),
        shelf: get(proposedNewState, "shelf"),
        pages: open ? unknown(number) : get(proposedNewState, "pages"),
        pin: nullOf(string),
      });
      return called(creates ? "planResourceChange create" : "planResourceChange update", {
        plannedState,
        requiresReplace,
        plannedPrivate: bytes(`planned after ${new TextDecoder().decode(priorPrivate)}`),
        diagnostics: [],
        ...(priorIdentity ? { plannedIdentity: priorIdentity } : {}),
      });
    },
    applyResourceChange: ({ priorState, plannedState, plannedPrivate }) => {
      const before = priorState.payload === null ? undefined : note(priorState);
      if (plannedState.payload === null) {
        notes.delete(before!.id!);
        return called("applyResourceChange delete", { newState: plannedState, private: new Uint8Array(), diagnostics: [] });
      }
      const id = before?.id ?? `note-${notes.size + 1}`;
      const pages = get(plannedState, "pages");
      notes.set(id, {
        id,
        title: toJs(get(plannedState, "title")) as string,
        shelf: toJs(get(plannedState, "shelf")) as string | null,
        pages: (pages.payload as number | null) !== null && typeof pages.payload === "number" ? pages.payload : 1,
        pin: null,
      });
      return called(`applyResourceChange ${before ? "update" : "create"}`, {
        newState: stored(id),
        private: bytes(`applied, ${new TextDecoder().decode(plannedPrivate)}`),
        diagnostics: [],
        newIdentity: noteIdentityValue(id),
      });
    },
    readResource: ({ currentState, private: data, currentIdentity }) =>
      called("readResource", {
        newState: stored(get(currentState, "id").payload as string | null),
        private: data,
        diagnostics: [],
        ...(currentIdentity ? { newIdentity: currentIdentity } : {}),
      }),
    importResourceState: ({ id, identity }) => {
      const named = identity ? (get(identity, "id").payload as string) : id;
      const imported = {
        typeName: "note",
        state: noteValue({ id: named, title: null }),
        private: bytes("imported"),
        identity: noteIdentityValue(named),
      };
      return called("importResourceState", { importedResources: [imported], diagnostics: [] });
    },
    upgradeResourceState: ({ version, rawState }) => {
      const state = JSON.parse(new TextDecoder().decode(rawState.json)) as Partial<Note> & { readonly name?: string };
      const upgradedState = noteValue(version === 2 ? state : { id: state.id, title: state.name });
      return called(`upgradeResourceState ${version} ${JSON.stringify(state)}`, { upgradedState, diagnostics: [] });
    },
    upgradeResourceIdentity: ({ version }) =>
      called(`upgradeResourceIdentity ${version}`, { upgradedIdentity: noteIdentityValue("note-1"), diagnostics: [] }),
    moveResourceState: ({ sourceTypeName }) =>
      called(`moveResourceState ${sourceTypeName}`, {
        targetState: noteValue({ id: "note-1" }),
        targetPrivate: bytes("moved"),
        targetIdentity: noteIdentityValue("note-1"),
        diagnostics: [],
      }),
    validateDataResourceConfig: () => called("validateDataResourceConfig", { diagnostics: [] }),
    readDataSource: ({ config }) =>
      called("readDataSource", { state: of<Type>(wordType, { of: get(config, "of"), word: "found" }), diagnostics: [] }),
    validateEphemeralResourceConfig: () => called("validateEphemeralResourceConfig", { diagnostics: [] }),
    openEphemeralResource: ({ config }) =>
      called("openEphemeralResource", {
        result: of<Type>(wordType, { of: get(config, "of"), word: "open" }),
        private: bytes("0"),
        renewAt: new Date(Date.now() + 5),
        diagnostics: [],
      }),
    renewEphemeralResource: ({ private: data }) => {
      const times = Number(new TextDecoder().decode(data)) + 1;
      return called("renewEphemeralResource", {
        private: bytes(String(times)),
        diagnostics: [],
        ...(times < 3 ? { renewAt: new Date(Date.now() + 5) } : {}),
      });
    },
    closeEphemeralResource: ({ private: data }) =>
      called(`closeEphemeralResource after ${new TextDecoder().decode(data)}`, { diagnostics: [] }),
    callFunction: ({ arguments: args }) =>
      called("callFunction", {
        result: of(
          string,
          args
            .map((argument) => argument.payload ?? "null")
            .map(String)
            .join(" "),
        ),
      }),
  };
  return { provider: replacing(emptyProvider, implemented), notes, calls };
}

/** Creates a provider with some of its calls replaced. */
export function replacing(provider: Provider, parts: Partial<Provider>): Provider {
  return new Proxy(provider, { get: (target, name) => Reflect.get(parts, name) ?? Reflect.get(target, name) });
}
