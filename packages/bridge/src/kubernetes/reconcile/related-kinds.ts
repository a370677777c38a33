// SPDX-License-Identifier: Apache-2.0
import { ruleName } from "../mapping/component-name.ts";
import { kindVersion } from "../mapping/kind-version.ts";
import type { KindMapping } from "../mapping/mapping.ts";
import { apiResourceOf } from "./kind-controller.ts";
import type { ReferenceContext } from "./references.ts";

/** Finds kinds as rules of references name them: `time_static`, and `data.time_now` for a component that is no resource type. */
export function relatedKinds(kinds: Iterable<KindMapping>, version?: string): ReferenceContext["relatedKind"] {
  const byName = new Map(
    [...kinds].map((kind) => {
      return [ruleName(kind), { kind, resource: apiResourceOf(kind, kindVersion(kind, version)) }] as const;
    }),
  );
  return (name) => byName.get(name);
}
