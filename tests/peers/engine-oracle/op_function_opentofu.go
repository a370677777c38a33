// SPDX-License-Identifier: Apache-2.0

package main

import (
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"

	"github.com/opentofu/opentofu/internal/lang"
	"github.com/opentofu/opentofu/internal/lang/marks"
)

// OpenTofu's functions as "opentofu.<name>", except the functions that take expressions instead of values (try, can) and those whose
// results do not depend on their arguments alone, which cannot be compared. Relative paths start from the folder in which the process runs.
func init() {
	scope := &lang.Scope{BaseDir: "."}
	for name, f := range scope.Functions() {
		if incomparable[name] {
			continue
		}
		operations["opentofu."+name] = operation{rest: &aValue, run: func(args []any) (any, error) {
			result, err := f.Call(markedArguments(args))
			if err != nil {
				return nil, err
			}
			return withNamedMarks(result), nil
		}}
		operations["opentofu."+name+".returnType"] = operation{rest: &aValue, run: func(args []any) (any, error) {
			return f.ReturnTypeForValues(markedArguments(args))
		}}
		operations["opentofu."+name+".signature"] = operation{run: func([]any) (any, error) { return signatureOf(f), nil }}
	}
	operations["opentofu"] = operation{run: func([]any) (any, error) { return functionNames(scope.Functions()), nil }}
}

// incomparable are the functions that cannot be compared.
var incomparable = map[string]bool{
	"try": true, "can": true, "core::try": true, "core::can": true,
	"timestamp": true, "plantimestamp": true, "uuid": true, "bcrypt": true,
	"core::timestamp": true, "core::plantimestamp": true, "core::uuid": true, "core::bcrypt": true,
}

func functionNames(functions map[string]function.Function) any {
	names := []any{}
	for name := range functions {
		names = append(names, name)
	}
	return names
}

// markedArguments replaces the marks "sensitive" and "ephemeral" of the arguments by OpenTofu's own marks.
func markedArguments(args []any) []cty.Value {
	values := valuesOf(args)
	for i, value := range values {
		values[i] = withMarksReplaced(value, func(one any) any {
			switch one {
			case mark("sensitive"):
				return marks.Sensitive
			case mark("ephemeral"):
				return marks.Ephemeral
			}
			return one
		})
	}
	return values
}

// withNamedMarks replaces OpenTofu's own marks by the named marks of the notation.
func withNamedMarks(value cty.Value) cty.Value {
	return withMarksReplaced(value, func(one any) any {
		switch one {
		case marks.Sensitive:
			return mark("sensitive")
		case marks.Ephemeral:
			return mark("ephemeral")
		}
		return one
	})
}

func withMarksReplaced(value cty.Value, replace func(any) any) cty.Value {
	plain, places := value.UnmarkDeepWithPaths()
	for i, place := range places {
		changed := cty.ValueMarks{}
		for one := range place.Marks {
			changed[replace(one)] = struct{}{}
		}
		places[i].Marks = changed
	}
	return plain.MarkWithPaths(places)
}
