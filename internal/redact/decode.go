package redact

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"strings"
)

// encodedSearch describes the texts in Base64 and in hexadecimal digits that are searched for values.
type encodedSearch struct {
	valueBytes charset // the bytes of all values, also of their escaped and encoded forms
	minValue   int     // length of the shortest value that is searched for in such texts: minEncoded or more; 0 if there is none
}

// minRun returns the length of the shortest text in Base64 that can hold a value.
func (c *encodedSearch) minRun() int { return (c.minValue*8 + 5) / 6 }

var (
	// sextetBytes are the characters of Base64, of both alphabets, without padding.
	sextetBytes = bytesOf(lowers + capitals + numerals + "+/-_")
	breakBytes  = bytesOf("\r\n")
	// runBytes are the characters of Base64 and of the breaks between its lines.
	runBytes = bytesOf(lowers + capitals + numerals + "+/-_\r\n")
)

// decodeRuns decodes the runs of Base64 and of hexadecimal digits in the outer text, which [layer.joinRuns] has made. It
// returns the pieces that may hold a value, each followed by a zero byte; nil if there are none. An encoded text can
// begin anywhere in a run, so each run is decoded from each of its first four characters (Base64) or two (hexadecimal).
func (l *layer) decodeRuns(c *encodedSearch) []byte {
	var out, room []byte
	runs := []byte(l.outer.text)
	for start := 0; start < len(runs); {
		end := start + bytes.IndexByte(runs[start:], 0)
		for from := start; from < min(start+4, end); from++ {
			to := end
			if (to-from)%4 == 1 {
				to--
			}
			room, _ = base64.RawStdEncoding.AppendDecode(room[:0], runs[from:to]) // no error: a run holds only Base64
			out = l.appendPlain(out, room, part{from: from, unit: 3, size: 4}, c)
		}
		for at := start; at < end; at++ {
			to := endOfRun(l.outer.text, at, hexBytes)
			for from := at; from < at+2 && to-from >= 2*c.minValue; from++ {
				room, _ = hex.AppendDecode(room[:0], runs[from:to-(to-from)%2])
				out = l.appendPlain(out, room, part{from: from, unit: 1, size: 2}, c)
			}
			at = to
		}
		start = end + 1
	}
	return out
}

// appendPlain appends the pieces of a decoded text that may hold a value. p is the place of the encoded text.
func (l *layer) appendPlain(out, decoded []byte, p part, c *encodedSearch) []byte {
	from := p.from
	for at := 0; at < len(decoded); at++ {
		end := at
		for end < len(decoded) && c.valueBytes[decoded[end]] {
			end++
		}
		if end-at >= c.minValue {
			unit := at / int(p.unit)
			p.at, p.from = len(out), from+unit*int(p.size)
			l.addPart(p)
			out = append(append(out, decoded[unit*int(p.unit):end]...), 0)
		}
		at = end
	}
	return out
}

// joinRuns returns the runs of the outer text that are long enough, without line breaks and in the standard alphabet,
// each followed by a zero byte; nil if there are none.
func (l *layer) joinRuns(c *encodedSearch) []byte {
	least := c.minRun()
	var out []byte
	text := l.outer.text
	// A run that is long enough covers one of these places.
	for i := least - 1; i < len(text); i += least {
		if !runBytes[text[i]] {
			continue
		}
		start := i
		for start > 0 && runBytes[text[start-1]] {
			start--
		}
		end := endOfRun(text, i, runBytes)
		breaks := strings.Count(text[start:end], "\n") + strings.Count(text[start:end], "\r")
		if end-start-breaks >= least {
			out = l.appendLines(out, start, end)
		}
		i = end
	}
	return out
}

func (l *layer) appendLines(out []byte, start, end int) []byte {
	text, before := l.outer.text[:end], len(out)
	for at := start; at < end; {
		stop := endOfRun(text, at, sextetBytes)
		out = l.appendCopied(out, at, stop)
		at = endOfRun(text, stop, breakBytes)
	}
	for i, c := range out[before:] {
		switch c {
		case '-':
			out[before+i] = '+'
		case '_':
			out[before+i] = '/'
		}
	}
	return append(out, 0)
}
