package html

import "strings"

// atOnce is the number of entries of a list that the page shows at first, and the number of further entries in each HTML
// comment.
const atOnce = 200

// folded returns the first entries of a list as they are, and further entries in HTML comments, which cost a browser next to
// nothing. left is the number of further entries. The script of the page replaces a comment by its entries when a reader
// scrolls to it, sorts, filters or follows a link into it. Without a script, the page says how many entries there are.
//
// No entry may contain the end of a comment. Texts from users cannot, because their > is escaped. A list inside a folded list
// is not folded, because HTML comments do not nest.
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
