// SPDX-License-Identifier: Apache-2.0

package main

import (
	"encoding/json"
	"fmt"
	"math/big"

	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// encode writes a known value in the JSON format of a core's state file; its decoder is tftypes.ValueFromJSON. If the declared type is
// dynamic, the value's own type is written beside the value.
func encode(value tftypes.Value, declared tftypes.Type) (json.RawMessage, error) {
	switch {
	case !value.IsKnown():
		return nil, fmt.Errorf("an unknown %s cannot be written to a file", value.Type())
	case value.IsNull():
		return json.RawMessage("null"), nil
	}
	switch declared := declared.(type) {
	case tftypes.List:
		return encodeElements(value, func(int) tftypes.Type { return declared.ElementType })
	case tftypes.Set:
		return encodeElements(value, func(int) tftypes.Type { return declared.ElementType })
	case tftypes.Tuple:
		return encodeElements(value, func(i int) tftypes.Type { return declared.ElementTypes[i] })
	case tftypes.Map:
		return encodeMembers(value, func(string) tftypes.Type { return declared.ElementType })
	case tftypes.Object:
		return encodeMembers(value, func(name string) tftypes.Type { return declared.AttributeTypes[name] })
	}
	switch {
	case declared.Is(tftypes.String):
		var text string
		err := value.As(&text)
		return marshal(text, err)
	case declared.Is(tftypes.Bool):
		var yes bool
		err := value.As(&yes)
		return marshal(yes, err)
	case declared.Is(tftypes.Number):
		number := new(big.Float)
		err := value.As(&number)
		// As many digits as this precision needs, because a float64 would lose precision.
		return marshal(json.Number(number.Text('g', -1)), err)
	case declared.Is(tftypes.DynamicPseudoType):
		inner, err := encode(value, value.Type())
		return marshal(map[string]any{"type": value.Type(), "value": inner}, err)
	}
	return nil, fmt.Errorf("a value of type %s cannot be written to a file", declared)
}

func encodeElements(value tftypes.Value, declared func(int) tftypes.Type) (json.RawMessage, error) {
	var elements []tftypes.Value
	if err := value.As(&elements); err != nil {
		return nil, err
	}
	encoded := make([]json.RawMessage, len(elements))
	for i, element := range elements {
		var err error
		if encoded[i], err = encode(element, declared(i)); err != nil {
			return nil, err
		}
	}
	return json.Marshal(encoded)
}

func encodeMembers(value tftypes.Value, declared func(string) tftypes.Type) (json.RawMessage, error) {
	var members map[string]tftypes.Value
	if err := value.As(&members); err != nil {
		return nil, err
	}
	encoded := make(map[string]json.RawMessage, len(members))
	for name, member := range members {
		var err error
		if encoded[name], err = encode(member, declared(name)); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	return json.Marshal(encoded)
}

func marshal(plain any, err error) (json.RawMessage, error) {
	if err != nil {
		return nil, err
	}
	return json.Marshal(plain)
}

// withComputed replaces each unknown value in a planned value by its final value, which depends on the name of the attribute.
func withComputed(planned tftypes.Value, computed map[string]any) (tftypes.Value, error) {
	return tftypes.Transform(planned, func(path *tftypes.AttributePath, value tftypes.Value) (tftypes.Value, error) {
		if value.IsKnown() {
			return value, nil
		}
		name, _ := path.LastStep().(tftypes.AttributeName)
		final, known := computed[string(name)]
		if !known {
			return value, path.NewErrorf("nothing computes %q", name)
		}
		return tftypes.NewValue(value.Type(), final), nil
	})
}
