// SPDX-License-Identifier: Apache-2.0
import { isWhollyKnown } from "@tenon/cty";
import { errorDiagnostic, type ConfigureProviderRequest, type DiagnosticsResponse } from "@tenon/schema";
import { emptyEntry, objectValue } from "../conversion/encode.ts";
import { hasContent, partOf } from "../planning/part.ts";
import { openDeferral } from "./deferral.ts";
import { shown } from "./resource-context.ts";
import { checkingRpc, type Rpc } from "./rpc.ts";
import { requireConforming } from "./served-instance.ts";
import { runHandler } from "./server-call.ts";

/**
 * Makes the client. A configuration that is not wholly known waits, unless the author takes it as it is: what needs the client
 * is then deferred, or says which attribute is missing.
 */
export const configureProvider: Rpc<ConfigureProviderRequest, DiagnosticsResponse> = checkingRpc(
  "ConfigureProvider",
  ({ terraformVersion }) => ({ terraform_version: terraformVersion }),
  async (instance, { config: given, terraformVersion, clientCapabilities }, call) => {
    const { provider } = instance;
    const { shape, configure } = provider;
    requireConforming(shape, given, `the configuration of provider ${provider.name}`);
    if (instance.configuration.kind !== "none") {
      call.diagnostics.push(
        errorDiagnostic("Provider configured twice", `Provider ${provider.name} is configured already: use another instance.`),
      );
      return;
    }
    instance.terraformVersion = terraformVersion;
    const config = hasContent(given) ? given : objectValue(shape, shape.entries.map(emptyEntry));
    instance.secrets.add(shape, config);
    if (configure === undefined) {
      instance.configuration = { kind: "configured", client: undefined };
      return;
    }
    if (provider.unknownConfig === "wait" && !isWhollyKnown(config)) {
      const unknown = shape.entries.filter((entry) => !isWhollyKnown(partOf(config, entry))).map((entry) => entry.name);
      instance.configuration = { kind: "waiting", unknown };
      call.log.info("configuration is not wholly known: waiting with configure", { unknown });
      return;
    }
    // While configure runs nothing else may start with a client that is not there.
    instance.configuration = { kind: "failed" };
    const seen = shown(shape, config, provider.unknownConfig === "pass" ? "configDraft" : "config", "configuration", call);
    if (seen === undefined) return;
    const { signal, warn, log } = call;
    const { defer, watch, deferred } = openDeferral(clientCapabilities);
    const outcome = await runHandler(call, `Cannot configure provider ${provider.name}`, () =>
      watch(() =>
        configure({
          config: seen,
          terraformVersion,
          userAgent: instance.userAgent,
          onCleanup: (hook: () => void | Promise<void>) => void instance.cleanups.unshift(hook),
          defer,
          signal,
          warn,
          log,
        }),
      ),
    );
    const putOff = deferred();
    if (putOff !== undefined) instance.configuration = { kind: "deferred", deferred: putOff };
    else if (outcome.ok) instance.configuration = { kind: "configured", client: outcome.value };
  },
);
