// SPDX-License-Identifier: Apache-2.0
import type { Awaitable, JsonValue } from "./call-context.ts";
import type { Identity, IdentityTypes } from "./identity.ts";
import type { UpgradeContext } from "./upgrade-state.ts";

/** Context of an identity upgrader's `upgrade` handler. */
export interface UpgradeIdentityContext<T> extends Omit<UpgradeContext<never>, "state"> {
  readonly identity: T;
}

/** Upgrades an identity from one version to the next: see {@link identityUpgrader}. */
export interface IdentityUpgrader {
  readonly types: IdentityTypes | undefined;
  readonly upgrade: (context: UpgradeIdentityContext<never>) => Awaitable<Readonly<Record<string, unknown>>>;
}

/** Identity upgraders by the version that they upgrade from. No version between the lowest and the current one may be missing. */
export type IdentityUpgraders = Readonly<Record<number, IdentityUpgrader>>;

/**
 * Defines an upgrade from one version of a recorded identity to the next. If `identity` gives the types of the older version, the handler
 * receives values of these types; otherwise it receives the stored JSON.
 *
 * @example
 * identityUpgrader({ identity: { name: attr.string() }, upgrade: ({ identity }) => ({ id: identity.name, region: "eu" }) });
 */
export function identityUpgrader<I extends IdentityTypes>(definition: {
  readonly identity: I;
  readonly upgrade: (context: UpgradeIdentityContext<Identity<I>>) => Awaitable<Readonly<Record<string, unknown>>>;
}): IdentityUpgrader;
export function identityUpgrader(definition: {
  readonly upgrade: (context: UpgradeIdentityContext<Readonly<Record<string, JsonValue>>>) => Awaitable<Readonly<Record<string, unknown>>>;
}): IdentityUpgrader;
export function identityUpgrader(definition: {
  readonly identity?: IdentityTypes;
  readonly upgrade: IdentityUpgrader["upgrade"];
}): IdentityUpgrader {
  return { types: definition.identity, upgrade: definition.upgrade };
}
