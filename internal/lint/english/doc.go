// Package english reads the prose of descriptions: which words are verbs, where a fixed set of values is spelled out, and what
// a word is. It knows English alone, and [IsForeign] says when a text is something else.
//
// Verbs stand once, in their base form, in one list; every other form is derived. To add one, give it its place in the list
// with its irregular forms, and a mark where it is a noun as often.
package english
