// SPDX-License-Identifier: Apache-2.0

/**
 * Pairs of summaries: the framework's and ours for the same rule. A summary that no pair contains must be equal on both sides.
 */
const wordings: readonly (readonly [theirs: RegExp, ours: RegExp])[] = [
  [/^Missing Configuration for Required Attribute$/, /^Missing required attribute$/],
  [/^Invalid Configuration for Read-Only Attribute$/, /^Value for a read-only attribute$/],
  [/^WriteOnly Attribute Not Allowed$/, /^Write-only attribute not supported$/],
  [/^Attribute Deprecated$/, /^Deprecated attribute$/],
  [/^Block Deprecated$/, /^Deprecated block$/],
  [/^Invalid Block$/, /^Missing required block$/],
  [/^Invalid Attribute Value(?: Length| Match)?$/, /^Invalid value$/],
  [/^(?:Null|Duplicate) (?:List|Set|Map) Value$/, /^Invalid value$/],
  [/^(?:Invalid Attribute Combination|Missing Attribute Configuration)$/, /^Invalid combination of attributes$/],
  [/^Available Write-only Attribute Alternative$/i, /^Discouraged attribute$/],
  [/^Duplicate Set Element$/, /^Duplicate set element$/],
  [/^Unexpected Identity Change$/, /^Unexpected identity change$/],
  [/^Missing Resource Identity After \w+$/, /^Missing identity$/],
  [/^Unable to Move Resource State$/, /^Cannot move state to made_\w+$/],
  [/^Unable to Read Previously Saved State for UpgradeResourceState$/, /^Cannot read the recorded state of made_\w+$/],
  [/^Unable to Upgrade Resource State$/, /^Cannot upgrade the state of made_\w+$/],
  [/^Cannot upgrade the state of made_\w+$/, /^Cannot upgrade the state of made_\w+ from version \d+$/],
];

/** Rules about sums and products, which the framework reports at one attribute. */
const arithmetic = /(?:sum|product) of /;

interface Said {
  readonly summary: string;
  readonly detail: string;
}

/** Whether two summaries have the same meaning. */
export function saysTheSame({ summary: theirs, detail }: Said, { summary: ours }: Said): boolean {
  if (theirs === "Invalid Attribute Value" && arithmetic.test(detail)) return ours === "Invalid combination of attributes";
  return theirs === ours || wordings.some(([left, right]) => left.test(theirs) && right.test(ours));
}
