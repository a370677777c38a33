// SPDX-License-Identifier: Apache-2.0
import { requireAddress } from "../../address/address-diagnostic.ts";
import { formatResourceInstance, type ResourceInstanceObject } from "../../address/resource.ts";
import { parseResourceInstance } from "../../address/target.ts";
import { parseJsonTree, type JsonObject, type JsonTree } from "../json-tree.ts";
import { readResourceTree } from "../read-state-file.ts";
import type { StateObjectEntry } from "../state-draft.ts";
import { resourceTreeOf } from "../write-state-file.ts";

/** Identifies one content of a stored state. */
export interface StoredVersion {
  readonly serial: number;
  /** SHA-256 of the stored bytes, in hexadecimal. */
  readonly sha256: string;
}

/** A change whose request may have reached its provider, without an answer. */
export interface InterruptedChange {
  readonly address: ResourceInstanceObject;
  readonly action: "create" | "update" | "delete";
  /** The address of the provider configuration, as in state files. */
  readonly provider: string;
  /** When the request was made, in RFC 3339. */
  readonly at: string;
  /** The planned values that are known and not sensitive, by path such as `tags["stage"]`, as JSON. Empty for `delete`. */
  readonly planned: ReadonlyMap<string, JsonTree>;
  /** Paths of the planned values that are not recorded, because they are sensitive. */
  readonly sensitive: readonly string[];
}

/** The first record of a journal: the state that the changes belong to. */
export interface JournalHeader {
  readonly kind: "header";
  readonly lineage: string;
  /** The stored state when the journal began; undefined if none was stored. */
  readonly base: StoredVersion | undefined;
}

/** A record of a journal. */
export type JournalRecord =
  | JournalHeader
  /** A provider is about to get the request for a change. */
  | { readonly kind: "begin"; readonly change: InterruptedChange }
  /** The change ended without an effect on the state. */
  | { readonly kind: "end"; readonly address: ResourceInstanceObject }
  /** An object has this content now. */
  | ({ readonly kind: "set" } & StateObjectEntry)
  /** An object is no longer in the state. */
  | { readonly kind: "remove"; readonly address: ResourceInstanceObject }
  /** An object has another address now: the current object of an instance became a deposed one, or the reverse. */
  | ({ readonly kind: "move"; readonly from: ResourceInstanceObject } & StateObjectEntry)
  /** The state is about to be stored with this version. */
  | { readonly kind: "write"; readonly version: StoredVersion };

/** The format that {@link formatRecord} writes. */
const formatNumber = 1;

/** Formats a record as JSON. */
export function formatRecord(record: JournalRecord): string {
  // `formatJsonTree` would keep the order of names, which does not matter here.
  return JSON.stringify(treeOf(record));
}

function treeOf(record: JournalRecord): JsonObject {
  switch (record.kind) {
    case "header": {
      const { lineage, base } = record;
      return { journal: formatNumber, lineage, base: base === undefined ? null : { ...base } };
    }
    case "begin": {
      const { address, action, provider, at, planned, sensitive } = record.change;
      const values = { ...(planned.size > 0 && { planned: Object.fromEntries(planned) }), ...(sensitive.length > 0 && { sensitive }) };
      return { begin: addressTree(address), action, provider, at, ...values };
    }
    case "end":
      return { end: addressTree(record.address) };
    case "set":
      return { set: resourceTreeOf(record) };
    case "remove":
      return { remove: addressTree(record.address) };
    case "move":
      return { move: addressTree(record.from), to: resourceTreeOf(record) };
    default:
      return { write: { ...record.version } };
  }
}

function addressTree({ instance, deposed }: ResourceInstanceObject): JsonTree {
  const text = formatResourceInstance(instance);
  return deposed === undefined ? text : { instance: text, deposed };
}

/**
 * Reads a record.
 *
 * @throws SyntaxError if the text is not a record of this format.
 */
export function parseRecord(json: string): JournalRecord {
  const tree = objectOf(parseJsonTree(json));
  if ("journal" in tree) {
    const format = tree["journal"];
    if (format !== formatNumber) throw new SyntaxError(`the journal has format ${JSON.stringify(format)}, not ${formatNumber}`);
    const base = tree["base"] === null ? undefined : versionOf(tree["base"]);
    return { kind: "header", lineage: textOf(tree["lineage"]), base };
  }
  if ("begin" in tree) return { kind: "begin", change: interruptedOf(tree) };
  if ("end" in tree) return { kind: "end", address: addressOf(tree["end"]) };
  if ("set" in tree) return { kind: "set", ...readResourceTree(objectOf(tree["set"])) };
  if ("remove" in tree) return { kind: "remove", address: addressOf(tree["remove"]) };
  if ("move" in tree) return { kind: "move", from: addressOf(tree["move"]), ...readResourceTree(objectOf(tree["to"])) };
  if ("write" in tree) return { kind: "write", version: versionOf(tree["write"]) };
  throw new SyntaxError("unknown record");
}

function interruptedOf(tree: JsonObject): InterruptedChange {
  const { action, planned = {}, sensitive = [] } = tree;
  if (action !== "create" && action !== "update" && action !== "delete") throw new SyntaxError(`unknown action ${JSON.stringify(action)}`);
  if (!Array.isArray(sensitive)) throw new SyntaxError("the sensitive paths must be an array");
  return {
    address: addressOf(tree["begin"]),
    action,
    provider: textOf(tree["provider"]),
    at: textOf(tree["at"]),
    planned: new Map(Object.entries(objectOf(planned))),
    sensitive: sensitive.map(textOf),
  };
}

function addressOf(tree: JsonTree | undefined): ResourceInstanceObject {
  if (typeof tree === "string") return { instance: instanceOf(tree) };
  const { instance, deposed } = objectOf(tree);
  return { instance: instanceOf(textOf(instance)), deposed: textOf(deposed) };
}

function instanceOf(text: string): ResourceInstanceObject["instance"] {
  return requireAddress(text, parseResourceInstance(text));
}

function versionOf(tree: JsonTree | undefined): StoredVersion {
  const { serial, sha256 } = objectOf(tree);
  if (typeof serial !== "number") throw new SyntaxError("the serial must be a number");
  return { serial, sha256: textOf(sha256) };
}

function objectOf(tree: JsonTree | undefined): JsonObject {
  if (typeof tree !== "object" || tree === null || Array.isArray(tree)) throw new SyntaxError("an object is missing");
  return tree as JsonObject;
}

function textOf(tree: JsonTree | undefined): string {
  if (typeof tree !== "string") throw new SyntaxError("a text is missing");
  return tree;
}
