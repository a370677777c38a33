// SPDX-License-Identifier: Apache-2.0
import { isDeepStrictEqual } from "node:util";
import { errorDiagnostic, warningDiagnostic, type Diagnostic } from "@tenon/schema";
import type { JsonValue, PrivateState } from "../definition/call-context.ts";
import { parsePrivateData, sealedIn, type PrivateData } from "./private-data.ts";
import type { PrivateStateVault } from "./private-state-vault.ts";

/** Private data of one resource while a call is handled. */
export interface OpenPrivateState extends PrivateState {
  /**
   * The data as it is stored; empty where there is none, and the very bytes that were received where nothing changed. A new nonce
   * would change the state with every apply. Where it cannot be stored, a diagnostic says why, and what was received stays.
   */
  readonly bytes: () => Promise<Uint8Array>;
}

/** What private data belongs to. */
export interface PrivateStateOwner {
  readonly vault: PrivateStateVault;
  readonly kind: "resource" | "ephemeralResource";
  /** As a configuration says it; the provider's name is in it. */
  readonly typeName: string;
  readonly diagnostics: Diagnostic[];
}

/** Private data, and the bytes it came in, unless those have to be replaced even where nothing changes. */
interface Received {
  readonly data: PrivateData;
  readonly bytes?: Uint8Array;
}

/**
 * Opens stored private data. Undefined, with a diagnostic that says why, where it cannot be read although it means something: it is
 * encrypted with a key that is not there, or was tampered with. Data of no known form, which SDKv2 stored, is dropped with a warning.
 */
export async function openPrivateState(owner: PrivateStateOwner, stored: Uint8Array): Promise<OpenPrivateState | undefined> {
  const { vault, kind, typeName } = owner;
  const bound = `${kind} ${typeName}`;
  let received: Received | undefined;
  try {
    received = stored.length === 0 ? { data: new Map(), bytes: stored } : await receive(owner, bound, stored);
  } catch (error) {
    refuse(owner, `Cannot read the private data of ${typeName}`, (error as Error).message);
  }
  if (received === undefined) return undefined;
  const before = received.data;
  const data = new Map(before);
  const { bytes } = received;
  return {
    get: (name) => {
      const text = data.get(checked(name));
      return text === undefined ? undefined : (JSON.parse(text) as JsonValue);
    },
    set: (name, value) => {
      const text = JSON.stringify(value) as string | undefined;
      if (text === undefined) throw new TypeError(`private state ${JSON.stringify(name)}: the value is nothing that JSON can carry`);
      const known = data.get(checked(name));
      // The same value keeps the text it came with: others put spaces where we do not.
      if (known === undefined || !isDeepStrictEqual(JSON.parse(known), JSON.parse(text))) data.set(name, text);
    },
    delete: (name) => void data.delete(checked(name)),
    bytes: async () => {
      if (bytes !== undefined && isSame(data, before)) return bytes;
      try {
        return await vault.stored(bound, data);
      } catch (error) {
        refuse(owner, `Cannot store the private data of ${typeName}`, (error as Error).message);
        return stored;
      }
    },
  };
}

function refuse({ diagnostics }: PrivateStateOwner, summary: string, why: string): void {
  diagnostics.push(errorDiagnostic(summary, `What the provider stores with it is not usable: ${why}.`));
}

/** Undefined where a diagnostic says that it must not be read. @throws where the keys cannot be found. */
async function receive(owner: PrivateStateOwner, bound: string, stored: Uint8Array): Promise<Received | undefined> {
  const { vault, typeName, diagnostics } = owner;
  const summary = `Cannot read the private data of ${typeName}`;
  const { acceptPlainText, required, rewrite } = vault.options;
  const isOpen = await vault.isOpen();
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
  if ((isOpen || required) && !acceptPlainText) {
    refuse(
      owner,
      summary,
      "it is not encrypted, so anyone may have written it; to take it over once, the provider sets privateState.acceptPlainText",
    );
    return undefined;
  }
  if (plain === undefined) {
    diagnostics.push(
      warningDiagnostic("Private data discarded", `What the provider stored with this resource cannot be read: ${unreadable}`),
    );
    return { data: new Map() };
  }
  return { data: plain, ...(isOpen && rewrite ? {} : { bytes: stored }) };
}

function isSame(a: PrivateData, b: PrivateData): boolean {
  return a.size === b.size && [...a].every(([name, text]) => b.get(name) === text);
}

/** Names with a dot in front belong to whoever serves the provider. */
function checked(name: string): string {
  if (name === "" || name.startsWith("."))
    throw new TypeError(`private state has no name ${JSON.stringify(name)}: it is not empty, and does not begin with a dot`);
  return name;
}
