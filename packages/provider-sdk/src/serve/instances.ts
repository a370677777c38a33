// SPDX-License-Identifier: Apache-2.0
import type { CarrierSession } from "@tenon/protocol/carrier";
import type { Provider } from "@tenon/schema";

/** The provider instances of this process. */
export interface Instances {
  /** The one that answers calls of a session. */
  readonly of: (session: CarrierSession | undefined) => Provider;
  /** Closes what belongs to a session alone. */
  readonly release: (session: CarrierSession) => void;
  /** Closes all. */
  readonly close: () => Promise<void>;
}

/** One instance for all connections: a host starts a process for each that it wants, and may connect to it again. */
export function sharedInstance(create: () => Provider): Instances {
  const provider = create();
  return { of: () => provider, release() {}, close: () => provider.close() };
}

/** An instance for each connection: hosts that attach to a running provider share its process, and not its configuration. */
export function instancePerSession(create: () => Provider): Instances {
  const instances = new Map<CarrierSession | undefined, Provider>();
  return {
    of(session) {
      const known = instances.get(session);
      if (known !== undefined) return known;
      const provider = create();
      instances.set(session, provider);
      return provider;
    },
    release(session) {
      const provider = instances.get(session);
      instances.delete(session);
      // What its cleanup reports has been logged by then, and the connection is gone.
      provider?.close().catch(() => {});
    },
    async close() {
      await Promise.allSettled([...instances.values()].map((provider) => provider.close()));
    },
  };
}
