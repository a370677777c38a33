// SPDX-License-Identifier: Apache-2.0

package main

import (
	"encoding/json"
	"errors"
	"math/big"
	"strconv"

	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/tfjsonpath"
)

// A knownValue is a function of the package knownvalue, and its argument: numbers as text, elements as an array or by key. The argument of a predicate
// is ignored; each kind has one predicate: a string that is not empty, true, a number above zero.
type knownValue struct {
	Kind  string          `json:"kind"`
	Value json.RawMessage `json:"value"`
}

func (v knownValue) convert() knownvalue.Check {
	for _, convert := range []func(knownValue) knownvalue.Check{exactValue, predicate, sequence, mapping} {
		if converted := convert(v); converted != nil {
			return converted
		}
	}
	refuse("unknown known value %q", v.Kind)
	return nil
}

// exactValue returns a known value of one primitive value; nil for other kinds.
func exactValue(v knownValue) knownvalue.Check {
	switch v.Kind {
	case "Null":
		return knownvalue.Null()
	case "NotNull":
		return knownvalue.NotNull()
	case "Bool":
		return knownvalue.Bool(string(v.Value) == "true")
	case "StringExact":
		return knownvalue.StringExact(v.text())
	case "StringRegexp":
		return knownvalue.StringRegexp(pattern(v.text()))
	case "Int32Exact":
		return knownvalue.Int32Exact(int32(v.integer(32)))
	case "Int64Exact":
		return knownvalue.Int64Exact(v.integer(64))
	case "Float32Exact":
		return knownvalue.Float32Exact(float32(v.float(32)))
	case "Float64Exact":
		return knownvalue.Float64Exact(v.float(64))
	case "NumberExact":
		number, _, err := big.ParseFloat(v.text(), 10, 512, big.ToNearestEven)
		if err != nil {
			refuse("number: %v", err)
		}
		return knownvalue.NumberExact(number)
	}
	return nil
}

var errRejected = errors.New("the predicate rejects the value")

func accept(isAccepted bool) error {
	if isAccepted {
		return nil
	}
	return errRejected
}

func predicate(v knownValue) knownvalue.Check {
	switch v.Kind {
	case "BoolFunc":
		return knownvalue.BoolFunc(func(value bool) error { return accept(value) })
	case "StringFunc":
		return knownvalue.StringFunc(func(value string) error { return accept(value != "") })
	case "Int32Func":
		return knownvalue.Int32Func(func(value int32) error { return accept(value > 0) })
	case "Int64Func":
		return knownvalue.Int64Func(func(value int64) error { return accept(value > 0) })
	case "Float32Func":
		return knownvalue.Float32Func(func(value float32) error { return accept(value > 0) })
	case "Float64Func":
		return knownvalue.Float64Func(func(value float64) error { return accept(value > 0) })
	case "NumberFunc":
		return knownvalue.NumberFunc(func(value *big.Float) error { return accept(value.Sign() > 0) })
	}
	return nil
}

// sequence returns a known value of a list, a set or a tuple; nil for other kinds.
func sequence(v knownValue) knownvalue.Check {
	switch v.Kind {
	case "ListExact":
		return knownvalue.ListExact(v.elements())
	case "SetExact":
		return knownvalue.SetExact(v.elements())
	case "SetPartial":
		return knownvalue.SetPartial(v.elements())
	case "TupleExact":
		return knownvalue.TupleExact(v.elements())
	case "ListPartial":
		return knownvalue.ListPartial(v.indexed())
	case "TuplePartial":
		return knownvalue.TuplePartial(v.indexed())
	case "ListSizeExact":
		return knownvalue.ListSizeExact(int(v.integer(32)))
	case "SetSizeExact":
		return knownvalue.SetSizeExact(int(v.integer(32)))
	case "TupleSizeExact":
		return knownvalue.TupleSizeExact(int(v.integer(32)))
	}
	return nil
}

// mapping returns a known value of a map or an object; nil for other kinds.
func mapping(v knownValue) knownvalue.Check {
	switch v.Kind {
	case "MapExact":
		return knownvalue.MapExact(v.named())
	case "MapPartial":
		return knownvalue.MapPartial(v.named())
	case "ObjectExact":
		return knownvalue.ObjectExact(v.named())
	case "ObjectPartial":
		return knownvalue.ObjectPartial(v.named())
	case "MapSizeExact":
		return knownvalue.MapSizeExact(int(v.integer(32)))
	}
	return nil
}

func (v knownValue) text() string {
	var text string
	decode(v.Value, &text)
	return text
}

func (v knownValue) integer(bits int) int64 {
	number, err := strconv.ParseInt(v.text(), 10, bits)
	if err != nil {
		refuse("integer: %v", err)
	}
	return number
}

func (v knownValue) float(bits int) float64 {
	number, err := strconv.ParseFloat(v.text(), bits)
	if err != nil {
		refuse("float: %v", err)
	}
	return number
}

func (v knownValue) elements() []knownvalue.Check {
	var values []knownValue
	decode(v.Value, &values)
	checks := []knownvalue.Check{}
	for _, value := range values {
		checks = append(checks, value.convert())
	}
	return checks
}

func (v knownValue) indexed() map[int]knownvalue.Check {
	var values map[int]knownValue
	decode(v.Value, &values)
	checks := map[int]knownvalue.Check{}
	for index, value := range values {
		checks[index] = value.convert()
	}
	return checks
}

func (v knownValue) named() map[string]knownvalue.Check {
	var values map[string]knownValue
	decode(v.Value, &values)
	return convertAll(values)
}

func paths(all []path) []tfjsonpath.Path {
	converted := []tfjsonpath.Path{}
	for _, one := range all {
		converted = append(converted, one.convert())
	}
	return converted
}
