// SPDX-License-Identifier: Apache-2.0
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { formatPath } from "@tenon/cty";
import { recording, replaying, type ValuePlace } from "@tenon/plugin-host/record";
import { registration, type ServiceRegistration } from "@tenon/protocol/carrier";
import { createCallError, createServiceClient } from "@tenon/protocol/carrier/calls";
import { parseGoJson, parseProtoText } from "@tenon/protocol/message-text";
import { Provider as ProviderService } from "@tenon/protocol/tfplugin6";
import type { Provider } from "@tenon/schema";
import { createProviderClient, createProviderService } from "@tenon/schema/wire/v6";
import { BridgeError } from "../error.ts";
import { comparableRequests } from "./comparable-requests.ts";
import { bridgeCall, type GrpcLogEntry, readGrpcLog } from "./grpc-log.ts";
import { connectLocally } from "./local-service.ts";
import { loggedRpc } from "./logged-rpc.ts";
import { tolerantReplay } from "./tolerant-replay.ts";

type Rpc = (typeof ProviderService.method)[keyof typeof ProviderService.method];
type Message = ReturnType<typeof parseProtoText>;

/** A logged call, as messages. */
interface LoggedCall {
  /** Whether this bridge made the call. */
  readonly isOwn: boolean;
  readonly rpc: Rpc;
  readonly request: Message;
  readonly outcome: { readonly kind: "response"; readonly response: Message } | { readonly kind: "error"; readonly text: string };
  readonly masked: NonNullable<GrpcLogEntry["masked"]>;
}

/**
 * Replays a gRPC log of this bridge or of Pulumi's own Terraform bridge, without a provider. A call gets the response of the first logged call with
 * the same request that was not replayed yet.
 *
 * @throws BridgeError `INVALID_RECORDING`
 */
export async function replayingGrpcLog(path: string): Promise<Provider> {
  const calls = readCalls(path);
  const folder = mkdtempSync(join(tmpdir(), "tenon-bridge-"));
  try {
    const file = join(folder, "log.recording");
    await convert(calls, file);
    const replay = comparableRequests(replaying(file));
    return calls.every(({ isOwn }) => isOwn) ? replay : tolerantReplay(replay);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function readCalls(path: string): readonly LoggedCall[] {
  const rpcs = new Map(Object.values(ProviderService.method).map((rpc) => [rpc.name, rpc]));
  const names: ReadonlySet<string> = new Set(rpcs.keys());
  return readGrpcLog(path).map((entry, index) => {
    const rpc = rpcs.get(loggedRpc(entry, names) ?? "");
    if (rpc === undefined) throw invalid(path, index, `the RPC of ${JSON.stringify(entry.name)} is unknown`);
    try {
      const request = parseProtoText(rpc.input, entry.request);
      const isOwn = entry.call === bridgeCall;
      const { masked = { request: [], response: [] }, error: [text] = [] } = entry;
      if (text !== undefined) return { isOwn, rpc, request, masked, outcome: { kind: "error", text } };
      return { isOwn, rpc, request, masked, outcome: { kind: "response", response: parseGoJson(rpc.output, entry.response) } };
    } catch (cause) {
      throw invalid(path, index, String(cause), cause);
    }
  });
}

/**
 * Writes calls to a recording. A client of protocol 6 decodes the logged responses, and a service of protocol 6 decodes the logged requests. Between
 * the two, the calls are calls of a `Provider`, which are recorded as usual.
 */
async function convert(calls: readonly LoggedCall[], file: string): Promise<void> {
  const schema = calls.find(({ rpc, outcome }) => rpc.name === "GetProviderSchema" && outcome.kind === "response");
  let current: LoggedCall | undefined;
  const logged = await connectLocally(
    responding((rpc) => (current?.rpc === rpc ? current : rpc.name === "GetProviderSchema" ? schema : undefined)),
  );
  const client = createProviderClient(logged.connection.transport, { close: () => logged.close() });
  const isSecretAt = ({ message, field, path }: ValuePlace): boolean | number => {
    const text = formatPath(path);
    return current?.masked[message].find((part) => part.field === field && part.path === text)?.secret ?? false;
  };
  const recorded = comparableRequests(recording(client, file, { isSecret: isPlaceholder, isSecretAt }));
  const service = await connectLocally(createProviderService(recorded));
  const requests = createServiceClient(ProviderService, service.connection);
  for (current of schemasFirst(calls)) {
    const call = requests[current.rpc.localName as keyof typeof requests] as (request: Message) => Promise<unknown>;
    // A logged error is thrown here, and recorded.
    await call(current.request).catch(() => {});
  }
  await service.close();
  await recorded.close();
}

/** Whether a logged text is the placeholder of a secret. In texts of errors, and in logs of older versions, nothing else marks it. */
function isPlaceholder(text: string): boolean {
  return /^\(sensitive value \d+\)\0*$/.test(text);
}

/** Moves the requests for schemas to the front, because secrets can be recognized only with the schemas. */
function schemasFirst(calls: readonly LoggedCall[]): readonly LoggedCall[] {
  const isSchema = ({ rpc }: LoggedCall): boolean => rpc.name === "GetProviderSchema";
  return [...calls.filter(isSchema), ...calls.filter((call) => !isSchema(call))];
}

function responding(find: (rpc: Rpc) => LoggedCall | undefined): ServiceRegistration {
  const handlers = Object.values(ProviderService.method)
    .filter(({ methodKind }) => methodKind === "unary")
    .map((rpc) => [
      rpc.localName,
      () => {
        const call = find(rpc);
        if (call === undefined) throw createCallError("unimplemented", `the log has no ${rpc.name}`);
        if (call.outcome.kind === "error") throw createCallError("unknown", call.outcome.text);
        return call.outcome.response;
      },
    ]);
  return registration(ProviderService, Object.fromEntries(handlers) as Parameters<typeof registration<typeof ProviderService>>[1]);
}

function invalid(path: string, index: number, problem: string, cause?: unknown): BridgeError {
  return new BridgeError("INVALID_RECORDING", `entry ${index + 1} of the gRPC log ${path} cannot be replayed: ${problem}`, { cause });
}
