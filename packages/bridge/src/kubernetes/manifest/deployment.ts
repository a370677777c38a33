// SPDX-License-Identifier: Apache-2.0
import type { KubernetesObject } from "../machinery/client/kubernetes-object.ts";
import { defaultGraceSeconds, defaultHealthPort, operatorVariables } from "./operator-environment.ts";

/** The program of an operator, and how it is run. */
export interface DeploymentOptions {
  readonly name: string;
  readonly namespace: string;
  /** Image with the program. */
  readonly image: string;
  /** Command in the image. Default: that of the image. */
  readonly command?: readonly string[] | undefined;
  /** Arguments of the command. Default: those of the image. */
  readonly args?: readonly string[] | undefined;
  /** Default: 1. Replicas share the custom resources. */
  readonly replicas?: number | undefined;
  /** Namespace whose custom resources are managed. Default: all. */
  readonly watchNamespace?: string | undefined;
  /** Time from SIGTERM to SIGKILL, in seconds. Changes in flight may end by themselves for three quarters of it. Default: 60. */
  readonly graceSeconds?: number | undefined;
}

/**
 * Returns the Deployment of an operator. Its container has no rights on its node: another user than root, a root file system that it can only
 * read, no capabilities. Providers are installed, and their sockets are, on volumes that end with the pod.
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
    // Sockets and installed providers belong to a user of the image, which is not known here.
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
