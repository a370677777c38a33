// SPDX-License-Identifier: Apache-2.0
import {
  type DiffResponse_DiffChanges,
  DiffResponse_DiffChanges as Changes,
  type PropertyDiff_Kind,
  PropertyDiff_Kind as Kind,
} from "@tenon/protocol/pulumi";
import type { ChangeKind } from "../resource/detailed-diff.ts";
import { changedProperties, type ResourceDiff } from "../resource/diff-resource.ts";
import { formatPropertyPath } from "../values/property-path.ts";

/** The fields of the response to Diff and DiffConfig. */
export interface DiffMessage {
  readonly changes: DiffResponse_DiffChanges;
  readonly replaces: string[];
  readonly diffs: string[];
  readonly deleteBeforeReplace: boolean;
  readonly hasDetailedDiff: boolean;
  readonly detailedDiff: Record<string, { readonly kind: PropertyDiff_Kind; readonly inputDiff: boolean }>;
}

/** Converts a difference to a response. @param inputDiff - whether the old inputs were compared instead of the old outputs. */
export function diffResponse(diff: ResourceDiff, inputDiff = false): DiffMessage {
  const { properties } = diff;
  return {
    changes: diff.changes === "none" ? Changes.DIFF_NONE : Changes.DIFF_SOME,
    replaces: [...changedProperties(properties.filter(({ replaces }) => replaces))],
    diffs: [...changedProperties(properties)],
    deleteBeforeReplace: diff.deleteBeforeReplace,
    hasDetailedDiff: properties.length > 0,
    detailedDiff: Object.fromEntries(
      properties.map(({ path, kind, replaces }) => [formatPropertyPath(path), { kind: kinds[kind][replaces ? 1 : 0], inputDiff }]),
    ),
  };
}

const kinds: Readonly<Record<ChangeKind, readonly [inPlace: PropertyDiff_Kind, replacing: PropertyDiff_Kind]>> = {
  add: [Kind.ADD, Kind.ADD_REPLACE],
  delete: [Kind.DELETE, Kind.DELETE_REPLACE],
  update: [Kind.UPDATE, Kind.UPDATE_REPLACE],
};
