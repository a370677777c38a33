// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"
	ctyjson "github.com/zclconf/go-cty/cty/json"
)

func init() {
	two("type.equals", aType, aType, func(a, b cty.Type) any { return a.Equals(b) })
	one("type.friendly", aType, func(ty cty.Type) any { return ty.FriendlyName() })
	one("type.friendlyConstraint", aType, func(ty cty.Type) any { return ty.FriendlyNameForConstraint() })
	one("type.gostring", aType, func(ty cty.Type) any { return fmt.Sprintf("%#v", ty) })
	one("type.hasDynamic", aType, func(ty cty.Type) any { return ty.HasDynamicTypes() })
	one("type.withoutOptional", aType, func(ty cty.Type) any { return ty.WithoutOptionalAttributesDeep() })
	two("type.conformance", aType, aType, func(given, want cty.Type) any { return sortedErrors(given.TestConformance(want)) })
	define("type.json", func(args []any) (any, error) {
		encoded, err := ctyjson.MarshalType(args[0].(cty.Type))
		return string(encoded), err
	}, aType)
	define("type.parseJson", func(args []any) (any, error) {
		return ctyjson.UnmarshalType([]byte(args[0].(string)))
	}, aString)
	two("mismatch", aType, aType, func(got, want cty.Type) any { return convert.MismatchMessage(got, want) })
}

// sortedErrors sorts the errors by their JSON, because go-cty iterates over attributes in random order.
func sortedErrors(errors []error) []any {
	texts := make([][]byte, len(errors))
	for i, err := range errors {
		w := newWriter()
		w.any(errorText(err))
		texts[i] = w.buffer.Bytes()
	}
	slices.SortFunc(texts, bytes.Compare)
	all := make([]any, len(texts))
	for i, text := range texts {
		all[i] = encodedJSON(text)
	}
	return all
}
