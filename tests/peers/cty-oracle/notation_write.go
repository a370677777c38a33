// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math"
	"math/big"
	"slices"
	"strconv"

	"github.com/zclconf/go-cty/cty"
	ctyjson "github.com/zclconf/go-cty/cty/json"
)

// writer writes results. It caches the texts of numbers, which are slow to compute, for the repeated runs of a case.
type writer struct {
	buffer bytes.Buffer
	texts  map[string]string
}

// record is a JSON object whose members are in this order.
type record []field

type field struct {
	name  string
	value any
}

func newWriter() *writer { return &writer{texts: map[string]string{}} }

func (w *writer) reset() { w.buffer.Reset() }

func (w *writer) text(text string) { w.buffer.WriteString(text) }

func (w *writer) string(text string) { w.buffer.Write(quoted(text)) }

// quoted returns the JSON of a text, without the escapes that only HTML needs.
func quoted(text string) []byte {
	var buffer bytes.Buffer
	encoder := json.NewEncoder(&buffer)
	encoder.SetEscapeHTML(false)
	_ = encoder.Encode(text)
	return bytes.TrimRight(buffer.Bytes(), "\n")
}

func (w *writer) any(result any) {
	switch result := result.(type) {
	case nil:
		w.text("null")
	case cty.Value:
		w.value(result)
	case payload:
		w.payload(result.value)
	case cty.Type:
		w.ctyType(result)
	case cty.Path:
		w.path(result)
	case cty.ValueMarks:
		w.marks(result)
	case encodedJSON:
		w.text(string(result))
	case []byte:
		w.string(hex.EncodeToString(result))
	case string:
		w.string(result)
	case bool:
		w.text(strconv.FormatBool(result))
	case int:
		w.text(strconv.Itoa(result))
	case []any:
		list(w, result, w.any)
	case record:
		w.text("{")
		for i, part := range result {
			if i > 0 {
				w.text(",")
			}
			w.string(part.name)
			w.text(":")
			w.any(part.value)
		}
		w.text("}")
	default:
		panic(fmt.Sprintf("an operation of the oracle returned a %T", result))
	}
}

func list[T any](w *writer, all []T, write func(T)) {
	w.text("[")
	for i, one := range all {
		if i > 0 {
			w.text(",")
		}
		write(one)
	}
	w.text("]")
}

func (w *writer) ctyType(ty cty.Type) {
	if ty == cty.NilType {
		w.text("null")
		return
	}
	encoded, err := ctyjson.MarshalType(ty)
	if err != nil {
		panic(fmt.Sprintf("type %#v has no JSON: %s", ty, err))
	}
	// Conversion can create a tuple type with a nil slice of element types, for which go-cty writes null.
	w.buffer.Write(bytes.ReplaceAll(encoded, []byte(`["tuple",null]`), []byte(`["tuple",[]]`)))
}

func (w *writer) value(value cty.Value) {
	if value == cty.NilVal {
		w.text("null")
		return
	}
	w.text(`{"t":`)
	w.ctyType(value.Type())
	w.text(`,"v":`)
	w.payload(value)
	w.text("}")
}

// payload writes a value whose type is already written.
func (w *writer) payload(value cty.Value) {
	if value.IsMarked() {
		plain, marks := value.Unmark()
		w.text(`{"$":"marked","m":`)
		w.marks(marks)
		w.text(`,"v":`)
		w.payload(plain)
		w.text("}")
		return
	}
	if !value.IsKnown() {
		w.unknown(value)
		return
	}
	if value.IsNull() {
		w.text(`{"$":"null"}`)
		return
	}
	ty := value.Type()
	switch {
	case ty == cty.String:
		w.string(value.AsString())
	case ty == cty.Bool:
		w.text(strconv.FormatBool(value.True()))
	case ty == cty.Number:
		w.number(value.AsBigFloat())
	case ty.IsMapType(), ty.IsObjectType():
		w.text("[")
		first := true
		for key, element := range value.Elements() {
			if !first {
				w.text(",")
			}
			first = false
			w.text("[")
			w.string(key.AsString())
			w.text(",")
			w.payload(element)
			w.text("]")
		}
		w.text("]")
	case ty.IsListType(), ty.IsSetType(), ty.IsTupleType():
		w.text("[")
		first := true
		for _, element := range value.Elements() {
			if !first {
				w.text(",")
			}
			first = false
			w.payload(element)
		}
		w.text("]")
	default:
		panic(fmt.Sprintf("a value of type %#v cannot be written", ty))
	}
}

func (w *writer) marks(marks cty.ValueMarks) {
	names := make([]string, 0, len(marks))
	for one := range marks {
		names = append(names, string(one.(mark)))
	}
	slices.Sort(names)
	list(w, names, w.string)
}

// number writes the text, precision and bits of a number. The text is slow to compute; it is cached by bits and precision.
func (w *writer) number(number *big.Float) {
	bits := number.Text('p', 0)
	precision := strconv.FormatUint(uint64(number.Prec()), 10)
	text, known := w.texts[bits+"@"+precision]
	if !known {
		text = number.Text('f', -1)
		w.texts[bits+"@"+precision] = text
	}
	w.text(`{"n":`)
	w.string(text)
	w.text(`,"p":`)
	w.text(precision)
	w.text(`,"x":`)
	w.string(bits)
	w.text("}")
}

func (w *writer) unknown(value cty.Value) {
	refined := refinementsOf(value.Range())
	if len(refined) == 0 {
		w.text(`{"$":"unknown"}`)
		return
	}
	w.text(`{"$":"unknown","r":`)
	w.any(refined)
	w.text("}")
}

// encodedJSON is JSON that is already encoded.
type encodedJSON string

// payload is a value that is written without its type.
type payload struct{ value cty.Value }

// bound is the limit of a number's range, and whether the range includes it.
func bound(number cty.Value, inclusive bool) []any {
	return []any{payload{number}, inclusive}
}

// refinementsOf omits bounds that do not restrict the value: go-cty returns the widest bound if none was set.
func refinementsOf(span cty.ValueRange) record {
	var refined record
	if span.DefinitelyNotNull() {
		refined = append(refined, field{"null", false})
	}
	ty := span.TypeConstraint()
	switch {
	case ty == cty.String:
		if prefix := span.StringPrefix(); prefix != "" {
			refined = append(refined, field{"prefix", prefix})
		}
	case ty == cty.Number:
		if limit, inclusive := span.NumberLowerBound(); limit.IsKnown() && !limit.RawEquals(cty.NegativeInfinity) {
			refined = append(refined, field{"min", bound(limit, inclusive)})
		}
		if limit, inclusive := span.NumberUpperBound(); limit.IsKnown() && !limit.RawEquals(cty.PositiveInfinity) {
			refined = append(refined, field{"max", bound(limit, inclusive)})
		}
	case ty.IsCollectionType():
		if limit := span.LengthLowerBound(); limit > 0 {
			refined = append(refined, field{"lenMin", strconv.Itoa(limit)})
		}
		if limit := span.LengthUpperBound(); limit < math.MaxInt {
			refined = append(refined, field{"lenMax", strconv.Itoa(limit)})
		}
	}
	return refined
}
