// Package english reads the prose of descriptions: it finds words, verbs and fixed sets of values. It knows only
// English; [IsForeign] reports whether a text is in another language.
//
// One list holds the verbs in their base form; all other forms are derived. To add a verb, put it into the list with
// its irregular forms, and mark it if it is as often a noun.
package english
