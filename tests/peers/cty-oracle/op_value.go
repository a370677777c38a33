// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"slices"

	"github.com/zclconf/go-cty/cty"
)

func init() {
	for name, run := range map[string]func(cty.Value) cty.Value{
		"neg": cty.Value.Negate, "abs": cty.Value.Absolute, "not": cty.Value.Not, "length": cty.Value.Length,
		"unknownAsNull": cty.UnknownAsNull, "refineNotNull": cty.Value.RefineNotNull,
	} {
		one("value."+name, aValue, func(v cty.Value) any { return run(v) })
	}
	for name, run := range map[string]func(a, b cty.Value) cty.Value{
		"equals": cty.Value.Equals, "notEqual": cty.Value.NotEqual,
		"add": cty.Value.Add, "sub": cty.Value.Subtract, "mul": cty.Value.Multiply, "div": cty.Value.Divide, "mod": cty.Value.Modulo,
		"lt": cty.Value.LessThan, "gt": cty.Value.GreaterThan, "lte": cty.Value.LessThanOrEqualTo, "gte": cty.Value.GreaterThanOrEqualTo,
		"and": cty.Value.And, "or": cty.Value.Or,
		"index": cty.Value.Index, "hasIndex": cty.Value.HasIndex, "hasElement": cty.Value.HasElement,
	} {
		two("value."+name, aValue, aValue, func(a, b cty.Value) any { return run(a, b) })
	}
	two("value.rawEquals", aValue, aValue, func(a, b cty.Value) any { return a.RawEquals(b) })
	two("value.getAttr", aValue, aString, func(v cty.Value, name string) any { return v.GetAttr(name) })
	one("value.gostring", aValue, func(v cty.Value) any { return fmt.Sprintf("%#v", v) })
	one("value.hash", aValue, func(v cty.Value) any { return v.Hash() })
	one("value.isKnown", aValue, func(v cty.Value) any { return v.IsKnown() })
	one("value.isNull", aValue, func(v cty.Value) any { return v.IsNull() })
	one("value.isWhollyKnown", aValue, func(v cty.Value) any { return v.IsWhollyKnown() })
	one("value.hasWhollyKnownType", aValue, func(v cty.Value) any { return v.HasWhollyKnownType() })
	one("value.canIterate", aValue, func(v cty.Value) any { return v.CanIterateElements() })
	one("value.lengthInt", aValue, func(v cty.Value) any { return v.LengthInt() })
	one("value.elements", aValue, elementsOf)
	// Returns its argument: shows what reading and writing do with a value.
	one("value.self", aValue, func(v cty.Value) any { return v })
	one("value.range", aValue, rangeOf)
	two("value.includes", aValue, aValue, func(v, other cty.Value) any { return v.Range().Includes(other) })
	two("value.refine", aValue, refinements, func(v cty.Value, refine func(*cty.RefinementBuilder) *cty.RefinementBuilder) any {
		return refine(v.Refine()).NewValue()
	})

	one("value.list", someValues, func(all []cty.Value) any { return cty.ListVal(all) })
	one("value.set", someValues, func(all []cty.Value) any { return cty.SetVal(all) })
	one("value.tuple", someValues, func(all []cty.Value) any { return cty.TupleVal(all) })
	one("value.map", namedValues, func(all map[string]cty.Value) any { return cty.MapVal(all) })
	one("value.object", namedValues, func(all map[string]cty.Value) any { return cty.ObjectVal(all) })

	one("walk", aValue, visitsOf)
	one("transform.identity", aValue, func(v cty.Value) any {
		same, err := cty.Transform(v, func(_ cty.Path, part cty.Value) (cty.Value, error) { return part, nil })
		if err != nil {
			panic(err)
		}
		return same
	})

	two("marks.mark", aValue, someMarks, func(v cty.Value, marks cty.ValueMarks) any { return v.WithMarks(marks) })
	one("marks.marks", aValue, func(v cty.Value) any { return v.Marks() })
	one("marks.containsMarked", aValue, func(v cty.Value) any { return v.ContainsMarked() })
	one("marks.unmark", aValue, func(v cty.Value) any {
		plain, marks := v.Unmark()
		return []any{plain, marks}
	})
	one("marks.unmarkDeep", aValue, func(v cty.Value) any {
		plain, marks := v.UnmarkDeep()
		return []any{plain, marks}
	})
	one("marks.unmarkDeepWithPaths", aValue, func(v cty.Value) any {
		plain, places := v.UnmarkDeepWithPaths()
		return []any{plain, placesOf(places)}
	})
	two("marks.markWithPaths", aValue, pathMarks, func(v cty.Value, places []cty.PathValueMarks) any { return v.MarkWithPaths(places) })
}

func elementsOf(v cty.Value) any {
	all := []any{}
	for iterator := v.ElementIterator(); iterator.Next(); {
		key, element := iterator.Element()
		all = append(all, []any{key, element})
	}
	return all
}

// rangeOf returns only the bounds that the type of the value has.
func rangeOf(v cty.Value) any {
	span := v.Range()
	result := record{{"t", span.TypeConstraint()}, {"couldBeNull", span.CouldBeNull()}, {"notNull", span.DefinitelyNotNull()}}
	return append(result, field{"r", refinementsOf(span)})
}

func visitsOf(v cty.Value) any {
	visits := []any{}
	err := cty.Walk(v, func(path cty.Path, part cty.Value) (bool, error) {
		visits = append(visits, []any{path.Copy(), part})
		return true, nil
	})
	if err != nil {
		panic(err)
	}
	return visits
}

// placesOf sorts the marks by their JSON, because go-cty returns them in random order.
func placesOf(places []cty.PathValueMarks) []any {
	texts := make([]string, len(places))
	for i, place := range places {
		w := newWriter()
		w.any([]any{place.Path, place.Marks})
		texts[i] = w.buffer.String()
	}
	slices.Sort(texts)
	all := make([]any, len(texts))
	for i, text := range texts {
		all[i] = encodedJSON(text)
	}
	return all
}
