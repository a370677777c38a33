// SPDX-License-Identifier: Apache-2.0
import { isPropertyArray, isPropertyMap, type PropertyMap, type PropertyValue } from "../property/property-value.ts";
import { parsePropertyPath, type PropertyPath } from "../values/property-path.ts";
import { plain } from "../values/provider-value.ts";

/** Restores the old properties at the engine's `ignoreChanges` paths. A path that does not exist restores nothing. */
export function withIgnoredProperties(olds: PropertyMap, news: PropertyMap, texts: readonly string[]): PropertyMap {
  const paths = texts.map(parsePropertyPath).filter((path): path is PropertyPath => path !== undefined && path.length > 0);
  return paths.reduce((restored, path) => restoredMap(olds, restored, path), news);
}

function restoredMap(olds: PropertyMap, news: PropertyMap, [step, ...rest]: PropertyPath): PropertyMap {
  const result = new Map(news);
  const names = step === "*" ? [...olds.keys(), ...news.keys()] : [String(step)];
  for (const name of names) {
    const value = restored(olds.get(name), news.get(name), rest);
    if (value === undefined) result.delete(name);
    else result.set(name, value);
  }
  return result;
}

function restored(left: PropertyValue | undefined, right: PropertyValue | undefined, path: PropertyPath): PropertyValue | undefined {
  const [step, ...rest] = path;
  if (step === undefined) return left;
  const old = plain(left);
  const current = plain(right);
  if (isPropertyMap(old) && isPropertyMap(current)) return restoredMap(old, current, path);
  if (!isPropertyArray(old) || !isPropertyArray(current)) return right;
  return current.map((element, index) => (step === "*" || step === index ? (restored(old[index], element, rest) ?? null) : element));
}
