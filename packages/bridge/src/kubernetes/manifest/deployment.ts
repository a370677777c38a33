// SPDX-License-Identifier: Apache-2.0
import type { KubernetesObject } from "../machinery/client/kubernetes-object.ts";
import { defaultGraceSeconds, defaultHealthPort, operatorVariables } from "./operator-environment.ts";

/** The program of an operator, and the options of its Deployment. */
export interface DeploymentOptions {
  readonly name: string;
  readonly namespace: string;
  /** Container image with the program. */
  readonly image: string;
  /** Command. Default: the command of the image. */
  readonly command?: readonly string[] | undefined;
  /** Arguments of the command. Default: the arguments of the image. */
  readonly args?: readonly string[] | undefined;
  /** Number of replicas, which share the custom resources. Default: 1. */
  readonly replicas?: number | undefined;
  /** Namespace whose custom resources are managed. Default: all. */
  readonly watchNamespace?: string | undefined;
  /** Time from SIGTERM to SIGKILL, in seconds. Changes in flight are aborted after three quarters of it. Default: 60. */
  readonly graceSeconds?: number | undefined;
}

/** Maximum size of the young generation of the operator's heap, in MiB. */
const youngGenerationMiB = 8;

/**
 * Returns the Deployment of an operator. Its container has no privileges on the node: it runs as another user than root, with a read-only root file
 * system and without capabilities. Providers and their sockets are on volumes that are deleted with the pod.
 */
export function operatorDeployment(options: DeploymentOptions): KubernetesObject {
  const { name, namespace, image, command, args, replicas = 1, watchNamespace, graceSeconds = defaultGraceSeconds } = options;
  const labels = { "app.kubernetes.io/name": name };
  const field = (variable: string, fieldPath: string) => ({ name: variable, valueFrom: { fieldRef: { fieldPath } } });
  const probe = (path: string) => ({ httpGet: { path, port: "health" }, periodSeconds: 10, timeoutSeconds: 5 });
  const container = {
    name: "operator",
    image,
    ...(command === undefined ? {} : { command }),
    ...(args === undefined ? {} : { args }),
    env: [
      field(operatorVariables.member, "metadata.name"),
      field(operatorVariables.namespace, "metadata.namespace"),
      ...(watchNamespace === undefined ? [] : [{ name: operatorVariables.watchNamespace, value: watchNamespace }]),
      { name: operatorVariables.healthPort, value: String(defaultHealthPort) },
      { name: operatorVariables.graceSeconds, value: String(graceSeconds) },
      { name: "XDG_CACHE_HOME", value: "/cache" },
      { name: "HOME", value: "/cache" },
      // With V8's default, an operator of 1,000 objects has 330 MiB instead of 200.
      { name: "NODE_OPTIONS", value: `--max-semi-space-size=${youngGenerationMiB}` },
    ],
    ports: [{ name: "health", containerPort: defaultHealthPort }],
    livenessProbe: { ...probe("/healthz"), failureThreshold: 3 },
    readinessProbe: probe("/readyz"),
    startupProbe: { ...probe("/healthz"), periodSeconds: 1, failureThreshold: 60 },
    resources: { requests: { cpu: "100m", memory: "256Mi" } },
    securityContext: {
      allowPrivilegeEscalation: false,
      capabilities: { drop: ["ALL"] },
      readOnlyRootFilesystem: true,
      runAsNonRoot: true,
    },
    volumeMounts: [
      { name: "cache", mountPath: "/cache" },
      { name: "temporary", mountPath: "/tmp" },
    ],
  };
  const pod = {
    serviceAccountName: name,
    terminationGracePeriodSeconds: graceSeconds,
    // Sockets and installed providers belong to a user of the image, which is unknown here.
    securityContext: { fsGroup: 65532, runAsUser: 65532, runAsGroup: 65532, seccompProfile: { type: "RuntimeDefault" } },
    containers: [container],
    volumes: [
      { name: "cache", emptyDir: {} },
      { name: "temporary", emptyDir: {} },
    ],
  };
  const spec = { replicas, selector: { matchLabels: labels }, template: { metadata: { labels }, spec: pod } };
  return { apiVersion: "apps/v1", kind: "Deployment", metadata: { name, namespace, labels }, spec } as KubernetesObject;
}
