// SPDX-License-Identifier: Apache-2.0
import { hasErrors } from "@tenon/schema";
import { moveObject, readObject, upgradeObject } from "@tenon/schema/lifecycle";
import { isUnimplemented } from "./recorded-calls.ts";
import type { Trial } from "./trial.ts";

/** Upgrades the states and identities of earlier versions that the author gives. */
export async function checkEarlierVersions(trial: Trial): Promise<void> {
  const { type, earlierStates, earlierIdentities } = trial.subject;
  for (const { version, state } of earlierStates) {
    const stored = { schemaVersion: version, state: { json: encoded(state) }, private: new Uint8Array(), status: "ready" as const };
    const what = `the upgrade of a state of version ${version}`;
    const outcome = await trial.attempt(what, () => upgradeObject(type, stored));
    if (outcome !== undefined) trial.succeeded(outcome.diagnostics, what, "earlier-state-upgraded", "earlier-state-upgraded");
  }
  for (const { version, identity } of earlierIdentities) {
    const what = `the upgrade of an identity of version ${version}`;
    const { provider, typeName } = type;
    const request = { typeName, version, rawIdentity: { json: encoded(identity) } };
    const response = await trial.attempt(what, () => provider.upgradeResourceIdentity(request));
    if (response === undefined) continue;
    if (!trial.succeeded(response.diagnostics, what, "earlier-state-upgraded", "earlier-state-upgraded")) continue;
    if (response.upgradedIdentity === undefined) trial.violate("earlier-state-upgraded", `${what} returns no identity.`);
  }
}

/** Moves the objects of other types that the author gives, and reads them. An object that does not exist is not found. */
export async function checkMoves(trial: Trial): Promise<void> {
  const { type, movedFrom } = trial.subject;
  for (const moved of movedFrom) {
    const { typeName, providerAddress = "registry.opentofu.org/tenon/other", version = 0, state } = moved;
    const stored = {
      schemaVersion: version,
      state: { json: encoded(state) },
      private: moved.private ?? new Uint8Array(),
      status: "ready" as const,
    };
    const what = `the move of an object of the type ${typeName}`;
    const outcome = await trial.attempt(what, () => moveObject(type, { typeName, providerAddress, stored }));
    if (outcome === undefined || !trial.succeeded(outcome.diagnostics, what, "other-type-moved", "other-type-moved")) continue;
    const read = await trial.attempt("the read of the moved object", () => readObject(type, outcome.object!));
    if (read !== undefined) trial.succeeded(read.diagnostics, "the read of the moved object", "other-type-moved", "other-type-moved");
  }
}

/** Moves a state of a type that no provider has. */
export async function checkUnknownSource(trial: Trial): Promise<void> {
  const { type } = trial.subject;
  const request = {
    sourceProviderAddress: "registry.terraform.io/tenon/unknown",
    sourceTypeName: "unknown_thing",
    sourceSchemaVersion: 0,
    sourceState: { json: encoded({}) },
    sourcePrivate: new Uint8Array(),
    sourceIdentitySchemaVersion: 0,
    targetTypeName: type.typeName,
  };
  const response = await trial.attempt("the move", async () => {
    try {
      return await type.provider.moveResourceState(request);
    } catch (error) {
      if (isUnimplemented(error)) return undefined;
      throw error;
    }
  });
  if (response !== undefined && !hasErrors(response.diagnostics)) {
    trial.violate("unknown-source-refused", "A move from the type unknown_thing of an unknown provider is not refused.");
  }
}

function encoded(data: Readonly<Record<string, unknown>>): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(data));
}
