package report

import (
	"slices"
	"strconv"
	"strings"
)

// followed returns a case of the base with the settings that it has once its suite follows what the change did to tools
// and files: a tool has the name that the head's suite gives it, and a catalog that was moved as it is has its new path.
func (c *comparer) followed(base, head *Case) *Case {
	out := *base
	out.Settings = slices.Clone(base.Settings)
	for i := range out.Settings {
		s := &out.Settings[i]
		if moved := c.moved[s.Value]; moved != "" && strings.HasSuffix("."+s.Key, ".catalog") {
			s.Value = moved
		}
		if head.Base == nil {
			continue
		}
		for _, r := range head.Base.Renames {
			s.Key, s.Value = r.apply(s.Key), r.apply(s.Value)
		}
	}
	return &out
}

// apply returns a text of a setting with the tool's new name: where the old one is quoted, or all there is.
func (r Rename) apply(text string) string {
	for _, name := range [][2]string{{r.Old, r.New}, {r.Server + "." + r.Old, r.Server + "." + r.New}} {
		if text == name[0] {
			return name[1]
		}
		text = strings.ReplaceAll(text, strconv.Quote(name[0]), strconv.Quote(name[1]))
	}
	return text
}

// movedCatalogs returns the new path of each catalog of the base that stands elsewhere in the head, tool by tool as it was.
func movedCatalogs(base, head []Catalog) map[string]string {
	kept := map[string]bool{}
	for _, c := range base {
		kept[c.Path] = true
	}
	found := map[string]string{} // path of what only the head has, by content
	for _, c := range head {
		if !kept[c.Path] {
			found[c.content()] = c.Path
		}
	}
	for _, c := range head {
		delete(kept, c.Path)
	}
	moved := map[string]string{}
	for _, c := range base {
		if path := found[c.content()]; path != "" && kept[c.Path] && c.content() != "" {
			moved[c.Path] = path
		}
	}
	return moved
}

// content identifies the tools of a catalog; "" where that is not known, or there is none.
func (c *Catalog) content() string {
	var b strings.Builder
	for _, t := range c.Tools {
		if t.SHA256 == "" {
			return ""
		}
		b.WriteString(t.Name + "\x00" + string(t.SHA256) + "\x00")
	}
	return b.String()
}
