// SPDX-License-Identifier: Apache-2.0
import { isAbsolute } from "node:path";

/** The full form of a remote address, or the reason why the address is invalid. */
export type DetectedSource =
  | { readonly address: string }
  /** `maybeRelative` is the relative path that the author may have meant. */
  | { readonly reason: string; readonly maybeRelative?: string };

/**
 * Expands the address of a package from the short forms of GitHub, Bitbucket, GCS, S3 and SSH. Every Bitbucket repository is regarded as a
 * git repository; OpenTofu asks Bitbucket's API for its kind.
 *
 * @see OpenTofu getmodules.NormalizePackageAddress, go-getter Detect
 */
export function detectRemoteSource(text: string): DetectedSource {
  const forced = /^([A-Za-z0-9]+)::(.+)$/.exec(text);
  const getter = forced === null ? "" : `${forced[1]}::`;
  const rest = forced === null ? text : forced[2]!;
  if (/^[A-Za-z][A-Za-z0-9+.-]*:/.test(rest)) return isUrl(rest) ? { address: getter + rest } : malformed(rest);
  const detected = gitHub(rest) ?? scpGit(rest) ?? bitbucket(rest) ?? gcs(rest) ?? s3(rest);
  if (detected === undefined) {
    if (rest === "") return { reason: "invalid source string: " };
    if (isAbsolute(rest)) return { address: `${getter}file://${rest}` };
    return { reason: `OpenTofu cannot detect a supported external module source type for ${rest}`, maybeRelative: rest };
  }
  if ("reason" in detected) return detected;
  const own = /^([A-Za-z0-9]+)::/.exec(detected.address);
  return {
    address: own === null ? getter + detected.address : getter === "" ? detected.address : getter + detected.address.slice(own[0].length),
  };
}

function isUrl(text: string): boolean {
  return URL.canParse(text) || text.startsWith("file://");
}

function malformed(text: string): DetectedSource {
  return { reason: `error parsing URL: ${text}` };
}

function gitHub(text: string): DetectedSource | undefined {
  if (!text.startsWith("github.com/")) return undefined;
  const [path = "", ...query] = text.split("?");
  const parts = path.split("/");
  if (parts.length < 3) return { reason: "GitHub URLs should be github.com/username/repo" };
  const repository = parts.slice(0, 3).join("/");
  const folder = parts.length > 3 ? `//${parts.slice(3).join("/").replace(/^\/+/, "")}` : "";
  const address = `git::https://${repository}${repository.endsWith(".git") ? "" : ".git"}${folder}`;
  return { address: query.length === 0 ? address : `${address}?${query.join("?")}` };
}

function scpGit(text: string): DetectedSource | undefined {
  const [, host, path = ""] = /^git@([^:]+):(.*)$/.exec(text) ?? [];
  return host === undefined ? undefined : { address: `git::ssh://git@${host}/${path.replace(/^\//, "")}` };
}

function bitbucket(text: string): DetectedSource | undefined {
  if (!text.startsWith("bitbucket.org/")) return undefined;
  const [path = "", ...query] = text.split("?");
  const address = `git::https://${path}${path.endsWith(".git") ? "" : ".git"}`;
  return { address: query.length === 0 ? address : `${address}?${query.join("?")}` };
}

function gcs(text: string): DetectedSource | undefined {
  if (!text.includes("googleapis.com/")) return undefined;
  const parts = text.split("/");
  if (parts.length < 5) return { reason: "URL is not a valid GCS URL" };
  return { address: `gcs::https://www.googleapis.com/storage/${parts.slice(2).join("/")}` };
}

function s3(text: string): DetectedSource | undefined {
  if (!text.includes(".amazonaws.com/")) return undefined;
  const [host = "", ...path] = text.split("/");
  const labels = host.split(".");
  if (labels.length === 3) return { address: `s3::https://${host}/${path.join("/")}` };
  if (labels.length === 4 && labels[1]?.startsWith("s3")) {
    return { address: `s3::https://${labels.slice(1).join(".")}/${labels[0]}/${path.join("/")}` };
  }
  if (labels.length === 5 && labels[1] === "s3") {
    return { address: `s3::https://s3.${labels[2]}.amazonaws.com/${labels[0]}/${path.join("/")}` };
  }
  return { reason: "URL is not a valid S3 URL" };
}
