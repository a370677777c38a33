// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"math"
	"math/big"
	"strconv"
	"strings"

	"github.com/zclconf/go-cty/cty"
	ctyjson "github.com/zclconf/go-cty/cty/json"
)

// parameter reads one argument of an operation. If the argument is invalid, the case is refused.
type parameter struct {
	name string
	read func(json.RawMessage) any
}

var (
	aValue      = parameter{"value", func(raw json.RawMessage) any { return readValue(tree(raw)) }}
	aType       = parameter{"type", func(raw json.RawMessage) any { return readType(raw) }}
	aPath       = parameter{"path", func(raw json.RawMessage) any { return readPath(tree(raw)) }}
	aString     = parameter{"string", func(raw json.RawMessage) any { return as[string](tree(raw), "a string") }}
	aNumber     = parameter{"number", func(raw json.RawMessage) any { return readNumber(tree(raw)) }}
	bytesInHex  = parameter{"hex", func(raw json.RawMessage) any { return readHex(tree(raw)) }}
	refinements = parameter{"refinements", func(raw json.RawMessage) any { return readRefinements(tree(raw)) }}
	pathMarks   = parameter{"[path,[mark]]...", func(raw json.RawMessage) any { return readPathMarks(tree(raw)) }}
	someTypes   = parameter{"[type]", func(raw json.RawMessage) any { return each(raw, readType) }}
	someValues  = parameter{"[value]", func(raw json.RawMessage) any {
		return each(raw, func(r json.RawMessage) cty.Value { return readValue(tree(r)) })
	}}
	somePaths = parameter{"[path]", func(raw json.RawMessage) any {
		return each(raw, func(r json.RawMessage) cty.Path { return readPath(tree(r)) })
	}}
	namedValues = parameter{"[[name,value]]", func(raw json.RawMessage) any { return readNamed(tree(raw)) }}
	someMarks   = parameter{"[mark]", func(raw json.RawMessage) any { return readMarks(tree(raw)) }}
)

// readArguments reads the arguments of an operation; the operation's rest parameter, if any, reads all further arguments.
func readArguments(known operation, args []json.RawMessage) []any {
	if len(args) < len(known.parameters) || (len(args) > len(known.parameters) && known.rest == nil) {
		refuse("%d arguments, but the operation takes %d", len(args), len(known.parameters))
	}
	read := make([]any, len(args))
	for i, raw := range args {
		if i < len(known.parameters) {
			read[i] = known.parameters[i].read(raw)
		} else {
			read[i] = known.rest.read(raw)
		}
	}
	return read
}

// tree parses JSON; numbers keep their text.
func tree(raw json.RawMessage) any {
	decoder := json.NewDecoder(bytes.NewReader(raw))
	decoder.UseNumber()
	var parsed any
	if err := decoder.Decode(&parsed); err != nil {
		refuse("not JSON: %s", err)
	}
	return parsed
}

func as[T any](given any, what string) T {
	typed, ok := given.(T)
	if !ok {
		refuse("expected %s, not %v", what, given)
	}
	return typed
}

func each[T any](raw json.RawMessage, read func(json.RawMessage) T) []T {
	var parts []json.RawMessage
	if err := json.Unmarshal(raw, &parts); err != nil {
		refuse("not an array: %s", err)
	}
	all := make([]T, len(parts))
	for i, part := range parts {
		all[i] = read(part)
	}
	return all
}

// fields refuses an object that lacks a required key or has an unknown key.
func fields(given any, required, optional []string) map[string]any {
	object := as[map[string]any](given, "an object")
	for _, key := range required {
		if _, ok := object[key]; !ok {
			refuse("no %q in %v", key, object)
		}
	}
next:
	for key := range object {
		for _, allowed := range [][]string{required, optional} {
			for _, name := range allowed {
				if name == key {
					continue next
				}
			}
		}
		refuse("unknown key %q", key)
	}
	return object
}

func readType(raw json.RawMessage) cty.Type {
	ty, err := ctyjson.UnmarshalType(raw)
	if err != nil {
		refuse("not a type: %s", err)
	}
	return ty
}

func typeOf(given any) cty.Type {
	raw, err := json.Marshal(given)
	if err != nil {
		refuse("not a type: %s", err)
	}
	return readType(raw)
}

func readValue(given any) cty.Value {
	parts := fields(given, []string{"t", "v"}, nil)
	ty := typeOf(parts["t"])
	value := readPayload(ty, parts["v"])
	if !value.Type().Equals(ty) && !ty.HasDynamicTypes() {
		refuse("the payload has the type %#v, not %#v", value.Type(), ty)
	}
	return value
}

func readPayload(ty cty.Type, given any) cty.Value {
	if object, ok := given.(map[string]any); ok {
		if _, special := object["$"]; special {
			return readSpecial(ty, object)
		}
	}
	switch {
	case ty == cty.String:
		return cty.StringVal(as[string](given, "a string"))
	case ty == cty.Bool:
		return cty.BoolVal(as[bool](given, "a bool"))
	case ty == cty.Number:
		return cty.NumberVal(readNumber(given))
	case ty.IsListType():
		if all := readElements(ty.ElementType(), given); len(all) > 0 {
			return cty.ListVal(all)
		}
		return cty.ListValEmpty(ty.ElementType())
	case ty.IsSetType():
		if all := readElements(ty.ElementType(), given); len(all) > 0 {
			return cty.SetVal(all)
		}
		return cty.SetValEmpty(ty.ElementType())
	case ty.IsMapType():
		all := make(map[string]cty.Value)
		for key, payload := range readEntries(given) {
			all[key] = readPayload(ty.ElementType(), payload)
		}
		if len(all) > 0 {
			return cty.MapVal(all)
		}
		return cty.MapValEmpty(ty.ElementType())
	case ty.IsTupleType():
		payloads := as[[]any](given, "an array")
		types := ty.TupleElementTypes()
		if len(payloads) != len(types) {
			refuse("%d elements for a tuple of %d", len(payloads), len(types))
		}
		all := make([]cty.Value, len(payloads))
		for i, payload := range payloads {
			all[i] = readPayload(types[i], payload)
		}
		return cty.TupleVal(all)
	case ty.IsObjectType():
		types := ty.AttributeTypes()
		all := make(map[string]cty.Value)
		for name, payload := range readEntries(given) {
			attribute, ok := types[cty.NormalizeString(name)]
			if !ok {
				refuse("the type has no attribute %q", name)
			}
			all[name] = readPayload(attribute, payload)
		}
		if len(all) != len(types) {
			refuse("%d attributes for an object of %d", len(all), len(types))
		}
		return cty.ObjectVal(all)
	}
	refuse("%v is not a payload of the type %#v", given, ty)
	return cty.NilVal
}

func readSpecial(ty cty.Type, object map[string]any) cty.Value {
	switch object["$"] {
	case "null":
		fields(object, []string{"$"}, nil)
		return cty.NullVal(ty)
	case "unknown":
		parts := fields(object, []string{"$"}, []string{"r"})
		unknown := cty.UnknownVal(ty)
		if refined, ok := parts["r"]; ok {
			return readRefinements(refined)(unknown.Refine()).NewValue()
		}
		return unknown
	case "marked":
		parts := fields(object, []string{"$", "m", "v"}, nil)
		return readPayload(ty, parts["v"]).WithMarks(readMarks(parts["m"]))
	case "typed":
		parts := fields(object, []string{"$", "t", "v"}, nil)
		if !ty.HasDynamicTypes() {
			refuse("a typed payload where the type is %#v", ty)
		}
		return readPayload(typeOf(parts["t"]), parts["v"])
	}
	refuse("unknown special form %v", object["$"])
	return cty.NilVal
}

func readMarks(given any) cty.ValueMarks {
	marks := cty.ValueMarks{}
	for _, one := range as[[]any](given, "an array of marks") {
		marks[mark(as[string](one, "a mark"))] = struct{}{}
	}
	return marks
}

func readElements(ety cty.Type, given any) []cty.Value {
	payloads := as[[]any](given, "an array")
	all := make([]cty.Value, len(payloads))
	for i, payload := range payloads {
		all[i] = readPayload(ety, payload)
	}
	return all
}

func readEntries(given any) map[string]any {
	entries := make(map[string]any)
	for _, entry := range as[[]any](given, "an array of entries") {
		pair := as[[]any](entry, "[key, payload]")
		if len(pair) != 2 {
			refuse("expected [key, payload], not %v", entry)
		}
		key := as[string](pair[0], "a key")
		if _, twice := entries[key]; twice {
			refuse("key %q twice", key)
		}
		entries[key] = pair[1]
	}
	return entries
}

func readNamed(given any) map[string]cty.Value {
	named := make(map[string]cty.Value)
	for name, value := range readEntries(given) {
		named[name] = readValue(value)
	}
	return named
}

// readNumber prefers the bits, because the text alone does not determine the precision.
func readNumber(given any) *big.Float {
	parts := fields(given, nil, []string{"n", "p", "x"})
	precision := uint64(512)
	if p, ok := parts["p"]; ok {
		parsed, err := strconv.ParseUint(string(as[json.Number](p, "a precision")), 10, 32)
		if err != nil {
			refuse("invalid precision %v", p)
		}
		precision = parsed
	}
	text, hasText := parts["n"].(string)
	bits, hasBits := parts["x"].(string)
	if !hasBits {
		if !hasText {
			refuse("a number with neither text nor bits")
		}
		return numberFromText(text, precision)
	}
	number := numberFromBits(bits, uint(precision))
	if hasText && number.Text('f', -1) != text {
		refuse("the bits %s at precision %d are %s, not %s", bits, precision, number.Text('f', -1), text)
	}
	return number
}

func numberFromText(text string, precision uint64) *big.Float {
	switch precision {
	case 512:
		value, err := cty.ParseNumberVal(text)
		if err != nil {
			refuse("%q is not a number", text)
		}
		return value.AsBigFloat()
	case 64:
		if integer, err := strconv.ParseInt(text, 10, 64); err == nil && text != "-0" {
			return cty.NumberIntVal(integer).AsBigFloat()
		}
		if integer, err := strconv.ParseUint(text, 10, 64); err == nil {
			return cty.NumberUIntVal(integer).AsBigFloat()
		}
	case 53:
		if double, err := strconv.ParseFloat(text, 64); err == nil && !math.IsNaN(double) {
			return cty.NumberFloatVal(double).AsBigFloat()
		}
	}
	refuse("%q without bits at precision %d", text, precision)
	return nil
}

func numberFromBits(bits string, precision uint) *big.Float {
	number := new(big.Float).SetPrec(precision)
	switch bits {
	case "0":
		return number
	case "-0":
		return number.Neg(number)
	case "+Inf", "-Inf":
		return number.SetInf(bits[0] == '-')
	}
	if strings.Trim(bits, "+-.px0123456789abcdef") != "" || precision == 0 {
		refuse("%q is not the bits of a number", bits)
	}
	// At the number's own precision, the parser would silently round a longer mantissa.
	exact, _, err := new(big.Float).SetPrec(1<<16).Parse(bits, 0)
	if err != nil {
		refuse("%q is not the bits of a number: %s", bits, err)
	}
	if number.Set(exact).Cmp(exact) != 0 {
		refuse("%q needs more than %d bits", bits, precision)
	}
	return number
}

func readHex(given any) []byte {
	decoded, err := hex.DecodeString(as[string](given, "hexadecimal text"))
	if err != nil {
		refuse("not hexadecimal: %s", err)
	}
	return decoded
}

func readPath(given any) cty.Path {
	path := make(cty.Path, 0)
	for _, step := range as[[]any](given, "an array of steps") {
		pair := as[[]any](step, "[kind, key]")
		if len(pair) != 2 {
			refuse("expected [kind, key], not %v", step)
		}
		switch pair[0] {
		case "attr":
			path = append(path, cty.GetAttrStep{Name: as[string](pair[1], "an attribute's name")})
		case "index":
			path = append(path, cty.IndexStep{Key: readValue(pair[1])})
		default:
			refuse("unknown kind of step: %v", pair[0])
		}
	}
	return path
}

func readPathMarks(given any) []cty.PathValueMarks {
	places := make([]cty.PathValueMarks, 0)
	for _, place := range as[[]any](given, "an array of [path, marks]") {
		pair := as[[]any](place, "[path, marks]")
		if len(pair) != 2 {
			refuse("expected [path, marks], not %v", place)
		}
		places = append(places, cty.PathValueMarks{Path: readPath(pair[0]), Marks: readMarks(pair[1])})
	}
	return places
}

// readRefinements returns a function that calls the builder once for each refinement, always in this order.
func readRefinements(given any) func(*cty.RefinementBuilder) *cty.RefinementBuilder {
	parts := fields(given, nil, []string{"null", "min", "max", "lenMin", "lenMax", "prefix", "prefixTrimmed"})
	return func(b *cty.RefinementBuilder) *cty.RefinementBuilder {
		if null, ok := parts["null"]; ok {
			if as[bool](null, "a bool") {
				b = b.Null()
			} else {
				b = b.NotNull()
			}
		}
		if bound, ok := parts["min"]; ok {
			value, inclusive := readBound(bound)
			b = b.NumberRangeLowerBound(value, inclusive)
		}
		if bound, ok := parts["max"]; ok {
			value, inclusive := readBound(bound)
			b = b.NumberRangeUpperBound(value, inclusive)
		}
		if length, ok := parts["lenMin"]; ok {
			b = b.CollectionLengthLowerBound(readLength(length))
		}
		if length, ok := parts["lenMax"]; ok {
			b = b.CollectionLengthUpperBound(readLength(length))
		}
		if prefix, ok := parts["prefix"]; ok {
			b = b.StringPrefixFull(as[string](prefix, "a prefix"))
		}
		if prefix, ok := parts["prefixTrimmed"]; ok {
			b = b.StringPrefix(as[string](prefix, "a prefix"))
		}
		return b
	}
}

func readBound(given any) (cty.Value, bool) {
	pair := as[[]any](given, "[number, inclusive]")
	if len(pair) != 2 {
		refuse("expected [number, inclusive], not %v", given)
	}
	inclusive := as[bool](pair[1], "a bool")
	return readPayload(cty.Number, pair[0]), inclusive
}

func readLength(given any) int {
	length, err := strconv.Atoi(as[string](given, "a length"))
	if err != nil {
		refuse("invalid length %v", given)
	}
	return length
}
