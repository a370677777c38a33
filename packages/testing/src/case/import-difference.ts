// SPDX-License-Identifier: Apache-2.0
import { equalJson, isArray, isObject, type Json } from "../documents/json.ts";
import type { ResourceDocument } from "../documents/state-document.ts";
import { formatPath, isMarked, type PathStep, stepsOf, valueAt, type ValuePath } from "../documents/value-path.ts";
import { showValue } from "../documents/show-value.ts";

/**
 * The attributes in which an imported resource differs from the one in the state, a block of lines each. Null and an empty collection count as equal,
 * because an import cannot know which of them the configuration has.
 *
 * @param ignored Attributes that are not compared, with everything in them.
 */
export function importDifferences(prior: ResourceDocument, imported: ResourceDocument, ignored: readonly ValuePath[]): readonly string[] {
  const paths = differentPaths(prior.values, imported.values, []).filter(
    (path) => !ignored.some((one) => stepsOf(one).every((step, index) => step === path[index])),
  );
  return paths.map((path) => {
    const isHidden = isMarked(prior.sensitive_values, path) || isMarked(imported.sensitive_values, path);
    const shown = ({ values, sensitive_values: sensitive }: ResourceDocument): string =>
      showValue(valueAt(values, path), isHidden ? true : valueAt(sensitive, path));
    return `  ${formatPath(path)}\n    state:    ${shown(prior)}\n    imported: ${shown(imported)}`;
  });
}

function differentPaths(a: Json | undefined, b: Json | undefined, path: readonly PathStep[]): readonly (readonly PathStep[])[] {
  if (equalJson(a, b) || (isEmpty(a) && isEmpty(b))) return [];
  if (isObject(a) && isObject(b)) {
    const names = [...new Set([...Object.keys(a), ...Object.keys(b)])].toSorted();
    return names.flatMap((name) => differentPaths(a[name], b[name], [...path, name]));
  }
  if (isArray(a) && isArray(b) && a.length === b.length)
    return a.flatMap((element, index) => differentPaths(element, b[index], [...path, index]));
  return [path];
}

function isEmpty(value: Json | undefined): boolean {
  return (
    value === undefined || value === null || (isArray(value) && value.length === 0) || (isObject(value) && Object.keys(value).length === 0)
  );
}
