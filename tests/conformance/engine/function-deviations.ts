// SPDX-License-Identifier: Apache-2.0
import type { OracleResult, Case } from "../cty/notation.ts";
import type { OwnResult } from "../cty/subject/index.ts";

/** A difference between a function of the engine and OpenTofu's. packages/engine/docs/differences.md has the same names. */
interface FunctionDeviation {
  readonly name: string;
  readonly covers: (call: Case, theirs: OracleResult, ours: OwnResult) => boolean;
}

const isYaml = ({ op }: Case): boolean => op.startsWith("opentofu.yamldecode");

const deviations: readonly FunctionDeviation[] = [
  {
    // Both reject malformed YAML, with the error of their own parser.
    name: "yaml-syntax-errors",
    covers: (call, theirs, ours) => isYaml(call) && "err" in theirs && "err" in ours && ours.code === "MALFORMED",
  },
  {
    // libyaml follows YAML 1.1, not strictly, for `-` and `?` in a flow collection before characters other than white space.
    name: "yaml-flow-indicators",
    covers: (call) => isYaml(call) && /[[{,:]\s*(?:-(?=[\],}])|\?)/.test(JSON.stringify(call.args)),
  },
  {
    // go-cidr confuses the sizes of IPv4 and IPv6 for IPv4 addresses in IPv6 form. `cidrsubnets` starts with the subnet before the network,
    // which for `::1:0:0:0` has such an address at its end.
    name: "mapped-ipv4-subnets",
    covers: (call) =>
      call.op.startsWith("opentofu.cidrsubnet") &&
      /"::(?:ffff:[0-9a-f.:]+|1:(?:[0-9a-f]+:){2}[0-9a-f.:]*(?=\/80")|1:0:0:[0-9a-f.]*)\//i.test(JSON.stringify(call.args)),
  },
  {
    name: "function-panics",
    covers: (call, theirs, ours) =>
      call.op.startsWith("opentofu.cidrsubnet") && "ok" in theirs && JSON.stringify(theirs.ok).includes('"<nil>"') && "err" in ours,
  },
  {
    // Node's decoders and golang.org/x/text each support some characters of the CJK sets that the other lacks.
    name: "cjk-charsets",
    covers: ({ op, args }) =>
      /^opentofu\.text(?:en|de)codebase64$/.test(op) &&
      /big5|euc|ks|korean|gb|shift|sjis|ms_kanji|hz|iso-?2022|936|extended_unix|chinese/i.test(JSON.stringify(args[1])),
  },
];

/** The name of the deviation that explains a difference; undefined if there is none. */
export function functionDeviationOf(call: Case, theirs: OracleResult, ours: OwnResult): string | undefined {
  return deviations.find(({ covers }) => covers(call, theirs, ours))?.name;
}
