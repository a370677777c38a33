// SPDX-License-Identifier: Apache-2.0
import { accessSync, constants, readFileSync } from "node:fs";
import { join } from "node:path";
import { findInstalled } from "./installed.mjs";

/** A program of others, or one of ours written for the purpose, that tests talk to. README.md says what each is for. */
export type PeerName = BuiltPeerName | InstalledPeerName;

/** Built by `npm run peers` from a pinned Go module, and `pyvider-provider` from pinned Python packages. */
export type BuiltPeerName =
  | "tofu"
  | "provider-time"
  | "framework-provider"
  | "framework-from-json"
  | "bare-provider"
  | "sdkv2-provider"
  | "plugin-client"
  | "rpc-client"
  | "cty-oracle"
  | "hcl-oracle"
  | "hcldec"
  | "hclspecsuite"
  | "pyvider-provider";

/** Used when PATH has it: its licence keeps it out of the build. */
export type InstalledPeerName = "terraform";

export interface Peer {
  readonly name: PeerName;
  /** Absolute path of the executable. */
  readonly path: string;
  /** Its version as it would say itself, without a leading `v`. */
  readonly version: string;
}

/** A peer is absent and TENON_PEERS=required says that it must not be; the message says what to run. */
export class PeerError extends Error {
  override readonly name = "PeerError";
  readonly code = "PEER_ABSENT";
}

const installed: ReadonlySet<PeerName> = new Set<InstalledPeerName>(["terraform"]);
/** Nobody has to have these: what TENON_PEERS=required says is not said of them. */
const optional: ReadonlySet<PeerName> = new Set<PeerName>(["terraform", "pyvider-provider"]);
const output = join(import.meta.dirname, ".build");
const found = new Map<PeerName, Peer | undefined>();

/**
 * Finds a peer; undefined when it was not built, or is not installed.
 *
 * It does not check that a built one is current: `npm run peers` does, and takes a fifth of a second when all are. The
 * answer is kept for the life of the process.
 *
 * @throws PeerError `PEER_ABSENT` when the peer is absent, one that everybody can build, and the environment has TENON_PEERS=required.
 */
export function findPeer(name: PeerName): Peer | undefined {
  if (!found.has(name)) found.set(name, isInstalled(name) ? installedPeer(name) : builtPeer(name));
  const peer = found.get(name);
  if (peer === undefined && isRequired(name)) throw new PeerError(`TENON_PEERS=required, but ${whyAbsent(name)}`);
  return peer;
}

/**
 * The peer, for a program that cannot do without: a benchmark, a script.
 *
 * @throws PeerError `PEER_ABSENT` when it is absent, whatever TENON_PEERS says.
 */
export function requirePeer(name: PeerName): Peer {
  const peer = findPeer(name);
  if (peer === undefined) throw new PeerError(whyAbsent(name));
  return peer;
}

/** What to say of a peer that is absent: which, and how to get it, or why that was not possible. */
export function whyAbsent(name: PeerName): string {
  if (isInstalled(name)) return `${name} is not installed: not on PATH`;
  const reason = readRecord(name)?.absent;
  return reason === undefined ? `${name} is not built: run \`npm run peers\`` : `${name} could not be built: ${reason}`;
}

function isInstalled(name: PeerName): name is InstalledPeerName {
  return installed.has(name);
}

function isRequired(name: PeerName): boolean {
  return process.env["TENON_PEERS"] === "required" && !optional.has(name);
}

function installedPeer(name: InstalledPeerName): Peer | undefined {
  const at = findInstalled(name);
  return at && { ...at, name };
}

/** What a build leaves beside its binaries: what was built, or why it could not be. */
type BuildRecord = { readonly version: string; readonly binary: string; readonly absent?: never } | { readonly absent: string };

function readRecord(name: BuiltPeerName): BuildRecord | undefined {
  try {
    return JSON.parse(readFileSync(join(output, `${name}.json`), "utf8")) as BuildRecord;
  } catch {
    return undefined;
  }
}

function builtPeer(name: BuiltPeerName): Peer | undefined {
  const record = readRecord(name);
  if (record === undefined || record.absent !== undefined) return undefined;
  const path = join(output, "bin", record.binary);
  try {
    accessSync(path, constants.X_OK);
    return { name, path, version: record.version };
  } catch {
    return undefined;
  }
}
