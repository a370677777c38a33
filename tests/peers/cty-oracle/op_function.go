// SPDX-License-Identifier: Apache-2.0

package main

import (
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"
	"github.com/zclconf/go-cty/cty/function/stdlib"
)

// functions are go-cty's functions, by the names that go-cty's languages use, except the functions on capsules.
var functions = map[string]function.Function{
	"not": stdlib.NotFunc, "and": stdlib.AndFunc, "or": stdlib.OrFunc,

	"hasindex": stdlib.HasIndexFunc, "index": stdlib.IndexFunc, "length": stdlib.LengthFunc, "element": stdlib.ElementFunc,
	"coalescelist": stdlib.CoalesceListFunc, "compact": stdlib.CompactFunc, "contains": stdlib.ContainsFunc,
	"distinct": stdlib.DistinctFunc, "chunklist": stdlib.ChunklistFunc, "flatten": stdlib.FlattenFunc, "keys": stdlib.KeysFunc,
	"lookup": stdlib.LookupFunc, "merge": stdlib.MergeFunc, "reverselist": stdlib.ReverseListFunc,
	"setproduct": stdlib.SetProductFunc, "slice": stdlib.SliceFunc, "values": stdlib.ValuesFunc, "zipmap": stdlib.ZipmapFunc,

	"assertnotnull": stdlib.AssertNotNullFunc,
	"tostring":      stdlib.MakeToFunc(cty.String), "tonumber": stdlib.MakeToFunc(cty.Number), "tobool": stdlib.MakeToFunc(cty.Bool),
	"tolist": stdlib.MakeToFunc(cty.List(cty.DynamicPseudoType)), "toset": stdlib.MakeToFunc(cty.Set(cty.DynamicPseudoType)),
	"tomap": stdlib.MakeToFunc(cty.Map(cty.DynamicPseudoType)),

	"csvdecode": stdlib.CSVDecodeFunc, "formatdate": stdlib.FormatDateFunc, "timeadd": stdlib.TimeAddFunc,
	"format": stdlib.FormatFunc, "formatlist": stdlib.FormatListFunc,
	"equal": stdlib.EqualFunc, "notequal": stdlib.NotEqualFunc, "coalesce": stdlib.CoalesceFunc,
	"jsonencode": stdlib.JSONEncodeFunc, "jsondecode": stdlib.JSONDecodeFunc,

	"absolute": stdlib.AbsoluteFunc, "add": stdlib.AddFunc, "subtract": stdlib.SubtractFunc, "multiply": stdlib.MultiplyFunc,
	"divide": stdlib.DivideFunc, "modulo": stdlib.ModuloFunc, "greaterthan": stdlib.GreaterThanFunc,
	"greaterthanorequalto": stdlib.GreaterThanOrEqualToFunc, "lessthan": stdlib.LessThanFunc,
	"lessthanorequalto": stdlib.LessThanOrEqualToFunc, "negate": stdlib.NegateFunc, "min": stdlib.MinFunc, "max": stdlib.MaxFunc,
	"int": stdlib.IntFunc, "ceil": stdlib.CeilFunc, "floor": stdlib.FloorFunc, "log": stdlib.LogFunc, "pow": stdlib.PowFunc,
	"signum": stdlib.SignumFunc, "parseint": stdlib.ParseIntFunc,

	"regex": stdlib.RegexFunc, "regexall": stdlib.RegexAllFunc, "replace": stdlib.ReplaceFunc, "regexreplace": stdlib.RegexReplaceFunc,
	"concat": stdlib.ConcatFunc, "range": stdlib.RangeFunc,
	"sethaselement": stdlib.SetHasElementFunc, "setunion": stdlib.SetUnionFunc, "setintersection": stdlib.SetIntersectionFunc,
	"setsubtract": stdlib.SetSubtractFunc, "setsymmetricdifference": stdlib.SetSymmetricDifferenceFunc,

	"upper": stdlib.UpperFunc, "lower": stdlib.LowerFunc, "reverse": stdlib.ReverseFunc, "strlen": stdlib.StrlenFunc,
	"substr": stdlib.SubstrFunc, "join": stdlib.JoinFunc, "sort": stdlib.SortFunc, "split": stdlib.SplitFunc,
	"chomp": stdlib.ChompFunc, "indent": stdlib.IndentFunc, "title": stdlib.TitleFunc, "trimspace": stdlib.TrimSpaceFunc,
	"trim": stdlib.TrimFunc, "trimprefix": stdlib.TrimPrefixFunc, "trimsuffix": stdlib.TrimSuffixFunc,
}

func init() {
	for name, f := range functions {
		operations["fn."+name] = operation{rest: &aValue, run: func(args []any) (any, error) { return f.Call(valuesOf(args)) }}
		operations["fn."+name+".returnType"] = operation{rest: &aValue, run: func(args []any) (any, error) {
			return f.ReturnTypeForValues(valuesOf(args))
		}}
		operations["fn."+name+".signature"] = operation{run: func([]any) (any, error) { return signatureOf(f), nil }}
	}
}

func valuesOf(args []any) []cty.Value {
	values := make([]cty.Value, len(args))
	for i, arg := range args {
		values[i] = arg.(cty.Value)
	}
	return values
}

func signatureOf(f function.Function) record {
	parameters := []any{}
	for _, declared := range f.Params() {
		parameters = append(parameters, parameterOf(declared))
	}
	signature := record{{"params", parameters}}
	if rest := f.VarParam(); rest != nil {
		signature = append(signature, field{"rest", parameterOf(*rest)})
	}
	return signature
}

func parameterOf(declared function.Parameter) record {
	return record{
		{"name", declared.Name}, {"t", declared.Type}, {"null", declared.AllowNull}, {"unknown", declared.AllowUnknown},
		{"dynamic", declared.AllowDynamicType}, {"marked", declared.AllowMarked},
	}
}
