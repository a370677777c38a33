// SPDX-License-Identifier: Apache-2.0
import { bool, dynamic, list, map, number, set, string } from "@tenon/cty";
import { unpredictable, type CtyFunction } from "@tenon/cty/function";
import {
  absoluteFunc,
  ceilFunc,
  chompFunc,
  chunklistFunc,
  coalesceListFunc,
  compactFunc,
  concatFunc,
  containsFunc,
  csvDecodeFunc,
  distinctFunc,
  elementFunc,
  flattenFunc,
  floorFunc,
  formatDateFunc,
  formatFunc,
  formatListFunc,
  indentFunc,
  joinFunc,
  jsonDecodeFunc,
  jsonEncodeFunc,
  keysFunc,
  logFunc,
  lowerFunc,
  maxFunc,
  mergeFunc,
  minFunc,
  parseIntFunc,
  powFunc,
  rangeFunc,
  regexAllFunc,
  regexFunc,
  reverseFunc,
  reverseListFunc,
  setIntersectionFunc,
  setProductFunc,
  setSubtractFunc,
  setUnionFunc,
  signumFunc,
  sliceFunc,
  sortFunc,
  splitFunc,
  substrFunc,
  timeAddFunc,
  titleFunc,
  trimFunc,
  trimPrefixFunc,
  trimSpaceFunc,
  trimSuffixFunc,
  upperFunc,
  valuesFunc,
  zipmapFunc,
} from "@tenon/cty/stdlib";
import { canFunction, tryFunction } from "@tenon/hcl/evaluate";
import { assumeEqualFunction, assumeLengthFunctions, assumeNotNullFunction, assumeStringPrefixFunction } from "./assumption.ts";
import { textDecodeBase64Function, textEncodeBase64Function } from "./charset.ts";
import { cidrContainsFunction, cidrHostFunction, cidrNetmaskFunction, cidrSubnetFunction, cidrSubnetsFunction } from "./cidr.ts";
import {
  allTrueFunction,
  anyTrueFunction,
  coalesceFunction,
  indexFunction,
  lengthFunction,
  listFunction,
  lookupFunction,
  mapFunction,
  matchKeysFunction,
  oneFunction,
  sumFunction,
  transposeFunction,
} from "./collection.ts";
import { conversionFunction, convertFunction } from "./conversion.ts";
import {
  base64DecodeFunction,
  base64EncodeFunction,
  base64GunzipFunction,
  base64GzipFunction,
  urlDecodeFunction,
  urlEncodeFunction,
} from "./encoding.ts";
import type { FunctionEnvironment } from "./environment.ts";
import { fileBase64Function, fileExistsFunction, fileFunction, fileHashFunction, fileSetFunction } from "./file.ts";
import { digests, hashFunction } from "./hash.ts";
import { bcryptFunction } from "./password-hash.ts";
import { absolutePathFunction, baseNameFunction, directoryNameFunction, pathExpandFunction } from "./path.ts";
import { rsaDecryptFunction } from "./rsa.ts";
import { ephemeralAsNullFunction, isSensitiveFunction, nonsensitiveFunction, sensitiveFunction } from "./sensitivity.ts";
import { templateFileFunction, templateStringFunction } from "./template.ts";
import { endsWithFunction, replaceFunction, startsWithFunction, stringContainsFunction } from "./text.ts";
import { planTimestampFunction, timeCompareFunction, timestampFunction } from "./time.ts";
import { uuidFunction, uuidV5Function } from "./uuid.ts";
import { yamlDecodeFunction } from "./yaml-decode.ts";
import { yamlEncodeFunction } from "./yaml-encode.ts";

/** Options of {@link createFunctionTable}. */
export interface FunctionTableOptions {
  /**
   * Whether the impure functions (`bcrypt`, `timestamp`, `uuid`) return unknown values, as during a plan. Default false.
   */
  readonly pureOnly?: boolean;
  /** The time that `plantimestamp` returns; undefined during validation. */
  readonly planTime?: Date | undefined;
}

/** The functions that return different results for the same arguments. */
const impure: readonly string[] = ["bcrypt", "timestamp", "uuid"];

/**
 * Creates OpenTofu's built-in functions, each by its name and by `core::<name>`.
 *
 * @param environment Its `version` decides which functions exist.
 * @see OpenTofu lang.Scope.Functions
 */
export function createFunctionTable(
  environment: FunctionEnvironment,
  options: FunctionTableOptions = {},
): ReadonlyMap<string, CtyFunction> {
  // A copy of a map takes a fraction of the time of a new one. Each operation on a workspace creates several tables.
  const table = new Map(environment.version === "1.13" ? laterTable() : pureTable());
  const set = (name: string, each: CtyFunction): unknown => table.set(name, each).set(coreName(name), each);
  set("abspath", absolutePathFunction(environment));
  set("pathexpand", pathExpandFunction(environment));
  set("file", fileFunction(environment));
  set("fileexists", fileExistsFunction(environment));
  set("fileset", fileSetFunction(environment));
  set("filebase64", fileBase64Function(environment));
  for (const [name, digest] of Object.entries(digests)) set(fileHashName(name), fileHashFunction(digest, environment));
  set("timestamp", timestampFunction(environment));
  set("plantimestamp", planTimestampFunction(options.planTime));
  set("uuid", uuidFunction(environment));
  set("bcrypt", bcryptFunction(environment));
  // Templates do not have the qualified names.
  const inTemplates = once(() => new Map([...table].filter(([name]) => !name.startsWith("core::"))));
  set("templatefile", templateFileFunction(environment, inTemplates));
  set("templatestring", templateStringFunction(inTemplates));
  if (options.pureOnly === true) for (const name of impure) set(name, unpredictable(table.get(name)!));
  return table;
}

const coreNames = new Map<string, string>();

/** Concatenated and hashed once for each name. */
function coreName(name: string): string {
  let qualified = coreNames.get(name);
  if (qualified === undefined) coreNames.set(name, (qualified = `core::${name}`));
  return qualified;
}

/** The functions that only OpenTofu 1.13 has. */
const laterFunctions: readonly (readonly [string, CtyFunction])[] = [
  ["assumeequal", assumeEqualFunction],
  ["assumenotnull", assumeNotNullFunction],
  ["assumestringprefix", assumeStringPrefixFunction],
  ...assumeLengthFunctions,
  ["convert", convertFunction],
];

/** The name of a digest's file function: `filemd5` for `md5`, `filebase64sha256` for `base64sha256`. */
function fileHashName(name: string): string {
  return `file${name}`;
}

/** The functions whose results depend only on their arguments. */
const pureFunctions: readonly (readonly [name: string, CtyFunction])[] = [
  ["abs", absoluteFunc],
  ["alltrue", allTrueFunction],
  ["anytrue", anyTrueFunction],
  ["base64decode", base64DecodeFunction],
  ["base64encode", base64EncodeFunction],
  ["base64gunzip", base64GunzipFunction],
  ["base64gzip", base64GzipFunction],
  ["basename", baseNameFunction],
  ["can", canFunction],
  ["ceil", ceilFunc],
  ["chomp", chompFunc],
  ["chunklist", chunklistFunc],
  ["cidrcontains", cidrContainsFunction],
  ["cidrhost", cidrHostFunction],
  ["cidrnetmask", cidrNetmaskFunction],
  ["cidrsubnet", cidrSubnetFunction],
  ["cidrsubnets", cidrSubnetsFunction],
  ["coalesce", coalesceFunction],
  ["coalescelist", coalesceListFunc],
  ["compact", compactFunc],
  ["concat", concatFunc],
  ["contains", containsFunc],
  ["csvdecode", csvDecodeFunc],
  ["dirname", directoryNameFunction],
  ["distinct", distinctFunc],
  ["element", elementFunc],
  ["endswith", endsWithFunction],
  ["ephemeralasnull", ephemeralAsNullFunction],
  ["flatten", flattenFunc],
  ["floor", floorFunc],
  ["format", formatFunc],
  ["formatdate", formatDateFunc],
  ["formatlist", formatListFunc],
  ["indent", indentFunc],
  ["index", indexFunction],
  ["issensitive", isSensitiveFunction],
  ["join", joinFunc],
  ["jsondecode", jsonDecodeFunc],
  ["jsonencode", jsonEncodeFunc],
  ["keys", keysFunc],
  ["length", lengthFunction],
  ["list", listFunction],
  ["log", logFunc],
  ["lookup", lookupFunction],
  ["lower", lowerFunc],
  ["map", mapFunction],
  ["matchkeys", matchKeysFunction],
  ["max", maxFunc],
  ["merge", mergeFunc],
  ["min", minFunc],
  ["nonsensitive", nonsensitiveFunction],
  ["one", oneFunction],
  ["parseint", parseIntFunc],
  ["pow", powFunc],
  ["range", rangeFunc],
  ["regex", regexFunc],
  ["regexall", regexAllFunc],
  ["replace", replaceFunction],
  ["reverse", reverseListFunc],
  ["rsadecrypt", rsaDecryptFunction],
  ["sensitive", sensitiveFunction],
  ["setintersection", setIntersectionFunc],
  ["setproduct", setProductFunc],
  ["setsubtract", setSubtractFunc],
  ["setunion", setUnionFunc],
  ["signum", signumFunc],
  ["slice", sliceFunc],
  ["sort", sortFunc],
  ["split", splitFunc],
  ["startswith", startsWithFunction],
  ["strcontains", stringContainsFunction],
  ["strrev", reverseFunc],
  ["substr", substrFunc],
  ["sum", sumFunction],
  ["textdecodebase64", textDecodeBase64Function],
  ["textencodebase64", textEncodeBase64Function],
  ["timeadd", timeAddFunc],
  ["timecmp", timeCompareFunction],
  ["title", titleFunc],
  ["tobool", conversionFunction(bool)],
  ["tolist", conversionFunction(list(dynamic))],
  ["tomap", conversionFunction(map(dynamic))],
  ["tonumber", conversionFunction(number)],
  ["toset", conversionFunction(set(dynamic))],
  ["tostring", conversionFunction(string)],
  ["transpose", transposeFunction],
  ["trim", trimFunc],
  ["trimprefix", trimPrefixFunc],
  ["trimspace", trimSpaceFunc],
  ["trimsuffix", trimSuffixFunc],
  ["try", tryFunction],
  ["upper", upperFunc],
  ["urldecode", urlDecodeFunction],
  ["urlencode", urlEncodeFunction],
  ["uuidv5", uuidV5Function],
  ["values", valuesFunc],
  ["yamldecode", yamlDecodeFunction],
  ["yamlencode", yamlEncodeFunction],
  ["zipmap", zipmapFunc],
  ...Object.entries(digests).map(([name, digest]) => [name, hashFunction(digest)] as const),
];

/** The pure functions by both names. */
const pureTable = once(() => withQualifiedNames(pureFunctions));
const laterTable = once(() => withQualifiedNames([...pureFunctions, ...laterFunctions]));

function withQualifiedNames(functions: readonly (readonly [name: string, CtyFunction])[]): ReadonlyMap<string, CtyFunction> {
  return new Map(functions.flatMap(([name, each]) => [[name, each] as const, [coreName(name), each] as const]));
}

function once<T>(compute: () => T): () => T {
  let result: { readonly value: T } | undefined;
  return () => (result ??= { value: compute() }).value;
}
