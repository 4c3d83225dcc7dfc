package redact

// maxUnescaped and maxDecoded bound the nesting of escapes and of encodings that are resolved: a string in a string, a query in a
// page, Base64 of Base64.
const (
	maxUnescaped = 6
	maxDecoded   = 2
)

// searchEncoded finds known values that are escaped, encoded, or both. All kinds of escapes are resolved at once, and
// the result is searched like any text, so mixed and nested escapes need no list of spellings.
func (s *scan) searchEncoded() {
	if s.rules.known != nil {
		s.rule = s.rules.ruleByID(envID)
		s.searchPieces(s.rules.pieces)
		s.searchLayers(&layer{text: s.text}, maxUnescaped, maxDecoded)
	}
}

// searchLayers searches a layer and the layers inside it. Base64 is decoded if no escapes are left.
func (s *scan) searchLayers(l *layer, unescapes, decodes int) {
	if l.outer != nil {
		s.searchLayer(l)
	}
	if unescapes > 0 {
		if inner := l.innerLayer((*layer).resolveEscapes); inner != nil {
			s.searchLayers(inner, unescapes-1, decodes)
			return
		}
	}
	coded := &s.rules.coded
	if decodes == 0 || coded.minValue == 0 {
		return
	}
	runs := l.innerLayer(func(l *layer) []byte { return l.joinRuns(coded) })
	if runs == nil {
		return
	}
	runs.includesRun = true
	if inner := runs.innerLayer(func(l *layer) []byte { return l.decodeRuns(coded) }); inner != nil {
		inner.isGuessed = true
		s.searchLayers(inner, unescapes, decodes-1)
	}
}

func (s *scan) searchLayer(l *layer) {
	inside := scan{rules: s.rules.known, text: l.text}
	inside.search()
	inside.rule = s.rules.ruleByID(envID)
	inside.searchPieces(s.rules.pieces)
	s.rule = inside.rule
	for _, f := range inside.spans {
		if l.hasGuessed() && f.end-f.start < minEncoded {
			continue
		}
		if start, end := l.outermostSpan(f.start, f.end); !s.touchesPlaceholder(start, end) {
			s.addSpan(start, end, f.secret)
		}
	}
}

func (l *layer) hasGuessed() bool { return l != nil && (l.isGuessed || l.outer.hasGuessed()) }
