// SPDX-License-Identifier: Apache-2.0
/**
 * Documents of plans, states and runs: the JSON, the text and the log that OpenTofu prints.
 *
 * @module
 */
export { diagnosticDocument, renderDiagnostic, type RenderDiagnosticOptions } from "./diagnostic-document.ts";
export type { ConfigurationSchemas } from "./configuration-schemas.ts";
export { planJson, type PlanJsonInput } from "./plan-json.ts";
export { renderPlan, type RenderPlanOptions } from "./plan-text.ts";
export { stateJson, type JsonDocument, type SchemaLookup } from "./state-json.ts";
export { renderState, type RenderStateOptions } from "./state-text.ts";
export { UiLog, uiLog, type UiLogOptions, type UiMessage } from "./ui-log.ts";
export type { GraphNode, GraphNodeKind, GraphType, OperationGraph } from "../graph/graph.ts";
export { renderGraph } from "./graph-dot.ts";
export { outputsJson } from "./state-json.ts";
export { formatConsoleType, formatConsoleValue } from "./console-text.ts";
export { renderProgress } from "./progress-text.ts";
