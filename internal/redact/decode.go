package redact

import "strings"

// coded says what texts in Base64 and in hexadecimal digits are looked at for values.
type coded struct {
	plain charset // bytes that values have, also when they are escaped or encoded
	least int     // length of the shortest value that is searched for there, of minEncoded bytes or more; 0 for none
}

// run returns the length of the shortest text in Base64 that can hold a value.
func (c *coded) run() int { return (c.least*8 + 5) / 6 }

// groups returns how many groups of three bytes that follow one another hold nothing but bytes of a value, wherever the
// first begins.
func (c *coded) groups() int { return (c.least - 2) / 3 }

// noSextet marks the bytes that are not characters of Base64; padding is not one.
const noSextet = 0xff

// sextets are the values of the characters of Base64, of both alphabets.
var sextets = func() (values [256]byte) {
	for i := range values {
		values[i] = noSextet
	}
	for i, c := range []byte(capitals + lowers + numerals + "+/") {
		values[c] = byte(i)
	}
	values['-'], values['_'] = values['+'], values['/']
	return values
}()

// runBytes are those of Base64 and of the breaks between its lines.
var runBytes = bytesOf(lowers + capitals + numerals + "+/-_\r\n")

// decoded appends what runs of Base64 and of hexadecimal digits in the outer text, which are joined already, stand for, as
// far as it may hold a value, with a zero byte behind each piece; nil when there is none. Nobody knows where what was
// encoded begins, so that each run is read from each of its first four characters, or two.
func (l *layer) decoded(c *coded) []byte {
	var out []byte
	runs := l.outer.text
	for start := 0; start < len(runs); {
		end := start + strings.IndexByte(runs[start:], 0)
		out = l.appendBase64(out, start, end, c)
		out = l.appendHex(out, start, end, c)
		start = end + 1
	}
	return out
}

// joined appends the runs of the outer text that are long enough, without the breaks in them, each with a zero byte behind
// it; nil when there are none.
func (l *layer) joined(c *coded) []byte {
	least := c.run()
	var out []byte
	text := l.outer.text
	// A run that is long enough stands at one of each so many places.
	for i := least - 1; i < len(text); i += least {
		if !runBytes[text[i]] {
			continue
		}
		start := i
		for start > 0 && runBytes[text[start-1]] {
			start--
		}
		end := run(text, i, runBytes)
		if end-start >= least {
			out = l.appendLines(out, start, end, least)
		}
		i = end
	}
	return out
}

// appendLines appends the run from start to end, if it is long enough without its breaks.
func (l *layer) appendLines(out []byte, start, end, least int) []byte {
	text := l.outer.text[:end]
	if breaks := strings.Count(text[start:], "\n") + strings.Count(text[start:], "\r"); end-start-breaks < least {
		return out
	}
	for at := start; at < end; {
		stop := at
		for stop < end && text[stop] > ' ' {
			stop++
		}
		out = l.copied(out, at, stop)
		for at = stop; at < end && text[at] <= ' '; at++ {
		}
	}
	return append(out, 0)
}

// appendBase64 appends what the groups of four characters in a run stand for, where as many that follow one
// another as each value has stand for bytes of values alone.
func (l *layer) appendBase64(out []byte, start, end int, c *coded) []byte {
	text := l.outer.text
	since := [4]int{-1, -1, -1, -1} // by the place of groups modulo 4: where the first of them begins
	bits, least := uint32(0), 4*c.groups()
	for at := start; at < end; at++ {
		bits = bits<<6 | uint32(sextets[text[at]])
		group := at - 3
		if group < start {
			continue
		}
		first := &since[group%4]
		switch isPlain := c.plain[byte(bits>>16)] && c.plain[byte(bits>>8)] && c.plain[byte(bits)]; {
		case isPlain && *first < 0:
			*first = group
		case !isPlain && *first >= 0:
			if group-*first >= least {
				out = l.appendGroups(out, start, *first, group+4)
			}
			*first = -1
		}
	}
	for _, first := range since {
		if first >= 0 && end-first >= least {
			out = l.appendGroups(out, start, first, end)
		}
	}
	return out
}

// appendGroups appends what the groups from first to end stand for and, if there is one from start on, the one before
// them, which can hold the beginning of a value; and a zero byte.
func (l *layer) appendGroups(out []byte, start, first, end int) []byte {
	at := first
	if at-4 >= start {
		at -= 4
	}
	text := l.outer.text
	l.add(part{at: len(out), from: at, unit: 3, size: 4})
	for ; at+4 <= end; at += 4 {
		out = append(out, sextets[text[at]]<<2|sextets[text[at+1]]>>4, sextets[text[at+1]]<<4|sextets[text[at+2]]>>2,
			sextets[text[at+2]]<<6|sextets[text[at+3]])
	}
	if rest := end - at; rest >= 2 {
		l.add(part{at: len(out), from: at, unit: uint8(rest - 1), size: uint8(rest)})
		out = append(out, sextets[text[at]]<<2|sextets[text[at+1]]>>4)
		if rest == 3 {
			out = append(out, sextets[text[at+1]]<<4|sextets[text[at+2]]>>2)
		}
	}
	return append(out, 0)
}

// appendHex appends what pairs of hexadecimal digits in a run stand for, where as many as a value has stand for bytes of
// values alone, each time with a zero byte behind them.
func (l *layer) appendHex(out []byte, start, end int, c *coded) []byte {
	text := l.outer.text[:end]
	for i := start + 2*c.least - 1; i < end; i += 2 * c.least {
		if !hexBytes[text[i]] {
			continue
		}
		from := i
		for from > start && hexBytes[text[from-1]] {
			from--
		}
		to := run(text, i, hexBytes)
		out = l.appendPairs(out, from, to, c)
		out = l.appendPairs(out, from+1, to, c)
		i = to
	}
	return out
}

func (l *layer) appendPairs(out []byte, from, to int, c *coded) []byte {
	text, before := l.outer.text, len(out)
	for at := from; ; at += 2 {
		if at+2 <= to {
			if char := hexDigit(text[at])<<4 | hexDigit(text[at+1]); c.plain[char] {
				out = append(out, char)
				continue
			}
		}
		if n := len(out) - before; n >= c.least {
			l.add(part{at: before, from: at - 2*n, unit: 1, size: 2})
			out = append(out, 0)
			before = len(out)
		}
		out = out[:before]
		if at+2 > to {
			return out
		}
	}
}

func hexDigit(c byte) byte {
	if isDigit(c) {
		return c - '0'
	}
	return c | 0x20 - 'a' + 10
}
