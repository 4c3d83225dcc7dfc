package text

import (
	"github.com/org/mcp-gates/internal/report"
	"github.com/org/mcp-gates/internal/report/tell"
)

func (p *printer) writeUnknown(m *report.Manifest, tools int) {
	for _, line := range tell.Unknown(m, tools) {
		p.line("  ", p.render(line))
	}
}

func (p *printer) writeBreaking(indent string, b report.Breaking, colour style) {
	p.line(indent, p.place(b.Path, b.Line), p.paint(colour, toolID(b.Server, b.Tool)), ": ", p.render(tell.Broken(b)))
}
