// SPDX-License-Identifier: Apache-2.0
import { isDeepStrictEqual } from "node:util";
import { errorDiagnostic, warningDiagnostic, type Diagnostic } from "@tenon/schema";
import type { Awaitable, JsonValue, PrivateState } from "../definition/call-context.ts";
import { parsePrivateData, sealedIn, type PrivateData } from "./private-data.ts";
import type { PrivateStateVault } from "./private-state-vault.ts";

/** Decrypted private data of one resource, for the duration of a call. */
export interface OpenPrivateState extends PrivateState {
  /**
   * Returns the data in its stored form: empty if there is none, and the received bytes if nothing changed, because a new nonce would
   * change the state with every apply. If the data cannot be stored, adds a diagnostic and returns the received bytes.
   */
  readonly bytes: () => Awaitable<Uint8Array>;
}

/** The component that private data belongs to. */
export interface PrivateStateOwner {
  readonly vault: PrivateStateVault;
  readonly kind: "resource" | "ephemeralResource";
  /** Full type name, with the provider's name as its prefix. */
  readonly typeName: string;
  /** Diagnostics of the call. */
  readonly diagnostics: Diagnostic[];
}

/** Received private data. `bytes` is absent if the stored form must be rewritten even when the data does not change. */
interface Received {
  readonly data: PrivateData;
  readonly bytes?: Uint8Array;
}

/**
 * Reads stored private data. Returns undefined, and adds an error diagnostic, if the data must not or cannot be read: its key is missing,
 * or it was modified. Data in an unknown format, such as SDKv2's, is dropped with a warning.
 */
export function openPrivateState(owner: PrivateStateOwner, stored: Uint8Array): Awaitable<OpenPrivateState | undefined> {
  return stored.length === 0 ? openData(owner, stored, { data: noData, bytes: stored }) : openReceived(owner, stored);
}

const noData: PrivateData = new Map();

async function openReceived(owner: PrivateStateOwner, stored: Uint8Array): Promise<OpenPrivateState | undefined> {
  try {
    const received = await receive(owner, boundTo(owner), stored);
    return received && openData(owner, stored, received);
  } catch (error) {
    refuse(owner, `Cannot read the private data of ${owner.typeName}`, (error as Error).message);
    return undefined;
  }
}

/** The component that encrypted data is bound to. */
function boundTo({ kind, typeName }: PrivateStateOwner): string {
  return `${kind} ${typeName}`;
}

function openData(owner: PrivateStateOwner, stored: Uint8Array, { data: before, bytes }: Received): OpenPrivateState {
  let changed: Map<string, string> | undefined;
  const rewritten = async (data: PrivateData): Promise<Uint8Array> => {
    try {
      return await owner.vault.stored(boundTo(owner), data);
    } catch (error) {
      refuse(owner, `Cannot store the private data of ${owner.typeName}`, (error as Error).message);
      return stored;
    }
  };
  return {
    get: (name) => {
      const text = (changed ?? before).get(checked(name));
      return text === undefined ? undefined : (JSON.parse(text) as JsonValue);
    },
    set: (name, value) => {
      const text = JSON.stringify(value) as string | undefined;
      if (text === undefined) throw new TypeError(`private state ${JSON.stringify(name)}: the value cannot be represented in JSON`);
      const known = (changed ?? before).get(checked(name));
      // An unchanged value keeps its original JSON text: other writers format JSON differently.
      if (known === undefined || !isDeepStrictEqual(JSON.parse(known), JSON.parse(text))) (changed ??= new Map(before)).set(name, text);
    },
    delete: (name) => void (changed ??= new Map(before)).delete(checked(name)),
    bytes: () => {
      const data = changed ?? before;
      return bytes !== undefined && (data === before || isSame(data, before)) ? bytes : rewritten(data);
    },
  };
}

function refuse({ diagnostics }: PrivateStateOwner, summary: string, why: string): void {
  diagnostics.push(errorDiagnostic(summary, `The private data is not usable: ${why}.`));
}

/** Returns undefined, and adds an error diagnostic, if the data must not be read. @throws if the keys cannot be determined. */
async function receive(owner: PrivateStateOwner, bound: string, stored: Uint8Array): Promise<Received | undefined> {
  const { vault, typeName, diagnostics } = owner;
  const summary = `Cannot read the private data of ${typeName}`;
  const { acceptPlainText, required, rewrite } = vault.options;
  const hasKey = await vault.hasKey();
  let plain: PrivateData | undefined;
  let unreadable = "";
  try {
    plain = parsePrivateData(stored);
  } catch (error) {
    unreadable = (error as Error).message;
  }
  const sealed = plain === undefined ? undefined : sealedIn(plain);
  if (sealed !== undefined) {
    const unsealed = await vault.unsealed(bound, sealed);
    if (unsealed.data !== undefined) return { data: unsealed.data, ...(unsealed.isCurrent || !rewrite ? { bytes: stored } : {}) };
    refuse(owner, summary, unsealed.fault);
    return undefined;
  }
  if ((hasKey || required) && !acceptPlainText) {
    refuse(
      owner,
      summary,
      "it is not encrypted, so anyone may have written it; to migrate it, set privateState.acceptPlainText in the provider's definition",
    );
    return undefined;
  }
  if (plain === undefined) {
    diagnostics.push(
      warningDiagnostic("Private data discarded", `The private data stored with this resource cannot be read: ${unreadable}`),
    );
    return { data: new Map() };
  }
  return { data: plain, ...(hasKey && rewrite ? {} : { bytes: stored }) };
}

function isSame(a: PrivateData, b: PrivateData): boolean {
  return a.size === b.size && [...a].every(([name, text]) => b.get(name) === text);
}

/** Checks a name. Names with a leading dot are reserved for the SDK. */
function checked(name: string): string {
  if (name === "" || name.startsWith("."))
    throw new TypeError(
      `${JSON.stringify(name)} is not a valid private state name: a name must not be empty, and must not begin with a dot`,
    );
  return name;
}
