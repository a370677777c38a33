// SPDX-License-Identifier: Apache-2.0
import type { LogLevel } from "@tenon/protocol/log-line";
import type { CallEvent, CallLog } from "@tenon/schema/observability";
import type { LogSink } from "../output/log-record.ts";
import type { CallSecrets } from "./call-secrets.ts";

/** Creates the log of one call, which writes records of the logger `host`. */
export function callLog(sink: LogSink, { provider, rpc, requestId, about }: CallEvent, secrets: CallSecrets): CallLog {
  const base = { tf_req_id: requestId, tf_rpc: rpc, ...about };
  const write =
    (level: LogLevel) =>
    (message: string, fields: Readonly<Record<string, unknown>> = {}): void => {
      if (!sink.accepts(level)) return;
      sink.write({ level, name: "host", message, fields: { ...base, ...secrets.hideIn(fields) }, timestamp: new Date(), provider });
    };
  return { trace: write("trace"), warn: write("warn"), error: write("error") };
}
