// SPDX-License-Identifier: Apache-2.0

package main

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/ext/dynblock"
)

// bodyInput is one of several bodies to merge.
type bodyInput struct {
	syntax string
	source []byte
}

var bodies = parameter{"[[syntax,source]]", func(raw json.RawMessage) any {
	return each(raw, func(r json.RawMessage) bodyInput {
		pair := as[[]any](tree(r), "[syntax, source]")
		if len(pair) != 2 {
			refuse("expected [syntax, source], not %v", pair)
		}
		return bodyInput{readSyntax(pair[0]), readSource(pair[1])}
	})
}}

func init() {
	// Decodes the body by each schema but the last with PartialContent, which leaves the remaining body, and by the last with Content.
	define("content", func(args []any) (any, error) {
		body, parsed := bodyOf(args[0].(string), args[1].([]byte), filename)
		return contentsOf(body, parsed, args[2].([]*hcl.BodySchema)), nil
	}, aSyntax, aSource, schemas)
	define("mergedContent", func(args []any) (any, error) {
		merged, parsed := mergedBody(args[0].([]bodyInput))
		return contentsOf(merged, parsed, args[1].([]*hcl.BodySchema)), nil
	}, bodies, schemas)
	// Does the same after the expansion of dynamic blocks.
	define("expandedContent", func(args []any) (any, error) {
		body, parsed := bodyOf(args[0].(string), args[1].([]byte), filename)
		return contentsOf(dynblock.Expand(body, args[3].(*hcl.EvalContext)), parsed, args[2].([]*hcl.BodySchema)), nil
	}, aSyntax, aSource, schemas, aScope)
	two("justAttributes", aSyntax, aSource, func(syntax string, source []byte) any {
		return justAttributes(bodyOf(syntax, source, filename))
	})
	one("mergedAttributes", bodies, func(given []bodyInput) any { return justAttributes(mergedBody(given)) })
}

func justAttributes(body hcl.Body, parsed hcl.Diagnostics) record {
	attributes, diagnostics := body.JustAttributes()
	return record{
		{"attributes", attributesNotation(attributes)}, {"parsed", diagnosticsNotation(parsed)}, {"diagnostics", diagnosticsNotation(diagnostics)},
		{"missing", rangeNotation(body.MissingItemRange())},
	}
}

func mergedBody(given []bodyInput) (hcl.Body, hcl.Diagnostics) {
	var all []hcl.Body
	var parsed hcl.Diagnostics
	for i, one := range given {
		name := filename
		if i > 0 {
			name = fmt.Sprintf("main%d.hcl", i)
		}
		body, diagnostics := bodyOf(one.syntax, one.source, name)
		all = append(all, body)
		parsed = append(parsed, diagnostics...)
	}
	return hcl.MergeBodies(all), parsed
}

func contentsOf(body hcl.Body, parsed hcl.Diagnostics, given []*hcl.BodySchema) record {
	if len(given) == 0 {
		refuse("at least one schema is required")
	}
	contents := []any{}
	for _, schema := range given[:len(given)-1] {
		content, remain, diagnostics := body.PartialContent(schema)
		contents = append(contents, contentNotation(content, diagnostics))
		body = remain
	}
	content, diagnostics := body.Content(given[len(given)-1])
	return record{{"parsed", diagnosticsNotation(parsed)}, {"contents", append(contents, contentNotation(content, diagnostics))}}
}

func contentNotation(content *hcl.BodyContent, diagnostics hcl.Diagnostics) record {
	blocks := []any{}
	for _, one := range content.Blocks {
		labels := []any{}
		for _, label := range one.Labels {
			labels = append(labels, label)
		}
		blocks = append(blocks, record{
			{"type", one.Type}, {"labels", labels}, {"declarationRange", rangeNotation(one.DefRange)}, {"typeRange", rangeNotation(one.TypeRange)},
			{"labelRanges", rangesNotation(one.LabelRanges)}, {"missing", rangeNotation(one.Body.MissingItemRange())},
		})
	}
	return record{
		{"attributes", attributesNotation(content.Attributes)}, {"blocks", blocks}, {"missing", rangeNotation(content.MissingItemRange)},
		{"diagnostics", diagnosticsNotation(diagnostics)},
	}
}

// attributesNotation sorts the attributes by name, because a map has no order.
func attributesNotation(given hcl.Attributes) []any {
	names := []string{}
	for name := range given {
		names = append(names, name)
	}
	slices.Sort(names)
	written := []any{}
	for _, name := range names {
		one := given[name]
		written = append(written, record{
			{"name", one.Name}, {"expression", rangeNotation(one.Expr.Range())}, {"nameRange", rangeNotation(one.NameRange)},
			{"range", rangeNotation(one.Range)},
		})
	}
	return written
}

func sortedKeys[T any](given map[string]T) []string {
	names := []string{}
	for name := range given {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}
