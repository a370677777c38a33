// SPDX-License-Identifier: Apache-2.0
// Writes trees of @tenon/hcl in the oracle's notation (../../peers/hcl-oracle/syntax_notation.go).
import type { AttributeSyntax, BlockSyntax, BodySyntax, Diagnostic, SourcePosition, SourceRange, Traversal } from "@tenon/hcl";
import type { JsonNode, NativeExpression } from "@tenon/hcl/syntax";
import type { Json } from "../cty/notation.ts";
import { writeValue } from "../cty/subject/write.ts";

type Written = Readonly<Record<string, Json>>;

function position({ line, column, byte }: SourcePosition): Json {
  return [line, column, byte];
}

export function writeRange({ start, end }: SourceRange): Json {
  return [position(start), position(end)];
}

export function writeDiagnostic({ severity, summary, detail, subject, context }: Diagnostic): Written {
  return {
    severity,
    summary,
    detail,
    ...(subject && { subject: writeRange(subject) }),
    ...(context && { context: writeRange(context) }),
  };
}

export function writeTraversal(traversal: Traversal): Json {
  return traversal.map((step) => {
    const range = writeRange(step.range);
    switch (step.kind) {
      case "index":
        return { kind: step.kind, key: writeValue(step.key) as unknown as Json, range };
      case "splat":
        return { kind: step.kind, range };
      default:
        return { kind: step.kind, name: step.name, range };
    }
  });
}

export function writeExpression(node: NativeExpression): Written {
  const about = (parts: Written): Written => ({ kind: node.kind, range: writeRange(node.range), ...parts });
  switch (node.kind) {
    case "parentheses":
      return about({ inner: writeExpression(node.inner) });
    case "literal":
      return about({ value: writeValue(node.value) as unknown as Json });
    case "scopeTraversal":
      return about({ traversal: writeTraversal(node.traversal) });
    case "relativeTraversal":
      return about({ source: writeExpression(node.source), traversal: writeTraversal(node.traversal) });
    case "functionCall":
      return about({
        name: node.name,
        arguments: node.arguments.map(writeExpression),
        expandFinal: node.expandFinal,
        nameRange: writeRange(node.nameRange),
        openRange: writeRange(node.openRange),
        closeRange: writeRange(node.closeRange),
      });
    case "conditional":
      return about({
        condition: writeExpression(node.condition),
        trueResult: writeExpression(node.trueResult),
        falseResult: writeExpression(node.falseResult),
      });
    case "binary":
      return about({ operator: node.operator, left: writeExpression(node.left), right: writeExpression(node.right) });
    case "unary":
      return about({ operator: node.operator, operand: writeExpression(node.operand), operatorRange: writeRange(node.operatorRange) });
    case "index":
      return about({
        collection: writeExpression(node.collection),
        key: writeExpression(node.key),
        openRange: writeRange(node.openRange),
        bracketRange: writeRange(node.bracketRange),
      });
    case "tuple":
      return about({ elements: node.elements.map(writeExpression), openRange: writeRange(node.openRange) });
    case "object":
      return about({
        items: node.items.map(({ key, value }) => ({ key: writeExpression(key), value: writeExpression(value) })),
        openRange: writeRange(node.openRange),
      });
    case "objectKey":
      return about({ wrapped: writeExpression(node.wrapped), forceNonLiteral: node.forceNonLiteral });
    case "for":
      return about({
        ...(node.keyName === undefined ? {} : { keyName: node.keyName }),
        valueName: node.valueName,
        collection: writeExpression(node.collection),
        ...(node.key && { key: writeExpression(node.key) }),
        value: writeExpression(node.value),
        ...(node.condition && { condition: writeExpression(node.condition) }),
        group: node.group,
        openRange: writeRange(node.openRange),
        closeRange: writeRange(node.closeRange),
      });
    case "splat":
      return about({
        source: writeExpression(node.source),
        each: writeExpression(node.each),
        item: writeExpression(node.item),
        markerRange: writeRange(node.markerRange),
      });
    case "anonymousSymbol":
      return about({});
    case "template":
      return about({ parts: node.parts.map(writeExpression) });
    case "templateJoin":
      return about({ tuple: writeExpression(node.tuple) });
    case "templateWrap":
      return about({ wrapped: writeExpression(node.wrapped) });
    default:
      return about({ diagnostics: node.diagnostics.map(writeDiagnostic) });
  }
}

export function writeBody(body: BodySyntax): Written {
  return {
    attributes: [...body.attributes.values()].map(writeAttribute),
    blocks: body.blocks.map(writeBlock),
    range: writeRange(body.range),
    endRange: writeRange(body.endRange),
  };
}

function writeAttribute(attribute: AttributeSyntax): Written {
  return {
    name: attribute.name,
    expression: writeExpression(attribute.expression),
    nameRange: writeRange(attribute.nameRange),
    equalsRange: writeRange(attribute.equalsRange),
    range: writeRange(attribute.range),
  };
}

function writeBlock(block: BlockSyntax): Written {
  return {
    type: block.type,
    labels: [...block.labels],
    body: writeBody(block.body),
    typeRange: writeRange(block.typeRange),
    labelRanges: block.labelRanges.map(writeRange),
    openBraceRange: writeRange(block.openBraceRange),
    closeBraceRange: writeRange(block.closeBraceRange),
    range: writeRange(block.range),
  };
}

export function writeJsonNode(node: JsonNode): Written {
  const about = (parts: Written): Written => ({ kind: node.kind, range: writeRange(node.range), ...parts });
  switch (node.kind) {
    case "jsonObject":
      return about({
        members: node.members.map(({ name, value, nameRange }) => ({
          name,
          value: writeJsonNode(value),
          nameRange: writeRange(nameRange),
        })),
        openRange: writeRange(node.openRange),
        closeRange: writeRange(node.closeRange),
      });
    case "jsonArray":
      return about({ elements: node.elements.map(writeJsonNode), openRange: writeRange(node.openRange) });
    case "jsonString":
    case "jsonBoolean":
      return about({ value: node.value });
    case "jsonNumber":
      return about({ value: writeValue(node.value) as unknown as Json });
    default:
      return about({});
  }
}
