// SPDX-License-Identifier: Apache-2.0
import type { MessageInitShape } from "@bufbuild/protobuf";
import { registration, type ServiceRegistration } from "../carrier/carrier.ts";
import { GRPCStdio, StdioData_Channel, type StdioDataSchema } from "../gen/plugin/grpc_stdio_pb.ts";

/** Takes what a plugin prints, for its host. */
export interface StdioService {
  readonly registration: ServiceRegistration;
  /** Hands on what was printed. Never waits: what no host fetches in time is dropped, oldest first. */
  write(channel: "stdout" | "stderr", data: Uint8Array): void;
  /** Ends the hosts' streams, after what is queued. Belongs to the shutdown. */
  end(): void;
}

type Chunk = MessageInitShape<typeof StdioDataSchema> & { readonly data: Uint8Array };

export interface StdioServiceOptions {
  /** What may wait for a host, in bytes. Default: 1 MiB. */
  readonly maxQueuedBytes?: number;
}

/**
 * Carries standard output and standard error to the host.
 *
 * The stream stays open until `end()`: with no call open at all, a Go host drops a connection that is idle for 30 minutes.
 *
 * @see go-plugin grpc_stdio.go
 */
export function stdioService({ maxQueuedBytes = 1024 * 1024 }: StdioServiceOptions = {}): StdioService {
  const queue: Chunk[] = [];
  const waiting = new Set<() => void>();
  let ended = false;
  const wake = (): void => {
    for (const resolve of waiting) resolve();
    waiting.clear();
  };
  return {
    registration: registration(GRPCStdio, {
      async *streamStdio(_request, { signal }) {
        signal.addEventListener("abort", wake, { once: true });
        while (!signal.aborted) {
          const chunk = queue.shift();
          if (chunk !== undefined) yield chunk;
          else if (ended) return;
          else await new Promise<void>((resolve) => void waiting.add(resolve));
        }
      },
    }),
    write(channel, data) {
      if (ended || data.length === 0) return;
      // The writer may use its buffer again.
      const copy = Uint8Array.from(data.subarray(-maxQueuedBytes));
      queue.push({ channel: channel === "stdout" ? StdioData_Channel.STDOUT : StdioData_Channel.STDERR, data: copy });
      queue.splice(0, surplus(queue, maxQueuedBytes));
      wake();
    },
    end() {
      ended = true;
      wake();
    },
  };
}

/** How many of the oldest chunks must go for the rest to fit. */
function surplus(queue: readonly Chunk[], maxBytes: number): number {
  let bytes = 0;
  return queue.findLastIndex(({ data }) => (bytes += data.length) > maxBytes) + 1;
}
