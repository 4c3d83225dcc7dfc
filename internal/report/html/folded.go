package html

import "strings"

// A page shows so many entries of a list at once, and has the others in comments of as many entries each.
const atOnce = 200

// folded writes the first entries of a list as they are, and the others in comments, which cost a browser next to nothing. The script of the
// page puts a comment's entries in its place when it is scrolled to, sorted, filtered or linked to. Without a script the page says how many
// there are. No markup of the page holds the end of a comment: in a text of others > is always escaped, and comments do not nest, so that
// only lists within no other are folded.
func folded(entries []markup) (text markup, left int) {
	var b strings.Builder
	for i, entry := range entries {
		if i >= atOnce && i%atOnce == 0 {
			b.WriteString("<!--\n")
		}
		b.WriteString(string(entry))
		if i >= atOnce && (i%atOnce == atOnce-1 || i == len(entries)-1) {
			b.WriteString("-->\n")
		}
	}
	return markup(b.String()), max(len(entries)-atOnce, 0)
}

func withoutScript(left int) markup {
	if left == 0 {
		return ""
	}
	return "<noscript><p class=dim>and " + count(left) + " more, which this page shows with its script alone\n</noscript>\n"
}
