// SPDX-License-Identifier: Apache-2.0
import type { Exchange, RecordedRequest } from "./exchange.ts";
import { type MatchSettings, requestDifferences } from "./request-difference.ts";

/** The text for a request that has no recorded exchange: the nearest recorded request, and the differences. */
export function notRecordedText(
  path: string,
  request: RecordedRequest,
  exchanges: readonly Exchange[],
  unused: ReadonlySet<Exchange>,
  settings: MatchSettings,
): string {
  const head = `${lineOf(request)} is not in the cassette ${path}`;
  const advice = "\nIf the request is right, record the cassette again with TENON_HTTP=record.";
  const candidates = exchanges.map((exchange) => ({ exchange, differences: requestDifferences(exchange.request, request, settings) }));
  const same = candidates.filter(({ differences }) => differences.length === 0).length;
  if (same > 0)
    return `${head} once more: ${same === 1 ? "its recorded response has" : `all ${same} recorded responses to it have`} been used.\nIf the number of these requests varies, set repeatLast.${advice}`;
  const weigh = ({ exchange, differences }: (typeof candidates)[number]): number =>
    differences.reduce((sum, { place }) => sum + (place === "url" ? 20 : place === "method" ? 10 : 1), unused.has(exchange) ? 0 : 0.5);
  const [nearest] = candidates.toSorted((a, b) => weigh(a) - weigh(b));
  if (nearest === undefined) return `${head}, which has no requests.${advice}`;
  const lines = nearest.differences.map(
    ({ place, recorded, requested }) => `  ${place}\n    recorded:  ${recorded}\n    requested: ${requested}`,
  );
  const used = unused.has(nearest.exchange) ? "" : ", which has been used";
  return `${head}. The nearest recorded request is ${lineOf(nearest.exchange.request)}${used}, and differs:\n${lines.join("\n")}${advice}`;
}

/** The text for recorded requests that a replay did not make. */
export function notMadeText(path: string, unused: readonly Exchange[], count: number): string {
  const lines = unused.slice(0, 10).map(({ request }) => `  ${lineOf(request)}`);
  const more = unused.length > 10 ? [`  … ${unused.length - 10} more`] : [];
  return [
    `${unused.length} of the ${count} requests in the cassette ${path} were not made:`,
    ...lines,
    ...more,
    "If they are not needed any more, record the cassette again with TENON_HTTP=record. If their number varies, set allowUnused.",
  ].join("\n");
}

function lineOf({ method, url }: RecordedRequest): string {
  return `${method} ${url}`;
}
