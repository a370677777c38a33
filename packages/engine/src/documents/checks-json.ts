// SPDX-License-Identifier: Apache-2.0
import { parseModuleInstance, parseResourceInstance } from "../address/target.ts";
import { formatModuleInstance } from "../address/module.ts";
import type { CheckableKind, CheckResult } from "../state/check-result.ts";
import type { JsonTree } from "../state/json-tree.ts";

const kinds: Readonly<Record<CheckableKind, string>> = { resource: "resource", output: "output_value", check: "check", var: "var" };

/** The results of checks in the form of plan and state JSON. @see OpenTofu jsonchecks */
export function checksJson(results: readonly CheckResult[]): JsonTree {
  return [...results]
    .map(({ kind, address, status, objects }) => ({
      address: staticAddress(kind, address),
      status,
      ...(objects !== undefined &&
        objects.length > 0 && {
          instances: [...objects]
            .sort((a, b) => (a.address < b.address ? -1 : 1))
            .map((object) => ({
              address: dynamicAddress(kind, object.address),
              status: object.status,
              ...(object.failureMessages.length > 0 && { problems: [...object.failureMessages].sort().map((message) => ({ message })) }),
            })),
        }),
    }))
    .sort((a, b) => (a.address.to_display < b.address.to_display ? -1 : 1));
}

/** The address of a checkable block, without instance keys. */
function staticAddress(kind: CheckableKind, address: string): { readonly to_display: string } & Readonly<Record<string, JsonTree>> {
  const { module, local } = split(address);
  const common = { to_display: address, kind: kinds[kind], ...(module !== "" && { module }) };
  if (kind !== "resource") return { ...common, name: local.slice(local.indexOf(".") + 1) };
  const { resource } = parseResourceInstance(local).address!;
  return { ...common, mode: resource.mode, type: resource.type, name: resource.name };
}

/** The address of one object of a checkable block, with instance keys. */
function dynamicAddress(kind: CheckableKind, address: string): Readonly<Record<string, JsonTree>> {
  if (kind === "resource") {
    const { module, key } = parseResourceInstance(address).address!;
    return {
      to_display: address,
      ...(module.length > 0 && { module: formatModuleInstance(module) }),
      ...(key !== undefined && { instance_key: key }),
    };
  }
  const { module } = split(address);
  return { to_display: address, ...(module !== "" && { module }) };
}

/** The module of an address, and the address within it. */
function split(address: string): { readonly module: string; readonly local: string } {
  for (let end = address.length; (end = address.lastIndexOf(".", end - 1)) > 0;) {
    const module = address.slice(0, end);
    if (module.startsWith("module.") && parseModuleInstance(module).address !== undefined) return { module, local: address.slice(end + 1) };
  }
  return { module: "", local: address };
}
