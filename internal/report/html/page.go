package html

import (
	"crypto/sha256"
	_ "embed" // for the style, the script and the library
	"encoding/base64"
)

// The parts that are the same in all pages. The files hold no text of others.
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

// page returns the whole document.
func (d *document) page() markup {
	return wholePage(verdictWord(d.r.Verdict)+": "+escaped(d.r.Headline()), pageScript, d.hasCharts(), d.body())
}

// wholePage returns a document. The charting library is in it only where there is something to draw.
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

// policy is the element by which a browser runs the script and applies the style of the page, and does nothing else.
func policy(style, script markup) markup {
	return "<meta http-equiv=Content-Security-Policy content=\"default-src 'none'; style-src " + hash(style) + "; script-src " + hash(script) +
		"; base-uri 'none'; form-action 'none'\">\n"
}

// hash names the content of an element as a Content-Security-Policy does.
func hash(content markup) markup {
	sum := sha256.Sum256([]byte(content))
	return "'sha256-" + markup(base64.StdEncoding.EncodeToString(sum[:])) + "'"
}
