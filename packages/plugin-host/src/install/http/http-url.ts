// SPDX-License-Identifier: Apache-2.0

/** Returns the URL without query, fragment and user for error messages, because download URLs have signatures in their query. */
export function withoutSecrets(url: URL): string {
  // Other schemes have no origin: `localhost:8443/` is a URL of the scheme `localhost:`.
  return isHttp(url) ? `${url.origin}${url.pathname}` : `${url.protocol}${url.host === "" ? "" : `//${url.host}`}${url.pathname}`;
}

/** Resolves a URL against a base; undefined where the text is not a valid URL. */
export function resolveUrl(text: string, base: URL): URL | undefined {
  return URL.parse(text, base.href) ?? undefined;
}

/** Whether the URL's scheme is `https:` or `http:`. */
export function isHttp(url: URL): boolean {
  return url.protocol === "https:" || url.protocol === "http:";
}
