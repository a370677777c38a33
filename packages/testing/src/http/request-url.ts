// SPDX-License-Identifier: Apache-2.0

/**
 * Returns the URL of a request: of its path on a server, or the path itself if it is a URL, as in a request to a proxy.
 *
 * A path that begins with two slashes names no host, so that it cannot be resolved as a relative reference.
 */
export function requestUrl(path: string, origin: string): URL {
  return path.startsWith("/") ? new URL(`${origin}${path}`) : new URL(path, origin);
}
