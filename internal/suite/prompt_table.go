package suite

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/org/mcp-gates/internal/gates"
	"github.com/org/mcp-gates/internal/lists"
	"github.com/org/mcp-gates/internal/source"
	"github.com/org/mcp-gates/internal/table"
	"github.com/org/mcp-gates/internal/yamlread"
)

// casesKey is the key of a test that names a table of prompts: each row is a case.
const casesKey = "cases"

// rowVariable is the variable for the slug of a row's name in cassette:.
const rowVariable = "row"

// These are the default names of a table's columns. The keys of cases: with the same names can change them.
const (
	columnPrompt  = "prompt"
	columnTool    = "expected_tool"
	columnClasses = "classes"
	columnName    = "name"
)

var tableColumns = []string{columnPrompt, columnTool, columnClasses, columnName}

// tableRow is the row of a table that a case was read from.
type tableRow struct {
	pos   source.Pos
	table string // slug of the test's name
	slug  string // slug of the row's name
}

// promptTable is the table of a test while it is read.
type promptTable struct {
	*reader
	test    test
	m       *yamlread.Map // cases:
	table   *table.Table
	columns map[string]string // name of the table's column for each key
	block   *yamlread.Map     // the test's block tool_selection, to which each row adds its tool; nil if there is none
}

func (r *reader) readTable(t test, m *yamlread.Map) {
	p := &promptTable{reader: r, test: t, m: m, columns: map[string]string{}}
	p.load()
	isUsable := r.checkTableKeys(p) && p.columns[columnPrompt] != "" && len(p.table.Rows) > 0
	if !isUsable {
		r.readAgent(t)
		r.readDefinition(t.m)
		return
	}
	if v, ok := t.m.Value(gates.ToolSelection.Name); ok && p.columns[columnTool] != "" {
		p.block, _ = v.Map()
	}
	t.of.definition = true // the rows are the cases
	seen := map[string][]*entry{}
	for _, row := range p.table.Rows {
		p.readRow(row, seen)
	}
	p.reportRepeatedNames(seen)
}

// load reads the keys of the table, and then the table itself.
func (p *promptTable) load() {
	v, ok := p.m.Value("file")
	for _, key := range tableColumns {
		name, isGiven := p.m.OptStr(key)
		if isGiven {
			p.columns[key] = name.Value
		}
	}
	p.m.Done()
	p.table = &table.Table{}
	if !ok {
		p.m.Errorf(p.m.Pos(), `"file" is missing, expected the path of a table of prompts, %s`, table.Formats)
		return
	}
	name, ok := p.readPath(v, "file")
	if ok && !table.Reads(name) {
		v.Errorf("\"file\" must be a path that ends in %s, found %q", table.Formats, clip(name))
	}
	if !ok || !table.Reads(name) {
		p.columns = map[string]string{}
		return
	}
	data, err := p.loader.readSuiteFile(name)
	if err != nil {
		v.Errorf("table %q: %s", clip(name), source.ErrorsOf(err)[0].Msg)
		p.columns = map[string]string{}
		return
	}
	if p.loader.Settings {
		own := p.suite.SHA256
		p.suite.SHA256 = sha256.Sum256(fmt.Appendf(own[:], "%q %x\n", name, sha256.Sum256(data)))
	}
	found, errs := table.Read(name, data)
	p.errs = append(p.errs, errs...)
	p.table = found
	p.findColumns()
}

// findColumns finds the columns of the table and reports missing ones. An unknown column is reported if its name is close to
// that of a missing one.
func (p *promptTable) findColumns() {
	var missing, used []string
	for _, key := range tableColumns {
		name, isGiven := p.columns[key]
		if !isGiven {
			name = key
		}
		switch {
		case p.table.Has(name):
			p.columns[key] = name
			used = append(used, name)
			continue
		case isGiven:
			p.errs.Addf(p.m.KeyPos(key), "%s has no column %q%s", clip(p.table.File), clip(name), p.hint(name, p.table.Names()))
		case key == columnPrompt && len(p.table.Columns) > 0:
			p.errs.Addf(p.table.Columns[0].Pos, "the table has no column %q%s; name another one with \"prompt\" of \"cases\"", key, p.hint(key, p.table.Names()))
		default:
			missing = append(missing, key)
		}
		delete(p.columns, key)
	}
	for _, column := range p.table.Columns {
		hint := p.hint(column.Text, missing)
		if hint != "" && !slices.Contains(used, column.Text) {
			p.errs.Addf(column.Pos, "nothing reads the column %q%s", clip(column.Text), hint)
		}
	}
}

// checkTableKeys reports what does not fit the table of a test: keys that the table provides, a missing tool_selection:, a variable
// called row, and recordings without ${row}. It returns whether there were no mistakes.
func (r *reader) checkTableKeys(p *promptTable) bool {
	t, before := p.test, len(r.errs)
	for _, key := range []string{"prompt", "user_prompt"} {
		if t.m.HasOwn(key) {
			r.errs.Addf(t.m.KeyPos(key), `%q stands beside "cases", whose rows have the prompts; expected one of them`, key)
		}
	}
	if _, declared := r.variables[rowVariable]; declared {
		r.errs.Addf(p.m.Pos(), `variable %q is the row of a table in "cassette", expected another name under "variables"`, rowVariable)
	}
	if p.columns[columnClasses] != "" && t.m.HasOwn("classes") {
		r.errs.Addf(t.m.KeyPos("classes"), `"classes" stands beside a table with the column %q, expected one of them`, clip(p.columns[columnClasses]))
	}
	if p.columns[columnTool] != "" {
		r.checkSelection(p)
	}
	r.checkRowPaths(t.m)
	return len(r.errs) == before
}

func (r *reader) checkSelection(p *promptTable) {
	m, column := p.test.m, clip(p.columns[columnTool])
	v, ok := m.Value(gates.ToolSelection.Name)
	switch {
	case !ok:
		r.errs.Addf(p.m.Pos(), `column %q needs the gate "tool_selection" in the test, such as "tool_selection: {min_selection_rate: 80%%}"`, column)
	case v.Kind() == yamlread.MapKind:
		block, _ := v.Map()
		if block.Has("expected_tool") {
			r.errs.Addf(block.KeyPos("expected_tool"), `"expected_tool" stands beside a table with the column %q, expected one of them`, column)
		}
	}
}

// checkRowPaths reports recordings that all rows of a table would share. Logs may be shared: each row takes the runs of its
// prompt.
func (r *reader) checkRowPaths(m *yamlread.Map) {
	v, ok := m.Value("cassette")
	if !ok {
		return
	}
	items := []yamlread.Value{v}
	if v.Kind() == yamlread.ListKind {
		items = v.List()
	}
	for _, item := range items {
		if item.Kind() == yamlread.TextKind && !strings.Contains(item.Text(), "${"+rowVariable+"}") {
			item.Errorf(`"cassette" has no "${row}", which each row of a table needs for a recording of its own`)
		}
	}
}

// readRow reads a row as a test. seen has the rows by name, to find names that occur twice.
func (p *promptTable) readRow(row table.Row, seen map[string][]*entry) {
	of := &entry{kind: AgentTest, pos: row.Pos, at: p.test.of.pos}
	p.inOrder = append(p.inOrder, of)
	of.name = fmt.Sprintf("%s: row at %d:%d", p.test.name.Value, row.Pos.Line, row.Pos.Col)
	p.test.of.heirs = append(p.test.of.heirs, of)
	p.attributeTo(of, func() {
		name, given, ok := p.readCells(row)
		if name.Value != "" {
			seen[name.Value] = append(seen[name.Value], of)
			of.name = p.test.name.Value + ": " + name.Value
		}
		slug := Slug(name.Value)
		if ok && slug == "" {
			p.errs.Addf(name.Pos, `name %q has no letter or digit to make a file name of, expected another one in a column "name"`, clip(name.Value))
		}
		if !ok || slug == "" {
			return
		}
		if len(seen[name.Value]) == 1 {
			p.registerName(yamlread.Str{Value: of.name, Pos: name.Pos}, of)
		}
		one := test{m: p.test.m.With(given...), name: yamlread.Str{Value: of.name, Pos: name.Pos}, inAgents: p.test.inAgents, of: of}
		one.row = &tableRow{row.Pos, Slug(p.test.name.Value), slug}
		one.blocks = p.blocksOf(one.m)
		p.readTest(one)
	})
}

// readCells reads the cells of a row: its name, and the test's keys that they provide; ok is false after a mistake.
func (p *promptTable) readCells(row table.Row) (name yamlread.Str, given []yamlread.Given, ok bool) {
	before := len(p.errs)
	prompt := p.readText(row, columnPrompt)
	name = yamlread.Str{Value: prompt.Text, Pos: prompt.Pos}
	given = append(given, yamlread.Given{Key: "prompt", Pos: prompt.Pos, Kind: yamlread.TextKind, Text: prompt.Text})
	c := row.Cells[p.columns[columnName]]
	isNamed := c.IsList || c.IsOther || strings.TrimSpace(c.Text) != ""
	if p.columns[columnName] != "" && isNamed {
		own := p.readText(row, columnName)
		name = yamlread.Str{Value: own.Text, Pos: own.Pos}
	}
	name.Value = rowName(name.Value)
	if name.Value == "" && len(p.errs) == before {
		p.errs.Addf(name.Pos, "the row's name holds nothing that can be shown, expected another one in a column \"name\"")
	}
	if p.columns[columnTool] != "" {
		given = append(given, p.readSelection(row))
	}
	if p.columns[columnClasses] != "" {
		given = append(given, p.readClasses(row)...)
	}
	return name, given, len(p.errs) == before
}

func (p *promptTable) readCell(row table.Row, key string) (table.Cell, bool) {
	c, ok := row.Cells[p.columns[key]]
	isEmpty := strings.TrimSpace(c.Text) == ""
	if c.IsList {
		isEmpty = len(c.Items) == 0
	}
	switch {
	case !ok:
		c.Pos = row.Pos
		p.errs.Addf(row.Pos, "the row has no %q", clip(p.columns[key]))
	case c.IsOther:
		p.errs.Addf(c.Pos, "%q must be a text, found %s", clip(p.columns[key]), clip(c.Text))
	case isEmpty:
		p.errs.Addf(c.Pos, "%q must not be empty", clip(p.columns[key]))
	default:
		return c, true
	}
	return c, false
}

func (p *promptTable) readText(row table.Row, key string) table.Cell {
	c, ok := p.readCell(row, key)
	if ok && c.IsList {
		p.errs.Addf(c.Pos, "%q must be a text, found a list", clip(p.columns[key]))
	}
	return c
}

func (p *promptTable) readSelection(row table.Row) yamlread.Given {
	c, ok := p.readCell(row, columnTool)
	tools := yamlread.Given{Key: "expected_tool", Pos: c.Pos, Kind: yamlread.ListKind}
	if ok {
		tools.Parts = p.readTools(c, columnTool)
	}
	return yamlread.Given{Key: gates.ToolSelection.Name, Pos: c.Pos, Kind: yamlread.MapKind, Parts: []yamlread.Given{tools}, Over: p.block}
}

// readClasses returns classes: of a row, and also equal_function_sets: if no gate of the test judges the classes.
func (p *promptTable) readClasses(row table.Row) []yamlread.Given {
	c, ok := p.readCell(row, columnClasses)
	list := yamlread.Given{Key: "classes", Pos: c.Pos, Kind: yamlread.ListKind}
	items := []table.Cell{}
	switch {
	case ok && c.IsList:
		items = c.Items
	case ok:
		for _, one := range strings.FieldsFunc(c.Text, func(r rune) bool { return r == ',' || r == ';' }) {
			items = append(items, table.Cell{Pos: c.Pos, Text: one})
		}
	}
	for _, item := range items {
		members := p.readTools(item, columnClasses)
		names := lists.Map(members, func(member yamlread.Given) string { return member.Text })
		name := yamlread.Given{Key: "name", Pos: item.Pos, Kind: yamlread.TextKind, Text: strings.Join(names, " | ")}
		all := yamlread.Given{Key: "members", Pos: item.Pos, Kind: yamlread.ListKind, Parts: members}
		list.Parts = append(list.Parts, yamlread.Given{Pos: item.Pos, Kind: yamlread.MapKind, Parts: []yamlread.Given{name, all}})
	}
	given := []yamlread.Given{list}
	takesClasses := []string{gates.EqualFunctionSets.Name, gates.TokenEfficiency.Name}
	if !slices.ContainsFunc(takesClasses, func(gate string) bool { return p.test.m.Has(gate) }) {
		given = append(given, yamlread.Given{Key: gates.EqualFunctionSets.Name, Pos: c.Pos, Kind: yamlread.MapKind})
	}
	return given
}

// readTools returns the tools of a cell, of which any may be called: a list, or a text with | between the tools.
func (p *promptTable) readTools(c table.Cell, key string) (tools []yamlread.Given) {
	items := c.Items
	if !c.IsList {
		for _, one := range strings.Split(c.Text, "|") {
			items = append(items, table.Cell{Pos: c.Pos, Text: strings.TrimSpace(one)})
		}
	}
	for _, item := range items {
		if item.IsList || item.IsOther || item.Text == "" {
			p.errs.Addf(item.Pos, `%q must hold names of tools, with "|" between those of which any is right`, clip(p.columns[key]))
			return nil
		}
		tools = append(tools, yamlread.Given{Pos: item.Pos, Kind: yamlread.TextKind, Text: item.Text})
	}
	return tools
}

func (p *promptTable) reportRepeatedNames(seen map[string][]*entry) {
	for name, rows := range seen { // the mistakes are sorted
		if len(rows) == 1 {
			continue
		}
		for i, of := range rows {
			other := rows[0].pos
			if i == 0 {
				other = rows[1].pos
			}
			p.attributeTo(of, func() {
				p.errs.Addf(of.pos, "name %q is given twice, also at %s; a column \"name\" can tell the rows apart", clip(name), other)
			})
		}
	}
}

// maxRowName is the maximum length of a row's name, in characters. A longer name is cut.
const maxRowName = 200

// rowName makes the name of a row from a text: one line, cut if it is long. A hash of the whole text distinguishes long names.
func rowName(text string) string {
	line := strings.Join(strings.FieldsFunc(text, func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }), " ")
	runes := []rune(line)
	if len(runes) <= maxRowName {
		return line
	}
	sum := sha256.Sum256([]byte(text))
	hash := "… " + hex.EncodeToString(sum[:4])
	return string(runes[:maxRowName-len([]rune(hash))]) + hash
}
