package html

import (
	"crypto/sha256"
	_ "embed" // for the style, the script and the library
	"encoding/base64"
)

// These files are the same in all pages. They contain no untrusted text.
var (
	//go:embed page.css
	pageStyle markup
	//go:embed page.js
	pageScript markup

	//go:embed uplot/uPlot.min.css
	chartStyle markup
	//go:embed uplot/uPlot.iife.min.js
	chartScript markup
	//go:embed uplot/LICENSE
	chartLicense markup
)

func (d *document) page() markup {
	return wholePage(verdictWord(d.r.Verdict)+": "+escaped(d.r.Headline()), pageScript, d.hasCharts(), d.body())
}

// wholePage returns a document. It includes the charting library only if draws is set.
func wholePage(title, script markup, draws bool, body markup) markup {
	style := pageStyle
	if draws {
		style = chartStyle + "\n" + style
		script = "/*!\nuPlot\n\n" + chartLicense + "\n*/\n" + chartScript + script
	}
	return "<!doctype html>\n<html lang=en>\n<meta charset=utf-8>\n" + policy(style, script) +
		"<meta name=viewport content=\"width=device-width, initial-scale=1\">\n<meta name=color-scheme content=\"light dark\">\n" +
		"<title>" + title + "</title>\n" +
		"<style>" + style + "</style>\n<body>\n" + body + "<script>" + script + "</script>\n"
}

// policy returns the element with the Content-Security-Policy, which allows this script and this style and nothing else.
func policy(style, script markup) markup {
	return "<meta http-equiv=Content-Security-Policy content=\"default-src 'none'; style-src " + hash(style) + "; script-src " + hash(script) +
		"; base-uri 'none'; form-action 'none'\">\n"
}

// hash returns the hash of an element's content, as a Content-Security-Policy writes it.
func hash(content markup) markup {
	sum := sha256.Sum256([]byte(content))
	return "'sha256-" + markup(base64.StdEncoding.EncodeToString(sum[:])) + "'"
}
