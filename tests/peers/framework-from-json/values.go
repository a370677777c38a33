// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math/big"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// fromJSON reads a declared value: plain JSON, sets as arrays. A value of dynamic type is a string, a number or a boolean.
func (t *typeDeclaration) fromJSON(text json.RawMessage) tftypes.Value {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	var plain any
	if err := decoder.Decode(&plain); err != nil {
		panic(err)
	}
	return t.fromPlain(plain)
}

func (t *typeDeclaration) fromPlain(plain any) tftypes.Value {
	wire := t.wireType()
	if plain == nil {
		return tftypes.NewValue(wire, nil)
	}
	switch t.Kind {
	case "list", "set":
		elements := []tftypes.Value{}
		for _, element := range plain.([]any) {
			elements = append(elements, t.Element.fromPlain(element))
		}
		return tftypes.NewValue(wire, elements)
	case "map", "object":
		members := map[string]tftypes.Value{}
		for name, member := range plain.(map[string]any) {
			of := t.Element
			if t.Kind == "object" {
				of = t.Members[name]
			}
			members[name] = of.fromPlain(member)
		}
		return tftypes.NewValue(wire, members)
	}
	switch plain := plain.(type) {
	case json.Number:
		number, _, err := big.ParseFloat(plain.String(), 10, 512, big.ToNearestEven)
		if err != nil {
			panic(err)
		}
		return tftypes.NewValue(tftypes.Number, number)
	case bool:
		return tftypes.NewValue(tftypes.Bool, plain)
	default:
		return tftypes.NewValue(tftypes.String, plain)
	}
}

// generateValue generates a value from the name of an attribute. provider-sdk's side of the comparison generates the same value.
func generateValue(wire tftypes.Type, name string, occasion string) tftypes.Value {
	switch wire := wire.(type) {
	case tftypes.List:
		return tftypes.NewValue(wire, []tftypes.Value{generateValue(wire.ElementType, name, occasion)})
	case tftypes.Set:
		return tftypes.NewValue(wire, []tftypes.Value{generateValue(wire.ElementType, name, occasion)})
	case tftypes.Map:
		return tftypes.NewValue(wire, map[string]tftypes.Value{"k": generateValue(wire.ElementType, name, occasion)})
	case tftypes.Object:
		members := map[string]tftypes.Value{}
		for member, of := range wire.AttributeTypes {
			members[member] = generateValue(of, member, occasion)
		}
		return tftypes.NewValue(wire, members)
	}
	switch {
	case wire.Is(tftypes.Bool):
		return tftypes.NewValue(tftypes.Bool, len(name)%2 == 0)
	case wire.Is(tftypes.Number):
		return tftypes.NewValue(tftypes.Number, len(name)+len(occasion))
	}
	return tftypes.NewValue(tftypes.String, occasion+"-"+name)
}

// leafChange returns the new value of one leaf: a primitive, a dynamic value, an unknown value, or null.
type leafChange func(name string, of *typeDeclaration, value tftypes.Value) tftypes.Value

// mapLeaves returns a value of the schema in which every leaf is replaced.
func (s *schemaDeclaration) mapLeaves(value tftypes.Value, change leafChange) tftypes.Value {
	members := membersOf(value)
	for name, member := range members {
		if attribute, ok := s.Attributes[name]; ok {
			if attribute.writeOnly() {
				continue
			}
			if attribute.Kind == "nested" {
				members[name] = mapRepeated(name, attribute.Nesting, attribute.Body, member, change)
			} else {
				members[name] = attribute.mapLeaves(name, member, change)
			}
		} else {
			block := s.Blocks[name]
			members[name] = mapRepeated(name, block.Nesting, block.Body, member, change)
		}
	}
	return tftypes.NewValue(value.Type(), members)
}

func mapRepeated(name string, nesting string, body *schemaDeclaration, value tftypes.Value, change leafChange) tftypes.Value {
	if value.IsNull() || !value.IsKnown() {
		return change(name, &typeDeclaration{Kind: "nested"}, value)
	}
	return mapElements(nesting, value, func(element tftypes.Value) tftypes.Value {
		if element.IsNull() || !element.IsKnown() {
			return element
		}
		return body.mapLeaves(element, change)
	})
}

func (t *typeDeclaration) mapLeaves(name string, value tftypes.Value, change leafChange) tftypes.Value {
	if value.IsNull() || !value.IsKnown() {
		return change(name, t, value)
	}
	switch t.Kind {
	case "list", "set", "map":
		return mapElements(t.Kind, value, func(element tftypes.Value) tftypes.Value { return t.Element.mapLeaves(name, element, change) })
	case "object":
		members := membersOf(value)
		for member, part := range members {
			members[member] = t.Members[member].mapLeaves(member, part, change)
		}
		return tftypes.NewValue(value.Type(), members)
	}
	return change(name, t, value)
}

func mapElements(nesting string, value tftypes.Value, change func(tftypes.Value) tftypes.Value) tftypes.Value {
	switch nesting {
	case "list", "set":
		var elements []tftypes.Value
		must(value.As(&elements))
		elements = slices.Clone(elements)
		for i, element := range elements {
			elements[i] = change(element)
		}
		return tftypes.NewValue(value.Type(), elements)
	case "map":
		members := membersOf(value)
		for key, member := range members {
			members[key] = change(member)
		}
		return tftypes.NewValue(value.Type(), members)
	}
	return change(value)
}

// membersOf returns the members of an object or map; the members of a null object are null.
func membersOf(value tftypes.Value) map[string]tftypes.Value {
	members := map[string]tftypes.Value{}
	if object, ok := value.Type().(tftypes.Object); ok && value.IsNull() {
		for name, wire := range object.AttributeTypes {
			members[name] = tftypes.NewValue(wire, nil)
		}
		return members
	}
	must(value.As(&members))
	// As returns the value's own map.
	return maps.Clone(members)
}

// withMember returns the object with one member replaced.
func withMember(value tftypes.Value, name string, member tftypes.Value) tftypes.Value {
	members := membersOf(value)
	members[name] = member
	return tftypes.NewValue(value.Type(), members)
}

// textOf returns the text of a root attribute; "" if the attribute or the object is null or unknown.
func textOf(value tftypes.Value, name string) string {
	if value.IsNull() || !value.IsKnown() {
		return ""
	}
	var text *string
	if member := membersOf(value)[name]; member.IsKnown() {
		must(member.As(&text))
	}
	if text == nil {
		return ""
	}
	return *text
}

// fillUnknown replaces each unknown value by a generated one.
func (s *schemaDeclaration) fillUnknown(value tftypes.Value, occasion string) tftypes.Value {
	return s.mapLeaves(value, func(name string, _ *typeDeclaration, leaf tftypes.Value) tftypes.Value {
		if leaf.IsKnown() {
			return leaf
		}
		return generateValue(leaf.Type(), name, occasion)
	})
}

// respell returns another spelling of each caseless value.
func (s *schemaDeclaration) respell(value tftypes.Value) tftypes.Value {
	return s.mapLeaves(value, func(_ string, of *typeDeclaration, leaf tftypes.Value) tftypes.Value {
		if of.Kind != "caseless" || leaf.IsNull() {
			return leaf
		}
		return tftypes.NewValue(tftypes.String, otherSpelling(stringIn(leaf)))
	})
}

func otherSpelling(text string) string {
	if upper := strings.ToUpper(text); upper != text {
		return upper
	}
	return strings.ToLower(text)
}

// drift changes every string, integer, float and boolean, except the attribute `mode` and the attributes of an immutable identity. Of
// some caseless values it changes only the spelling.
func (r *resourceDeclaration) drift(value tftypes.Value) tftypes.Value {
	before := membersOf(value)
	after := r.mapLeaves(value, func(_ string, of *typeDeclaration, leaf tftypes.Value) tftypes.Value {
		if leaf.IsNull() {
			return leaf
		}
		switch {
		case leaf.Type().Is(tftypes.String):
			text := stringIn(leaf)
			if of.Kind == "caseless" && strings.HasPrefix(strings.ToLower(text), "o") {
				return tftypes.NewValue(tftypes.String, otherSpelling(text))
			}
			if shorter, had := strings.CutSuffix(text, "~"); had {
				return tftypes.NewValue(tftypes.String, shorter)
			}
			return tftypes.NewValue(tftypes.String, text+"~")
		case leaf.Type().Is(tftypes.Bool):
			var yes bool
			must(leaf.As(&yes))
			return tftypes.NewValue(tftypes.Bool, !yes)
		case leaf.Type().Is(tftypes.Number) && of.Kind != "number":
			number := new(big.Float)
			must(leaf.As(&number))
			return tftypes.NewValue(tftypes.Number, new(big.Float).SetPrec(512).Add(number, big.NewFloat(1)))
		}
		return leaf
	})
	members := membersOf(after)
	members["mode"] = before["mode"]
	if !r.MutableIdentity {
		for name := range r.Identity {
			members[name] = before[name]
		}
	}
	return tftypes.NewValue(after.Type(), members)
}

// generate returns a generated object of the schema; its optional values are null.
func (s *schemaDeclaration) generate(occasion string) tftypes.Value {
	members := map[string]tftypes.Value{}
	for name, attribute := range s.Attributes {
		members[name] = attribute.generate(name, occasion)
	}
	for name, block := range s.Blocks {
		wire := repeatedType(block.Nesting, block.Body.wireType())
		switch {
		case block.Nesting != "single":
			members[name] = tftypes.NewValue(wire, []tftypes.Value{})
		case block.Required:
			members[name] = block.Body.generate(occasion)
		default:
			members[name] = tftypes.NewValue(wire, nil)
		}
	}
	return tftypes.NewValue(s.wireType(), members)
}

func (a *attributeDeclaration) generate(name string, occasion string) tftypes.Value {
	wire := a.wireType()
	if a.writeOnly() || a.Mode == "optional" {
		return tftypes.NewValue(wire, nil)
	}
	if a.Kind != "nested" {
		return generateValue(wire, name, occasion)
	}
	body := a.Body.generate(occasion)
	switch a.Nesting {
	case "list", "set":
		return tftypes.NewValue(wire, []tftypes.Value{body})
	case "map":
		return tftypes.NewValue(wire, map[string]tftypes.Value{"k": body})
	}
	return body
}

// complete returns the known members, with generated values for root attributes that are absent, or null but not optional.
func (s *schemaDeclaration) complete(known map[string]tftypes.Value, occasion string) tftypes.Value {
	value := s.generate(occasion)
	members := membersOf(value)
	for name, member := range known {
		attribute, ok := s.Attributes[name]
		if ok && !attribute.writeOnly() && (!member.IsNull() || attribute.Mode == "optional") {
			members[name] = member
		}
	}
	return tftypes.NewValue(value.Type(), members)
}

func stringIn(value tftypes.Value) string {
	var text string
	must(value.As(&text))
	return text
}

// must panics on an error that only a bug in this program can cause.
func must(err error) {
	if err != nil {
		panic(fmt.Sprintf("this is a bug in framework-from-json: %v", err))
	}
}
