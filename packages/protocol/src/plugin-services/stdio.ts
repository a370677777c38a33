// SPDX-License-Identifier: Apache-2.0
import { registration, type ServiceRegistration } from "../carrier/carrier.ts";
import { GRPCStdio, StdioData_Channel } from "../gen/lean/plugin/grpc_stdio_pb.ts";

/** Takes what a plugin prints, for its host. */
export interface StdioService {
  /** For the server. */
  readonly registration: ServiceRegistration;
  /** Hands on what was printed. Never waits: what no host fetches in time is dropped, oldest first. */
  write(channel: "stdout" | "stderr", data: Uint8Array): void;
  /** Ends the hosts' streams, after what is queued. Belongs to the shutdown. */
  end(): void;
}

/** How much a host may miss. */
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
  const queue = new ChunkQueue(maxQueuedBytes);
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
      queue.push({
        channel: channel === "stdout" ? StdioData_Channel.STDOUT : StdioData_Channel.STDERR,
        // A copy: the writer may use its buffer again.
        data: Uint8Array.from(data.subarray(-maxQueuedBytes)),
      });
      wake();
    },
    end() {
      ended = true;
      wake();
    },
  };
}

interface Chunk {
  readonly channel: StdioData_Channel;
  readonly data: Uint8Array<ArrayBuffer>;
}

/** Chunks in order, the oldest of which go when there are too many bytes. */
class ChunkQueue {
  /** A set, since taking the first of a long array costs as much as the array is long. */
  readonly #chunks = new Set<Chunk>();
  readonly #maxBytes: number;
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  push(chunk: Chunk): void {
    this.#chunks.add(chunk);
    this.#bytes += cost(chunk);
    while (this.#chunks.size > 1 && this.#bytes > this.#maxBytes) this.shift();
  }

  shift(): Chunk | undefined {
    const { value: chunk } = this.#chunks.values().next();
    if (chunk === undefined) return undefined;
    this.#chunks.delete(chunk);
    this.#bytes -= cost(chunk);
    return chunk;
  }
}

/** Each chunk is charged for itself too, or single bytes could pile up by the million. */
function cost({ data }: Chunk): number {
  return data.length + 64;
}
