// SPDX-License-Identifier: Apache-2.0
import { BridgeError } from "../../error.ts";
import type { KubernetesObject, ObjectMetadata, OwnerReference } from "../machinery/client/kubernetes-object.ts";
import { decodeStoredState, encodeStoredState, type StoredState } from "./stored-state.ts";

/** A Secret of Kubernetes. Its data are base64 texts. */
export interface Secret extends KubernetesObject {
  readonly type?: string;
  readonly data?: Readonly<Record<string, string>>;
}

/** The type of Secrets that contain states. */
export const stateSecretType = "tenon.dev/state.v1";

/** Label of Secrets that contain states: the UID of the owner. Selects the Secrets that are cached. */
export const ownerLabel = "tenon.dev/state-of";

const dataKey = "state";

/** The custom resource to which a state belongs. */
export interface StateOwner extends KubernetesObject {
  readonly apiVersion: string;
  readonly kind: string;
}

/** Returns the name of the Secret with the state of an owner. It contains the UID, so an object that is created again under its name has another Secret. */
export function stateSecretName(uid: string): string {
  return `tenon-state-${uid}`;
}

/** Creates the Secret with a state. */
export function stateSecret(owner: StateOwner, namespace: string, state: StoredState): Secret {
  return {
    metadata: ownedMetadata(owner, { namespace, name: stateSecretName(ownerUid(owner)) }, ownerLabel),
    type: stateSecretType,
    data: { [dataKey]: encodeStoredState(state).toString("base64") },
  };
}

/**
 * Returns the metadata of a Secret that belongs to an object: the label has the UID of its owner. Kubernetes deletes the Secret with its owner if the
 * owner is in the same namespace or cluster-scoped; it does not allow other owners.
 */
export function ownedMetadata(
  owner: StateOwner,
  { namespace, name }: { readonly namespace: string; readonly name: string },
  label: string,
): ObjectMetadata {
  const uid = ownerUid(owner);
  const isInNamespace = owner.metadata.namespace === namespace || owner.metadata.namespace === undefined;
  const reference = { ...objectReference(owner), controller: true, blockOwnerDeletion: false };
  return { namespace, name, labels: { [label]: uid }, ...(isInNamespace ? { ownerReferences: [reference] } : {}) };
}

/** Returns a reference to an object. */
export function objectReference(owner: StateOwner): Pick<OwnerReference, "apiVersion" | "kind" | "name" | "uid"> {
  const { apiVersion, kind, metadata } = owner;
  return { apiVersion, kind, name: metadata.name, uid: ownerUid(owner) };
}

/**
 * Returns the state in a Secret.
 *
 * @throws BridgeError `INVALID_STATE` if the state is malformed, or belongs to another object.
 */
export function stateIn(secret: Secret, owner: StateOwner): StoredState {
  const where = `the Secret ${secret.metadata.namespace}/${secret.metadata.name}`;
  if (secret.type !== stateSecretType || secret.metadata.labels?.[ownerLabel] !== ownerUid(owner)) {
    throw new BridgeError("INVALID_STATE", `${where} is not the state of ${owner.kind} ${owner.metadata.name}: delete or rename it`);
  }
  try {
    return decodeStoredState(Buffer.from(secret.data?.[dataKey] ?? "", "base64"));
  } catch (error) {
    if (!(error instanceof BridgeError)) throw error;
    throw new BridgeError(error.code, `${where}: ${error.message}`, { cause: error });
  }
}

/** The UID of an owner. Every object from the API server has one. */
export function ownerUid({ metadata }: StateOwner): string {
  if (metadata.uid === undefined) throw new TypeError(`${metadata.name} has no UID, because it was not read from the API server`);
  return metadata.uid;
}
