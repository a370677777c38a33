// SPDX-License-Identifier: Apache-2.0

package main

import (
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"
)

func init() {
	define("convert", func(args []any) (any, error) { return convert.Convert(args[0].(cty.Value), args[1].(cty.Type)) }, aValue, aType)
	two("getConversion", aType, aType, func(from, to cty.Type) any {
		switch {
		case convert.GetConversion(from, to) != nil:
			return "safe"
		case convert.GetConversionUnsafe(from, to) != nil:
			return "unsafe"
		default:
			return "none"
		}
	})
	one("unify", someTypes, unifier(convert.Unify))
	one("unifyUnsafe", someTypes, unifier(convert.UnifyUnsafe))
	define("unifyValues", unifiedValues(convert.Unify), someValues)
	define("unifyValuesUnsafe", unifiedValues(convert.UnifyUnsafe), someValues)
}

type unify = func([]cty.Type) (cty.Type, []convert.Conversion)

// unifier returns the common type, null if there is none, and for each given type whether it needs a conversion to the common type.
func unifier(unify unify) func([]cty.Type) any {
	return func(types []cty.Type) any {
		common, conversions := unify(types)
		needed := []any{}
		for _, conversion := range conversions {
			needed = append(needed, conversion != nil)
		}
		return record{{"t", common}, {"converts", needed}}
	}
}

// unifiedValues also runs the conversions; the first error is the result.
func unifiedValues(unify unify) func([]any) (any, error) {
	return func(args []any) (any, error) {
		given := args[0].([]cty.Value)
		types := make([]cty.Type, len(given))
		for i, value := range given {
			types[i] = value.Type()
		}
		common, conversions := unify(types)
		if common == cty.NilType {
			return record{{"t", common}}, nil
		}
		values := []any{}
		for i, value := range given {
			if conversions[i] != nil {
				converted, err := conversions[i](value)
				if err != nil {
					return nil, err
				}
				value = converted
			}
			values = append(values, value)
		}
		return record{{"t", common}, {"values", values}}, nil
	}
}
