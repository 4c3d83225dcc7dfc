package report

// Sparklines hold small charts of figures over the last commits.
type Sparklines map[SparklineKey]string

// SparklineKey identifies a figure, of a case by its id, or of a catalog by its path.
type SparklineKey struct{ Of, Target string }

// runTokens are the targets of the figures that are counted without a gate.
var runTokens = map[string]string{FigureRunTokens: "tokens.median", FigureRunTokensMax: "tokens.max"}

// Case returns the chart of a case's figure; "" if there is none.
func (s Sparklines) Case(c *Case, figure string) string {
	for _, target := range append(FigureNamed(figure).Metrics, runTokens[figure], figure) {
		if line := s[SparklineKey{c.ID, target}]; line != "" {
			return line
		}
	}
	return ""
}

// Catalog returns the chart of the surface tokens of a catalog; "" if there is none.
func (s Sparklines) Catalog(c *Catalog) string { return s[SparklineKey{c.Path, "surface_tokens"}] }
