// SPDX-License-Identifier: Apache-2.0
import type { Value } from "@tenon/cty";
import { decode } from "../conversion/decode.ts";
import { problemText } from "../conversion/problem.ts";
import type { SaidMeta } from "../definition/module-meta.ts";
import { hasContent } from "../planning/part.ts";
import { requireConforming, type ServedInstance } from "./served-instance.ts";
import type { ServerCall } from "./server-call.ts";

/** What a handler can read of a `provider_meta` block; nothing is made of it before. */
export function saidMeta({ provider: { meta, name } }: ServedInstance, value: Value | undefined, call: ServerCall): SaidMeta {
  const said = meta !== undefined && value !== undefined && hasContent(value) ? value : undefined;
  if (meta !== undefined && said !== undefined) {
    requireConforming(meta.shape, said, "provider_meta");
    call.secrets.add(meta.shape, said);
  }
  return {
    "~meta": () => {
      if (meta === undefined) throw new TypeError(`provider ${name} reads a provider_meta it does not have: give defineProvider its meta`);
      if (said === undefined) return null;
      const { value: seen, problems } = decode(meta.shape, said, "configDraft");
      if (problems.length > 0) throw new TypeError(`provider_meta: ${problems.map(problemText).join("; ")}`);
      return seen;
    },
  };
}
