// SPDX-License-Identifier: Apache-2.0

/** The bundle's file name, without `.mjs`. It must not begin as the launcher's: a host runs the first file that looks like the provider. */
export const bundleName = "provider";

/** The embedded Node's file name. */
export const embeddedNodeName = "node";

/** The oldest Node that runs a bundle: major and minor. */
const oldestNode = [22, 18] as const;

/**
 * How far the heap's young generation may grow, in MiB. Left alone, V8 takes twice as much when calls come thick and fast, and keeps it: half as much memory
 * again, for nothing that can be measured.
 */
const youngGenerationMiB = 8;

/**
 * The shell script that hosts take for the provider.
 *
 * - It follows links by itself, `readlink -f` being unknown to older systems: mirrors and plugin caches link to packages.
 * - It looks for Node in `TENON_NODE`, beside itself, where the one was that packaged it, then on PATH, where it asks for the version.
 * - It becomes Node: a process in between would keep the signals, and the host's pipes.
 * - It gives Node standard error for standard output, and the real one as descriptor 3: whatever is printed early (by a
 *   preloaded module, say) cannot come before the handshake line.
 *
 * @param recordedNode absolute path of a Node to try; undefined: none
 * @param environment what else the provider is told; what the environment says itself comes first
 */
export function launcherScript(recordedNode: string | undefined, environment: Readonly<Record<string, string>> = {}): string {
  const [major, minor] = oldestNode;
  const recorded = recordedNode === undefined ? "" : `elif [ -x ${quote(recordedNode)} ]; then\n  node=${quote(recordedNode)}\n`;
  const told = Object.entries(environment).map(([name, value]) => `export ${name}="\${${name}:-${value}}"\n`);
  return `#!/bin/sh
# A provider for Terraform and OpenTofu: starts ${bundleName}.mjs under Node. TENON_NODE names the Node to use.
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
  echo "$self: $1; install Node ${major}.${minor} or newer, or set TENON_NODE to the path of one" >&2
  exit 1
}
if [ -n "$TENON_NODE" ]; then
  node=$TENON_NODE
  [ -x "$node" ] || refuse "TENON_NODE is $node, which cannot be run"
elif [ -x "$here/${embeddedNodeName}" ]; then
  node=$here/${embeddedNodeName}
${recorded}else
  node=$(command -v node) || refuse "there is no Node on PATH"
  version=$("$node" --version) || refuse "$node cannot be run"
  version=\${version#v}
  major=\${version%%.*}
  minor=\${version#*.}
  minor=\${minor%%.*}
  [ "$major" -gt ${major} ] || { [ "$major" -eq ${major} ] && [ "$minor" -ge ${minor} ]; } || refuse "$node is Node $version"
fi
(: >&1) 2>/dev/null || exec >/dev/null
${told.join("")}TENON_HANDSHAKE_FD=3 exec "$node" --max-semi-space-size=${youngGenerationMiB} "$here/${bundleName}.mjs" "$@" 3>&1 1>&2
`;
}

function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
