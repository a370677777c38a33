// SPDX-License-Identifier: Apache-2.0

/** The bundle's file name, without `.mjs`. It must not begin with the launcher's name: a host runs the first file with that prefix. */
export const bundleName = "provider";

/** The embedded Node's file name. */
export const embeddedNodeName = "node";

/** The oldest Node that runs a bundle: major and minor. */
export const oldestNode = [22, 19] as const;

/** What to do about a Node that is too old. */
export const nodeAdvice: string = `install Node ${oldestNode.join(".")} or newer, or set TENON_NODE to the path of one`;

/** Whether a version of Node runs a bundle. */
export function runsBundles(version: string): boolean {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  return major > oldestNode[0] || (major === oldestNode[0] && minor >= oldestNode[1]);
}

/**
 * Default of the maximum size of the heap's young generation, in MiB. V8's own default is larger, and V8 does not return that memory: a
 * provider would use half as much memory again, without a measurable benefit.
 */
const defaultYoungGenerationMiB = 8;

/** What a launcher sets for its program. */
export interface LaunchSettings {
  /** Absolute path of the Node to try. Default: none is tried. */
  readonly recordedNode?: string | undefined;
  /** Further environment variables of the program. Variables that are already set take precedence. Default: none. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Maximum size of the heap's young generation, in MiB. Default: 8. */
  readonly youngGenerationMiB?: number;
}

/**
 * Returns the shell script that hosts start as the program.
 *
 * - The script resolves symbolic links itself, because older systems lack `readlink -f`. Mirrors and plugin caches link to packages.
 * - It looks for Node in `TENON_NODE`, in its own folder, at the path of the Node that packaged it, and on PATH. It checks the version
 *   of a Node from `TENON_NODE` or PATH. The bundle itself checks the recorded Node: see `withNodeCheck`.
 * - It prints errors to standard output, because a CLI shows its first line.
 * - It replaces itself with Node (`exec`): a process in between would receive the signals and hold the host's pipes.
 * - It redirects Node's standard output to standard error, and passes the original as descriptor 3: early output, for example of a
 *   preloaded module, cannot come before the handshake line.
 */
export function launcherScript(settings: LaunchSettings): string {
  const { recordedNode, environment = {}, youngGenerationMiB = defaultYoungGenerationMiB } = settings;
  const [major, minor] = oldestNode;
  const recorded = recordedNode === undefined ? "" : `elif [ -x ${quote(recordedNode)} ]; then\n  node=${quote(recordedNode)}\n`;
  const exports = Object.entries(environment).map(([name, value]) => `export ${name}="\${${name}:-${value}}"\n`);
  return `#!/bin/sh
# Starts ${bundleName}.mjs under Node. TENON_NODE names the Node to use.
self=$0
while [ -L "$self" ]; do
  target=$(readlink "$self")
  case $target in
    /*) self=$target ;;
    *) self=\${self%/*}/$target ;;
  esac
done
case $self in
  */*) here=\${self%/*} ;;
  *) here=. ;;
esac
refuse() {
  echo "$self: $1; ${nodeAdvice}"
  exit 1
}
check() {
  version=$("$node" --version) || refuse "$node cannot be run"
  version=\${version#v}
  major=\${version%%.*}
  minor=\${version#*.}
  minor=\${minor%%.*}
  [ "$major" -gt ${major} ] || { [ "$major" -eq ${major} ] && [ "$minor" -ge ${minor} ]; } || refuse "$node is Node $version"
}
if [ -n "$TENON_NODE" ]; then
  node=$TENON_NODE
  [ -x "$node" ] || refuse "TENON_NODE is $node, which cannot be run"
  check
elif [ -x "$here/${embeddedNodeName}" ]; then
  node=$here/${embeddedNodeName}
${recorded}else
  node=$(command -v node) || refuse "there is no Node on PATH"
  check
fi
(: >&1) 2>/dev/null || exec >/dev/null
${exports.join("")}TENON_HANDSHAKE_FD=3 exec "$node" --max-semi-space-size=${youngGenerationMiB} "$here/${bundleName}.mjs" "$@" 3>&1 1>&2
`;
}

function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
