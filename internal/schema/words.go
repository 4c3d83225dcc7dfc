package schema

import (
	"fmt"
	"math/big"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"
	"golang.org/x/text/language"
	"golang.org/x/text/message"
)

// english prints messages in the library's own words.
var english = message.NewPrinter(language.English)

// words returns the message for an error. It uses the library's own words only for errors without numbers, because the library
// writes 1500.5 as 1,500.5, and 1e21 as 1×10²¹.
func words(err jsonschema.ErrorKind) string {
	switch k := err.(type) {
	case *kind.Minimum:
		return gotWant(k, nearest(k.Got), nearest(k.Want))
	case *kind.Maximum:
		return gotWant(k, nearest(k.Got), nearest(k.Want))
	case *kind.ExclusiveMinimum:
		return gotWant(k, nearest(k.Got), nearest(k.Want))
	case *kind.ExclusiveMaximum:
		return gotWant(k, nearest(k.Got), nearest(k.Want))
	case *kind.MultipleOf:
		return gotWant(k, nearest(k.Got), nearest(k.Want))
	case *kind.MinLength:
		return gotWant(k, k.Got, k.Want)
	case *kind.MaxLength:
		return gotWant(k, k.Got, k.Want)
	case *kind.MinItems:
		return gotWant(k, k.Got, k.Want)
	case *kind.MaxItems:
		return gotWant(k, k.Got, k.Want)
	case *kind.MinProperties:
		return gotWant(k, k.Got, k.Want)
	case *kind.MaxProperties:
		return gotWant(k, k.Got, k.Want)
	}
	return wordsOfPlaces(err)
}

// wordsOfPlaces returns the message for an error about items or schemas of a list.
func wordsOfPlaces(err jsonschema.ErrorKind) string {
	switch k := err.(type) {
	case *kind.AdditionalItems:
		return fmt.Sprintf("last %d additionalItem(s) not allowed", k.Count)
	case *kind.UniqueItems:
		return fmt.Sprintf("items at %d and %d are equal", k.Duplicates[0], k.Duplicates[1])
	case *kind.MinContains:
		if len(k.Got) == 0 {
			return fmt.Sprintf("min %d items required to match contains schema, but none matched", k.Want)
		}
		return fmt.Sprintf("min %d items required to match contains schema, but %s", k.Want, matched(k.Got))
	case *kind.MaxContains:
		return fmt.Sprintf("max %d items required to match contains schema, but %s", k.Want, matched(k.Got))
	case *kind.OneOf:
		if len(k.Subschemas) > 0 {
			return fmt.Sprintf("'oneOf' failed, subschemas %d, %d matched", k.Subschemas[0], k.Subschemas[1])
		}
	}
	return err.LocalizedString(english)
}

func gotWant(err jsonschema.ErrorKind, got, want any) string {
	return fmt.Sprintf("%s: got %v, want %v", err.KeywordPath()[0], got, want)
}

// nearest returns the 64-bit number that is nearest to an exact number, which may have hundreds of digits.
func nearest(exact *big.Rat) float64 {
	number, _ := exact.Float64()
	return number
}

func matched(items []int) string {
	places := fmt.Sprint(items)
	return fmt.Sprintf("matched %d items at %s", len(items), places[1:len(places)-1])
}
