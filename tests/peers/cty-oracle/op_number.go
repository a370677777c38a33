// SPDX-License-Identifier: Apache-2.0

package main

import (
	"math"
	"math/big"
	"strconv"

	"github.com/zclconf/go-cty/cty"
)

func init() {
	define("num.parse", func(args []any) (any, error) { return cty.ParseNumberVal(args[0].(string)) }, aString)
	one("num.int", aString, func(text string) any {
		integer, err := strconv.ParseInt(text, 10, 64)
		if err != nil {
			refuse("%s", err)
		}
		return cty.NumberIntVal(integer)
	})
	one("num.uint", aString, func(text string) any {
		integer, err := strconv.ParseUint(text, 10, 64)
		if err != nil {
			refuse("%s", err)
		}
		return cty.NumberUIntVal(integer)
	})
	// The double is returned as its 64 bits in hexadecimal.
	one("num.float", aString, func(text string) any {
		bits, err := strconv.ParseUint(text, 16, 64)
		if err != nil {
			refuse("%s", err)
		}
		return cty.NumberFloatVal(math.Float64frombits(bits))
	})
	one("num.text_f", aNumber, func(number *big.Float) any { return number.Text('f', -1) })
	one("num.text_g10", aNumber, func(number *big.Float) any { return number.Text('g', 10) })
	one("num.bits", aNumber, func(number *big.Float) any { return number.Text('p', 0) })
	one("num.isInt", aNumber, func(number *big.Float) any { return number.IsInt() })
	two("num.cmp", aNumber, aNumber, func(a, b *big.Float) any { return a.Cmp(b) })
}
