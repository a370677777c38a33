// SPDX-License-Identifier: Apache-2.0

package main

import (
	"encoding/json"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/hashicorp/hcl/v2/hclwrite"
)

// edit is one change of a file: the operation, the body (as the indexes of the blocks that lead to it), and the operation's arguments.
type edit struct {
	Do         string
	At         []int
	Name       string
	Expression string
	Labels     []string
	From, To   []string
}

var edits = parameter{"edits", func(raw json.RawMessage) any {
	var read []edit
	if err := json.Unmarshal(raw, &read); err != nil {
		refuse("not an array of edits: %s", err)
	}
	return read
}}

func init() {
	define("edit", editAll, aSource, edits)
}

// editAll applies the edits with hclwrite and returns the resulting text in hclwrite's layout.
func editAll(args []any) (any, error) {
	file, diagnostics := hclwrite.ParseConfig(args[0].([]byte), filename, hcl.InitialPos)
	if diagnostics.HasErrors() {
		return record{{"diagnostics", diagnosticsNotation(diagnostics)}}, nil
	}
	for _, one := range args[1].([]edit) {
		body, block := file.Body(), (*hclwrite.Block)(nil)
		for _, number := range one.At {
			block = body.Blocks()[number]
			body = block.Body()
		}
		switch one.Do {
		case "setAttribute":
			body.SetAttributeRaw(one.Name, expressionTokens(one.Expression))
		case "removeAttribute":
			body.RemoveAttribute(one.Name)
		case "addBlock":
			body.AppendNewBlock(one.Name, one.Labels)
		case "removeBlock":
			parent := file.Body()
			for _, number := range one.At[:len(one.At)-1] {
				parent = parent.Blocks()[number].Body()
			}
			parent.RemoveBlock(block)
		case "setLabels":
			block.SetLabels(one.Labels)
		case "rename":
			rename(body, one.From, one.To)
		default:
			refuse("unknown edit %q", one.Do)
		}
	}
	return string(file.Bytes()), nil
}

func rename(body *hclwrite.Body, from, to []string) {
	for _, attribute := range body.Attributes() {
		attribute.Expr().RenameVariablePrefix(from, to)
	}
	for _, block := range body.Blocks() {
		rename(block.Body(), from, to)
	}
}

// expressionTokens returns the tokens of an expression, without the end of the file.
func expressionTokens(text string) hclwrite.Tokens {
	file, diagnostics := hclwrite.ParseConfig([]byte("x = "+text+"\n"), filename, hcl.InitialPos)
	if diagnostics.HasErrors() {
		refuse("not an expression: %s", diagnostics)
	}
	tokens := file.Body().GetAttribute("x").Expr().BuildTokens(nil)
	if last := len(tokens) - 1; last >= 0 && tokens[last].Type == hclsyntax.TokenEOF {
		tokens = tokens[:last]
	}
	return tokens
}
