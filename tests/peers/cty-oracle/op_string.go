// SPDX-License-Identifier: Apache-2.0

package main

import (
	"strconv"

	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/ctystrings"
	"github.com/zclconf/go-cty/cty/function/stdlib"
)

func init() {
	one("str.nfc", aString, func(text string) any { return cty.NormalizeString(text) })
	one("str.safePrefix", aString, func(text string) any { return ctystrings.SafeKnownPrefix(text) })
	one("str.quote", aString, func(text string) any { return strconv.Quote(text) })
	one("str.graphemes", aString, graphemes)
}

// graphemes uses substr, so that go-cty chooses the Unicode version.
func graphemes(text string) any {
	value := cty.StringVal(text)
	length, err := stdlib.Strlen(value)
	if err != nil {
		panic(err)
	}
	count, _ := length.AsBigFloat().Int64()
	clusters := []any{}
	for i := range count {
		cluster, err := stdlib.Substr(value, cty.NumberIntVal(i), cty.NumberIntVal(1))
		if err != nil {
			panic(err)
		}
		clusters = append(clusters, cluster.AsString())
	}
	return clusters
}
