package locate

import "bytes"

// addYAML finds the texts of a YAML file line by line: values of keys and lists, plain, quoted and as blocks.
func (p *pieces) addYAML() {
	for at := 0; at < len(p.text); {
		end := lineEnd(p.text, at)
		line := p.text[at:end]
		indent := len(line) - len(bytes.TrimLeft(line, " "))
		value := yamlValue(line)
		if value < 0 {
			at = end
			continue
		}
		start := at + value
		for end < len(p.text) && continues(p.text[end:lineEnd(p.text, end)], indent) {
			end = lineEnd(p.text, end)
		}
		if first := p.text[start]; first == '|' || first == '>' {
			start = lineEnd(p.text, start)
		} else if nested := bytes.IndexByte(p.text[start:end], '\n'); nested >= 0 && first != '"' && first != '\'' && hasKey(p.text[start+nested+1:end]) {
			end = lineEnd(p.text, at)
		}
		p.addYAMLText(start, end)
		at = end
	}
}

// addYAMLText keeps the text between two offsets.
func (p *pieces) addYAMLText(start, end int) {
	body := bytes.TrimSpace(p.text[start:max(start, end)])
	if len(body) == 0 {
		return
	}
	isQuoted := body[0] == '"'
	p.add(piece{start: start, end: end}, func(w *plain) {
		if isQuoted {
			w.writeString(body, opening{})
			return
		}
		w.writeText(body)
	})
}

// yamlValue returns the start of the value on a line; -1 if the line has none.
func yamlValue(line []byte) int {
	text := bytes.TrimRight(line, "\r\n ")
	at := len(text) - len(bytes.TrimLeft(text, " -"))
	if at == len(text) || text[at] == '#' {
		return -1
	}
	if colon := bytes.Index(text[at:], []byte(": ")); colon >= 0 && text[at] != '"' && text[at] != '\'' && bytes.IndexByte(text[at:at+colon], ' ') < 0 {
		at += colon + 1
		at += len(text[at:]) - len(bytes.TrimLeft(text[at:], " "))
		return at
	}
	if text[len(text)-1] == ':' {
		return -1
	}
	return at
}

func continues(line []byte, indent int) bool {
	text := bytes.TrimLeft(line, " ")
	return len(bytes.TrimSpace(text)) == 0 || len(line)-len(text) > indent
}

// hasKey reports whether one of the lines is a key with a value or an entry of a list. Such lines are not plain text.
func hasKey(lines []byte) bool {
	for line := range bytes.Lines(lines) {
		text := bytes.TrimSpace(line)
		colon := bytes.IndexByte(text, ':')
		isKey := colon > 0 && bytes.IndexByte(text[:colon], ' ') < 0 && (colon == len(text)-1 || text[colon+1] == ' ')
		if isKey || bytes.HasPrefix(text, []byte("- ")) {
			return true
		}
	}
	return false
}

// lineEnd returns the end of the line at an offset, after its line break.
func lineEnd(text []byte, at int) int {
	if end := bytes.IndexByte(text[at:], '\n'); end >= 0 {
		return at + end + 1
	}
	return len(text)
}
