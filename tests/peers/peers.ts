// SPDX-License-Identifier: Apache-2.0
import { accessSync, constants, readFileSync } from "node:fs";
import { join } from "node:path";
import { findInstalled } from "./installed.mjs";

/** Name of a program that tests compare with. README.md lists the purpose of each. */
export type PeerName = BuiltPeerName | InstalledPeerName;

/** Peers that `npm run peers` builds from pinned Go modules; `pyvider-provider` from pinned Python packages. */
export type BuiltPeerName =
  | "tofu"
  | "provider-time"
  | "framework-provider"
  | "framework-from-json"
  | "bare-provider"
  | "panicking-provider"
  | "sdkv2-provider"
  | "plugin-client"
  | "rpc-client"
  | "cty-oracle"
  | "hcl-oracle"
  | "engine-oracle"
  | "tofu-server"
  | "testing-oracle"
  | "pulumi-engine"
  | "inflector"
  | "hcldec"
  | "hclspecsuite"
  | "h2spec"
  | "http2-server"
  | "versitygw"
  | "kube-apiserver"
  | "kubernetes-controller"
  | "etcd"
  | "pyvider-provider";

/** Peers that must be on PATH: `terraform`, whose licence does not allow building it here, `pulumi`, which is not published, and `kubectl`. */
export type InstalledPeerName = "terraform" | "kubectl" | "pulumi";

export interface Peer {
  readonly name: PeerName;
  /** Absolute path of the executable. */
  readonly path: string;
  /** Version as the program reports it, without a leading `v`. */
  readonly version: string;
}

/** Error for an absent required peer; the message has the command that builds it. */
export class PeerError extends Error {
  override readonly name = "PeerError";
  readonly code = "PEER_ABSENT";
}

const installed: ReadonlySet<PeerName> = new Set<InstalledPeerName>(["terraform", "kubectl", "pulumi"]);
/** Peers that TENON_PEERS=required does not require. */
const optional: ReadonlySet<PeerName> = new Set<PeerName>(["terraform", "kubectl", "pulumi", "pyvider-provider"]);
/** Peers that only benchmarks need: they are built by their name. */
const onRequest: ReadonlySet<PeerName> = new Set<PeerName>(["kubernetes-controller"]);
const output = join(import.meta.dirname, ".build");
const found = new Map<PeerName, Peer | undefined>();

/**
 * Finds a peer; returns undefined when it is not built or not installed.
 *
 * Does not check that a built peer is current: `npm run peers` does. The result is cached for the life of the process.
 *
 * @throws PeerError `PEER_ABSENT` when the peer is absent, is not optional, and the environment has TENON_PEERS=required.
 */
export function findPeer(name: PeerName): Peer | undefined {
  if (!found.has(name)) found.set(name, isInstalled(name) ? installedPeer(name) : builtPeer(name));
  const peer = found.get(name);
  if (peer === undefined && isRequired(name)) throw new PeerError(`TENON_PEERS=required, but ${whyAbsent(name)}`);
  return peer;
}

/**
 * Finds a peer that the program needs, such as a benchmark.
 *
 * @throws PeerError `PEER_ABSENT` when the peer is absent, regardless of TENON_PEERS.
 */
export function requirePeer(name: PeerName): Peer {
  const peer = findPeer(name);
  if (peer === undefined) throw new PeerError(whyAbsent(name));
  return peer;
}

/** Returns why a peer is absent: the command that builds it, or the reason why it could not be built. */
export function whyAbsent(name: PeerName): string {
  if (isInstalled(name)) return `${name} is not installed: not on PATH`;
  const reason = readRecord(name)?.absent;
  if (reason !== undefined) return `${name} could not be built: ${reason}`;
  return `${name} is not built: run \`npm run peers${onRequest.has(name) ? ` -- --only ${name}` : ""}\``;
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

/** Record of a build, stored next to the binaries: the built version, or why the build was not possible. */
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
