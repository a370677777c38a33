// SPDX-License-Identifier: Apache-2.0

package main

import (
	"encoding/json"
	"math/big"
	"regexp"

	"github.com/hashicorp/terraform-plugin-framework-validators/boolvalidator"
	"github.com/hashicorp/terraform-plugin-framework-validators/float32validator"
	"github.com/hashicorp/terraform-plugin-framework-validators/float64validator"
	"github.com/hashicorp/terraform-plugin-framework-validators/int32validator"
	"github.com/hashicorp/terraform-plugin-framework-validators/int64validator"
	"github.com/hashicorp/terraform-plugin-framework-validators/listvalidator"
	"github.com/hashicorp/terraform-plugin-framework-validators/mapvalidator"
	"github.com/hashicorp/terraform-plugin-framework-validators/numbervalidator"
	"github.com/hashicorp/terraform-plugin-framework-validators/objectvalidator"
	"github.com/hashicorp/terraform-plugin-framework-validators/setvalidator"
	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
)

// decodeAll decodes the values of a validator.
func decodeAll[T any](values []json.RawMessage) []T {
	all := make([]T, len(values))
	for i, value := range values {
		must(json.Unmarshal(value, &all[i]))
	}
	return all
}

func stringValidators(declared []*validatorDeclaration) []validator.String {
	var all []validator.String
	for _, one := range declared {
		all = append(all, one.ofString())
	}
	return all
}

func (d *validatorDeclaration) ofString() validator.String {
	switch d.Rule {
	case "stringLength":
		return ranged(d,
			func(min, max int) validator.String { return stringvalidator.UTF8LengthBetween(min, max) },
			func(min int) validator.String { return stringvalidator.UTF8LengthAtLeast(min) },
			func(max int) validator.String { return stringvalidator.UTF8LengthAtMost(max) })
	case "utf8Length":
		return ranged(d,
			func(min, max int) validator.String { return stringvalidator.LengthBetween(min, max) },
			func(min int) validator.String { return stringvalidator.LengthAtLeast(min) },
			func(max int) validator.String { return stringvalidator.LengthAtMost(max) })
	case "matches":
		return stringvalidator.RegexMatches(regexp.MustCompile(d.Pattern), "")
	case "oneOf":
		return stringvalidator.OneOf(decodeAll[string](d.Values)...)
	case "noneOf":
		return stringvalidator.NoneOf(decodeAll[string](d.Values)...)
	case "oneOfIgnoringCase":
		return stringvalidator.OneOfCaseInsensitive(decodeAll[string](d.Values)...)
	case "noneOfIgnoringCase":
		return stringvalidator.NoneOfCaseInsensitive(decodeAll[string](d.Values)...)
	case "anyOf":
		return stringvalidator.Any(stringValidators(d.Among)...)
	case "allOf":
		return stringvalidator.All(stringValidators(d.Among)...)
	}
	panic("no validator of text is called " + d.Rule)
}

// ranged selects one of three validators by the bounds that are declared.
func ranged[T any](d *validatorDeclaration, between func(min, max int) T, atLeast, atMost func(bound int) T) T {
	switch {
	case d.Min != nil && d.Max != nil:
		return between(int(*d.Min), int(*d.Max))
	case d.Min != nil:
		return atLeast(int(*d.Min))
	default:
		return atMost(int(*d.Max))
	}
}

func boolValidators(declared []*validatorDeclaration) []validator.Bool {
	var all []validator.Bool
	for _, one := range declared {
		// Equals is the only rule for booleans.
		all = append(all, boolvalidator.Equals(decodeAll[bool](one.Values)[0]))
	}
	return all
}

// numeric has the validators of one kind of number.
type numeric[V any] struct {
	between         func(min, max int64) V
	atLeast, atMost func(bound int64) V
	oneOf, noneOf   func(values []json.RawMessage) V
}

func (n numeric[V]) all(declared []*validatorDeclaration) []V {
	var all []V
	for _, one := range declared {
		switch {
		case one.Rule == "oneOf":
			all = append(all, n.oneOf(one.Values))
		case one.Rule == "noneOf":
			all = append(all, n.noneOf(one.Values))
		case one.Rule != "between":
			panic("no validator of numbers is called " + one.Rule)
		case one.Min != nil && one.Max != nil:
			all = append(all, n.between(*one.Min, *one.Max))
		case one.Min != nil:
			all = append(all, n.atLeast(*one.Min))
		default:
			all = append(all, n.atMost(*one.Max))
		}
	}
	return all
}

func int32Validators(declared []*validatorDeclaration) []validator.Int32 {
	type values = []json.RawMessage
	return numeric[validator.Int32]{
		between: func(min, max int64) validator.Int32 { return int32validator.Between(int32(min), int32(max)) },
		atLeast: func(bound int64) validator.Int32 { return int32validator.AtLeast(int32(bound)) },
		atMost:  func(bound int64) validator.Int32 { return int32validator.AtMost(int32(bound)) },
		oneOf:   func(some values) validator.Int32 { return int32validator.OneOf(decodeAll[int32](some)...) },
		noneOf:  func(some values) validator.Int32 { return int32validator.NoneOf(decodeAll[int32](some)...) },
	}.all(declared)
}

func int64Validators(declared []*validatorDeclaration) []validator.Int64 {
	type values = []json.RawMessage
	return numeric[validator.Int64]{
		between: func(min, max int64) validator.Int64 { return int64validator.Between(min, max) },
		atLeast: func(bound int64) validator.Int64 { return int64validator.AtLeast(bound) },
		atMost:  func(bound int64) validator.Int64 { return int64validator.AtMost(bound) },
		oneOf:   func(some values) validator.Int64 { return int64validator.OneOf(decodeAll[int64](some)...) },
		noneOf:  func(some values) validator.Int64 { return int64validator.NoneOf(decodeAll[int64](some)...) },
	}.all(declared)
}

func float32Validators(declared []*validatorDeclaration) []validator.Float32 {
	type values = []json.RawMessage
	return numeric[validator.Float32]{
		between: func(min, max int64) validator.Float32 { return float32validator.Between(float32(min), float32(max)) },
		atLeast: func(bound int64) validator.Float32 { return float32validator.AtLeast(float32(bound)) },
		atMost:  func(bound int64) validator.Float32 { return float32validator.AtMost(float32(bound)) },
		oneOf:   func(some values) validator.Float32 { return float32validator.OneOf(decodeAll[float32](some)...) },
		noneOf:  func(some values) validator.Float32 { return float32validator.NoneOf(decodeAll[float32](some)...) },
	}.all(declared)
}

func float64Validators(declared []*validatorDeclaration) []validator.Float64 {
	type values = []json.RawMessage
	return numeric[validator.Float64]{
		between: func(min, max int64) validator.Float64 { return float64validator.Between(float64(min), float64(max)) },
		atLeast: func(bound int64) validator.Float64 { return float64validator.AtLeast(float64(bound)) },
		atMost:  func(bound int64) validator.Float64 { return float64validator.AtMost(float64(bound)) },
		oneOf:   func(some values) validator.Float64 { return float64validator.OneOf(decodeAll[float64](some)...) },
		noneOf:  func(some values) validator.Float64 { return float64validator.NoneOf(decodeAll[float64](some)...) },
	}.all(declared)
}

func numberValidators(declared []*validatorDeclaration) []validator.Number {
	var all []validator.Number
	for _, one := range declared {
		some := make([]*big.Float, len(one.Values))
		for i, text := range decodeAll[json.Number](one.Values) {
			number, _, err := big.ParseFloat(text.String(), 10, 512, big.ToNearestEven)
			must(err)
			some[i] = number
		}
		if one.Rule == "oneOf" {
			all = append(all, numbervalidator.OneOf(some...))
		} else {
			all = append(all, numbervalidator.NoneOf(some...))
		}
	}
	return all
}

// listValidators returns the validators of a list; element is nil if the elements are objects with attributes of their own.
func listValidators(declared []*validatorDeclaration, element *typeDeclaration) []validator.List {
	var all []validator.List
	for _, one := range declared {
		switch one.Rule {
		case "size":
			all = append(all, ranged(one,
				func(min, max int) validator.List { return listvalidator.SizeBetween(min, max) },
				func(min int) validator.List { return listvalidator.SizeAtLeast(min) },
				func(max int) validator.List { return listvalidator.SizeAtMost(max) }))
		case "uniqueElements":
			all = append(all, listvalidator.UniqueValues())
		case "noNullElements":
			all = append(all, listvalidator.NoNullValues())
		default:
			panic("no validator of lists is called " + one.Rule)
		}
	}
	return append(all, elementValidators(element, kindsOfElements[validator.List]{
		strings:  func(them []validator.String) validator.List { return listvalidator.ValueStringsAre(them...) },
		int32s:   func(them []validator.Int32) validator.List { return listvalidator.ValueInt32sAre(them...) },
		int64s:   func(them []validator.Int64) validator.List { return listvalidator.ValueInt64sAre(them...) },
		float32s: func(them []validator.Float32) validator.List { return listvalidator.ValueFloat32sAre(them...) },
		float64s: func(them []validator.Float64) validator.List { return listvalidator.ValueFloat64sAre(them...) },
		numbers:  func(them []validator.Number) validator.List { return listvalidator.ValueNumbersAre(them...) },
		lists:    func(them []validator.List) validator.List { return listvalidator.ValueListsAre(them...) },
		sets:     func(them []validator.Set) validator.List { return listvalidator.ValueSetsAre(them...) },
		maps:     func(them []validator.Map) validator.List { return listvalidator.ValueMapsAre(them...) },
	})...)
}

func setValidators(declared []*validatorDeclaration, element *typeDeclaration) []validator.Set {
	var all []validator.Set
	for _, one := range declared {
		switch one.Rule {
		case "size":
			all = append(all, ranged(one,
				func(min, max int) validator.Set { return setvalidator.SizeBetween(min, max) },
				func(min int) validator.Set { return setvalidator.SizeAtLeast(min) },
				func(max int) validator.Set { return setvalidator.SizeAtMost(max) }))
		case "noNullElements":
			all = append(all, setvalidator.NoNullValues())
		default:
			panic("no validator of sets is called " + one.Rule)
		}
	}
	return append(all, elementValidators(element, kindsOfElements[validator.Set]{
		strings:  func(them []validator.String) validator.Set { return setvalidator.ValueStringsAre(them...) },
		int32s:   func(them []validator.Int32) validator.Set { return setvalidator.ValueInt32sAre(them...) },
		int64s:   func(them []validator.Int64) validator.Set { return setvalidator.ValueInt64sAre(them...) },
		float32s: func(them []validator.Float32) validator.Set { return setvalidator.ValueFloat32sAre(them...) },
		float64s: func(them []validator.Float64) validator.Set { return setvalidator.ValueFloat64sAre(them...) },
		numbers:  func(them []validator.Number) validator.Set { return setvalidator.ValueNumbersAre(them...) },
		lists:    func(them []validator.List) validator.Set { return setvalidator.ValueListsAre(them...) },
		sets:     func(them []validator.Set) validator.Set { return setvalidator.ValueSetsAre(them...) },
		maps:     func(them []validator.Map) validator.Set { return setvalidator.ValueMapsAre(them...) },
	})...)
}

func mapValidators(declared []*validatorDeclaration, element *typeDeclaration) []validator.Map {
	var all []validator.Map
	for _, one := range declared {
		switch one.Rule {
		case "size":
			all = append(all, ranged(one,
				func(min, max int) validator.Map { return mapvalidator.SizeBetween(min, max) },
				func(min int) validator.Map { return mapvalidator.SizeAtLeast(min) },
				func(max int) validator.Map { return mapvalidator.SizeAtMost(max) }))
		case "eachKey":
			all = append(all, mapvalidator.KeysAre(stringValidators(one.Among)...))
		case "noNullElements":
			all = append(all, mapvalidator.NoNullValues())
		default:
			panic("no validator of maps is called " + one.Rule)
		}
	}
	return append(all, elementValidators(element, kindsOfElements[validator.Map]{
		strings:  func(them []validator.String) validator.Map { return mapvalidator.ValueStringsAre(them...) },
		int32s:   func(them []validator.Int32) validator.Map { return mapvalidator.ValueInt32sAre(them...) },
		int64s:   func(them []validator.Int64) validator.Map { return mapvalidator.ValueInt64sAre(them...) },
		float32s: func(them []validator.Float32) validator.Map { return mapvalidator.ValueFloat32sAre(them...) },
		float64s: func(them []validator.Float64) validator.Map { return mapvalidator.ValueFloat64sAre(them...) },
		numbers:  func(them []validator.Number) validator.Map { return mapvalidator.ValueNumbersAre(them...) },
		lists:    func(them []validator.List) validator.Map { return mapvalidator.ValueListsAre(them...) },
		sets:     func(them []validator.Set) validator.Map { return mapvalidator.ValueSetsAre(them...) },
		maps:     func(them []validator.Map) validator.Map { return mapvalidator.ValueMapsAre(them...) },
	})...)
}

// kindsOfElements creates a collection's validator from the validators of its elements, by the kind of the elements.
type kindsOfElements[V any] struct {
	strings  func([]validator.String) V
	int32s   func([]validator.Int32) V
	int64s   func([]validator.Int64) V
	float32s func([]validator.Float32) V
	float64s func([]validator.Float64) V
	numbers  func([]validator.Number) V
	lists    func([]validator.List) V
	sets     func([]validator.Set) V
	maps     func([]validator.Map) V
}

func elementValidators[V any](element *typeDeclaration, of kindsOfElements[V]) []V {
	if element == nil {
		return nil
	}
	switch element.Kind {
	case "string", "caseless":
		return whenAny(stringValidators(element.Validators), of.strings)
	case "int32":
		return whenAny(int32Validators(element.Validators), of.int32s)
	case "int64":
		return whenAny(int64Validators(element.Validators), of.int64s)
	case "float32":
		return whenAny(float32Validators(element.Validators), of.float32s)
	case "float64":
		return whenAny(float64Validators(element.Validators), of.float64s)
	case "number":
		return whenAny(numberValidators(element.Validators), of.numbers)
	case "list":
		return whenAny(listValidators(element.Validators, element.Element), of.lists)
	case "set":
		return whenAny(setValidators(element.Validators, element.Element), of.sets)
	case "map":
		return whenAny(mapValidators(element.Validators, element.Element), of.maps)
	}
	return nil
}

// whenAny creates the validator of a collection, unless its elements have no validators.
func whenAny[E, V any](them []E, make func([]E) V) []V {
	if len(them) == 0 {
		return nil
	}
	return []V{make(them)}
}

// requiredBlock returns the validator of a required single block.
func requiredBlock(required bool) []validator.Object {
	if !required {
		return nil
	}
	return []validator.Object{objectvalidator.IsRequired()}
}
