// SPDX-License-Identifier: Apache-2.0
import type { ApiClient } from "../machinery/client/api-client.ts";
import { secrets } from "../machinery/client/api-resource.ts";
import { ownerUid, type Secret, type StateOwner } from "../state/state-secret.ts";
import { StepFailure } from "./step-failure.ts";

/** The place of a Secret that a user has chosen, and how its owner is recorded. */
export interface OwnedSecretPlace {
  readonly namespace: string;
  readonly name: string;
  /** Label with the UID of the owner. */
  readonly label: string;
  /** Reason of the failure if the Secret belongs to another object. */
  readonly failureReason: string;
}

/**
 * Reads the Secret that an object writes. Undefined if it does not exist.
 *
 * @throws StepFailure if the Secret belongs to another object.
 */
export async function findOwnedSecret(
  client: ApiClient,
  owner: StateOwner,
  { namespace, name, label, failureReason }: OwnedSecretPlace,
  signal: AbortSignal | undefined,
): Promise<Secret | undefined> {
  const secret = await client.find<Secret>(secrets, { namespace, name }, { signal });
  if (secret === undefined || secret.metadata.labels?.[label] === ownerUid(owner)) return secret;
  const message = `the Secret ${namespace}/${name} exists and does not belong to ${owner.metadata.name}: choose another name`;
  throw new StepFailure(failureReason, message);
}
