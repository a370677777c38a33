// SPDX-License-Identifier: Apache-2.0
import type { CarrierSession } from "@tenon/protocol/carrier";
import type { Provider } from "@tenon/schema";

/** The provider instances of this process. */
export interface Instances {
  /** Returns the instance that answers the calls of a session. */
  readonly of: (session: CarrierSession | undefined) => Provider;
  /** Closes the instance that only this session uses. */
  readonly release: (session: CarrierSession) => void;
  /** Closes all instances. */
  readonly close: () => Promise<void>;
}

/** Creates one instance for all connections: a host starts one process per instance, and may connect to the process again. */
export function sharedInstance(create: () => Provider): Instances {
  const provider = create();
  return { of: () => provider, release() {}, close: () => provider.close() };
}

/** Creates one instance per connection: hosts that attach to a running provider share the process but not the configuration. */
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
      // The failed cleanup has already been logged, and no connection is left to report it to.
      provider?.close().catch(() => {});
    },
    async close() {
      await Promise.allSettled([...instances.values()].map((provider) => provider.close()));
    },
  };
}
